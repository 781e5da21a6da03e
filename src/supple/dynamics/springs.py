"""Springs and dampers, of joints and of tendons."""

import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.coordinates import difference
from supple.dynamics.topology import topology
from supple.dynamics.transmission import tendon_moments
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.spatial.arrays import Array


def spring_force(model: Model, q: Float[Array, " nq"]) -> Float[Array, " nv"]:
    """−k (q ⊖ q_rest) of joints, and −k s of tendons stretched by s: MuJoCo's `qfrc_spring`.

    Hinges and slides rest at `joints.rest`, balls at the identity, free joints at `home`, and tendons anywhere within
    their `rest_range`; at its ends the derivative of a tendon's force is half of that beyond. Turns go the shorter way,
    so the force on a ball or free joint jumps where it is half a turn from rest.
    """
    force = -jnp.asarray(model.joints.stiffness)[topology(model).dof_joints] * difference(model, q, _rest(model))
    if model.tendons is None:
        return force
    return force - tendon_moments(model).forces(model.tendons.stiffness * _tendon_stretch(model, q))


def spring_energy(model: Model, q: Float[Array, " nq"]) -> Float[Array, ""]:
    """½ k |q ⊖ q_rest|² of joints and ½ k s² of tendons, J."""
    stretch = difference(model, q, _rest(model))
    energy = 0.5 * jnp.sum(jnp.asarray(model.joints.stiffness)[topology(model).dof_joints] * stretch * stretch)
    if model.tendons is None:
        return energy
    return energy + 0.5 * jnp.sum(model.tendons.stiffness * _tendon_stretch(model, q) ** 2)


def damping_force(model: Model, v: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """−d v of joints, and −d l̇ of tendons: MuJoCo's `qfrc_damper`."""
    force = -jnp.asarray(model.joints.damping)[topology(model).dof_joints] * v
    if model.tendons is None:
        return force
    moments = tendon_moments(model)
    return force - moments.forces(model.tendons.damping * moments.velocities(v))


def _tendon_stretch(model: Model, q: Float[Array, " nq"]) -> Float[Array, " tendons"]:
    """How far each tendon's length is beyond its rest range, negative below it, m or rad."""
    assert model.tendons is not None
    length, rest = tendon_moments(model).lengths(q), jnp.asarray(model.tendons.rest_range)
    return jnp.maximum(length - rest[:, 1], 0.0) - jnp.maximum(rest[:, 0] - length, 0.0)


def _rest(model: Model) -> Array:
    """The configuration in which every joint's spring is at rest."""
    rest = jnp.asarray(model.home)
    for group in topology(model).groups:
        if group.kind in (JointKind.HINGE, JointKind.SLIDE):
            rest = rest.at[group.q[:, 0]].set(jnp.asarray(model.joints.rest)[group.joints])
        elif group.kind is JointKind.BALL:
            rest = rest.at[group.q].set(jnp.array([1.0, 0.0, 0.0, 0.0], dtype=rest.dtype))
    return rest

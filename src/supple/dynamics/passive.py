"""Passive forces of joints: springs and dampers."""

import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.coordinates import difference
from supple.dynamics.topology import topology
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.spatial.arrays import Array


def spring_force(model: Model, q: Float[Array, " nq"]) -> Float[Array, " nv"]:
    """−k (q ⊖ q_rest): hinges and slides rest at `joints.rest`, balls at the identity, free joints at `home`."""
    joint = topology(model).dof_joints
    return -jnp.asarray(model.joints.stiffness)[joint] * difference(model, q, _rest(model))


def spring_energy(model: Model, q: Float[Array, " nq"]) -> Float[Array, ""]:
    """½ k |q ⊖ q_rest|², J."""
    stretch = difference(model, q, _rest(model))
    return 0.5 * jnp.sum(jnp.asarray(model.joints.stiffness)[topology(model).dof_joints] * stretch * stretch)


def damping_force(model: Model, v: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """−d v."""
    return -jnp.asarray(model.joints.damping)[topology(model).dof_joints] * v


def passive_force(model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """Springs and dampers together; MuJoCo's `qfrc_passive` of these."""
    return spring_force(model, q) + damping_force(model, v)


def _rest(model: Model) -> Array:
    """The configuration in which every spring is at rest."""
    rest = jnp.asarray(model.home)
    for group in topology(model).groups:
        if group.kind in (JointKind.HINGE, JointKind.SLIDE):
            rest = rest.at[group.q[:, 0]].set(jnp.asarray(model.joints.rest)[group.joints])
        elif group.kind is JointKind.BALL:
            rest = rest.at[group.q].set(jnp.array([1.0, 0.0, 0.0, 0.0], dtype=rest.dtype))
    return rest

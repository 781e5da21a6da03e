"""Resistance: the inertia that a step gains when it takes forces at the velocity that it ends with.

To first order f(v + h a) = f(v) + h ∂f/∂v a, so M a = f(v + h a) − c is solved by

    (M + D) a = f(v) − c,    D = −h ∂f/∂v.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Float

from supple import dynamics
from supple.dynamics.crba import mass_matrix
from supple.dynamics.joints import slot_rates
from supple.dynamics.topology import topology
from supple.model.actuators import NO_PART
from supple.model.integrator import Motion
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.model.state import State
from supple.spatial.arrays import Array

Time = Float[Array, ""] | float
Diagonal = Float[Array, " nv"]
Matrix = Float[Array, "nv nv"]


def resistance_of_dampers(model: Model, dt: Time) -> Diagonal:
    """D of the joints' dampers: h d."""
    return dt * jnp.asarray(model.joints.damping)[topology(model).dof_joints]


def resistance_of_forces(motion: Motion, state: State, dt: Time) -> Diagonal | Matrix:
    """The symmetric part of D of passive and actuator forces, as the model makes them, without what rewrites them.

    Diagonal, at the cost of one directional derivative, if every degree of freedom feels its own velocity only.
    """
    model = motion.model
    activation = state.memory if model.na else None

    def force(v: Float[Array, " nv"]) -> Float[Array, " nv"]:
        actuation = dynamics.actuator_force(model, state.q, v, motion.control, activation, dt)
        return actuation + dynamics.passive_force(model, state.q, v)

    if not couples_velocities(model):
        return -dt * jax.jvp(force, (state.v,), (jnp.ones_like(state.v),))[1]
    derivative = jax.jacfwd(force)(state.v)
    return -0.5 * dt * (derivative + derivative.T)


def couples_velocities(model: Model) -> bool:
    """Whether the force on a degree of freedom may depend on another's velocity.

    A medium acts on bodies, and a tendon on several joints; a ball or free joint is coupled in itself by an actuator
    and by a limit, which act along one axis.
    """
    joints = model.joints
    driven = {joints.kinds[joint] for joint in model.actuators.joints if joint != NO_PART}
    limited = {kind for kind, flag in zip(joints.kinds, joints.limited, strict=True) if flag}
    turning = (driven | limited) & {JointKind.BALL, JointKind.FREE}
    return model.medium is not None or model.tendons is not None or bool(turning)


def accelerate(
    model: Model,
    links: dynamics.Links,
    pose: dynamics.Pose,
    force: Float[Array, " nv"],
    resistance: Diagonal | Matrix | None,
) -> Float[Array, " nv"]:
    """(M + D)⁻¹ f, in O(n) if D is diagonal: it then adds to the armature of the joints."""
    if resistance is None:
        return dynamics.solve_mass(links, pose, force)
    if resistance.ndim == 1:
        return dynamics.solve_mass(_with_armature(links, resistance), pose, force)
    factor = jax.scipy.linalg.cho_factor(mass_matrix(model, links, pose) + resistance, lower=True)
    return jax.scipy.linalg.cho_solve(factor, force)


def _with_armature(links: dynamics.Links, armature: Diagonal) -> dynamics.Links:
    """Links whose joints have more armature; a free joint's is one number, the same in all directions."""
    seated = links.armature + slot_rates(links, armature)
    free = links.free_armature + jnp.mean(armature[links.topology.free_v], axis=1)
    return eqx.tree_at(lambda links: (links.armature, links.free_armature), links, (seated, free))

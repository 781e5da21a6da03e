"""Resistance: the inertia that a step gains when it takes forces at the velocity that it ends with.

To first order f(v + h a) = f(v) + h ∂f/∂v a, so M a = f(v + h a) − c is solved by

    (M + D) a = f(v) − c,    D = −h ∂f/∂v.
"""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float

from supple import dynamics
from supple.dynamics.crba import mass_matrix
from supple.dynamics.joints import slot_rates
from supple.dynamics.topology import NOWHERE, Topology, topology
from supple.dynamics.transmission import actuator_moments
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
    """D of passive and actuator forces, as the model makes them, without what rewrites them.

    Diagonal, at the cost of one directional derivative, if every degree of freedom feels its own velocity only.
    Otherwise a symmetric matrix with the sparsity of M: as in MuJoCo, a tendon's resistance between two degrees of
    freedom of which neither carries the other is left out.
    """
    model = motion.model
    activation = state.memory if model.na else None

    def actuation(v: Float[Array, " nv"]) -> Float[Array, " nv"]:
        return dynamics.actuator_force(model, state.q, v, motion.control, activation, dt)

    def output(v: Float[Array, " nv"]) -> Float[Array, " nu"]:
        return dynamics.actuator_output(model, state.q, v, motion.control, activation, dt)

    def passive(v: Float[Array, " nv"]) -> Float[Array, " nv"]:
        return dynamics.passive_force(model, state.q, v)

    if not couples_velocities(model):
        return -dt * jax.jvp(lambda v: actuation(v) + passive(v), (state.v,), (jnp.ones_like(state.v),))[1]
    moments = actuator_moments(model)
    by_v = jnp.where(_is_held(model, output(state.v))[:, None], 0.0, jax.jacfwd(output)(state.v))
    derivative = jax.vmap(moments.forces, in_axes=1, out_axes=1)(by_v) + jax.jacfwd(passive)(state.v)
    return jnp.where(_share_inertia(topology(model)), -0.5 * dt * (derivative + derivative.T), 0.0)


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
    """Links whose joints have more armature; a free joint's is one number for all directions, here the largest.

    Only dry friction resists a free joint differently along different directions; the largest is stable.
    """
    seated = links.armature + slot_rates(links, armature)
    free = links.free_armature + jnp.max(armature[links.topology.free_v], axis=1)
    return eqx.tree_at(lambda links: (links.armature, links.free_armature), links, (seated, free))


def _is_held(model: Model, output: Float[Array, " nu"]) -> Bool[Array, " nu"]:
    """Which actuators drive a joint whose `force_range` clamps the sum of all of them, so that none can resist.

    Those that pull a tendon are not held by the clamps of its joints, as in MuJoCo.
    """
    joints, driven = model.joints, np.array(model.actuators.joints, dtype=np.int32)
    limited = np.append(np.array(joints.force_limited, dtype=bool), False)[driven]  # NO_PART finds the last
    if not limited.any():
        return jnp.zeros(model.nu, dtype=bool)
    starts = np.array(joints.v_starts, dtype=np.int32)[driven]
    force, limits = actuator_moments(model).forces(output)[starts], jnp.asarray(joints.force_range)[driven]
    return limited & ((force <= limits[:, 0]) | (force >= limits[:, 1]))


@functools.lru_cache(maxsize=256)
def _share_inertia(tree: Topology) -> np.ndarray:
    """(nv, nv) Which degrees of freedom share inertia: one of the two carries the other."""
    carries = np.eye(len(tree.cell_parents), dtype=bool)  # rows: cells, columns: those that carry them
    for cell, parent in enumerate(tree.cell_parents):  # parents stand before their children
        if parent != NOWHERE:
            carries[cell] |= carries[parent]
    cells = tree.cells[tree.dof_joints]
    carried = carries[np.ix_(cells, cells)]
    return carried | carried.T

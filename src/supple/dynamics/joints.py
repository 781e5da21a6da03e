"""What the kinds of joint do: place their link, move it, and feel force."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.dynamics.links import Links
from supple.dynamics.topology import NOWHERE, Group
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.spatial.rotation import about_axis, from_quaternion
from supple.spatial.vector import apply, apply_transpose, multiply


class Pose(eqx.Module):
    """Where each link stands in its parent link's frame; a free link, in the world's."""

    rotation: Float[Array, "depth width 3 3"]  # R_parent_link
    position: Float[Array, "depth width 3"]
    free_rotation: Float[Array, "free 3 3"]  # R_world_link
    free_position: Float[Array, "free 3"]


def place_links(model: Model, links: Links, q: Float[Array, " nq"]) -> Pose:
    """Each link's frame at configuration q."""
    tree = links.topology
    turns, shifts, joints = [], [], []
    free_rotation, free_position = jnp.zeros((0, 3, 3), q.dtype), jnp.zeros((0, 3), q.dtype)
    for group in tree.groups:
        if group.kind is JointKind.FREE:
            free_rotation, free_position = from_quaternion(q[group.q[:, 3:]]), q[group.q[:, :3]]
        else:
            turn, shift = _displacement(model, group, q)
            turns.append(turn)
            shifts.append(shift)
            joints.append(group.joints)
    place = np.full(tree.slots.max(initial=NOWHERE) + 2, sum(map(len, joints)))  # last: slots without a joint
    place[[joint for group in joints for joint in group]] = np.arange(place[-1])
    turn = jnp.concatenate([*turns, jnp.eye(3)[None]])[place[tree.slots]]
    rotation = multiply(links.rotation, turn)
    position = links.position
    if links.linear is not None:
        position = position + apply(links.rotation, jnp.concatenate([*shifts, jnp.zeros((1, 3))])[place[tree.slots]])
    return Pose(rotation, position, free_rotation, free_position)


def _displacement(model: Model, group: Group, q: Float[Array, " nq"]) -> tuple[Array, Array]:
    """Rotation and translation of joints of one kind from their reference, in their own frames."""
    axis = jnp.asarray(model.joints.axis)[group.joints]
    if group.kind is JointKind.BALL:
        return from_quaternion(q[group.q]), jnp.zeros_like(axis)
    travel = q[group.q[:, 0]] - jnp.asarray(model.joints.reference)[group.joints]
    if group.kind is JointKind.HINGE:
        return about_axis(axis, travel), jnp.zeros_like(axis)
    return jnp.broadcast_to(jnp.eye(3, dtype=axis.dtype), (len(group.joints), 3, 3)), axis * travel[:, None]


def slot_rates(links: Links, v: Float[Array, " nv"]) -> Float[Array, "depth width freedoms"]:
    """Values of the degrees of freedom, put into their slots; zero where there is none."""
    return jnp.concatenate([v, jnp.zeros_like(v, shape=1)])[links.topology.slot_v]


def joint_motion(
    links: Links, v: Float[Array, " nv"]
) -> tuple[Float[Array, "depth width 3"], Float[Array, "depth width 3"] | None]:
    """S v: angular and linear motion of each link relative to its parent, in the link's frame.

    There is no linear one if no joint slides. The same map takes velocities to velocities and accelerations to
    accelerations.
    """
    rates = slot_rates(links, v)
    return apply_transpose(links.angular, rates), None if links.linear is None else apply_transpose(links.linear, rates)


def free_motion(
    links: Links, pose: Pose, v: Float[Array, " nv"]
) -> tuple[Float[Array, "free 3"], Float[Array, "free 3"]]:
    """Angular and linear motion of the free links, in their own frames."""
    rates = v[links.topology.free_v]
    return rates[:, 3:], apply_transpose(pose.free_rotation, rates[:, :3])


def felt_force(
    links: Links, torque: Float[Array, "*slots 3"], force: Float[Array, "*slots 3"]
) -> Float[Array, "*slots freedoms"]:
    """Sᵀ f: the generalised force of a wrench on each slot's link about its origin."""
    felt = apply(links.angular, torque)
    return felt if links.linear is None else felt + apply(links.linear, force)


def free_force(pose: Pose, torque: Float[Array, "free 3"], force: Float[Array, "free 3"]) -> Float[Array, "free 6"]:
    """The generalised force of a wrench on each free link."""
    return jnp.concatenate([apply(pose.free_rotation, force), torque], axis=-1)


def in_dof_order(
    links: Links, slots: Float[Array, "depth width freedoms"], free: Float[Array, "free 6"]
) -> Float[Array, " nv"]:
    """Values of the degrees of freedom, put in the order of v."""
    tree = links.topology
    present = tree.slot_v.ravel() != NOWHERE
    values = jnp.concatenate([slots.reshape(-1)[np.flatnonzero(present)], free.reshape(-1)])
    return values[np.argsort(np.concatenate([tree.slot_v.ravel()[present], tree.free_v.ravel()]))]


def joint_axes(links: Links, pose: Pose) -> tuple[Float[Array, "nv 3"], Float[Array, "nv 3"]]:
    """The columns of S: angular and linear motion of the link, in its frame, at unit rate of a degree of freedom."""
    tree = links.topology
    slots, free = np.nonzero(tree.slot_v.ravel() != NOWHERE)[0], len(tree.free)
    order = np.argsort(np.concatenate([tree.slot_v.ravel()[slots], tree.free_v.ravel()]))
    unit = jnp.broadcast_to(jnp.eye(3, dtype=links.angular.dtype), (free, 3, 3))
    none = jnp.zeros_like(unit)
    free_angular, free_linear = (
        jnp.concatenate([none, unit], axis=1),
        jnp.concatenate([pose.free_rotation, none], axis=1),
    )
    slot_angular = links.angular.reshape(-1, 3)[slots]
    slot_linear = jnp.zeros_like(slot_angular) if links.linear is None else links.linear.reshape(-1, 3)[slots]
    angular = jnp.concatenate([slot_angular, free_angular.reshape(-1, 3)])
    return angular[order], jnp.concatenate([slot_linear, free_linear.reshape(-1, 3)])[order]

"""What the kinds of joint do: place their link, move it, and feel force."""

from collections.abc import Callable

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.dynamics.links import Links
from supple.dynamics.topology import Group
from supple.model.joint import JointKind
from supple.spatial.arrays import Array
from supple.spatial.rotation import about_axis, from_quaternion
from supple.spatial.vector import apply, apply_transpose, dot, multiply


class Pose(eqx.Module):
    """Where each link stands in its parent link's frame."""

    rotation: Float[Array, "links 3 3"]  # R_parent_link
    position: Float[Array, "links 3"]


def place_links(links: Links, q: Float[Array, " nq"]) -> Pose:
    """Each link's frame in its parent link's frame at configuration q."""

    def place(group: Group) -> tuple[Array, Array]:
        rotation, position = links.rotation[group.links], links.position[group.links]
        match group.kind:
            case JointKind.HINGE:
                angle = q[group.q[:, 0]] - links.reference[group.links]
                return multiply(rotation, about_axis(links.axis[group.links], angle)), position
            case JointKind.SLIDE:
                distance = q[group.q[:, 0]] - links.reference[group.links]
                return rotation, position + apply(rotation, links.axis[group.links] * distance[:, None])
            case JointKind.BALL:
                return multiply(rotation, from_quaternion(q[group.q])), position
            case JointKind.FREE:
                return from_quaternion(q[group.q[:, 3:]]), q[group.q[:, :3]]

    rotations, positions = zip(*map(place, links.topology.groups), strict=True)
    return Pose(_in_link_order(links, rotations), _in_link_order(links, positions))


def joint_motion(
    links: Links, R_parent_link: Float[Array, "links 3 3"], v: Float[Array, " nv"]
) -> tuple[Float[Array, "links 3"], Float[Array, "links 3"]]:
    """S v: angular and linear motion of each link relative to its parent, in the link's frame.

    The same map takes velocities to velocities and accelerations to accelerations.
    """

    def move(group: Group) -> tuple[Array, Array]:
        rate = v[group.v]
        none = jnp.zeros((len(group.links), 3), v.dtype)
        match group.kind:
            case JointKind.HINGE:
                return links.axis[group.links] * rate, none
            case JointKind.SLIDE:
                return none, links.axis[group.links] * rate
            case JointKind.BALL:
                return rate, none
            case JointKind.FREE:
                return rate[:, 3:], apply_transpose(R_parent_link[group.links], rate[:, :3])

    angular, linear = zip(*map(move, links.topology.groups), strict=True)
    return _in_link_order(links, angular), _in_link_order(links, linear)


def joint_force(
    links: Links,
    R_parent_link: Float[Array, "links 3 3"],
    torque: Float[Array, "links 3"],
    force: Float[Array, "links 3"],
) -> Float[Array, " nv"]:
    """Sᵀ f: generalised force of a wrench on each link about its origin, in the link's frame."""

    def feel(group: Group) -> Array:
        n, f = torque[group.links], force[group.links]
        match group.kind:
            case JointKind.HINGE:
                return dot(links.axis[group.links], n)
            case JointKind.SLIDE:
                return dot(links.axis[group.links], f)
            case JointKind.BALL:
                return n
            case JointKind.FREE:
                return jnp.concatenate([apply(R_parent_link[group.links], f), n], axis=-1)

    return in_dof_order(links, feel)


def in_dof_order(links: Links, of_group: Callable[[Group], Array]) -> Float[Array, " nv"]:
    """Values of the kinds' degrees of freedom, put in the order of v."""
    groups = links.topology.groups
    values = jnp.concatenate([of_group(group).reshape(-1) for group in groups])
    return values[np.argsort(np.concatenate([group.v.reshape(-1) for group in groups]))]


def _in_link_order(links: Links, values: tuple[Array, ...]) -> Array:
    if len(values) == 1:
        return values[0]
    return jnp.concatenate(values)[np.argsort(np.concatenate([group.links for group in links.topology.groups]))]


def joint_axes(links: Links, R_parent_link: Float[Array, "links 3 3"]) -> tuple[Float[Array, "nv 3"], Float[Array, "nv 3"]]:
    """The columns of S: angular and linear motion of its link, in the link's frame, under a unit rate of each degree of freedom."""

    def axes(group: Group) -> tuple[Array, Array]:
        axis = links.axis[group.links][:, None, :]
        unit = jnp.broadcast_to(jnp.eye(3, dtype=axis.dtype), (len(group.links), 3, 3))
        match group.kind:
            case JointKind.HINGE:
                return axis, jnp.zeros_like(axis)
            case JointKind.SLIDE:
                return jnp.zeros_like(axis), axis
            case JointKind.BALL:
                return unit, jnp.zeros_like(unit)
            case JointKind.FREE:
                none = jnp.zeros_like(unit)
                linear = R_parent_link[group.links]
                return jnp.concatenate([none, unit], axis=1), jnp.concatenate([linear, none], axis=1)

    angular, linear = zip(*((a.reshape(-1, 3), b.reshape(-1, 3)) for a, b in map(axes, links.topology.groups)), strict=True)
    order = np.argsort(np.concatenate([group.v.reshape(-1) for group in links.topology.groups]))
    return jnp.concatenate(angular)[order], jnp.concatenate(linear)[order]

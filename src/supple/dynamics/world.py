"""Links in the world: where they are and how they move, in the world's axes.

Arrays have a row for each cell of `Topology`, and a last one for the world itself, where the index NOWHERE = -1
finds it.
"""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.joints import Pose, joint_motion
from supple.dynamics.links import Links
from supple.dynamics.rnea import join_roots
from supple.dynamics.traverse import outward
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, cross, multiply


class WorldLinks(eqx.Module):
    """The links' frames in the world's."""

    rotation: Float[Array, "rows 3 3"]  # R_world_link
    position: Float[Array, "rows 3"]  # m


class Motion(eqx.Module):
    """Velocities, or classical accelerations, of links: of their frames' origins, in world axes."""

    angular: Float[Array, "rows 3"]
    linear: Float[Array, "rows 3"]


def place_in_world(links: Links, pose: Pose) -> WorldLinks:
    """Carry the links' poses outward: R_world_link = R_world_parent R, p = p_parent + R_world_parent r."""

    def step(above: Any, rows: Any) -> Any:
        R_world_parent, p_world_parent = above
        rotation, position = rows
        here = (multiply(R_world_parent, rotation), p_world_parent + apply(R_world_parent, position))
        return here, here

    dtype = pose.position.dtype
    free, world = (pose.free_rotation, pose.free_position), (jnp.eye(3, dtype=dtype), jnp.zeros(3, dtype))
    rotation, position = outward(links.topology, step, join_roots(links, free, world), (pose.rotation, pose.position))
    return WorldLinks(_join(free[0], rotation, world[0]), _join(free[1], position, world[1]))


def link_velocities(links: Links, pose: Pose, world: WorldLinks, v: Float[Array, " nv"]) -> Motion:
    """ω = ω_parent + R S v, and v = v_parent + ω_parent × r + R S v of the origin at r from the parent's."""
    return _gather(links, world, _free_motion(links, pose, v), _relative_motion(links, world, v))


def link_accelerations(
    links: Links, pose: Pose, world: WorldLinks, velocities: Motion, v: Float[Array, " nv"], a: Float[Array, " nv"]
) -> Motion:
    """Classical accelerations, where joints move their links with R S v = (w, u), and r is from the parent's origin.

    α = α_parent + ω_parent × w + R S a, and a = a_parent + α_parent × r + ω_parent × (ω_parent × r + 2 u) + R S a.
    """
    spin, slide = _relative_motion(links, world, v)
    spin_rate, slide_rate = _relative_motion(links, world, a)
    omega = _grid(links, velocities.angular[links.topology.cell_parents])
    swing = cross(omega, _offsets(links, world))
    swing = swing if slide is None else swing + 2.0 * slide
    linear = cross(omega, swing)
    relative = (cross(omega, spin) + spin_rate, linear if slide_rate is None else linear + slide_rate)
    return _gather(links, world, _free_motion(links, pose, a), relative)


def _gather(links: Links, world: WorldLinks, free: tuple[Array, Array], relative: tuple[Array, Array | None]) -> Motion:
    """Add up relative motions from the roots: angular ones as they are, linear ones with the lever of the angular."""

    def step(above: Any, rows: Any) -> Any:
        (angular_above, linear_above), (angular, linear, offset) = above, rows
        moved = linear_above + cross(angular_above, offset)
        here = (angular_above + angular, moved if linear is None else moved + linear)
        return here, here

    still = (jnp.zeros_like(world.position[0]),) * 2
    columns = (*relative, _offsets(links, world))
    angular, linear = outward(links.topology, step, join_roots(links, free, still), columns)
    return Motion(_join(free[0], angular, still[0]), _join(free[1], linear, still[1]))


def _free_motion(
    links: Links, pose: Pose, v: Float[Array, " nv"]
) -> tuple[Float[Array, "free 3"], Float[Array, "free 3"]]:
    rates = v[links.topology.free_v]
    return apply(pose.free_rotation, rates[:, 3:]), rates[:, :3]


def _relative_motion(links: Links, world: WorldLinks, v: Float[Array, " nv"]) -> tuple[Array, Array | None]:
    """R_world_link S v of the slots' links."""
    rotation = _grid(links, world.rotation[:-1])
    spin, slide = joint_motion(links, v)
    return apply(rotation, spin), None if slide is None else apply(rotation, slide)


def _offsets(links: Links, world: WorldLinks) -> Float[Array, "depth width 3"]:
    """From the parent link's origin to each link's, in world axes."""
    return _grid(links, world.position[:-1] - world.position[links.topology.cell_parents])


def _grid(links: Links, cells: Float[Array, "cells *n"]) -> Float[Array, "depth width *n"]:
    tree = links.topology
    return cells[len(tree.free) :].reshape(*tree.slots.shape, *cells.shape[1:])


def _join(
    free: Float[Array, "free *n"], slots: Float[Array, "depth width *n"], world: Float[Array, "*n"]
) -> Float[Array, "rows *n"]:
    return jnp.concatenate([free, slots.reshape(-1, *world.shape), world[None]])

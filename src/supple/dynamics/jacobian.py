"""Jacobians of bodies and their time derivatives.

A degree of freedom d turns everything beyond it about an axis s through the point p, or shifts it along t. A point x
that it moves has the column

    J_d = [s; t + s × (x − p)],    J̇_d = [ṡ; ṫ + ṡ × (x − p) + s × (ẋ − ṗ)],

where s and t turn with d's link, ṡ = ω × s, but for the linear axes of a free joint, which are the world's.
Reference: Featherstone 2008, section 4.5; Angeles, Fundamentals of Robotic Mechanical Systems, chapter 5.
"""

import functools

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.dynamics.arguments import checked
from supple.dynamics.attached import Attached, attach_bodies, attach_points
from supple.dynamics.joints import place_links
from supple.dynamics.links import Links, articulate
from supple.dynamics.topology import NOWHERE, Topology
from supple.dynamics.world import Motion, WorldLinks, link_velocities, place_in_world
from supple.model.lookup import find_body
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, cross


@checked
def body_jacobian(
    model: Model, q: Float[Array, " nq"], body: str | int, point: Float[Array, "3"] | None = None
) -> Float[Array, "6 nv"]:
    """J(q) with [ω; ẋ] = J v: angular velocity and velocity of a point of a body, both in world axes.

    `body` is a name or index; `point` is fixed to the body and given in its frame, m (default: its origin). MuJoCo's
    `mj_jac` in one array, angular rows first; Pinocchio's LOCAL_WORLD_ALIGNED has the linear rows first.
    """
    links = articulate(model)
    world = place_in_world(links, place_links(model, links, q))
    return frame_jacobians(links, world, _attach(model, links, body, point))[0]


@checked
def body_jacobian_rate(
    model: Model,
    q: Float[Array, " nq"],
    v: Float[Array, " nv"],
    body: str | int,
    point: Float[Array, "3"] | None = None,
) -> Float[Array, "6 nv"]:
    """J̇(q, v), the time derivative of `body_jacobian` along v: accelerations are J a + J̇ v. MuJoCo's `mj_jacDot`."""
    links = articulate(model)
    pose = place_links(model, links, q)
    world = place_in_world(links, pose)
    return frame_jacobian_rates(
        links, world, link_velocities(links, pose, world, v), _attach(model, links, body, point)
    )[0]


@checked
def body_jacobians(model: Model, q: Float[Array, " nq"]) -> Float[Array, "bodies 6 nv"]:
    """The `body_jacobian` of every body, at their origins."""
    links = articulate(model)
    world = place_in_world(links, place_links(model, links, q))
    return frame_jacobians(links, world, attach_bodies(model, links.topology))


def frame_jacobians(links: Links, world: WorldLinks, frames: Attached) -> Float[Array, "frames 6 nv"]:
    """Jacobians of frames on links, at their origins."""
    axes = place_axes(links, world)
    lever = _levers(links, world.position, world.position[frames.cells] + frames.arms(world))
    angular = jnp.broadcast_to(axes.angular, lever.shape)
    return _columns(links, frames, angular, axes.linear + cross(angular, lever))


def frame_jacobian_rates(
    links: Links, world: WorldLinks, motion: Motion, frames: Attached
) -> Float[Array, "frames 6 nv"]:
    """Time derivatives of `frame_jacobians` while the links move."""
    axes = place_axes(links, world)
    tree = links.topology
    omega = motion.angular[tree.cells[tree.dof_joints]]
    turning = np.ones((tree.nv, 1))
    turning[tree.free_v[:, :3]] = 0.0  # the linear axes of free joints
    angular_rate, linear_rate = cross(omega, axes.angular), turning * cross(omega, axes.linear)
    lever = _levers(links, world.position, world.position[frames.cells] + frames.arms(world))
    lever_rate = _levers(links, motion.linear, frames.velocities(world, motion)[:, 3:])
    linear = linear_rate + cross(angular_rate, lever) + cross(axes.angular, lever_rate)
    return _columns(links, frames, jnp.broadcast_to(angular_rate, lever.shape), linear)


class Axes(eqx.Module):
    """Motion of its link's origin under a unit rate of each degree of freedom, in world axes."""

    angular: Float[Array, "nv 3"]
    linear: Float[Array, "nv 3"]


def place_axes(links: Links, world: WorldLinks) -> Axes:
    """The axes of all degrees of freedom."""
    tree = links.topology
    slots = np.flatnonzero(tree.slot_v.ravel() != NOWHERE)
    free = len(tree.free)
    rotation = world.rotation[free + slots // tree.freedoms]
    angular = apply(rotation, links.angular.reshape(-1, 3)[slots])
    linear = jnp.zeros_like(angular) if links.linear is None else apply(rotation, links.linear.reshape(-1, 3)[slots])
    none = jnp.zeros((free, 3, 3), angular.dtype)
    free_angular = jnp.concatenate([none, jnp.swapaxes(world.rotation[:free], 1, 2)], axis=1).reshape(-1, 3)
    free_linear = jnp.concatenate([none + jnp.eye(3, dtype=angular.dtype), none], axis=1).reshape(-1, 3)
    order = np.argsort(np.concatenate([tree.slot_v.ravel()[slots], tree.free_v.ravel()]))
    return Axes(jnp.concatenate([angular, free_angular])[order], jnp.concatenate([linear, free_linear])[order])


def _attach(model: Model, links: Links, body: str | int, point: Float[Array, "3"] | None) -> Attached:
    index = np.array([find_body(model, body)])
    bodies = attach_bodies(model, links.topology)
    return bodies[index] if point is None else attach_points(bodies, index, jnp.asarray(point)[None])


def _levers(
    links: Links, origins: Float[Array, "rows 3"], points: Float[Array, "frames 3"]
) -> Float[Array, "frames nv 3"]:
    """From each degree of freedom's link to each point."""
    tree = links.topology
    return points[:, None] - origins[tree.cells[tree.dof_joints]]


def _columns(
    links: Links, frames: Attached, angular: Float[Array, "frames nv 3"], linear: Float[Array, "frames nv 3"]
) -> Float[Array, "frames 6 nv"]:
    """Columns of the degrees of freedom that move each frame; zero for the others."""
    moves = _moved_by(links.topology)[frames.cells]
    columns = jnp.where(moves[:, :, None], jnp.concatenate([angular, linear], axis=-1), 0.0)
    return jnp.swapaxes(columns, 1, 2)


@functools.lru_cache(maxsize=256)
def _moved_by(tree: Topology) -> np.ndarray:
    """(cells + 1, nv) whether a degree of freedom moves the link of a cell; a last row for the world."""
    moves = np.zeros((len(tree.cell_parents) + 1, tree.nv), dtype=bool)
    own = tree.cells[tree.dof_joints]
    for cell, parent in enumerate(tree.cell_parents):  # parents stand before their children
        moves[cell] = moves[parent] | (own == cell)
    return moves

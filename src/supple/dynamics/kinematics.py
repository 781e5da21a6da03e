"""Forward kinematics: where every body is."""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.joints import place_links
from supple.dynamics.links import articulate, place_bodies
from supple.dynamics.topology import Level
from supple.dynamics.traverse import outward
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, multiply


class Poses(eqx.Module):
    """Frames of all bodies, in the order of `model.bodies`, in the world's."""

    rotation: Float[Array, "bodies 3 3"]  # R_world_body
    position: Float[Array, "bodies 3"]  # m


def forward_kinematics(model: Model, q: Float[Array, " nq"]) -> Poses:
    """World poses of all bodies at configuration q, welded ones included: MuJoCo's `xmat` and `xpos`."""
    links = articulate(model)
    tree = links.topology
    pose = place_links(links, q)

    def step(_: Level, above: Any, rows: Any) -> Any:
        R_world_parent, p_world_parent = above
        rotation, position = rows
        pose = (multiply(R_world_parent, rotation), p_world_parent + apply(R_world_parent, position))
        return pose, pose

    identity, origin = jnp.eye(3, dtype=pose.position.dtype), jnp.zeros_like(pose.position, shape=3)
    R_world_link, p_world_link = outward(tree, step, (identity, origin), (pose.rotation, pose.position))

    # A row for the world stands last, where the index WORLD = -1 finds it.
    R_world_link = jnp.concatenate([R_world_link, identity[None]])[tree.body_links]
    p_world_link = jnp.concatenate([p_world_link, origin[None]])[tree.body_links]
    placement = place_bodies(model, tree)
    return Poses(multiply(R_world_link, placement.rotation), p_world_link + apply(R_world_link, placement.position))

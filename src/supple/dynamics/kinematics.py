"""Forward kinematics: where every body is."""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.arguments import checked
from supple.dynamics.joints import place_links
from supple.dynamics.links import articulate, place_bodies
from supple.dynamics.rnea import join_roots
from supple.dynamics.traverse import outward
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, multiply


class Poses(eqx.Module):
    """Frames of all bodies, in the order of `model.bodies`, in the world's."""

    rotation: Float[Array, "bodies 3 3"]  # R_world_body
    position: Float[Array, "bodies 3"]  # m


@checked
def forward_kinematics(model: Model, q: Float[Array, " nq"]) -> Poses:
    """World poses of all bodies at configuration q, welded ones included: MuJoCo's `xmat` and `xpos`."""
    links = articulate(model)
    pose = place_links(model, links, q)

    def step(above: Any, rows: Any) -> Any:
        R_world_parent, p_world_parent = above
        rotation, position = rows
        here = (multiply(R_world_parent, rotation), p_world_parent + apply(R_world_parent, position))
        return here, here

    world = (jnp.eye(3, dtype=q.dtype), jnp.zeros(3, q.dtype))
    free = (pose.free_rotation, pose.free_position)
    slots = outward(links.topology, step, join_roots(links, free, world), (pose.rotation, pose.position))

    # The world stands last, where the index NOWHERE = -1 of a body that never moves finds it.
    R_world_link, p_world_link = (
        jnp.concatenate([x, y.reshape(-1, *z.shape), z[None]])[links.topology.body_cells]
        for x, y, z in zip(free, slots, world, strict=True)
    )
    placement = place_bodies(model, links.topology)
    return Poses(multiply(R_world_link, placement.rotation), p_world_link + apply(R_world_link, placement.position))

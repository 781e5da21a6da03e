"""Gravity compensation: bodies part of whose weight is carried."""

import dataclasses
from typing import Any

import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.joints import place_links
from supple.dynamics.links import Inertia, articulate
from supple.dynamics.rnea import join_roots, joint_force
from supple.dynamics.traverse import outward
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.spatial.vector import apply_transpose, cross


def gravity_compensation_force(model: Model, q: Float[Array, " nq"]) -> Float[Array, " nv"]:
    """Σ Jᵢᵀ (−γᵢ mᵢ g) at the centres of mass, with γ = `bodies.gravity_compensation`: MuJoCo's `qfrc_gravcomp`."""
    bodies = model.bodies
    if bodies.gravity_compensation is None:
        return jnp.zeros(model.nv, q.dtype)
    carried = dataclasses.replace(bodies, mass=bodies.mass * bodies.gravity_compensation)
    links = articulate(dataclasses.replace(model, bodies=carried))
    pose = place_links(model, links, q)
    upward = -jnp.asarray(model.gravity, q.dtype)

    def step(above: Array, rotation: Array) -> Any:
        here = apply_transpose(rotation, above)
        return here, here

    free = apply_transpose(pose.free_rotation, jnp.broadcast_to(upward, pose.free_position.shape))
    (roots,) = join_roots(links, (free,), (upward,))
    slots = outward(links.topology, step, roots, pose.rotation)
    return joint_force(links, pose, _lift(links.inertia, slots), _lift(links.free_inertia, free))


def _lift(
    inertia: Inertia, upward: Float[Array, "*links 3"]
) -> tuple[Float[Array, "*links 3"], Float[Array, "*links 3"]]:
    """Torque about its origin and force that carry each link's mass."""
    return cross(inertia.moment, upward), inertia.mass[..., None] * upward

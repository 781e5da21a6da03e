"""Named frames: those of bodies and sites."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.dynamics.arguments import checked
from supple.dynamics.attached import Attached, attach_bodies
from supple.dynamics.jacobian import frame_jacobians
from supple.dynamics.joints import place_links
from supple.dynamics.links import articulate
from supple.dynamics.topology import NOWHERE, Topology
from supple.dynamics.world import link_velocities, place_in_world
from supple.model.lookup import find_frame
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, multiply


@checked
def frame_pose(model: Model, q: Float[Array, " nq"], frame: str) -> tuple[Float[Array, "3 3"], Float[Array, "3"]]:
    """R_world_frame and the position of the origin (m) of a body or site; see `supple.model.lookup.find_frame`."""
    links = articulate(model)
    poses = _one(model, links.topology, frame).poses(place_in_world(links, place_links(model, links, q)))
    return poses.rotation[0], poses.position[0]


@checked
def frame_velocity(model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"], frame: str) -> Float[Array, "6"]:
    """Angular velocity (rad/s), then linear velocity of the origin (m/s), of a body or site, both in world axes."""
    links = articulate(model)
    pose = place_links(model, links, q)
    world = place_in_world(links, pose)
    return _one(model, links.topology, frame).velocities(world, link_velocities(links, pose, world, v))[0]


@checked
def frame_jacobian(model: Model, q: Float[Array, " nq"], frame: str) -> Float[Array, "6 nv"]:
    """J(q) with `frame_velocity` = J v."""
    links = articulate(model)
    world = place_in_world(links, place_links(model, links, q))
    return frame_jacobians(links, world, _one(model, links.topology, frame))[0]


def attach_frames(model: Model, tree: Topology) -> Attached:
    """All named frames: bodies, then sites, then the world."""
    bodies = attach_bodies(model, tree)
    identity, origin = jnp.eye(3, dtype=bodies.position.dtype)[None], jnp.zeros_like(bodies.position, shape=(1, 3))
    world = Attached(np.array([NOWHERE]), identity, origin)
    if model.sites is None:
        return _join(bodies, world)
    carriers = _join(bodies, world)[np.array(model.sites.bodies, dtype=int)]
    sites = Attached(
        carriers.cells,
        multiply(carriers.rotation, model.sites.rotation),
        carriers.position + apply(carriers.rotation, model.sites.position),
    )
    return _join(bodies, sites, world)


def _one(model: Model, tree: Topology, frame: str) -> Attached:
    return attach_frames(model, tree)[np.array([find_frame(model, frame)])]


def _join(*groups: Attached) -> Attached:
    return Attached(
        np.concatenate([group.cells for group in groups]),
        jnp.concatenate([group.rotation for group in groups]),
        jnp.concatenate([group.position for group in groups]),
    )

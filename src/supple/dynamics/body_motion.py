"""Velocities and accelerations of bodies."""

from jaxtyping import Float

from supple.dynamics.arguments import checked
from supple.dynamics.attached import attach_bodies
from supple.dynamics.joints import place_links
from supple.dynamics.links import articulate
from supple.dynamics.world import link_accelerations, link_velocities, place_in_world
from supple.model.model import Model
from supple.spatial.arrays import Array


@checked
def body_velocities(model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"]) -> Float[Array, "bodies 6"]:
    """Angular velocity (rad/s), then linear velocity of the body frame's origin (m/s), both in world axes.

    MuJoCo's `mj_objectVelocity` of an mjOBJ_XBODY with flg_local=0. Equals `body_jacobians(model, q) @ v`, in O(n).
    """
    links = articulate(model)
    pose = place_links(model, links, q)
    world = place_in_world(links, pose)
    return attach_bodies(model, links.topology).velocities(world, link_velocities(links, pose, world, v))


@checked
def body_accelerations(
    model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"], a: Float[Array, " nv"]
) -> Float[Array, "bodies 6"]:
    """Angular acceleration (rad/s²), then acceleration of the body frame's origin (m/s²), both in world axes.

    The acceleration is classical: the second derivative of the origin's position, without gravity. (The spatial
    acceleration of Featherstone lacks the term ω × ṗ; an accelerometer's reading adds −g.) Equals the time
    derivative of `body_velocities` along the motion: J a + J̇ v.
    """
    links = articulate(model)
    pose = place_links(model, links, q)
    world = place_in_world(links, pose)
    velocities = link_velocities(links, pose, world, v)
    accelerations = link_accelerations(links, pose, world, velocities, v, a)
    return attach_bodies(model, links.topology).accelerations(world, velocities, accelerations)

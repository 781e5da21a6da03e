"""Inverse dynamics: the recursive Newton-Euler algorithm.

Written with classical accelerations (of a link's origin, as a point) and in link frames. With
Ω = [α]× + [ω]×², the acceleration of a point r of a link is a + Ω r, so one matrix per link serves
its own mass, its children's origins and, by the second moments of mass J = tr(I)/2 1 − I, its
torque: n = Σ r × Ω r dm = vee(Ω J − (Ω J)ᵀ) (Balafoutis and Patel 1991). Linear velocities never appear.
"""

from typing import Any

import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.arguments import checked
from supple.dynamics.joints import (
    Pose,
    felt_force,
    free_force,
    free_motion,
    in_dof_order,
    joint_motion,
    place_links,
    slot_rates,
)
from supple.dynamics.links import Inertia, Links, articulate
from supple.dynamics.traverse import inward, outward
from supple.model.model import Model
from supple.spatial import symmetric
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, apply_transpose, cross, multiply, skew


@checked
def rnea(model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"], a: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """Generalised force that produces acceleration a: τ = M(q) a + c(q, v).

    Passive forces (springs, damping) are not part of it; armature and gravity are. SI units.
    Reference: Featherstone, Rigid Body Dynamics Algorithms, 2008, section 5.3; Luh, Walker and Paul 1980.
    """
    links = articulate(model)
    pose = place_links(model, links, q)
    return newton_euler(links, pose, model.gravity, v, a) + armature_force(links, a)


@checked
def bias_force(model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """Coriolis, centrifugal and gravity force c(q, v): `rnea` at zero acceleration, MuJoCo's `qfrc_bias`."""
    links = articulate(model)
    return newton_euler(links, place_links(model, links, q), model.gravity, v)


def newton_euler(
    links: Links, pose: Pose, gravity: Float[Array, "3"], v: Float[Array, " nv"], a: Float[Array, " nv"] | None = None
) -> Float[Array, " nv"]:
    """Generalised force that moves the links' masses with velocity v and acceleration a (default 0) against gravity."""
    tree = links.topology
    upward = -jnp.asarray(gravity, v.dtype)
    omega, _ = free_motion(links, pose, v)
    alpha, linear = (jnp.zeros_like(omega), 0.0) if a is None else free_motion(links, pose, a)
    linear = apply_transpose(pose.free_rotation, jnp.broadcast_to(upward, omega.shape)) + linear
    free = (omega, alpha, linear, spread(omega, alpha))
    world = (jnp.zeros(3), jnp.zeros(3), upward, jnp.zeros((3, 3)))

    def step(above: Any, rows: Any) -> Any:
        omega_above, alpha_above, a_above, spread_above = above
        rotation, position, (spin, slide), (spin_rate, slide_rate) = rows
        carried = apply_transpose(rotation, omega_above)
        alpha = apply_transpose(rotation, alpha_above) + cross(carried, spin)
        linear = apply_transpose(rotation, a_above + apply(spread_above, position))
        if slide is not None:
            linear = linear + 2.0 * cross(carried, slide)
        if spin_rate is not None:
            alpha = alpha + spin_rate
        if slide_rate is not None:
            linear = linear + slide_rate
        omega = carried + spin
        spread_matrix = spread(omega, alpha)
        return (omega, alpha, linear, spread_matrix), (linear, spread_matrix)

    rates = (None, None) if a is None else joint_motion(links, a)
    columns = (pose.rotation, pose.position, joint_motion(links, v), rates)
    accelerations = outward(tree, step, join_roots(links, free, world), columns)
    wrench = inertial_wrench(links.inertia, *accelerations)
    free_wrench = inertial_wrench(links.free_inertia, free[2], free[3])
    return joint_force(links, pose, wrench, free_wrench)


def mass_product(links: Links, pose: Pose, a: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """M(q) a, by Newton-Euler at rest and without gravity."""

    def step(above: Any, rows: Any) -> Any:
        alpha_above, a_above = above
        rotation, position, (spin_rate, slide_rate) = rows
        alpha = apply_transpose(rotation, alpha_above) + spin_rate
        linear = apply_transpose(rotation, a_above + cross(alpha_above, position))
        linear = linear if slide_rate is None else linear + slide_rate
        return (alpha, linear), (alpha, linear)

    free = free_motion(links, pose, a)
    columns = (pose.rotation, pose.position, joint_motion(links, a))
    accelerations = outward(links.topology, step, join_roots(links, free, (jnp.zeros(3), jnp.zeros(3))), columns)
    wrench = resting_wrench(links.inertia, *accelerations)
    return joint_force(links, pose, wrench, resting_wrench(links.free_inertia, *free)) + armature_force(links, a)


def join_roots(links: Links, free: Any, world: Any) -> Any:
    """The rows before the first level: the free links', then the world's if anything is jointed to it."""
    if links.topology.roots == len(links.topology.free):
        return free
    return tuple(jnp.concatenate([x, jnp.asarray(y, x.dtype)[None]]) for x, y in zip(free, world, strict=True))


def spread(omega: Float[Array, "*n 3"], alpha: Float[Array, "*n 3"]) -> Float[Array, "*n 3 3"]:
    """Ω = [α]× + [ω]×²: how the acceleration of a rigid body's points spreads around its origin."""
    return skew(alpha) - symmetric.unpack(symmetric.point_inertia(omega, omega))


def inertial_wrench(
    inertia: Inertia, linear: Float[Array, "*links 3"], spread_matrix: Float[Array, "*links 3 3"]
) -> tuple[Float[Array, "*links 3"], Float[Array, "*links 3"]]:
    """Torque about its origin and force of each link: n = vee(Ω J − (Ω J)ᵀ) + h × a, f = m a + Ω h."""
    second_moment = symmetric.unpack(symmetric.second_moments(inertia.inertia))
    flow = multiply(spread_matrix, second_moment)
    torque = flow[..., [2, 0, 1], [1, 2, 0]] - flow[..., [1, 2, 0], [2, 0, 1]] + cross(inertia.moment, linear)
    return torque, inertia.mass[..., None] * linear + apply(spread_matrix, inertia.moment)


def resting_wrench(
    inertia: Inertia, alpha: Float[Array, "*links 3"], linear: Float[Array, "*links 3"]
) -> tuple[Float[Array, "*links 3"], Float[Array, "*links 3"]]:
    """The same for links that do not turn yet: n = I α + h × a, f = m a + α × h."""
    torque = apply(symmetric.unpack(inertia.inertia), alpha) + cross(inertia.moment, linear)
    return torque, inertia.mass[..., None] * linear + cross(alpha, inertia.moment)


def joint_force(
    links: Links, pose: Pose, wrench: tuple[Array, Array], free_wrench: tuple[Array, Array]
) -> Float[Array, " nv"]:
    """Generalised force of wrenches on the links, about their origins, in their frames: each joint feels all beyond."""

    def step(below: Any, rows: Any) -> Any:
        rotation, position, torque, force = rows
        torque, force = torque + below[0], force + below[1]
        force_above = apply(rotation, force)
        return (apply(rotation, torque) + cross(position, force_above), force_above), (torque, force)

    zero = (jnp.zeros(3, wrench[0].dtype), jnp.zeros(3, wrench[0].dtype))
    roots, (torque, force) = inward(links.topology, step, zero, (pose.rotation, pose.position, *wrench))
    free = len(links.topology.free)
    free_torque, free_push = free_wrench[0] + roots[0][:free], free_wrench[1] + roots[1][:free]
    return in_dof_order(links, felt_force(links, torque, force), free_force(pose, free_torque, free_push))


def armature_force(links: Links, a: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """The rotors' share of M a."""
    free = links.free_armature[:, None] * a[links.topology.free_v]
    return in_dof_order(links, links.armature * slot_rates(links, a), free)

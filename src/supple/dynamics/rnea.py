"""Inverse dynamics: the recursive Newton-Euler algorithm.

Written with classical accelerations (of a link's origin, as a point) and in link frames. With
Ω = [α]× + [ω]×², the acceleration of a point r of a link is a + Ω r, so one matrix per link serves
its own mass, its children's origins and, by the second moments of mass J = tr(I)/2 1 − I, its
torque: n = Σ r × Ω r dm = vee(Ω J − (Ω J)ᵀ) (Balafoutis and Patel 1991). Linear velocities never appear.
"""

from typing import Any

import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.joints import Pose, in_dof_order, joint_force, joint_motion, place_links
from supple.dynamics.links import Links, articulate
from supple.dynamics.topology import Level
from supple.dynamics.traverse import inward, outward
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.spatial import symmetric
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, apply_transpose, cross, multiply, skew


def rnea(model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"], a: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """Generalised force that produces acceleration a: τ = M(q) a + c(q, v).

    Passive forces (springs, damping) are not part of it; armature and gravity are. SI units.
    Reference: Featherstone, Rigid Body Dynamics Algorithms, 2008, section 5.3; Luh, Walker and Paul 1980.
    """
    links = articulate(model)
    pose = place_links(links, q)
    return newton_euler(links, pose, model.gravity, v, a) + armature_force(links, a)


def bias_force(model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """Coriolis, centrifugal and gravity force c(q, v): `rnea` at zero acceleration, MuJoCo's `qfrc_bias`."""
    links = articulate(model)
    return newton_euler(links, place_links(links, q), model.gravity, v)


def newton_euler(
    links: Links, pose: Pose, gravity: Float[Array, "3"], v: Float[Array, " nv"], a: Float[Array, " nv"] | None = None
) -> Float[Array, " nv"]:
    """Generalised force that moves the links' masses with velocity v and acceleration a (by default zero) against gravity."""
    spin, slide = joint_motion(links, pose.rotation, v)
    spin_rate, slide_rate = (None, None) if a is None else joint_motion(links, pose.rotation, a)
    slides = any(group.kind is JointKind.SLIDE for group in links.topology.groups)

    def step(_: Level, above: Any, rows: Any) -> Any:
        omega_above, alpha_above, a_above, spread_above = above
        rotation, position, spin, slide, spin_rate, slide_rate = rows
        carried = apply_transpose(rotation, omega_above)
        alpha = apply_transpose(rotation, alpha_above) + cross(carried, spin)
        linear = apply_transpose(rotation, a_above + apply(spread_above, position))
        if slide is not None:
            linear = linear + 2.0 * cross(carried, slide)
        if spin_rate is not None:
            alpha, linear = alpha + spin_rate, linear + slide_rate
        omega = carried + spin
        spread_matrix = spread(omega, alpha)
        return (omega, alpha, linear, spread_matrix), (linear, spread_matrix)

    zero = jnp.zeros_like(spin, shape=3)
    root = (zero, zero, -jnp.asarray(gravity, spin.dtype), jnp.zeros_like(spin, shape=(3, 3)))
    columns = (pose.rotation, pose.position, spin, slide if slides else None, spin_rate, slide_rate)
    linear, spread_matrix = outward(links.topology, step, root, columns)
    torque, force = inertial_wrench(links, linear, spread_matrix)
    return joint_force(links, pose.rotation, *gather_wrenches(links, pose, torque, force))


def mass_product(links: Links, pose: Pose, a: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """M(q) a, by Newton-Euler at rest and without gravity."""
    spin_rate, slide_rate = joint_motion(links, pose.rotation, a)

    def step(_: Level, above: Any, rows: Any) -> Any:
        alpha_above, a_above = above
        rotation, position, spin_rate, slide_rate = rows
        alpha = apply_transpose(rotation, alpha_above) + spin_rate
        linear = apply_transpose(rotation, a_above + cross(alpha_above, position)) + slide_rate
        return (alpha, linear), (alpha, linear)

    zero = jnp.zeros_like(spin_rate, shape=3)
    alpha, linear = outward(links.topology, step, (zero, zero), (pose.rotation, pose.position, spin_rate, slide_rate))
    torque = apply(symmetric.unpack(links.inertia), alpha) + cross(links.moment, linear)
    force = links.mass[:, None] * linear + cross(alpha, links.moment)
    return joint_force(links, pose.rotation, *gather_wrenches(links, pose, torque, force)) + armature_force(links, a)


def spread(omega: Float[Array, "*n 3"], alpha: Float[Array, "*n 3"]) -> Float[Array, "*n 3 3"]:
    """Ω = [α]× + [ω]×²: how the acceleration of a rigid body's points spreads around its origin."""
    products = symmetric.point_inertia(omega, omega)
    return skew(alpha) - symmetric.unpack(products)


def inertial_wrench(
    links: Links, linear: Float[Array, "links 3"], spread_matrix: Float[Array, "links 3 3"]
) -> tuple[Float[Array, "links 3"], Float[Array, "links 3"]]:
    """Torque about its origin and force that give each link its acceleration: n = vee(Ω J − (Ω J)ᵀ) + h × a, f = m a + Ω h."""
    half_trace = 0.5 * (links.inertia[:, 0] + links.inertia[:, 3] + links.inertia[:, 5])
    second_moment = half_trace[:, None, None] * jnp.eye(3) - symmetric.unpack(links.inertia)
    flow = multiply(spread_matrix, second_moment)
    spin_torque = flow[:, [2, 0, 1], [1, 2, 0]] - flow[:, [1, 2, 0], [2, 0, 1]]
    torque = spin_torque + cross(links.moment, linear)
    return torque, links.mass[:, None] * linear + apply(spread_matrix, links.moment)


def gather_wrenches(
    links: Links, pose: Pose, torque: Float[Array, "links 3"], force: Float[Array, "links 3"]
) -> tuple[Float[Array, "links 3"], Float[Array, "links 3"]]:
    """The wrench that each joint transmits: that of its link and of all links beyond it."""

    def step(_: Level, below: Any, rows: Any) -> Any:
        rotation, position, torque, force = rows
        torque, force = torque + below[0], force + below[1]
        force_above = apply(rotation, force)
        return (apply(rotation, torque) + cross(position, force_above), force_above), (torque, force)

    zero = jnp.zeros_like(force, shape=3)
    return inward(links.topology, step, (zero, zero), (pose.rotation, pose.position, torque, force))


def armature_force(links: Links, a: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """The rotors' share of M a."""
    return in_dof_order(links, lambda group: links.armature[group.links][:, None] * a[group.v])

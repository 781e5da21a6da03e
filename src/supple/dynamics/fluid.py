"""Forces of a fluid on bodies, each taken for a box: MuJoCo's inertia model."""

from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.joints import Pose, free_motion, joint_motion, place_links
from supple.dynamics.links import Links, articulate, place_bodies
from supple.dynamics.rnea import join_roots, joint_force
from supple.dynamics.topology import NOWHERE
from supple.dynamics.traverse import outward
from supple.model.medium import Medium
from supple.model.model import Bodies, Model
from supple.spatial.arrays import Array
from supple.spatial.symmetric import unpack
from supple.spatial.vector import apply, apply_transpose, cross, multiply

_LEAST = 1e-15  # kg, and kg m²: below it a body has no extent (MuJoCo's mjMINVAL)
_FLAT = 1e-9  # of the trace of an inertia: below it a box has no thickness


def fluid_force(model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """Generalised force of `model.medium` on all bodies: MuJoCo's `qfrc_fluid`, of its inertia model.

    Each body is met by the fluid as a box of its mass and principal moments of inertia, which moves with the velocity
    of its centre of mass against the wind; see `box_wrench`. Reference: MuJoCo's documentation, "Fluid forces".
    """
    medium = model.medium
    if medium is None:
        return jnp.zeros_like(v)
    links = articulate(model)
    tree = links.topology
    pose = place_links(model, links, q)
    angular, linear = _link_velocities(links, pose, v, jnp.asarray(medium.wind, v.dtype))

    moving = tree.body_cells != NOWHERE
    cells = tree.body_cells[moving]
    placement = place_bodies(model, tree)
    R_link_box = multiply(placement.rotation, medium.axes)[moving]
    center = (placement.position + apply(placement.rotation, model.bodies.center_of_mass))[moving]
    omega, speed = angular[cells], linear[cells] + cross(angular[cells], center)
    edges = box_edges(model.bodies, medium.axes)[moving]
    torque, force = box_wrench(medium, edges, apply_transpose(R_link_box, omega), apply_transpose(R_link_box, speed))
    force = apply(R_link_box, force)
    torque = apply(R_link_box, torque) + cross(center, force)

    def gather(values: Float[Array, "moving 3"]) -> tuple[Array, Array]:
        free = len(tree.free)
        sums = jnp.zeros((len(tree.cell_parents), 3), values.dtype).at[cells].add(values)
        return sums[:free], sums[free:].reshape(*tree.slots.shape, 3)

    (free_torque, torque), (free_force, force) = gather(torque), gather(force)
    return joint_force(links, pose, (torque, force), (free_torque, free_force))


def box_edges(bodies: Bodies, axes: Float[Array, "bodies 3 3"]) -> Float[Array, "bodies 3"]:
    """Edges of the boxes with the bodies' mass and moments about `axes` (R_body_box), m: aᵢ² = 6 (Iⱼ + Iₖ − Iᵢ) / m.

    Of a body without mass they are zero. Where Iᵢ reaches Iⱼ + Iₖ, as of a flat plate or a line, the edge is next to
    zero; the root has no derivative there, and zero is returned for it.
    """
    inertia = unpack(bodies.inertia)
    moments = jnp.sum(axes * multiply(inertia, axes), axis=-2)  # the diagonal of Rᵀ I R
    whole = jnp.sum(moments, axis=-1, keepdims=True)
    surplus = whole - 2.0 * moments
    surplus = jnp.where(surplus > _FLAT * whole, surplus, jax.lax.stop_gradient(jnp.maximum(surplus, _LEAST)))
    mass = jnp.asarray(bodies.mass)[:, None]
    heavy = mass > _LEAST
    return jnp.where(heavy, jnp.sqrt(6.0 * surplus / jnp.where(heavy, mass, 1.0)), 0.0)


def box_wrench(
    medium: Medium,
    edges: Float[Array, "boxes 3"],
    angular: Float[Array, "boxes 3"],
    linear: Float[Array, "boxes 3"],
) -> tuple[Float[Array, "boxes 3"], Float[Array, "boxes 3"]]:
    """Torque and force on boxes that move with velocities relative to the fluid; all in the boxes' axes.

    With edges a, drag at high Reynolds numbers: fᵢ = −½ ρ aⱼ aₖ |vᵢ| vᵢ and nᵢ = −(1/64) ρ aᵢ (aⱼ⁴ + aₖ⁴) |ωᵢ| ωᵢ. And
    resistance at low ones, that of a sphere whose diameter D is the mean edge: f = −3 π β D v and n = −π β D³ ω.
    """
    density, viscosity = jnp.asarray(medium.density), jnp.asarray(medium.viscosity)
    diameter = jnp.mean(edges, axis=-1, keepdims=True)
    second, third = jnp.roll(edges, -1, axis=-1), jnp.roll(edges, -2, axis=-1)
    spin_drag = density / 64.0 * edges * (second**4 + third**4)
    drag = 0.5 * density * second * third
    torque = -(jnp.pi * viscosity * diameter**3 + spin_drag * jnp.abs(angular)) * angular
    force = -(3.0 * jnp.pi * viscosity * diameter + drag * jnp.abs(linear)) * linear
    return torque, force


def _link_velocities(
    links: Links, pose: Pose, v: Float[Array, " nv"], wind: Float[Array, "3"]
) -> tuple[Float[Array, "cells 3"], Float[Array, "cells 3"]]:
    """Angular velocity of each cell's link and linear velocity of its origin, relative to the wind, in its frame.

    The wind is uniform, so it is enough to let the world move against it.
    """

    def step(above: Any, rows: Any) -> Any:
        omega_above, linear_above = above
        rotation, position, (spin, slide) = rows
        omega = apply_transpose(rotation, omega_above) + spin
        linear = apply_transpose(rotation, linear_above + cross(omega_above, position))
        linear = linear if slide is None else linear + slide
        return (omega, linear), (omega, linear)

    omega, linear = free_motion(links, pose, v)
    free = (omega, linear - apply_transpose(pose.free_rotation, jnp.broadcast_to(wind, omega.shape)))
    roots = join_roots(links, free, (jnp.zeros(3), -wind))
    slots = outward(links.topology, step, roots, (pose.rotation, pose.position, joint_motion(links, v)))
    omega, linear = (jnp.concatenate([x, y.reshape(-1, 3)]) for x, y in zip(free, slots, strict=True))
    return omega, linear

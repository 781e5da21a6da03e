"""Kinetic and potential energy."""

import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.arguments import checked
from supple.dynamics.joints import place_links
from supple.dynamics.kinematics import forward_kinematics
from supple.dynamics.links import articulate
from supple.dynamics.rnea import mass_product
from supple.dynamics.springs import spring_energy
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, dot


@checked
def kinetic_energy(model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"]) -> Float[Array, ""]:
    """T = ½ vᵀ M(q) v, J; the rotors' armature is part of it."""
    links = articulate(model)
    return 0.5 * dot(v, mass_product(links, place_links(model, links, q), v))


@checked
def potential_energy(model: Model, q: Float[Array, " nq"]) -> Float[Array, ""]:
    """U = −Σ mᵢ g·cᵢ over all bodies, plus the springs' ½ k s², J.

    Zero with all mass at the world's origin and springs at rest. Weight that is carried (`bodies.gravity_compensation`)
    counts as a force, and joint limits store energy that is not counted.
    """
    poses = forward_kinematics(model, q)
    center = poses.position + apply(poses.rotation, model.bodies.center_of_mass)
    gravitational = -jnp.sum(model.bodies.mass * dot(center, model.gravity))
    return gravitational + spring_energy(model, q)

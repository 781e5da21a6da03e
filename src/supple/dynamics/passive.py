"""Passive forces: what acts on the joints without being asked."""

import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.arguments import checked
from supple.dynamics.fluid import fluid_force
from supple.dynamics.friction_loss import friction_loss_force
from supple.dynamics.gravity_compensation import gravity_compensation_force
from supple.dynamics.limits import limit_force
from supple.dynamics.springs import damping_force, spring_force
from supple.model.model import Model
from supple.spatial.arrays import Array


@checked
def passive_force(model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """Springs, dampers, dry friction, joint limits, gravity compensation and the medium together, N m or N.

    Smooth and finite everywhere, at rest too. MuJoCo's `qfrc_passive`, and the friction and limits that it makes
    constraints.
    """
    force = spring_force(model, q) + damping_force(model, v) + friction_loss_force(model, v)
    if any(model.joints.limited):
        force = force + limit_force(model, q, v)
    if model.bodies.gravity_compensation is not None:
        force = force + gravity_compensation_force(model, q)
    if model.medium is not None:
        force = force + fluid_force(model, q, v)
    return jnp.asarray(force)

"""Moving a whole state along its rates, and the rates of how far it has moved."""

from collections.abc import Sequence

import jax
import jax.numpy as jnp
from jaxtyping import Float

from supple import dynamics
from supple.dynamics.actuation import advance_activation
from supple.dynamics.topology import topology
from supple.model.integrator import Rates
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.model.state import State
from supple.spatial.arrays import Array
from supple.spatial.rotation import rotation_vector_rate

Time = Float[Array, ""] | float


def extrapolate(model: Model, state: State, rates: Rates, dt: Time) -> State:
    """Where constant rates lead in `dt` seconds: q ⊕ dt q̇ on the configurations' manifold, straight on in all else."""
    memory = jax.tree.map(lambda here, rate: here + dt * rate, state.memory, rates.memory)
    q = dynamics.move(model, state.q, dt * rates.velocity)
    return State(q, state.v + dt * rates.acceleration, state.time + dt, memory)


def finish(model: Model, state: State, rates: Rates, dt: Time) -> State:
    """The end of a step: as `extrapolate`, but activations stay in range, and exact filters are followed exactly."""
    end = extrapolate(model, state, rates, dt)
    memory = advance_activation(model, state.memory, rates.memory, dt) if model.na else state.memory
    return State(end.q, end.v, end.time, memory)


def finish_velocity_first(model: Model, state: State, rates: Rates, dt: Time) -> State:
    """The end of a step in which positions move with the velocity that it ends with: q ⊕ dt (q̇ + dt v̇)."""
    velocity = rates.velocity + dt * rates.acceleration
    return finish(model, state, Rates(velocity, rates.acceleration, rates.memory), dt)


def average(rates: Sequence[Rates], weights: Sequence[float]) -> Rates:
    """Σ wᵢ rᵢ / Σ wᵢ."""
    total = sum(weights)
    return jax.tree.map(lambda *parts: sum(w * part for w, part in zip(weights, parts, strict=True)) / total, *rates)


def displacement_rates(model: Model, displacement: Float[Array, " nv"], rates: Rates) -> Rates:
    """The rates of a state that is described by its displacement x from a fixed configuration, q = q₀ ⊕ x.

    ẋ is the velocity, save for balls and free joints: their velocity is that of the moving frame, while x is a
    rotation vector in the fixed one (Munthe-Kaas 1998).
    """
    velocity = jnp.asarray(rates.velocity)
    for group in topology(model).groups:
        if group.kind in (JointKind.BALL, JointKind.FREE):
            turning = group.v[:, -3:]
            velocity = velocity.at[turning].set(rotation_vector_rate(displacement[turning], velocity[turning]))
    return Rates(velocity, rates.acceleration, rates.memory)

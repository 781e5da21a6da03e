"""Brax: `jax.jit(jax.vmap)` of the forward dynamics of its generalised pipeline."""

import warnings
from collections.abc import Callable

import jax
from brax import kinematics
from brax.generalized import dynamics, mass
from brax.generalized.base import State
from brax.io import mjcf
from case import Case, Task

from peers.mujoco import undamped_model
from peers.xla import batch


def forward(case: Case) -> Callable[..., jax.Array]:
    """Forward dynamics of (q, v, τ): M⁻¹ as a step computes it at its start, times the force."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that Brax is not maintained any more
        system = mjcf.load_model(undamped_model(case))

    def acceleration(q: jax.Array, v: jax.Array, tau: jax.Array) -> jax.Array:
        state = dynamics.transform_com(system, State.init(q, v, *kinematics.forward(system, q, v)))
        state = mass.matrix_inv(system, state, 0)
        return state.mass_mx_inv @ dynamics.forward(system, state, tau)

    return acceleration


TASKS: dict[str, Callable[[Case], Task]] = {
    "forward batch from Python": lambda case: batch(case, lambda: forward(case)),
}

"""Rollouts: many steps of a system."""

import jax
from jaxtyping import Float

from supple.model.state import State
from supple.model.system import System
from supple.simulate.inputs import read_rollout
from supple.spatial.arrays import Array


def rollout(system: System, state: State, controls: Float[Array, "steps nu"]) -> State:
    """The states after each of a sequence of steps, stacked over time.

    Each step is checkpointed: a reverse gradient keeps one state per step, the result itself, and recomputes the
    inside of each step once.
    """

    def step(state: State, control: Float[Array, " nu"]) -> tuple[State, State]:
        state = system.step(state, control)
        return state, state

    state, controls = read_rollout(system, state, controls)
    return jax.lax.scan(jax.checkpoint(step, prevent_cse=False), state, controls)[1]

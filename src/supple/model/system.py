"""The contract that analytic, hybrid and learned dynamics share."""

import abc
from typing import Any

import equinox as eqx
from jaxtyping import Float

from supple.model.state import State
from supple.spatial.arrays import Array


class System(eqx.Module):
    """Dynamics in discrete time: `state = system.step(state, control)`.

    Implement `init` and `step`, for one robot; batch outside with `jax.vmap`.
    """

    @abc.abstractmethod
    def init(self, q: Any = None, v: Any = None) -> State:
        """A state at time zero; by default at the home configuration, at rest."""

    @abc.abstractmethod
    def step(self, state: State, control: Float[Array, " nu"]) -> State:
        """The state one time step later."""

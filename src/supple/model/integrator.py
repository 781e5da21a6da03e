"""The contract of integrators: how a state advances over one time step."""

import abc
from collections.abc import Callable

import equinox as eqx
from jaxtyping import Float, PyTree

from supple.model.model import Model
from supple.model.state import State
from supple.spatial.arrays import Array


class Rates(eqx.Module):
    """How fast a state changes: a vector of its tangent space, which can be scaled and added."""

    velocity: Float[Array, " nv"]  # of q
    acceleration: Float[Array, " nv"]  # of v
    memory: PyTree = ()  # of the state's memory: the rates of activations


class Motion(eqx.Module):
    """What an integrator integrates: a robot under a control that is constant during the step.

    `rates(state)` is the equation of motion, marks included: of several evaluations the first is observed, and all are
    rewritten. `rates(state, resistance)` solves it with the inertia M + resistance in place of M, where the resistance,
    kg m² and kg, is a diagonal (nv,) or a symmetric matrix (nv, nv).
    """

    model: Model
    control: Float[Array, " nu"]
    rates: Callable[..., Rates]


class Integrator(eqx.Module):
    """A way to advance a state over one time step. Implement `order` and `advance`."""

    @property
    @abc.abstractmethod
    def order(self) -> int:
        """Order p of convergence: over a fixed time, the error falls with dtᵖ."""

    @abc.abstractmethod
    def advance(self, motion: Motion, state: State, dt: Float[Array, ""] | float) -> State:
        """The state after `dt` seconds."""

"""A toy system with marks, shared by the tests of marks: uncoupled damped oscillators, semi-implicit Euler."""

from types import SimpleNamespace
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from supple.model.naming import named
from supple.model.state import State
from supple.model.system import System


class Oscillators(System):
    mass: Any
    stiffness: Any
    damping: Any
    dt: float = eqx.field(static=True, default=0.1)
    stages: int = eqx.field(static=True, default=1)  # how many times a step evaluates the force

    @property
    def model(self) -> Any:
        return SimpleNamespace(nu=len(self.mass))

    def init(self, q: Any = None, v: Any = None) -> State:
        n = len(self.mass)
        q = jnp.linspace(1.0, 2.0, n) if q is None else q
        return State(q, jnp.zeros(n) if v is None else v, jnp.zeros(()))

    def acceleration(self, q: Any, v: Any, control: Any) -> Any:
        q, v = named("joint.position", q, unit="rad"), named("joint.velocity", v, unit="rad/s")
        force = named("joint.force", control - self.stiffness * q - self.damping * v, unit="N m")
        return named("joint.acceleration", force / self.mass, unit="rad/s²")

    def step(self, state: State, control: Any) -> State:
        v = state.v
        for _ in range(self.stages):
            v = v + self.dt / self.stages * self.acceleration(state.q, v, control)
        return State(state.q + self.dt * v, v, state.time + self.dt)


@pytest.fixture
def make_oscillators() -> Any:
    """Three oscillators, whose step evaluates the force once, or several times."""

    def make(stages: int = 1) -> Oscillators:
        mass, stiffness, damping = np.array([1.0, 2.0, 0.5]), np.array([3.0, 1.0, 2.0]), np.array([0.1, 0.2, 0.3])
        return Oscillators(mass, stiffness, damping, stages=stages)

    return make


@pytest.fixture
def roll() -> Any:
    """All states of a motion, stacked over time."""

    def roll(system: System, state: State, controls: Any, checkpoint: bool = False) -> Any:
        def advance(state: State, control: Any) -> Any:
            state = system.step(state, control)
            return state, state

        return jax.lax.scan(jax.checkpoint(advance) if checkpoint else advance, state, controls)[1]

    return roll

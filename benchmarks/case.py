"""What is measured: a robot, the states that it is in, and what the right results are."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from fused import fused

import supple as sp

BATCH = 1024
DT = 1e-3
FORWARD = ("q", "v", "tau")
GRADIENT = (*FORWARD, "weights")

# The largest difference, relative to the largest number of a state, that precision excuses.
TOLERANCES = {"float64": 1e-9, "float32": 5e-3}


class NotMeasured(Exception):
    """A figure that there is not, and why."""


@dataclass(frozen=True)
class Task:
    """One function of one engine: `run` calls it so many times, each time for `states` states.

    `result` is what it computed, one row per state, in Supple's coordinates and order; of the first few, if it likes.
    """

    run: Callable[[int], None]
    result: Callable[[], np.ndarray]
    precision: str = "float64"
    states: int = 1


class Case:
    """A robot in `BATCH` states drawn around its home; engines that take one state take the first."""

    def __init__(self, model: sp.Model) -> None:
        random = np.random.default_rng(4)
        self.model = model
        self.q = model.home + 0.3 * random.normal(size=(BATCH, model.nq))
        for kind, start in zip(model.joints.kinds, model.joints.q_starts, strict=True):
            if kind.nq == 7:
                self.q[:, start + 3 : start + 7] /= np.linalg.norm(self.q[:, start + 3 : start + 7], axis=1)[:, None]
        self.v, self.tau, self.weights = (random.normal(size=(BATCH, model.nv)) for _ in range(3))
        self.control = random.normal(size=(BATCH, model.nu))
        self._right: dict[str, np.ndarray] = {}

    def one(self, names: Sequence[str]) -> list[np.ndarray]:
        """Arguments for the first state."""
        return [getattr(self, name)[0].copy() for name in names]

    def all(self, names: Sequence[str]) -> list[np.ndarray]:
        """Arguments for all states, in single precision."""
        return [getattr(self, name).astype(np.float32) for name in names]

    @cached_property
    def fused(self) -> sp.Model:
        """The robot for engines that would compute welded bodies one by one."""
        return fused(self.model)

    @property
    def system(self) -> sp.Simulator:
        """The robot without limits and dry friction, which MuJoCo does not compute without its constraints either."""
        return sp.Simulator(self.fused, contact=None, dt=DT)

    def state(self) -> sp.State:
        """The first state, as numpy arrays."""
        return sp.State(self.q[0].copy(), self.v[0].copy(), np.zeros(()))

    def prepare(self, questions: Iterable[str]) -> None:
        """Compute right results, in double precision.

        Before anything else: JAX 0.10 takes arrays that it first traced in single precision for such ever after.
        """
        for what in questions:
            if what in RIGHT:
                self._right[what] = RIGHT[what](self)

    def check(self, what: str, task: Task) -> None:
        """Refuse to time what computes something else."""
        task.run(1)
        found = task.result()
        right = self._right[what][: len(found)]
        error = np.max(np.abs(found - right), axis=1) / np.max(np.abs(right), axis=1)
        if not (np.max(error) <= TOLERANCES[task.precision]):
            raise NotMeasured(f"wrong by {np.max(error):.0e}")


def forward(model: sp.Model) -> Callable[..., jax.Array]:
    """Forward dynamics of (q, v, τ)."""
    return lambda q, v, tau: sp.dynamics.aba(model, q, v, tau)


def gradient(model: sp.Model) -> Callable[..., Any]:
    """The gradient of a weighted sum of accelerations with respect to (q, v, τ), and the accelerations."""

    def weighted(q: jax.Array, v: jax.Array, tau: jax.Array, weights: jax.Array) -> tuple[jax.Array, jax.Array]:
        acceleration = sp.dynamics.aba(model, q, v, tau)
        return jnp.dot(weights, acceleration), acceleration

    return jax.grad(weighted, argnums=(0, 1, 2), has_aux=True)


def rows(*arrays: Any) -> np.ndarray:
    """What belongs to one state, side by side in its row."""
    return np.concatenate([np.asarray(array) for array in arrays], axis=-1).astype(float)


def gradient_rows(result: Any) -> np.ndarray:
    """Slopes with respect to q, v, τ, and accelerations."""
    return rows(*result[0], result[1])


def state_rows(state: sp.State) -> np.ndarray:
    """Positions and velocities."""
    return rows(state.q, state.v)


def _right_forward(case: Case) -> np.ndarray:
    return sp.compile(forward(case.model), *case.one(FORWARD)).batch(case.q, case.v, case.tau)


def _right_gradient(case: Case) -> np.ndarray:
    fast = sp.compile(gradient(case.model), *case.one(GRADIENT))
    return gradient_rows(fast.batch(case.q, case.v, case.tau, case.weights))


def _right_step(case: Case) -> np.ndarray:
    arguments = case.state(), case.control[0]
    return state_rows(sp.compile(case.system.step, *arguments)(*arguments))[None]


RIGHT: dict[str, Callable[[Case], np.ndarray]] = {
    "forward": _right_forward,
    "step": _right_step,
    "gradient": _right_gradient,
    "forward batch": _right_forward,
    "gradient batch": _right_gradient,
    "forward batch from Python": _right_forward,
}

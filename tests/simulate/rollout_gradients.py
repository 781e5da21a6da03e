"""Rollouts as functions of one vector, and their derivatives: forward, reverse, and by finite differences.

The vector holds every leaf of a system (those of its model, and dt), the initial state, and the controls, each as raw
numbers: entries of unit vectors, rotation matrices and quaternions are varied one by one, without a constraint. The
library divides by the length of a quaternion and takes axes and matrices as they are, so either way its results are
smooth in the raw numbers, and the derivatives by these contain those along every admissible change.
"""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np

import supple as sp
from supple.model.paths import find_places, leaves

DIRECTIONS, ENTRIES = 2, 6  # per part of the vector: random directions, and single entries
_STEP = 1e-5  # of central differences, in units of each part's scale
_DIFFERENCE = 1e-6  # what they may be off, of the derivative's terms
_ROUND_OFF = 2e-15 / _STEP  # what they may be off besides, of the loss's terms
_FAINT = 1e-12  # a derivative by a scaled part below this, of the largest one, is round-off


@dataclasses.dataclass(frozen=True, eq=False)
class Start:
    """Where to differentiate: a system, the state in which its rollout starts, and what drives it."""

    system: sp.Simulator
    state: sp.State
    controls: np.ndarray  # (steps, nu)

    def parts(self) -> dict[str, np.ndarray]:
        """Everything that varies, by name."""
        state = self.state
        start = {"start.q": state.q, "start.v": state.v, "start.activation": state.memory, "controls": self.controls}
        named = {name: np.asarray(value, float) for name, value in (leaves(self.system) | start).items()}
        return {name: value for name, value in named.items() if value.size}


class Loss:
    """A fixed random combination of all numbers of all states of a rollout, and its derivatives, compiled once.

    It serves every start of the same robot with the same number of steps.
    """

    def __init__(self, start: Start):
        self._structure = jax.tree.structure(start.system)
        self._places = [place.path for place in find_places(start.system)]
        self._shapes = {name: value.shape for name, value in start.parts().items()}
        ends = np.cumsum([0, *(int(np.prod(shape)) for shape in self._shapes.values())])
        self._slices = {name: slice(*ends[i : i + 2]) for i, name in enumerate(self._shapes)}
        self._reverse = jax.jit(jax.grad(lambda x: jnp.sum(self._terms(x))))
        self._along = jax.jit(jax.vmap(lambda x, by: jax.jvp(self._terms, (x,), (by,))))

    def _terms(self, x: jax.Array) -> jax.Array:
        parts = {name: x[part].reshape(self._shapes[name]) for name, part in self._slices.items()}
        system = jax.tree.unflatten(self._structure, [parts[name] for name in self._places])
        memory = parts.get("start.activation", ())
        state = sp.State(parts["start.q"], parts["start.v"], jnp.zeros(()), memory)
        states = jnp.concatenate(
            [leaf.ravel() for leaf in jax.tree.leaves(sp.rollout(system, state, parts["controls"]))]
        )
        return np.random.default_rng(0).normal(size=states.shape) * states

    def check(self, start: Start, idle: set[str] | None = None) -> list[str]:
        """What is wrong with the derivatives at a start, a line for each part.

        With `idle`, exactly these parts have none; without, any may be zero, if it is by finite differences.
        """
        parts = start.parts()
        assert {name: value.shape for name, value in parts.items()} == self._shapes
        x = np.concatenate([value.ravel() for value in parts.values()])
        scale = np.concatenate([np.full(value.size, np.abs(value).max() or 1.0) for value in parts.values()])
        directions = {name: self._directions(name, scale) for name in parts}
        by = np.concatenate(list(directions.values()))
        forward, difference, noise = self._measure(x, by)
        gradient = np.asarray(self._reverse(x))
        reverse, terms = by @ gradient, np.abs(by) @ np.abs(gradient)
        faint = _FAINT * np.abs(scale * gradient).max()

        bad = []
        rows = np.repeat(list(directions), [len(rows) for rows in directions.values()])
        for name, part in self._slices.items():
            own, mine = rows == name, gradient[part]
            if not np.isfinite(mine).all():
                bad.append(f"{name}: the gradient has {np.sum(~np.isfinite(mine))} entries that are not finite")
                continue
            if idle is not None and (np.abs(scale[part] * mine).max() <= faint) != (name in idle):
                bad.append(f"{name}: the gradient is {np.abs(mine).max():.1e} at most, idle: {name in idle}")
            for title, other, allowed in (
                ("finite differences", difference, _DIFFERENCE * terms + noise),
                ("forward mode", forward, 1e-10 * terms + faint),
            ):
                error = np.abs(other - reverse)[own] - allowed[own]
                if not error.max() <= 0.0:
                    worst = np.argmax(error)
                    bad.append(f"{name}: {title} {other[own][worst]:.9g}, gradient {reverse[own][worst]:.9g}")
        return bad

    def _directions(self, name: str, scale: np.ndarray) -> np.ndarray:
        """Random ones within a part, then along single entries of it."""
        rng, part = np.random.default_rng([1, *name.encode()]), self._slices[name]
        size = part.stop - part.start
        within = rng.normal(size=(DIRECTIONS, size))
        chosen = rng.permutation(size)[:ENTRIES]
        rows = np.zeros((DIRECTIONS + len(chosen), len(scale)))
        rows[:, part] = np.concatenate([within, np.eye(size)[chosen]]) * scale[part]
        return rows

    def _measure(self, x: np.ndarray, by: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Derivatives along directions by forward mode and by central differences, and the round-off of these."""
        _, forward = self._along(np.broadcast_to(x, by.shape), by)
        ahead, behind, far_ahead, far_behind = (
            self._along(x + steps * _STEP * by, by)[0] for steps in (1.0, -1.0, 2.0, -2.0)
        )
        difference = (8.0 * (ahead - behind) - (far_ahead - far_behind)) / (12.0 * _STEP)  # of fourth order
        noise = _ROUND_OFF * np.sum(np.abs(ahead), axis=1)
        return np.sum(forward, axis=1), np.sum(difference, axis=1), noise

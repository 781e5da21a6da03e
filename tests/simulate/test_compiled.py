"""Compiled dynamics, steps and their reverse gradients against JAX's own, in both precisions."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import supple as sp
from supple.model.model import Model
from supple.testing import random_configuration

sys.path.insert(0, str(Path(__file__).parents[1] / "dynamics"))

from compilation import QUICKLY
from robots import MJCFS, every_joint_xml, mjcf, mostly_full, urdf
from test_against_pinocchio import CORE

STATES = 64
SINGLE, DOUBLE = (float(np.finfo(name).eps) for name in ("float32", "float64"))
ROBOTS: dict[str, Callable[[], Model]] = {
    "pendulum": lambda: sp.robots.pendulum(3),
    "every joint": lambda: sp.load(every_joint_xml()),
    "quadruped": sp.robots.quadruped,
    **{name: lambda name=name: sp.load(mjcf(name)) for name in MJCFS},
    **{f"{path} {base}": lambda path=path, base=base: urdf(path, base) for path, base in CORE},
}


def quantities(model: Model, q: Any, v: Any, force: Any, weights: Any) -> dict[str, Any]:
    """Forward and inverse dynamics, mass matrix and step, and the reverse gradients of a weighted sum of each."""
    system = sp.Simulator(model, contact=None, dt=1e-3)

    def step(q: Any, v: Any, control: Any) -> Any:
        after = system.step(system.init(q=q, v=v), jnp.resize(control, model.nu))
        return jnp.concatenate([after.q, after.v])

    functions = {
        "aba": lambda q, v, force: sp.dynamics.aba(model, q, v, force),
        "rnea": lambda q, v, force: sp.dynamics.rnea(model, q, v, force),
        "mass": lambda q, v, force: sp.dynamics.crba(model, q),
        "step": step,
    }
    found = {}
    for name, function in functions.items():

        def total(q: Any, v: Any, force: Any, function: Any = function) -> Any:
            result = function(q, v, force)
            return jnp.sum(jnp.resize(weights, result.shape) * result), result

        slopes, found[name] = jax.grad(total, argnums=(0, 1, 2), has_aux=True)(q, v, force)
        found.update({f"{name} by {k}": slope for k, slope in zip(("q", "v", "force"), slopes, strict=True)})
    return found


def states(model: Model) -> tuple[np.ndarray, ...]:
    """Random states, forces, and weights, each once per state."""
    rng = np.random.default_rng(7)
    q = np.array([random_configuration(model, rng) for _ in range(STATES)])
    return (q, *rng.normal(size=(2, STATES, model.nv)), rng.normal(size=(STATES, 17)))


def errors(found: dict[str, Any], exact: dict[str, Any], average: Callable[..., Any] = np.max) -> dict[str, float]:
    """Of each quantity, the error as a part of its norm, both averaged over the states; by default the largest."""

    def norm(x: Any) -> np.ndarray:
        return np.linalg.norm(np.asarray(x, "float64").reshape(STATES, -1), axis=1)

    return {
        name: float(average(norm(found[name] - np.asarray(value))) / max(average(norm(value)), 1e-300))
        for name, value in exact.items()
    }


def root_mean_square(x: np.ndarray) -> np.ndarray:
    """The average for errors of single precision, of which the largest is a matter of chance."""
    return np.sqrt(np.mean(x**2))


def of_model(model: Model) -> Callable[..., Any]:
    """The quantities as a function of a state."""
    return lambda *state: quantities(model, *state)


def by_jax(model: Model, given: tuple[np.ndarray, ...]) -> dict[str, np.ndarray]:
    """The quantities of all states as XLA computes them."""
    return jax.tree.map(np.asarray, jax.jit(jax.vmap(of_model(model)), compiler_options=QUICKLY)(*given))


@pytest.mark.parametrize("name", mostly_full(tuple(ROBOTS), {"pendulum", "every joint"}))
def test_compiled_robots_equal_jaxs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUPPLE_CACHE", "off")
    model = ROBOTS[name]()
    given = states(model)
    single = tuple(x.astype("float32") for x in given)
    small = jax.tree.map(lambda x: np.array(x, "float32") if isinstance(x, np.ndarray) else x, model)

    exact = by_jax(model, given)
    fast = sp.compile(of_model(model), *(x[0] for x in given))
    together, alone = fast.batch(*given), fast(*(x[3] for x in given))
    assert set(together) == set(exact)
    for part, value in alone.items():
        np.testing.assert_allclose(value, together[part][3], rtol=1e-12, atol=1e-12 * np.abs(value).max(), err_msg=part)

    rough = sp.compile(of_model(small), *(x[0] for x in single)).batch(*single)
    with jax.enable_x64(False):
        peers = by_jax(small, single)
    ours, theirs = (errors(found, exact, root_mean_square) for found in (rough, peers))
    for part, error in ours.items():
        assert error <= max(4 * theirs[part], 2 * SINGLE), (part, error, theirs[part])
    for part, error in errors(together, exact).items():
        # Where a quantity is what is left of larger ones, single precision shows how much they lose.
        assert error <= max(1e-12, 4 * theirs[part] * DOUBLE / SINGLE), (part, error)

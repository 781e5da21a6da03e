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

from robots import MJCFS, every_joint_xml, mjcf, mostly_full, urdf
from test_against_pinocchio import CORE, MORE

STATES = 16
BUILT_IN = {
    "pendulum": lambda: sp.robots.pendulum(3),
    "quadruped": sp.robots.quadruped,
    "every joint": lambda: sp.load(every_joint_xml()),
}
ROBOTS: dict[str, Callable[[], Model]] = {
    **BUILT_IN,
    **{name: lambda name=name: sp.load(mjcf(name)) for name in MJCFS},
    **{f"{path} {base}": lambda path=path, base=base: urdf(path, base) for path, base in [*CORE, *MORE]},
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


def errors(found: dict[str, Any], exact: dict[str, Any]) -> dict[str, float]:
    """Of each quantity, the largest error over the states, as a part of the largest norm."""

    def norm(x: Any) -> np.ndarray:
        return np.linalg.norm(np.asarray(x, "float64").reshape(STATES, -1), axis=1)

    return {
        name: float(norm(found[name] - np.asarray(value)).max() / max(norm(value).max(), 1e-300))
        for name, value in exact.items()
    }


@pytest.mark.parametrize("name", mostly_full(tuple(ROBOTS), set(BUILT_IN)))
def test_compiled_robots_equal_jaxs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUPPLE_CACHE", "off")
    model = ROBOTS[name]()
    given = states(model)
    single = tuple(x.astype("float32") for x in given)
    small = jax.tree.map(lambda x: np.array(x, "float32") if isinstance(x, np.ndarray) else x, model)

    def of_model(model: Model) -> Callable[..., Any]:
        return lambda *state: quantities(model, *state)

    exact = jax.jit(jax.vmap(of_model(model)))(*given)
    fast = sp.compile(of_model(model), *(x[0] for x in given))
    together, alone = fast.batch(*given), fast(*(x[3] for x in given))
    assert set(together) == set(exact)
    for part, error in errors(together, exact).items():
        assert error <= 1e-12, (part, error)
    for part, value in alone.items():
        np.testing.assert_allclose(value, together[part][3], rtol=1e-12, atol=1e-12 * np.abs(value).max(), err_msg=part)

    rough = sp.compile(of_model(small), *(x[0] for x in single)).batch(*single)
    with jax.enable_x64(False):
        peers = jax.tree.map(np.asarray, jax.jit(jax.vmap(of_model(small)))(*single))
    at_single = jax.jit(jax.vmap(of_model(jax.tree.map(lambda x: np.array(x, float), small))))(
        *(x.astype(float) for x in single)
    )
    ours, theirs = errors(rough, at_single), errors(peers, at_single)
    for part, error in ours.items():
        assert error <= max(4 * theirs[part], 2 * np.finfo("float32").eps), (part, error, theirs[part])

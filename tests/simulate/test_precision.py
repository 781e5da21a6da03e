"""One model in both precisions, in one process: JAX 0.10 remembers arrays in the precision in which it met them."""

from typing import Any

import jax
import numpy as np
import pytest

import supple as sp


@pytest.mark.parametrize("first", [True, False])
def test_a_model_serves_both_precisions(first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUPPLE_CACHE", "off")
    model = sp.replace(sp.robots.double_pendulum(), {"bodies.mass": np.array([0.1, 0.3])})

    def dynamics(q: Any) -> tuple[Any, Any]:
        return sp.dynamics.aba(model, q, q, q), sp.dynamics.crba(model, q)

    results: dict[bool, list[np.ndarray]] = {True: [], False: []}
    for double in (first, not first, first):
        q = np.full(2, 0.25, "float64" if double else "float32")
        compiled = sp.compile(dynamics, q)(q)
        with jax.enable_x64(double):
            traced = jax.jit(dynamics)(q)
        assert {x.dtype for x in jax.tree.leaves((compiled, traced))} == {q.dtype}
        for one, other in zip(compiled, traced, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-13 if double else 1e-5)
        results[double].append(compiled[0])
    assert np.array_equal(*results[first])
    assert not np.array_equal(results[True][0], results[False][0])

"""Compiled functions on PyTorch's tensors."""

import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import supple as sp
from supple.native import in_torch


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUPPLE_CACHE", "off")


def swing(state: dict[str, Any], stiffness: Any, count: Any) -> dict[str, Any]:
    force = -stiffness * jnp.sin(state["x"]) + count * state["x"] ** 2
    return {"force": force, "energy": jnp.sum(force**2), "largest": jnp.argmax(force)}


def test_without_torch_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    in_torch._torch.cache_clear()
    with pytest.raises(ImportError, match="pip install torch"):
        sp.compile(jnp.sin, np.array(1.0)).torch(np.array(1.0))


def test_values_and_derivatives_are_those_of_jax() -> None:
    torch = pytest.importorskip("torch")
    x, stiffness = np.array([[0.3, -0.7, 1.1], [0.5, 0.2, -0.4]]), np.array(2.5)
    compiled = sp.compile(swing, {"x": x.T}, stiffness, np.array(3))

    def loss(x: Any, stiffness: Any) -> Any:
        result = swing({"x": x.T}, stiffness, 3)
        return result["energy"] * result["force"].sum()

    given = torch.tensor(x, requires_grad=True), torch.tensor(stiffness, requires_grad=True)
    result = compiled.torch({"x": given[0].T}, given[1], 3)
    assert not result["largest"].requires_grad
    np.testing.assert_allclose(result["force"].detach(), swing({"x": x.T}, stiffness, 3)["force"], rtol=1e-13)
    value = result["energy"] * result["force"].sum()
    first = torch.autograd.grad(value, given, create_graph=True)
    for found, expected in zip(first, jax.jit(jax.grad(loss, (0, 1)))(x, stiffness), strict=True):
        np.testing.assert_allclose(found.detach(), expected, rtol=1e-12)
    (second,) = torch.autograd.grad(first[0].sum(), given[:1])
    expected = jax.jit(jax.grad(lambda x: jax.grad(loss)(x, stiffness).sum()))(x)
    np.testing.assert_allclose(second, expected, rtol=1e-12)


def test_tensors_of_other_types_are_cast_and_refused_like_arrays() -> None:
    torch = pytest.importorskip("torch")
    compiled = sp.compile(lambda x: 2.0 * x, np.ones(2))
    x = torch.ones(2, dtype=torch.float32, requires_grad=True)
    compiled.torch(x).sum().backward()
    np.testing.assert_array_equal(x.grad, np.full(2, 2.0, np.float32))
    with pytest.raises(TypeError, match=r"argument\[0\] has shape \(3,\)"):
        compiled.torch(torch.ones(3))
    with pytest.raises(TypeError, match="complex128"):
        compiled.torch(torch.ones(2, dtype=torch.complex128))
    with pytest.raises(TypeError, match="is on meta, but"):
        compiled.torch(torch.ones(2, device="meta"))

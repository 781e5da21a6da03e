import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from supple.native import NotCompilable, lower
from supple.native.rules import reflection

RANDOM = np.random.default_rng(0)
MATRICES = RANDOM.normal(size=(20, 4, 4))
# With columns that are already done, or zero.
SPARSE = MATRICES * RANDOM.integers(0, 2, size=(20, 1, 4)) * np.triu(np.ones((4, 4)), -1)


def _raw(a):
    return jnp.linalg.qr(a, mode="raw")


def _with_q(a, left, transpose):
    compact, scales = _raw(a[:, :3])
    return lax.linalg.ormqr(compact.mT, scales, a if left else a.T, left=left, transpose=transpose)


CASES = {
    "raw": (_raw, MATRICES),
    "raw, columns of zeros": (_raw, SPARSE),
    "square": (jnp.linalg.qr, MATRICES),
    "high": (lambda a: [jnp.linalg.qr(a[:, :2], mode=mode) for mode in ("reduced", "complete", "r")], MATRICES),
    "wide": (lambda a: [jnp.linalg.qr(a[:2], mode=mode) for mode in ("reduced", "complete")], MATRICES),
    "batched": (lambda a: jnp.linalg.qr(a.reshape(2, 2, 4)), MATRICES),
    "products with Q": (
        lambda a: [_with_q(a, left, turned) for left in (False, True) for turned in (False, True)],
        MATRICES,
    ),
    "products of reflections": (lambda a: lax.linalg.householder_product(a[:, :3], a[0, :2]), MATRICES),
    "gradient": (jax.grad(lambda a: jnp.sum(jnp.sin(jnp.linalg.qr(a)[0]))), MATRICES),
}


@pytest.mark.parametrize("case", CASES)
def test_reflections_agree_with_jax(case, agrees_on_each):
    agrees_on_each(*CASES[case], rtol=1e-10, atol=1e-10)


def test_every_rule_has_a_case(rules_of, primitives_of):
    used = set().union(*(primitives_of(fn, rows[0]) for fn, rows in CASES.values()))
    assert rules_of(reflection) <= used


def test_swapped_columns_are_refused():
    with pytest.raises(NotCompilable, match="pivoting=False"):
        lower(lambda a: lax.linalg.qr(a, pivoting=True), MATRICES[0])

import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from supple.native import lower
from supple.native.rules import reduction

A = np.array([[1.5, -2.0, 0.5, 2.0], [3.0, 0.25, -1.0, 2.0], [-0.5, 1.0, 1.0, -3.0]])
NAN = np.array([[1.0, np.nan, 3.0, np.nan], [2.0, 2.0, -1.0, 2.0]])
B = A > 0.6
I = np.array([[1, -3, 7], [12, 5, -6]], dtype=np.int32)

CASES = {
    "reduce_sum": (lambda a: (a.sum(), a.sum(0), a.sum(1), lax.reduce_sum(a, ())), A),
    "reduce_prod": (lambda a: (a.prod(), a.prod(1)), A),
    "reduce_max": (lambda a: (a.max(), a.max(0)), A),
    "reduce_min": (lambda a: (a.min(), a.min(0)), A),
    "reduce_max with NaN": (lambda a: a.max(0), NAN),
    "reduce_and": (lambda b: (b.all(), b.all(1)), B),
    "reduce_or": (lambda b: (b.any(), b.any(1)), B),
    "reduce_xor": (lambda i: lax.reduce_xor(i, (1,)), I),
    "bits": (lambda i: (lax.reduce_and(i, (1,)), lax.reduce_or(i, (0,))), I),
    "extremes of truth": (lambda b: (b.max(0), b.min(1)), B),
    "nothing": (lambda a: (a[:0].sum(0), a[:0].prod(), a[:, :0].sum(1)), A),
    "no extremes": (lambda a: (lax.reduce_max(a[:0], (0,)), lax.reduce_min(a[:0], (0,))), A),
    "reduce": (
        lambda a: (
            lax.reduce(a, 0.5, lambda x, y: x + 2 * y * x, (1,)),
            lax.reduce(a, 0.5, lambda x, y: y - x, (0, 1)),
        ),
        A,
    ),
    "reduce two at once": (
        lambda a, i: lax.reduce((a, i), (0.0, np.int32(0)), lambda x, y: (x[0] + y[0], x[1] * 2 + y[1]), (0,)),
        A[:2, :3],
        I,
    ),
    **{
        f"reduce_window_{combine.__name__}": (
            lambda a, combine=combine, init=init: (
                lax.reduce_window(a, init, combine, (2, 3), (1, 2), "SAME"),
                lax.reduce_window(a, init, combine, (2, 1), (1, 1), ((1, 0), (0, 2)), (1, 2), (2, 1)),
            ),
            A,
        )
        for combine, init in ((lax.add, 0.0), (lax.max, -np.inf), (lax.min, np.inf))
    },
    "reduce_window": (lambda a: lax.reduce_window(a, 0.0, lambda x, y: x + y + x * y, (2, 2), (1, 1), "SAME"), A),
    "convolve integers": (lambda i: lax.reduce_window(i, 0, lax.add, (1, 2), (1, 1), "VALID"), I),
    "cumsum": (lambda a: (lax.cumsum(a, 0), lax.cumsum(a, 1, reverse=True)), A),
    "cumprod": (lambda a: lax.cumprod(a, 1), A),
    "cummax": (lambda a: (lax.cummax(a, 0), lax.cummax(a, 1, reverse=True)), A),
    "cummin": (lambda a: lax.cummin(a, 1), A),
    "cumlogsumexp": (lambda a: (lax.cumlogsumexp(a, 1), lax.cumlogsumexp(a, 0, reverse=True)), A),
    "argmax": (lambda a: (a.argmax(), a.argmax(0), a.argmax(1)), A),
    "argmin": (lambda a: (a.argmin(), a.argmin(0), a.argmin(1)), A),
    "argmax with NaN": (lambda a: (a.argmax(1), a.argmin(1)), NAN),
    "argmax of integers": (lambda i: (i.argmax(1), i.argmin(0)), I),
    "dot_general": (lambda a: (a @ a.T, a.T @ a, a[0] @ a[1], a @ a[1]), A),
    "dot_general, batched": (lambda a: jnp.einsum("bij,bjk->bik", a.reshape(3, 2, 2), a.reshape(3, 2, 2)), A),
    "dot_general, mixed": (
        lambda a: lax.dot(a.astype("float32"), a.T.astype("float32"), preferred_element_type="float64"),
        A,
    ),
    "dot_general of integers": (lambda i: (i @ i.T, lax.dot(i.astype("int8"), i.T.astype("int8"))), I),
    "dot_general of narrow integers": (
        lambda i: lax.dot(i.astype("int8") * 9, i.T.astype("int8"), preferred_element_type=np.int32),
        I,
    ),
    "dot_general of truths": (lambda b: (b @ b.T, b[:1] @ ~b.T), B),
    "outer": (lambda a: jnp.einsum("i,j->ij", a[0], a[1]), A),
    "tensordot": (lambda a: jnp.tensordot(a.reshape(3, 2, 2), a.reshape(2, 3, 2), axes=[[0, 2], [1, 2]]), A),
}


@pytest.mark.parametrize("case", CASES)
def test_reductions_agree_with_jax(case, agrees):
    fn, *args = CASES[case]
    agrees(fn, *args)


ROWS = np.random.default_rng(0).choice([0.0, -0.0, 1.0, -1.0, 2.0, np.inf, -np.inf, np.nan], size=(200, 5))


def test_special_values(agrees_on_each):
    """Ties, zeros of both signs, infinities and NaN."""

    def fn(a):
        running = [lax.cummax(a), lax.cummin(a), lax.cumsum(a), lax.cumprod(a), lax.cummax(a, reverse=True)]
        return jnp.argmax(a), jnp.argmin(a), a.max(), a.min(), a.sum(), a.prod(), running

    agrees_on_each(fn, ROWS, atol=1e-300)
    agrees_on_each(lax.cumlogsumexp, ROWS, rtol=1e-13, atol=1e-13)


def test_positions_of_integers_and_truths(agrees_on_each):
    samples = np.random.default_rng(0).integers(-2, 3, size=(60, 5), dtype=np.int8)
    agrees_on_each(lambda i: [(jnp.argmax(x), jnp.argmin(x)) for x in (i, i.astype("uint8"), i > 0)], samples)


def test_every_rule_has_a_case(rules_of, primitives_of):
    used = set().union(*(primitives_of(fn, *args) for fn, *args in CASES.values()))
    assert rules_of(reduction) <= used


def test_products_with_zeros_cost_nothing():
    sparse = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, -1.0], [0.0, 0.0, 0.0]])
    assert lower(lambda x: sparse @ x, np.ones(3)).stats == {"mul": 1, "sub": 1}

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from supple.native import NotCompilable, lower
from supple.native.rules import indexing

A = np.arange(12.0).reshape(3, 4) + 0.5
ROWS = np.array([2, 0, 0])
FAR = np.array([[0, 1], [2, 3], [5, 0], [-1, 1], [1, 4]])
CUBE = np.arange(24.0).reshape(2, 3, 4)


def _windows(mode):
    """Windows of two columns, partly and wholly outside."""
    numbers = lax.GatherDimensionNumbers(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0, 1))
    return lambda a: lax.gather(a, FAR, numbers, (1, 2), mode=mode)


def _scattered_windows(mode):
    numbers = lax.ScatterDimensionNumbers(
        update_window_dims=(1,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0, 1)
    )
    return lambda a: lax.scatter_add(a, FAR, 10 * jnp.ones((5, 2)), numbers, mode=mode)


def _batched_gather(a):
    numbers = lax.GatherDimensionNumbers(
        offset_dims=(1,),
        collapsed_slice_dims=(1,),
        start_index_map=(1,),
        operand_batching_dims=(0,),
        start_indices_batching_dims=(0,),
    )
    return lax.gather(a, np.array([[2], [1]]), numbers, (1, 1, 4))


CASES = {
    "gather": (lambda a: (a[ROWS], a[ROWS, ROWS], a[:, ROWS], a[ROWS[:2, None], ROWS[None]]), A),
    "gather, negative": (lambda a: a[np.array([-1, -3])], A),
    "gather, clip": (_windows("clip"), A),
    "gather, fill": (_windows("fill"), A),
    "gather, fill value": (lambda a: a.at[np.array([1, 9])].get(mode="fill", fill_value=4.0), A),
    "gather, fill integers": (lambda i: i.at[np.array([1, 9])].get(mode="fill"), np.arange(4)),
    "gather, batched": (_batched_gather, CUBE),
    "gather, under vmap": (jax.vmap(lambda a, i: a[:, i][np.array([1, 0])], in_axes=(0, None)), CUBE, 0),
    "scatter": (lambda a: a.at[1].set(7.0), A),
    "scatter, columns": (lambda a: a.at[:, np.array([3, 0])].set(-a[:, :2]), A),
    "scatter-add": (lambda a: a.at[ROWS].add(a), A),
    "scatter-sub": (lambda a: a.at[ROWS].subtract(a), A),
    "scatter-mul": (lambda a: a.at[np.array([2, 0])].mul(a[1:]), A),
    "scatter-min": (lambda a: a.at[ROWS].min(3.0 - a), A),
    "scatter-max": (lambda a: a.at[ROWS].max(3.0 - a), A),
    "scatter, outside": (lambda a: a.at[np.array([1, 9])].set(0.0), A),
    "scatter, drop windows": (_scattered_windows("drop"), A),
    "scatter, clip windows": (_scattered_windows("clip"), A),
    "gradient of gather": (jax.grad(lambda a: jnp.sum(jnp.sin(a[ROWS, ROWS]) + jnp.sum(a[:, 1:3] ** 2))), A),
    "dynamic_slice": (lambda a: (lax.dynamic_slice(a, (1, 2), (2, 2)), lax.dynamic_slice(a, (7, -9), (2, 2))), A),
    "dynamic_update_slice": (lambda a: lax.dynamic_update_slice(a, jnp.zeros((2, 2)), (2, 1)), A),
}


@pytest.mark.parametrize("case", CASES)
def test_indexing_agrees_with_jax(case, agrees):
    fn, *args = CASES[case]
    if case == "gather, under vmap":
        fn, args = (lambda a, fn=fn: fn(a, 0)), args[:1]
    agrees(fn, *args)


def test_every_rule_has_a_case(rules_of, primitives_of):
    used = set().union(*(primitives_of(fn, *args) for fn, *args in CASES.values()))
    assert rules_of(indexing) <= used


@pytest.mark.parametrize("fn", [lambda a, i: a[i], lambda a, i: a.at[i].set(0.0)])
def test_run_time_indices_are_refused(fn):
    with pytest.raises(NotCompilable, match=r"test_indexing\.py:\d+.*depend on inputs.*use jax\.jit"):
        lower(fn, A, 1)

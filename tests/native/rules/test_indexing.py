import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax import lax

from supple.native import interpret, lower
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


# Run-time indices: each case on positions far and near, inside and outside; -1 and the extent are the boundaries.

MODES = ["clip", "fill", "promise_in_bounds"]
FAR_AND_NEAR = np.array([-(2**31), -100, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100, 2**31 - 1], np.int32)
PAIRS = np.stack(np.meshgrid([-9, -1, 0, 1, 2, 3, 4, 9], [-9, -1, 0, 1, 2, 3, 4, 5, 9]), -1).reshape(-1, 2)
LONG = np.arange(20.0)


def _row(mode):
    return lambda i: jnp.asarray(A).at[i].get(mode=mode, wrap_negative_indices=False)


def _gather_windows(mode):
    numbers = lax.GatherDimensionNumbers(offset_dims=(0, 1), collapsed_slice_dims=(), start_index_map=(1, 0))
    return lambda i: lax.gather(jnp.asarray(A), i, numbers, (2, 3), mode=mode)


def _gather_batched(mode):
    numbers = lax.GatherDimensionNumbers(
        offset_dims=(1,),
        collapsed_slice_dims=(1,),
        start_index_map=(1,),
        operand_batching_dims=(0,),
        start_indices_batching_dims=(0,),
    )
    return lambda i: lax.gather(jnp.asarray(CUBE), i[:, None], numbers, (1, 1, 4), mode=mode)


def _scatter_windows(scatter, mode):
    numbers = lax.ScatterDimensionNumbers(
        update_window_dims=(0, 1), inserted_window_dims=(), scatter_dims_to_operand_dims=(1, 0)
    )
    return lambda i: scatter(jnp.asarray(A), i, 10 + jnp.arange(6.0).reshape(2, 3), numbers, mode=mode)


def _scatter_batched(mode):
    numbers = lax.ScatterDimensionNumbers(
        update_window_dims=(1,),
        inserted_window_dims=(1,),
        scatter_dims_to_operand_dims=(1,),
        operand_batching_dims=(0,),
        scatter_indices_batching_dims=(0,),
    )
    updates = jnp.arange(8.0).reshape(2, 4)
    return lambda i: lax.scatter_add(jnp.asarray(CUBE), i[:, None], updates, numbers, mode=mode)


AT_RUN_TIME = {
    "negative indices count from the end": (lambda i: (jnp.asarray(A)[i], jnp.asarray(A)[:, i]), FAR_AND_NEAR),
    "an element": (lambda i: jnp.asarray(A)[i[0], i[1]], PAIRS),
    "an element of many": (lambda i: jnp.asarray(LONG)[i], FAR_AND_NEAR),
    "several rows": (lambda i: jnp.asarray(A)[i], PAIRS),
    "one index known": (lambda i: jnp.asarray(A)[jnp.array([1, i]), jnp.array([i, 2])], FAR_AND_NEAR),
    "narrow indices": (
        lambda i: (jnp.arange(300)[i], jnp.arange(300)[i.astype("uint8")]),
        np.arange(-128, 128, 5).astype(np.int8),
    ),
    "unsigned indices": (_row("clip"), FAR_AND_NEAR.view(np.uint32)),
    "wide indices": (_row("clip"), np.array([-(2**40), 1, 2**32 + 1, 2**40])),
    **{f"a row, {mode}": (_row(mode), FAR_AND_NEAR) for mode in MODES},
    **{f"a window, {mode}": (_gather_windows(mode), PAIRS) for mode in MODES},
    **{f"a batch, {mode}": (_gather_batched(mode), PAIRS) for mode in MODES},
    "fill of integers": (lambda i: jnp.arange(3).at[i].get(mode="fill", wrap_negative_indices=False), FAR_AND_NEAR),
    "truths": (
        lambda i: (jnp.asarray(A > 4).at[i].get(mode="fill"), jnp.asarray(A > 4).at[i].set(True)),
        FAR_AND_NEAR,
    ),
    "single precision": (lambda x: jnp.arange(4, dtype=x.dtype)[x.astype(int)], np.arange(4, dtype=np.float32)),
    "dynamic_slice": (lambda i: lax.dynamic_slice(jnp.asarray(A), i, (2, 2)), PAIRS),
    "dynamic_slice of much": (lambda i: lax.dynamic_slice(jnp.asarray(LONG), (i,), (7,)), FAR_AND_NEAR),
    "dynamic_slice of all": (lambda i: lax.dynamic_slice(jnp.asarray(A), (i, jnp.int32(1)), (3, 2)), FAR_AND_NEAR),
    "dynamic_slice of nothing": (lambda i: lax.dynamic_slice(jnp.asarray(A), (i, jnp.int32(1)), (0, 2)), FAR_AND_NEAR),
    "dynamic_update_slice": (lambda i: lax.dynamic_update_slice(jnp.asarray(A), -jnp.ones((2, 2)), i), PAIRS),
    "dynamic_update_slice of columns": (
        lambda i: lax.dynamic_update_slice(jnp.asarray(A), -jnp.ones((3, 2)), (i, i)),
        FAR_AND_NEAR,
    ),
    "set": (lambda i: jnp.asarray(A).at[i[0], i[1]].set(7.0), PAIRS),
    "set twice": (lambda i: jnp.asarray(A).at[i, 1].set(jnp.array([7.0, 8.0])), PAIRS),
    "apply": (lambda i: jnp.asarray(A).at[i].apply(jnp.square), FAR_AND_NEAR),
    "add twice": (lambda i: jnp.asarray(A).at[i].add(3.0), PAIRS),
    "subtract": (lambda i: jnp.asarray(A).at[i].subtract(3.0), PAIRS),
    "multiply": (lambda i: jnp.asarray(A).at[i].mul(3.0), PAIRS),
    "min": (lambda i: jnp.asarray(A).at[i].min(3.0), PAIRS),
    "max": (lambda i: jnp.asarray(A).at[i].max(3.0), PAIRS),
    **{f"set a window, {mode}": (_scatter_windows(lax.scatter, mode), PAIRS) for mode in MODES},
    **{f"add a window, {mode}": (_scatter_windows(lax.scatter_add, mode), PAIRS) for mode in MODES},
    **{f"add a batch, {mode}": (_scatter_batched(mode), PAIRS) for mode in MODES},
    "gradient": (jax.grad(lambda x: jnp.sum(jnp.asarray(A)[x.astype(int)] * x)), FAR_AND_NEAR.astype(float)),
    "under vmap": (jax.vmap(lambda i: (jnp.asarray(A)[i], jnp.asarray(A).at[i].add(1.0))), PAIRS),
}


@pytest.mark.parametrize("case", AT_RUN_TIME)
def test_indices_known_at_run_time(case, agrees_on_each):
    agrees_on_each(*AT_RUN_TIME[case])


def test_values_and_gradients_at_run_time_indices(agrees_on_each):
    def fn(a, i):
        rows = a[i]
        return jnp.sum(jnp.sin(rows)) + jnp.sum(a.at[i, 1:3].add(rows[:, 1:3]) ** 2)

    a = np.random.default_rng(0).normal(size=(len(PAIRS), *A.shape))
    agrees_on_each(jax.value_and_grad(fn), a, PAIRS, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("count", [2, 3, 9, 16, 33])
def test_an_element_costs_one_select_for_each_other(count):
    program = lower(lambda a, i: lax.dynamic_slice(a, (i,), (1,), allow_negative_indices=False), np.ones(count), 1)
    assert program.stats["select"] == count - 1
    assert program.arithmetic <= min(2 * (count - 1), count - 1 + 2 * (1 + (count - 1).bit_length()))


def test_neighbours_share_their_selects():
    program = lower(lambda a, i: lax.dynamic_slice(a, (i,), (8,), allow_negative_indices=False), np.ones(24), 1)
    assert program.stats["select"] <= 16 + 7 * 5


def test_what_is_known_of_an_index_is_cut_out_first():
    program = lower(lambda a, i: a[i, 3], np.ones((3, 50)), 1, passes=())
    assert len(program.graph) < 3 * 50 + 20


@st.composite
def _index_programs(draw):
    """An array of any shape, a window in it, and numbers of rows along one axis; with indices far and near."""
    shape = draw(st.lists(st.integers(1, 6), min_size=1, max_size=3))
    sizes = [draw(st.integers(1, extent)) for extent in shape]
    axis = draw(st.integers(0, len(shape) - 1))
    rows = draw(st.lists(st.integers(1, 3), min_size=0, max_size=2))
    mode = draw(st.sampled_from(["clip", "fill", "wrap"]))
    return tuple(shape), tuple(sizes), axis, tuple(rows), mode, draw(st.integers(0, 2**16))


@settings(max_examples=20, deadline=None)
@given(_index_programs())
def test_random_shapes_and_indices(case):
    shape, sizes, axis, rows, mode, seed = case
    random = np.random.default_rng(seed)

    def fn(a, update, start, numbers):
        corner = tuple(start)
        window = lax.dynamic_slice(a, corner, sizes)
        taken = jnp.take(a, numbers, axis=axis, mode=mode)
        row = (slice(None),) * axis + (numbers,)
        return window, lax.dynamic_update_slice(a, update, corner), taken, a.at[row].add(taken, mode="drop")

    a, update = random.normal(size=shape), random.normal(size=sizes)
    start, numbers = random.integers(-9, 9, size=len(shape)), random.integers(-9, 9, size=rows)
    results = interpret(lower(fn, a, update, start, numbers), [a, update, start, numbers])
    for result, expected in zip(results, jax.jit(fn)(a, update, start, numbers), strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-12)

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from supple.native import NotCompilable, lower
from supple.native.rules import sorting

RANDOM = np.random.default_rng(0)
SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, -np.nan])
# Few different values, so that there are ties; zeros, infinities and NaN of both signs.
TIES = RANDOM.choice(np.concatenate([SPECIAL, [2.0, 3.0]]), size=(60, 7))
LONG = RANDOM.choice(np.concatenate([SPECIAL, np.arange(15.0)]), size=(20, 24))
INTEGERS = RANDOM.choice(np.array([-(2**31), -2, -1, 0, 1, 2, 2**31 - 1], np.int32), size=(40, 7))


def _both(a):
    """What sorting and where it came from."""
    return jnp.sort(a), jnp.argsort(a)


CASES = {
    "sort": (_both, TIES),
    "sort of many": (_both, LONG),
    "sort of single precision": (_both, TIES.astype(np.float32)),
    "sort of integers": (_both, INTEGERS),
    "sort of unsigned": (_both, INTEGERS.view(np.uint32)),
    "sort of truths": (lambda a: jnp.sort(a > 0), TIES),
    "sort along axes": (lambda a: (lax.sort(a.reshape(2, 6), dimension=0), lax.sort(a.reshape(2, 6))), LONG[:, :12]),
    "sort of one": (jnp.sort, TIES[:, :1]),
    "sort of none": (jnp.sort, TIES[:, :0]),
    "descending": (lambda a: jnp.argsort(a, descending=True), TIES),
    "two keys": (lambda a, b: lax.sort((a, b, jnp.arange(7)), num_keys=2), TIES[:40], INTEGERS),
    "three keys": (lambda a: lax.sort((a, a[::-1] > 0, a, jnp.arange(24)), num_keys=3), LONG),
    "order of IEEE": (
        lambda a: (lax.lt_to_p.bind(a, a[::-1]), lax.le_to_p.bind(a, a[::-1]), lax.eq_to_p.bind(a, a[::-1])),
        TIES,
    ),
    "order of integers": (lambda a: lax.lt_to_p.bind(a, a[::-1]), INTEGERS),
    "top_k": (lambda a: (lax.top_k(a, 3), lax.top_k(a, 7), lax.top_k(a, 0)[0]), TIES),
    "top_k of many": (lambda a: (lax.top_k(a, 2), lax.top_k(a, 20)), LONG),
    "top_k of single precision": (lambda a: lax.top_k(a, 4), TIES.astype(np.float32)),
    "top_k of integers": (lambda a: lax.top_k(a, 3), INTEGERS),
    "top_k of truths": (lambda a: lax.top_k(a > 0, 3), TIES),
    "top_k along an axis": (lambda a: lax.top_k(a.reshape(4, 3), 2, axis=0), LONG[:, :12]),
    "approx_top_k": (lambda a: (lax.approx_max_k(a, 2), lax.approx_min_k(a, 2)), RANDOM.normal(size=(30, 6))),
    "median": (jnp.median, RANDOM.normal(size=(30, 6))),
    "searchsorted": (lambda a: jnp.searchsorted(jnp.sort(a), jnp.array([-1.0, 0.0, 1.5, jnp.inf])), TIES),
    "unique": (lambda a: jnp.unique(a, size=4), INTEGERS),
    "gradient": (jax.grad(lambda a: jnp.sum(jnp.sort(a) ** 3 * jnp.arange(6))), RANDOM.normal(size=(30, 6))),
}


@pytest.mark.parametrize("case", CASES)
def test_sorting_agrees_with_jax(case, agrees_on_each):
    fn, *samples = CASES[case]
    agrees_on_each(fn, *samples, rtol=1e-15 if case == "gradient" else 0)


def test_sorting_agrees_under_vmap(agrees):
    agrees(jax.vmap(lambda a: (jnp.sort(a), lax.top_k(a, 2))), TIES[:3])


def test_every_rule_has_a_case(rules_of, primitives_of):
    used = set().union(*(primitives_of(fn, *(rows[0] for rows in samples)) for fn, *samples in CASES.values()))
    assert rules_of(sorting) <= used


def test_a_known_order_costs_nothing():
    assert lower(lambda x: x[jnp.argsort(jnp.array([3.0, 1.0, 2.0]))], np.ones(3)).arithmetic == 0


@pytest.mark.parametrize("count", range(1, 20))
def test_networks_sort_every_sequence_of_zeros_and_ones(count):
    """Knuth's zero-one principle: such a network sorts everything."""
    rows = RANDOM.integers(0, 2, size=(200, count)) if count > 8 else np.indices([2] * count).reshape(count, -1).T
    for network in (sorting._merges(count), sorting._neighbours(count, count)):
        columns = rows.T.copy()
        for low, high in network:
            columns[low], columns[high] = (
                np.minimum(columns[low], columns[high]),
                np.maximum(columns[low], columns[high]),
            )
        np.testing.assert_array_equal(columns, np.sort(rows.T, axis=0))


def test_few_of_many_cost_less_than_all():
    few, every = (lower(lambda a, k=k: lax.top_k(a, k)[0], np.ones(64)).arithmetic for k in (1, 64))
    assert few < every / 10
    assert lower(jnp.sort, np.ones(64)).arithmetic < 64 * 63 / 2 * 6  # as neighbours would cost


def test_more_candidates_than_asked_for_are_refused():
    with pytest.raises(NotCompilable, match="more candidates"):
        lower(lambda a: lax.approx_max_k(a, 2, aggregate_to_topk=False), np.ones(3000))

"""Random numbers must be JAX's own, bit by bit: keys are compiled, not a generator that looks like it."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from supple.native import Constant, NotCompilable, as_function, lower
from supple.native.rules import random

SEEDS = np.array([0, 1, -1, 42, 2**31 - 1, -(2**31), 2**40 + 7])
KEYS = np.random.default_rng(0).integers(0, 2**32, size=(12, 2), dtype=np.uint32)


def _typed(draw):
    """A drawing of a typed key, from words."""
    return lambda words: draw(jax.random.wrap_key_data(words))


def _bits(key):
    return [jax.random.bits(key, (3,), dtype) for dtype in ("uint8", "uint16", "uint32", "uint64")]


BIT_BY_BIT = {
    "bits": (_typed(_bits), KEYS),
    "bits of old keys": (_bits, KEYS),
    "seeds": (lambda seed: (jax.random.PRNGKey(seed), jax.random.key_data(jax.random.key(seed))), SEEDS),
    "seeds of 32 bits": (lambda seed: jax.random.bits(jax.random.key(seed)), SEEDS[:6].astype(np.int32)),
    "fold_in": (jax.random.fold_in, KEYS[:7], SEEDS.astype(np.uint32)),
    "split": (lambda words: jax.random.split(words, (2, 3)), KEYS),
    "split under vmap": (lambda words: jax.vmap(jax.random.split)(jax.random.split(words, 3)), KEYS),
    "clone": (_typed(lambda key: jax.random.bits(jax.random.clone(key))), KEYS),
    "uniform": (_typed(lambda key: jax.random.uniform(key, (2, 2), minval=-1.0)), KEYS),
    "randint": (_typed(lambda key: jax.random.randint(key, (4,), -3, 1000)), KEYS),
    "bernoulli": (_typed(lambda key: jax.random.bernoulli(key, 0.3, (8,))), KEYS),
    "permutation": (_typed(lambda key: jax.random.permutation(key, 6)), KEYS),
    "choice": (_typed(lambda key: jax.random.choice(key, 5, (3,), replace=False)), KEYS),
    "choice with chances": (_typed(lambda key: jax.random.choice(key, 4, (3,), p=jnp.arange(4) / 6)), KEYS),
    "bits under vmap": (
        _typed(lambda key: jax.vmap(lambda k: jax.random.bits(k, (2,)))(jax.random.split(key, 3))),
        KEYS,
    ),
    "fold_in under vmap": (
        _typed(lambda key: jax.vmap(lambda i: jax.random.bits(jax.random.fold_in(key, i)))(jnp.arange(3))),
        KEYS,
    ),
    "a key chosen at run time": (
        _typed(lambda key: jax.random.bits(jax.random.split(key, 5)[jax.random.randint(key, (), 0, 5)])),
        KEYS,
    ),
    "a key by condition": (
        _typed(lambda key: jax.random.bits(jnp.where(jax.random.bernoulli(key), *jax.random.split(key)))),
        KEYS,
    ),
    "a key carried along": (
        _typed(lambda key: jax.lax.scan(lambda k, _: (jax.random.split(k)[0], jax.random.bits(k)), key, None, 3)[1]),
        KEYS,
    ),
}

ROUNDED = {
    "normal": (_typed(lambda key: jax.random.normal(key, (2, 2))), KEYS),
    "normal in single precision": (_typed(lambda key: jax.random.normal(key, (2, 2), "float32")), KEYS),
    "categorical": (_typed(lambda key: jax.random.categorical(key, jnp.arange(4.0), shape=(3,))), KEYS),
    "exponential": (_typed(lambda key: jax.random.exponential(key, (3,))), KEYS),
    "gumbel": (_typed(lambda key: jax.random.gumbel(key, (3,))), KEYS),
    "truncated_normal": (_typed(lambda key: jax.random.truncated_normal(key, -1.0, 2.0, (3,))), KEYS),
    "gradient": (
        lambda words: jax.grad(lambda scale: jnp.sum(jnp.sin(scale * jax.random.normal(words, (3,)))))(2.0),
        KEYS,
    ),
}


@pytest.mark.parametrize("case", BIT_BY_BIT)
def test_random_integers_are_those_of_jax(case, agrees_on_each):
    agrees_on_each(*BIT_BY_BIT[case])


@pytest.mark.parametrize("case", ROUNDED)
def test_random_numbers_are_those_of_jax(case, agrees_on_each):
    tolerance = 3e-7 if "single" in case else 1e-13
    agrees_on_each(*ROUNDED[case], rtol=tolerance, atol=tolerance)


def test_bits_of_the_older_order_too(agrees_on_each):
    with jax.threefry_partitionable(False):
        agrees_on_each(lambda words: (_bits(words), jax.random.split(words, 3)), KEYS)


def test_every_rule_has_a_case(rules_of, primitives_of):
    used = set().union(*(primitives_of(fn, *(rows[0] for rows in args)) for fn, *args in BIT_BY_BIT.values()))
    assert rules_of(random) <= used | {"threefry2x32", "iota_2x32_shape"}  # those are inside random_bits


def test_keys_go_in_and_out_as_words_and_in_again():
    split = as_function(lower(lambda key: tuple(jax.random.split(key)), jax.random.key(3)))
    key = jax.random.key(5)
    expected = [jax.random.key_data(part) for part in jax.random.split(key)]
    np.testing.assert_array_equal(split(key), expected)
    again = split(split(key)[0])
    np.testing.assert_array_equal(again, [jax.random.key_data(k) for k in jax.random.split(jax.random.split(key)[0])])


def test_a_known_key_costs_nothing():
    assert lower(lambda key, x: x + jax.random.bits(key) % 2, Constant(jax.random.key(0)), 1.0).arithmetic <= 1


def test_keys_of_other_generators_are_refused():
    with pytest.raises(NotCompilable, match=r"only keys of threefry .*impl='threefry2x32'"):
        lower(lambda seed: jax.random.bits(jax.random.key(seed, impl="rbg")), 1)


def test_filling_with_keys_is_refused():
    keys = jax.random.split(jax.random.key(0), 3)
    with pytest.raises(NotCompilable, match="no key to fill with"):
        lower(lambda i: jax.random.bits(keys.at[i].get(mode="fill")), 1)

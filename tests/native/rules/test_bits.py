import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from supple.native import lower
from supple.native.rules import bits

BYTES = np.random.default_rng(0).integers(0, 256, size=(200, 8), dtype=np.uint8)
WORDS = BYTES.view(np.uint32)
FLOATS = np.random.default_rng(1).normal(size=(50, 3))
WIDTHS = [(8, 7), (5, 10), (5, 2), (8, 23), (11, 20), (9, 52)]


def _as(dtype):
    return lambda a: lax.bitcast_convert_type(a, dtype)


CASES = {
    "one width": (lambda a: [lax.bitcast_convert_type(a, t) for t in ("int32", "uint32")], WORDS.view(np.int32)),
    "float and back": (lambda x: lax.bitcast_convert_type(lax.bitcast_convert_type(x, "int64"), "float64"), FLOATS),
    "to narrower": (
        lambda a: [lax.bitcast_convert_type(a, t) for t in ("uint8", "int16", "int32")],
        BYTES.view(np.int64),
    ),
    "floats to bytes": (_as("uint8"), FLOATS),
    "to wider": (lambda a: [lax.bitcast_convert_type(a.reshape(2, 4), t) for t in ("uint32", "int32")], BYTES),
    "bytes to floats": (lambda a: lax.bitcast_convert_type(a[None], "float64"), BYTES | 1),
}


@pytest.mark.parametrize("case", CASES)
def test_bits_agree_with_jax(case, agrees_on_each):
    agrees_on_each(*CASES[case])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rounding_to_fewer_bits(dtype, agrees_on_each):
    """Random bits, numbers near the edges of narrow types, ties, and special numbers."""
    random = np.random.default_rng(2)
    edges = np.array([65504.0, 65520.0, 65519.0, 6.1e-5, 6.0e-5, 3.4e38, 1.5, 1.25, 1.125, 1 + 2**-11, 1 + 3 * 2**-11])
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan])
    some = random.normal(size=300) * 2.0 ** random.integers(-30, 30, 300)
    samples = np.concatenate([some, edges, -edges, special]).astype(dtype)
    widths = WIDTHS if dtype == "float64" else WIDTHS[:4]
    agrees_on_each(lambda x: [lax.reduce_precision(x, *width) for width in widths], samples)


def test_rounding_to_as_many_bits_costs_nothing(agrees):
    assert agrees(lambda x: lax.reduce_precision(x, 11, 52), jnp.ones(3)).arithmetic == 0


def test_bits_of_nothing_are_nothing():
    assert lower(_as("uint8"), np.zeros(0, np.uint32)).outputs[0].shape == (0, 4)


def test_every_rule_has_a_case(rules_of):
    assert rules_of(bits) == {"bitcast_convert_type", "reduce_precision"}

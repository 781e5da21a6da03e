"""Every elementary function, in both types, against a wider type."""

import numpy as np
import pytest

from supple.native.graph import Graph
from supple.native.math import CALLS, EXPANSIONS, FALLBACKS
from supple.native.operations import ARITY, EVALUATE

pytest.importorskip("mpmath")

TYPES = ["float32", "float64"]
UNARY = [name for name in EXPANSIONS if ARITY[name] == 1]

# One float32 of so many is tried by the full test; `benchmarks/math_accuracy.py --exhaustive` tries all.
STRIDE = 31

# What every machine does by itself.
CHEAP = {"add", "sub", "mul", "div", "neg", "reciprocal", "fma", "max", "min", "abs", "sqrt", "floor", "ceil"} | {
    *("round_even", "lt", "le", "eq", "ne", "and", "or", "xor", "not", "shift_left", "shift_right_logical"),
    *("shift_right_arithmetic", "clz", "population_count", "select", "convert", "bitcast"),
    *("round_away", "sign", "is_finite"),
}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", EXPANSIONS)
def test_errors_are_within_bounds(name, dtype, accuracy):
    """Points of every size, near what makes functions difficult, and every special number or pair of them."""
    if dtype == "float64" and np.finfo(np.longdouble).nmant < 63:
        pytest.skip("this machine has no type wider than float64")
    operands = accuracy.operands_of(name, dtype)
    error = accuracy.errors(accuracy.evaluator(name, dtype), name, operands)
    worst = int(np.argmax(error))
    bound = accuracy.BOUNDS.get(name, accuracy.BOUND)
    assert error[worst] <= bound, f"{name} of {[operand[worst] for operand in operands]}: {error[worst]} ulp"


@pytest.mark.full
@pytest.mark.parametrize("name", UNARY)
def test_errors_over_all_float32(name, accuracy):
    if name in accuracy.REFERENCES:
        worst, place = accuracy.worst_of_all(name, STRIDE)
        assert worst <= accuracy.BOUNDS.get(name, accuracy.BOUND), f"{name} of {place}: {worst} ulp"


@pytest.mark.parametrize(("name", "angle"), [("sin", 1162.4205322265625), ("cos", 1980.836669921875)])
def test_reduction_of_angles_rounds_once(name, angle, accuracy):
    """Found among all float32: what is left of these angles lies between two numbers, just above a power of two."""
    numbers = np.array([angle], "float32")
    assert accuracy.errors(accuracy.evaluator(name, "float32"), name, (numbers,)) < 1


@pytest.mark.parametrize("name", ["erf", "erfc", "erf_inv"])
def test_special_numbers_of_error_functions(name, accuracy):
    """The sweep in float64 leaves them out, for mpmath is slow."""
    numbers = accuracy.edges("float64")
    result = accuracy.evaluator(name, "float64")(numbers)
    expected = accuracy.REFERENCES[name](numbers)
    np.testing.assert_allclose(result, expected, rtol=1e-14)
    number = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(result[number]), np.signbit(expected[number]))


def test_every_operation_is_cheap_or_expanded():
    assert set(EVALUATE) == CHEAP | set(EXPANSIONS) | set(CALLS)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", EXPANSIONS)
def test_expansions_consist_of_cheap_operations(name, dtype, accuracy):
    fallback = FALLBACKS.get(name)
    expansions = [EXPANSIONS[name], *([fallback.needed, fallback.slow] if fallback else [])]
    used = set(accuracy.program(ARITY[name], dtype, *expansions).stats)
    assert used <= CHEAP | (set(CALLS) & {name})


@pytest.mark.parametrize("dtype", TYPES)
def test_sine_and_cosine_of_one_angle_share_its_reduction(dtype, accuracy):
    count = {
        names: accuracy.program(1, dtype, *(EXPANSIONS[name] for name in names)).arithmetic
        for names in [("sin",), ("cos",), ("sin", "cos")]
    }
    # Reduction and both polynomials are shared; each has its own choice among them and its sign.
    assert count["sin", "cos"] <= count["sin",] + 8


def test_power_of_a_float_to_an_integer():
    graph = Graph()
    node = EXPANSIONS["pow"](graph, graph.input("float64"), graph.input("int32"))
    assert graph.dtype[node] == "float64"

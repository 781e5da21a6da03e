import jax
import jax.ad_checkpoint
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from supple.native.rules import elementwise

X = np.array([-2.5, -1.0, -0.5, 0.5, 1.5, 2.5])
Y = np.array([1.5, -0.5, 2.0, 0.5, -1.5, 0.25])
UNIT = np.array([-0.9, -0.3, 0.1, 0.8])
POSITIVE = np.array([0.1, 0.5, 1.0, 3.0])
SPECIAL = np.array([0.0, np.inf, -np.inf, np.nan, 1.0])
I = np.array([-7, -1, 0, 3, 12, -128], dtype=np.int32)
J = np.array([2, 3, -5, 7, 0, 31], dtype=np.int32)
B = np.array([True, True, False, False])
C = np.array([True, False, True, False])
HERE = jax.sharding.SingleDeviceSharding(jax.devices("cpu")[0])

CASES = {
    "add": (lax.add, X, Y),
    "sub": (lax.sub, X, Y),
    "mul": (lax.mul, X, Y),
    "div": (lax.div, X, Y),
    "div of integers": (lax.div, I, J),
    "neg": (lax.neg, X),
    "rem": (lax.rem, X, Y),
    "rem of integers": (lax.rem, I, J),
    "max": (lax.max, X, Y),
    "max with NaN": (lax.max, SPECIAL, SPECIAL[::-1].copy()),
    "min": (lax.min, X, Y),
    "abs": (lax.abs, X),
    "sign": (lax.sign, X),
    "sign of integers": (lax.sign, I),
    "sqrt": (lax.sqrt, POSITIVE),
    "rsqrt": (lax.rsqrt, POSITIVE),
    "cbrt": (lax.cbrt, X),
    "sin": (lax.sin, X),
    "cos": (lax.cos, X),
    "tan": (lax.tan, X),
    "asin": (lax.asin, UNIT),
    "acos": (lax.acos, UNIT),
    "atan": (lax.atan, X),
    "atan2": (lax.atan2, X, Y),
    "sinh": (lax.sinh, X),
    "cosh": (lax.cosh, X),
    "tanh": (lax.tanh, X),
    "asinh": (lax.asinh, X),
    "acosh": (lax.acosh, POSITIVE + 1),
    "atanh": (lax.atanh, UNIT),
    "exp": (lax.exp, X),
    "exp2": (lax.exp2, X),
    "expm1": (lax.expm1, X),
    "log": (lax.log, POSITIVE),
    "log1p": (lax.log1p, UNIT),
    "logistic": (lax.logistic, X),
    "pow": (lax.pow, POSITIVE, np.array([2.5, -1.5, 0.3, 2.0])),
    "pow of constants": (lambda x: (x**0.5, x**-0.5, x**3.0, x**-2.0, x**0.0, x**1.7), POSITIVE),
    "integer_pow": (lambda x: (x**2, x**3, x**5, x**-1, x**-3, lax.integer_pow(x, 0)), X),
    "square": (lax.square, X),
    "erf": (lax.erf, X),
    "erfc": (lax.erfc, X),
    "erf_inv": (lax.erf_inv, UNIT),
    "lgamma": (lax.lgamma, POSITIVE),
    "floor": (lax.floor, X),
    "ceil": (lax.ceil, X),
    "round": (lambda x: (jnp.round(x), lax.round(x)), X),
    "nextafter": (lax.nextafter, X, Y),
    "is_finite": (lax.is_finite, SPECIAL),
    "lt": (lax.lt, X, Y),
    "le": (lax.le, X, X.copy()),
    "gt": (lax.gt, X, Y),
    "ge": (lax.ge, X, X.copy()),
    "eq": (lax.eq, SPECIAL, SPECIAL.copy()),
    "ne": (lambda x: x != x, SPECIAL),
    "and": (lax.bitwise_and, I, J),
    "or": (lax.bitwise_or, I, J),
    "xor": (lax.bitwise_xor, I, J),
    "not": (lax.bitwise_not, I),
    "logic": (lambda b, c: (b & c, b | c, b ^ c, ~b, b & True, c | False, b ^ True), B, C),
    "shift_left": (lax.shift_left, I, np.array([1, 31, 32, 0, 5, 100], np.int32)),
    "shift_right_logical": (lax.shift_right_logical, I, np.array([1, 31, 32, 0, 5, 100], np.int32)),
    "shift_right_arithmetic": (lax.shift_right_arithmetic, I, np.array([1, 31, 32, 0, 5, 100], np.int32)),
    "mulhi": (lax.mulhi, I, J),
    "clz": (lax.clz, I),
    "population_count": (lax.population_count, I),
    "clamp": (lambda x: lax.clamp(-1.0, x, 1.0), X),
    "select_n": (lambda b, x: (lax.select(b, x, -x), jnp.where(b, x, 0.0), jnp.where(b, 1.0, 0.0)), B, POSITIVE),
    "select_n of many": (lambda i, x: lax.select_n(i, x, 2 * x, 3 * x), np.array([0, 2, 1, 2], np.int32), POSITIVE),
    "convert": (lambda x: [lax.convert_element_type(x, t) for t in ("int32", "uint8", "bool", "float32")], X),
    "names": (lambda x: (lax.stop_gradient(x), jnp.copy(x), jax.device_put(x), lax.optimization_barrier(x)), X),
    "name": (lambda x: jax.ad_checkpoint.checkpoint_name(x, "force"), X),
    "sharding_constraint": (lambda x: lax.with_sharding_constraint(x, HERE), X),
    "add_any": (jax.grad(lambda x: jnp.sum(jnp.sin(x) * x)), X),
    "wrapping": (lambda i: (i * 100_000_007 + 5, -i), I),
}


@pytest.mark.parametrize("case", CASES)
def test_elementwise_primitives_agree_with_jax(case, agrees):
    fn, *args = CASES[case]
    agrees(fn, *args)


def test_every_rule_has_a_case(rules_of, primitives_of):
    used = set().union(*(primitives_of(fn, *args) for fn, *args in CASES.values()))
    assert rules_of(elementwise) <= used


def test_float32_is_computed_in_float32(agrees):
    def fn(x):
        return x / 3 + jnp.sin(x) * x

    x = np.float32(0.7)
    program = agrees(fn, x, dtype=np.float32, rtol=2e-7)
    assert {program.graph.dtype[node] for node in program.live} == {"float32"}


# Special values: zeros, infinities and NaN, halves, the edges of integer types. XLA flushes subnormal numbers to
# zero on a CPU and compiled code does not, so there are none.

FINITE = [0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3, -3, 7.25, 255.5, -0.2, 0.2, 1e10, 2.0**31, -(2.0**31)]
FLOATS = np.array([*FINITE, 2.0**63, -(2.0**63), 2.0**64, 1e36, -1e36, np.inf, -np.inf, np.nan])
PAIRS = np.stack(np.meshgrid(FLOATS, FLOATS)).reshape(2, -1)
KEPT_EXACTLY = ["neg", "abs", "sign", "floor", "ceil", "is_finite"]
ROUNDED = ["sqrt", "rsqrt", "cbrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh"]
ROUNDED += ["acosh", "atanh", "exp", "exp2", "expm1", "log", "log1p", "logistic", "erf", "erfc", "erf_inv", "lgamma"]
ROUNDED += ["square"]
EXACT_PAIRS = ["add", "sub", "mul", "rem", "nextafter", "lt", "le", "gt", "ge", "eq", "ne"]
ROUNDED_PAIRS = ["div", "max", "min", "atan2", "pow"]
OF_INTEGERS = ["add", "sub", "mul", "div", "rem", "max", "min", "bitwise_and", "bitwise_or", "bitwise_xor", "lt", "le"]
OF_INTEGERS += ["eq", "mulhi", "shift_left", "shift_right_logical", "shift_right_arithmetic"]
NARROW = ["int8", "int32", "int64", "uint8", "uint64"]


def _named(names, *operands):
    return [getattr(lax, name)(*operands) for name in names]


def _integers(dtype):
    info = np.iinfo(dtype)
    few = [info.min, info.min + 1, 0, 1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 100, info.max - 1, info.max]
    return np.array(few + [-1, -2, -3, -7, -100] * (info.min < 0), dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_floats_one_by_one(dtype, agrees_on_each):
    def exact(x):
        rounded = [lax.round(x, method) for method in lax.RoundingMethod]
        converted = [lax.convert_element_type(x, t) for t in types]
        return _named(KEPT_EXACTLY, x), rounded, converted, x == x, x != x

    def rounded(x):
        powers = [lax.integer_pow(x, y) for y in (-3, -1, 0, 1, 2, 5)]
        return _named(ROUNDED, x), powers, lax.clamp(dtype_of(-1), x, dtype_of(1)), lax.clamp(x, dtype_of(0), x)

    dtype_of = np.dtype(dtype).type
    types = ["int8", "int32", "uint8", "uint32", "bool", "float32"] + ["int64", "uint64"] * (dtype == "float64")
    samples = FLOATS.astype(dtype)
    agrees_on_each(exact, samples)
    tolerance = 1e-13 if dtype == "float64" else 1e-6
    agrees_on_each(rounded, samples, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_floats_in_pairs(dtype, agrees_on_each):
    x, y = PAIRS.astype(dtype)
    agrees_on_each(lambda x, y: _named(EXACT_PAIRS, x, y), x, y)
    tolerance = 1e-13 if dtype == "float64" else 1e-6
    agrees_on_each(lambda x, y: _named(ROUNDED_PAIRS, x, y), x, y, rtol=tolerance, atol=np.finfo(dtype).tiny)


@pytest.mark.parametrize("dtype", NARROW)
def test_integers_to_their_edges(dtype, agrees_on_each):
    """Among them quotients by zero and of the least by -1, and shifts by more than there are bits."""

    def fn(x, y):
        converted = [lax.convert_element_type(x, t) for t in (*NARROW, "float32", "float64", "bool")]
        alone = ["neg", "sign", "bitwise_not", "clz", "population_count"]
        return _named(OF_INTEGERS, x, y), x // y, x % y, _named(alone, x), converted, lax.integer_pow(x, 5)

    x, y = np.stack(np.meshgrid(_integers(dtype), _integers(dtype))).reshape(2, -1)
    agrees_on_each(fn, x, y)


def test_a_case_of_many_by_number(agrees_on_each):
    numbers = np.array([-(2**31), -1, 0, 1, 2, 3, 4, 2**31 - 1], np.int32)

    def choice(i, j):
        few, many = jnp.arange(1.0, 4.0), jnp.arange(26.0).reshape(13, 2)
        return lax.select_n(i, *few), lax.select_n(jnp.stack([i, j]), *many), lax.select_n(i < 2, few, -few)

    agrees_on_each(choice, numbers, numbers[::-1].copy())

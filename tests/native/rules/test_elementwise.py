import jax
import jax.ad_checkpoint
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from supple.native import NotCompilable, lower
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
    "digamma": (lax.digamma, POSITIVE),
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
    "clz": (lax.clz, I),
    "population_count": (lax.population_count, I),
    "clamp": (lambda x: lax.clamp(-1.0, x, 1.0), X),
    "select_n": (lambda b, x: (lax.select(b, x, -x), jnp.where(b, x, 0.0), jnp.where(b, 1.0, 0.0)), B, POSITIVE),
    "select_n of many": (lambda i, x: lax.select_n(i, x, 2 * x, 3 * x), np.array([0, 2, 1, 2], np.int32), POSITIVE),
    "convert": (lambda x: [lax.convert_element_type(x, t) for t in ("int32", "uint8", "bool", "float32")], X),
    "bitcast": (lambda x: lax.bitcast_convert_type(x, np.int64), X),
    "names": (lambda x: (lax.stop_gradient(x), jnp.copy(x), jax.device_put(x), lax.optimization_barrier(x)), X),
    "name": (lambda x: jax.ad_checkpoint.checkpoint_name(x, "force"), X),
    "reduce_precision": (lambda x: lax.reduce_precision(x, 11, 52), X),
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


def test_rounding_to_fewer_bits_is_refused():
    with pytest.raises(NotCompilable, match=r"reduce_precision.*fewer bits"):
        lower(lambda x: lax.reduce_precision(x, 8, 7), 1.0)

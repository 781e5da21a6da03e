"""The operations of the scalar graph and what each computes, in numpy.

These functions define the semantics: the interpreter evaluates them on arrays, folding evaluates
them on single numbers, and machine code must agree with them.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from supple.native.graph import INTEGERS

Numbers = Any  # an array, or a single number of one of numpy's types
Evaluation = Callable[..., Any]


def _divide(a: Numbers, b: Numbers) -> Numbers:
    """Quotient; of integers truncated towards zero, and -1 (all bits set) for a divisor of zero."""
    if a.dtype.name not in INTEGERS:
        return np.divide(a, b)
    safe = np.where(b == 0, 1, b)
    quotient = (a - np.fmod(a, safe)) // safe
    return np.where(b == 0, np.array(-1).astype(a.dtype), quotient).astype(a.dtype)


def _remainder(a: Numbers, b: Numbers) -> Numbers:
    """Remainder with the sign of the dividend; of integers `a` itself for a divisor of zero."""
    if a.dtype.name not in INTEGERS:
        return np.fmod(a, b)
    return np.where(b == 0, a, np.fmod(a, np.where(b == 0, 1, b)))


def _power(a: Numbers, b: Numbers) -> Numbers:
    return np.power(a, b.astype(a.dtype) if a.dtype.kind == "f" else b)


def _shift_left(a: Numbers, b: Numbers) -> Numbers:
    bits = a.dtype.itemsize * 8
    inside = (b >= 0) & (b < bits)
    return np.where(inside, np.left_shift(a, np.where(inside, b, 0)), 0).astype(a.dtype)


def _shift_right_arithmetic(a: Numbers, b: Numbers) -> Numbers:
    """The highest bit moves in from the left, of unsigned numbers too."""
    bits = a.dtype.itemsize * 8
    inside = (b >= 0) & (b < bits)
    signed = a.view(f"int{bits}")
    return np.right_shift(signed, np.where(inside, b, bits - 1).astype(signed.dtype)).view(a.dtype)


def _shift_right_logical(a: Numbers, b: Numbers) -> Numbers:
    bits = a.dtype.itemsize * 8
    inside = (b >= 0) & (b < bits)
    unsigned = a.view(f"uint{bits}")
    shifted = np.right_shift(unsigned, np.where(inside, b, 0).astype(unsigned.dtype))
    return np.where(inside, shifted, 0).astype(unsigned.dtype).view(a.dtype)


def _round_away(a: Numbers) -> Numbers:
    """To the nearest integer, halves away from zero."""
    whole = np.trunc(a)
    return np.where(np.abs(a - whole) >= 0.5, whole + np.copysign(1, a), whole).astype(a.dtype)


def _sum_to_odd(a: Numbers, b: Numbers) -> Numbers:
    """a + b of float64; if inexact, the neighbour whose last bit is set, so that a later rounding is the only one."""
    total = a + b
    part = total - a
    rest = (a - (total - part)) + (b - part)
    even = (total.view("int64") & 1) == 0
    inexact = np.isfinite(rest) & (rest != 0)
    return np.where(inexact & even, np.nextafter(total, np.copysign(np.inf, rest)), total)


def _product_error(a: Numbers, b: Numbers, product: Numbers) -> Numbers:
    """a·b - product of float64, exact (Dekker) unless it overflows or underflows."""
    high_a, high_b = (x * 134217729.0 - (x * 134217729.0 - x) for x in (a, b))
    low_a, low_b = a - high_a, b - high_b
    return low_a * low_b - (((product - high_a * high_b) - low_a * high_b) - high_a * low_b)


def _fused_multiply_add(a: Numbers, b: Numbers, c: Numbers) -> Numbers:
    """a·b + c with one rounding; machines without the instruction round twice, so nothing may rely on it."""
    if a.dtype.name == "float32":
        a, b, c = (x.astype("float64") for x in (a, b, c))
        return _sum_to_odd(a * b, c).astype("float32")
    product = a * b
    error = _product_error(a, b, product)
    total = c + error
    part = total - c
    rest = (c - (total - part)) + (error - part)
    high = product + total
    part = high - product
    rest = _sum_to_odd((product - (high - part)) + (total - part), rest)
    fused = high + rest
    return np.where(np.isfinite(fused) & (fused != 0), fused, product + c)


def _logistic(a: Numbers) -> Numbers:
    return (1 / (1 + np.exp(-a))).astype(a.dtype)


def _unary_special(function: Evaluation) -> Evaluation:
    return lambda a: function(a).astype(a.dtype)


def _odd(function: Evaluation) -> Evaluation:
    """A function that keeps zero, and its sign."""
    return lambda a: np.where(a == 0, a, function(a)).astype(a.dtype)


def _lgamma(a: Numbers) -> Numbers:
    """ln|Γ(a)|; infinite at -∞ as in C, where SciPy has -∞."""
    return np.where(np.isinf(a), np.inf, special.gammaln(a)).astype(a.dtype)


def _count_leading_zeros(a: Numbers) -> Numbers:
    bits = a.dtype.itemsize * 8
    unsigned = a.view(f"uint{bits}")
    return np.add.reduce([(unsigned < (1 << k)).astype(a.dtype) for k in range(bits)], dtype=a.dtype)


def _count_ones(a: Numbers) -> Numbers:
    return np.bitwise_count(a.view(f"uint{a.dtype.itemsize * 8}")).astype(a.dtype)


def convert(a: Numbers, dtype: str) -> Numbers:
    """Number of one type as another: floats to integers truncate, saturate, and take NaN to 0."""
    target = np.dtype(dtype)
    if dtype == "bool":
        return a != 0
    if a.dtype.kind != "f" or target.kind == "f":
        return a.astype(target)
    info = np.iinfo(target)
    low, high = a < info.min, a >= float(info.max) + 1
    inside = np.where(low | high | np.isnan(a), 0, np.trunc(a)).astype(target)
    return np.where(low, info.min, np.where(high, info.max, inside)).astype(target)


# name → function of the operands; `convert` and `bitcast` also take the type of the result.
# Of a zero and a negative zero `max` and `min` may take either.
EVALUATE: dict[str, Evaluation] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": _divide,
    "neg": np.negative,
    "reciprocal": lambda a: np.divide(a.dtype.type(1), a),
    "fma": _fused_multiply_add,
    "rem": _remainder,
    "max": np.maximum,
    "min": np.minimum,
    "abs": np.abs,
    "sign": _odd(np.sign),
    "sqrt": np.sqrt,
    "cbrt": np.cbrt,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "logistic": _logistic,
    "pow": _power,
    "erf": _unary_special(special.erf),
    "erfc": _unary_special(special.erfc),
    "erf_inv": _odd(special.erfinv),
    "lgamma": _lgamma,
    "floor": np.floor,
    "ceil": np.ceil,
    "round_even": np.rint,
    "round_away": _round_away,
    "nextafter": np.nextafter,
    "is_finite": np.isfinite,
    "lt": np.less,
    "le": np.less_equal,
    "eq": np.equal,
    "ne": np.not_equal,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "not": np.invert,
    "shift_left": _shift_left,
    "shift_right_logical": _shift_right_logical,
    "shift_right_arithmetic": _shift_right_arithmetic,
    "clz": _count_leading_zeros,
    "population_count": _count_ones,
    "select": np.where,
    "convert": convert,
    "bitcast": lambda a, dtype: a.view(dtype),
}

# Operations whose result depends on its type as well as on its operands.
TYPED = frozenset({"convert", "bitcast"})

# Operations whose operands may be exchanged.
COMMUTATIVE = frozenset({"add", "mul", "max", "min", "eq", "ne", "and", "or", "xor"})

# Operations whose result is a bool whatever they read.
PREDICATES = frozenset({"lt", "le", "eq", "ne", "is_finite"})


_BINARY = frozenset(
    {"add", "sub", "mul", "div", "rem", "max", "min", "atan2", "pow", "nextafter", "lt", "le", "eq", "ne"}
    | {"and", "or", "xor", "shift_left", "shift_right_logical", "shift_right_arithmetic"}
)

_TERNARY = frozenset({"fma", "select"})

# How many operands each operation reads.
ARITY = {name: 3 if name in _TERNARY else 2 if name in _BINARY else 1 for name in EVALUATE}


def evaluate(op: str, dtype: str, operands: list[Any]) -> np.ndarray:
    """Apply an operation to arrays (of one shape, or broadcasting) and return an array of `dtype`."""
    with np.errstate(all="ignore"):
        function = EVALUATE[op]
        result = function(*operands, dtype) if op in TYPED else function(*operands)
    return np.asarray(result)

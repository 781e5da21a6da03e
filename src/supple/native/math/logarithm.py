"""log and its relatives: log1p.

x = 2^k·m with m in [1/√2, √2); s = f/(2 + f) with f = m - 1; log m = 2·atanh s = 2s + s³P(s²), put so
that f, which is exact, is the leading term: log m = f - (f²/2 - s(f²/2 + s²P(s²))).
"""

from math import inf, nan

from supple.native.math.bits import float_of_exponent, format_of, power_of_two, split_exponent, split_normal
from supple.native.math.coefficients import LOG2, LOGARITHM
from supple.native.math.polynomial import polynomial
from supple.native.math.value import Value, fma, where

SQRT_HALF = 0.7071067811865476


def log_of_parts(f: Value, denominator: Value, exponent: Value) -> Value:
    """log((1 + f)·2^exponent), given 2 + f."""
    high, low = LOG2[f.dtype]
    s = f / denominator
    z = s * s
    half_square = f * f * 0.5
    rest = fma(s, fma(z, polynomial(z, LOGARITHM[f.dtype]), half_square), exponent * low)
    return fma(exponent, high, f - (half_square - rest))


def with_ends(x: Value, result: Value) -> Value:
    """The result for x > 0, and the logarithms of 0, ∞, negative numbers and NaN."""
    return where(x > 0.0, where(x < inf, result, x), where(x.equals(0.0), x.constant(-inf), nan))


def log(x: Value) -> Value:
    """Natural logarithm."""
    mantissa, exponent = split_exponent(x, SQRT_HALF)
    return with_ends(x, log_of_parts(mantissa - 1.0, mantissa + 1.0, exponent))


def log_of_normal(x: Value) -> Value:
    """log x of a number of full precision above zero."""
    mantissa, biased = split_normal(x, SQRT_HALF)
    form = format_of(x)
    exponent = float_of_exponent(biased, 2.0**form.fraction + form.bias)
    return log_of_parts(mantissa - 1.0, mantissa + 1.0, exponent)


def log_of_sum(total: Value, lost: Value) -> Value:
    """log(total + lost), where `total` is their sum rounded, and of full precision."""
    form = format_of(total)
    mantissa, biased = split_normal(total, SQRT_HALF)
    # 2·2^-k rather than 2^-k, which may be too small a number; halved last, for `lost` may be the smallest number.
    carried = lost * power_of_two(2 * form.bias + 1 - biased) * 0.5
    exponent = float_of_exponent(biased, 2.0**form.fraction + form.bias)
    return with_ends(total, log_of_parts((mantissa - 1.0) + carried, mantissa + 1.0, exponent))


def log1p(x: Value) -> Value:
    """log(1 + x); what the rounding of 1 + x has lost is added to f."""
    total = x + 1.0
    result = log_of_sum(total, x - (total - 1.0))
    return where(x.equals(0.0), x, result)

"""exp and its relatives: exp2, expm1, logistic.

x = n·log 2 + r with |r| ≤ log(2)/2, and exp x = 2^n·(1 + r + r²Q(r)).
"""

from supple.native.math.bits import bits_of, float_of, format_of, power_of_two, with_sign
from supple.native.math.coefficients import EXPONENTIAL, LOG2
from supple.native.math.polynomial import polynomial
from supple.native.math.value import Value, at_least, at_most, fma

INVERSE_LOG2 = 1.4426950408889634
LOG_OF_2 = 0.6931471805599453

# Where exp overflows, and where it rounds to zero; a little beyond, for the scaling does the rest.
HIGHEST = {"float32": 89.0, "float64": 710.0}
LOWEST = {"float32": -104.0, "float64": -746.0}

# The same for exp2.
HIGHEST_POWER = {"float32": 128.0, "float64": 1024.0}
LOWEST_POWER = {"float32": -151.0, "float64": -1076.0}

# Where e^x is no more than half the spacing of numbers around 1.
VANISHING = {"float32": -18.0, "float64": -38.0}


def reduce(x: Value, bias: int) -> tuple[Value, Value]:
    """(n + bias as an integer, r) with x = n·log 2 + r; |x| at most some thousands."""
    form = format_of(x)
    high, low = LOG2[x.dtype]
    shifted = fma(x, INVERSE_LOG2, form.rounder + bias)
    n = shifted - (form.rounder + bias)
    return bits_of(shifted), fma(n, -low, fma(n, -high, x))


def nearest(x: Value, bias: int) -> tuple[Value, Value]:
    """The nearest integer n, as the integer n + bias in the low bits and as a float."""
    rounder = format_of(x).rounder + bias
    shifted = x + rounder
    return bits_of(shifted), shifted - rounder


def curve(r: Value) -> Value:
    """exp r - 1 - r for |r| ≤ log(2)/2."""
    return r * r * polynomial(r, EXPONENTIAL[r.dtype])


def exponential_minus_one(r: Value) -> Value:
    """exp r - 1 for |r| ≤ log(2)/2."""
    return fma(r * r, polynomial(r, EXPONENTIAL[r.dtype]), r)


def halves(doubled: Value) -> tuple[Value, Value]:
    """Two powers of two of which the product is 2^n, which may not be a number, from n + 2·bias."""
    half = doubled >> 1
    return power_of_two(half), power_of_two(doubled - half)


def reciprocal_of_power(power: Value) -> Value:
    """1/2^k."""
    form = format_of(power)
    return float_of((2 * form.bias << form.fraction) - bits_of(power))


def scaled(significand: Value, doubled: Value) -> Value:
    """significand·2^n, rounded once, from n + 2·bias."""
    first, second = halves(doubled)
    return significand * first * second


def exp(x: Value) -> Value:
    """e^x."""
    clamped = at_least(at_most(x, HIGHEST[x.dtype]), LOWEST[x.dtype])
    doubled, r = reduce(clamped, 2 * format_of(x).bias)
    return scaled(exponential_minus_one(r) + 1.0, doubled)


def exp2(x: Value) -> Value:
    """2^x."""
    clamped = at_least(at_most(x, HIGHEST_POWER[x.dtype]), LOWEST_POWER[x.dtype])
    doubled, n = nearest(clamped, 2 * format_of(x).bias)
    return power_of_two_parts(clamped - n, doubled)


def power_of_two_parts(fraction: Value, doubled: Value) -> Value:
    """2^(fraction + n) for |fraction| ≤ ½, from n + 2·bias."""
    return scaled(exponential_minus_one(fraction * LOG_OF_2) + 1.0, doubled)


def expm1(x: Value) -> Value:
    """e^x - 1 = 2^n·(e^r - 1 + 1 - 2^-n)."""
    clamped = at_least(at_most(x, HIGHEST[x.dtype]), VANISHING[x.dtype])
    doubled, r = reduce(clamped, 2 * format_of(x).bias)
    first, second = halves(doubled)
    # 1 - 2^-n and r first: their sum is exact where the result is small.
    result = fma(first, curve(r), fma(first, r, first - reciprocal_of_power(second)))
    return with_sign(result * second, x)


def logistic(x: Value) -> Value:
    """1 / (1 + e^-x) = 2^-n / (e^r + 2^-n)."""
    clamped = at_least(at_most(-x, -LOWEST[x.dtype]), VANISHING[x.dtype])
    doubled, r = reduce(clamped, 2 * format_of(x).bias)
    first, second = halves(doubled)
    inverse = reciprocal_of_power(second)
    total = first + inverse
    lost = inverse - (total - first)
    return inverse / (fma(first, exponential_minus_one(r), lost) + total)

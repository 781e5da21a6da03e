"""pow.

|x|^y = 2^(y·log₂|x|). An error of log₂|x| counts a thousand times, so that for float64 it is computed in two parts, of
which the first has 26 bits and the product with half of y is exact; float32 is computed in float64 instead.

With s = f/(2 + f) as in `logarithm`, log₂ m = 2/(3·log 2)·s·(3 + s² + s⁴R(s²)).
"""

from math import inf, nan

from supple.native.math.bits import bits_of, flip_sign, format_of, shortened, sign_of, split_exponent
from supple.native.math.coefficients import INNER_LOGARITHM, TWO_THIRDS_OF_INVERSE_LOG2
from supple.native.math.exponential import exp, nearest, power_of_two_parts
from supple.native.math.logarithm import SQRT_HALF, log_of_normal
from supple.native.math.polynomial import polynomial
from supple.native.math.value import Value, at_least, at_most, fma, narrow, where, widen

# Powers of 2 beyond this overflow or vanish, and so do all powers beyond the other but those of 1.
LARGEST_EXPONENT = 1100.0
LARGEST_POWER = 2.0**64


def binary_logarithm(x: Value) -> tuple[Value, Value]:
    """log₂ x as a number of 26 bits and the rest, for finite x > 0, float64."""
    m, k = split_exponent(x, SQRT_HALF)
    f, total = m - 1.0, m + 1.0
    inverse = 1.0 / total
    high_total = shortened(total)
    s = f * inverse
    high = shortened(s)
    low = ((f - high * high_total) - high * (m - (high_total - 1.0))) * inverse
    z, square = s * s, high * high
    rest = fma(z * z, polynomial(z, INNER_LOGARITHM["float64"]), low * (high + s))
    factor = shortened((square + 3.0) + rest)
    product = high * factor
    error = fma(low, factor, (rest - ((factor - 3.0) - square)) * s)
    first = shortened(product + error)
    scale, scale_low = TWO_THIRDS_OF_INVERSE_LOG2["float64"]
    scaled = first * scale
    second = fma(first, scale_low, (error - (first - product)) * (scale + scale_low))
    result = shortened(k + (scaled + second))
    return result, second - ((result - k) - scaled)


def magnitude_float64(x: Value, y: Value) -> Value:
    """x^y for finite x > 0."""
    high, low = binary_logarithm(x)
    short = shortened(y)
    product = short * high
    rest = fma(y - short, high, y * low)
    most = at_least(at_most(product, LARGEST_EXPONENT), -LARGEST_EXPONENT)
    rest = where(most.equals(product), rest, 0.0)
    doubled, n = nearest(most + rest, 2 * format_of(x).bias)
    return power_of_two_parts((most - n) + rest, doubled)


def magnitude_float32(x: Value, y: Value) -> Value:
    """x^y for finite x > 0, in float64."""
    return narrow(exp(widen(y) * log_of_normal(widen(x))))


MAGNITUDE = {"float32": magnitude_float32, "float64": magnitude_float64}


def power(x: Value, y: Value) -> Value:
    """x^y, with the special cases of C: 1^y = x^0 = 1 even of NaN; of x < 0, NaN unless y is a whole number."""
    y = y if y.dtype == x.dtype else y.apply("convert", dtype=x.dtype)
    magnitude = abs(x)
    # 0 and ∞ to a power are 0 or ∞.
    extreme = where((magnitude > 1.0) ^ (y < 0.0), x.constant(inf), 0.0)
    ends = magnitude.equals(0.0) | magnitude.equals(inf)
    bounded = at_least(at_most(y, LARGEST_POWER), -LARGEST_POWER)
    result = where(ends, extreme, MAGNITUDE[x.dtype](magnitude, bounded))
    half = y * 0.5
    whole = y.apply("floor").equals(y)
    odd = whole & half.apply("floor").differs(half)
    signed = flip_sign(result, where(odd, sign_of(x), bits_of(x).constant(0)))
    invalid = ((x < 0.0) & ~whole & ~ends) | x.differs(x) | y.differs(y)
    return where(x.equals(1.0) | y.equals(0.0), 1.0, where(invalid, nan, signed))

"""erf, erfc and erf_inv.

Near zero erf is an odd polynomial; beyond, erfc x = exp(-x²)·K(x)/(x + ⅝), where K, between 0.56 and 0.69, is a
polynomial of (x - 3)/(x + 3). With ⅝, K is so flat that the rounding of this quotient does not count.
"""

from math import inf, nan

from supple.native.math.bits import format_of, shortened, with_sign
from supple.native.math.coefficients import (
    CENTER_OF_INVERSE_ERROR,
    COMPLEMENT,
    ERROR_FUNCTION,
    TAIL_OF_INVERSE_ERROR,
)
from supple.native.math.exponential import exponential_minus_one, reduce, scaled
from supple.native.math.logarithm import log_of_normal
from supple.native.math.polynomial import polynomial
from supple.native.math.value import Value, at_most, fma, narrow, sqrt, where, widen

# Where erfc rounds to zero, or a little beyond.
VANISHING = {"float32": 10.5, "float64": 27.5}

# Where the polynomial of erf ends: erfc x is 0.33 there.
NEAR = 11 / 16


def excess(x: Value) -> Value:
    """erf x - x for |x| ≤ NEAR."""
    return x * polynomial(x * x, ERROR_FUNCTION[x.dtype])


def complement(magnitude: Value) -> Value:
    """erfc x for x ≥ NEAR; x² in two parts, for its error counts by its size."""
    x = at_most(magnitude, VANISHING[magnitude.dtype])
    high = shortened(x)
    square = x * x
    lost = (high * high - square) + (x - high) * (x + high)
    doubled, r = reduce(-square, 2 * format_of(x).bias)
    q = (x - 3.0) / (x + 3.0)
    curve = polynomial(q, COMPLEMENT[x.dtype])
    # The divisor is inexact where it passes a power of two; (1 - q)/4 is its reciprocal there, to a third.
    divisor = x + 0.625
    lost = fma(x - (divisor - 0.625), fma(q, -0.25, 0.25), lost)
    # (1 + e)·(⅝ + curve), but for ⅝, so that only the last sum rounds much.
    significand = fma(exponential_minus_one(r - lost), curve + 0.625, curve) + 0.625
    return scaled(significand / divisor, doubled)


def erf(x: Value) -> Value:
    """Error function, 2/√π·∫exp(-t²)dt from 0 to x."""
    magnitude = abs(x)
    return where(magnitude < NEAR, x + excess(x), with_sign(1.0 - complement(magnitude), x))


def erfc(x: Value) -> Value:
    """1 - erf x, to full precision where it is small."""
    magnitude = abs(x)
    # In float32 the roundings add up to more than 2 units in the last place.
    wide = x.dtype == "float64"
    far = complement(magnitude) if wide else narrow(complement(widen(magnitude)))
    # 1 - x - excess by way of ½ - x, which is exact where the result is less than ½.
    near = 0.5 - ((x - 0.5) + excess(x))
    return where(magnitude < NEAR, near, where(x < 0.0, 2.0 - far, far))


def erf_inv(x: Value) -> Value:
    """Inverse of erf, by w = -log(1 - x²): x + x·C(w - 2) for w < 6, else √w + T(√w - 4)."""
    magnitude = abs(x)
    w = -log_of_normal((1.0 - magnitude) * (magnitude + 1.0))
    s = sqrt(w)
    tail = s + polynomial(s - 4.0, TAIL_OF_INVERSE_ERROR[x.dtype])
    center = fma(x, polynomial(w - 2.0, CENTER_OF_INVERSE_ERROR[x.dtype]), x)
    end = where(magnitude.equals(1.0), x.constant(inf), nan)
    inside = where(w < 6.0, center, with_sign(tail, x))
    return where(magnitude < 1.0, inside, with_sign(end, x))

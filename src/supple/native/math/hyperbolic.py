"""sinh, cosh and tanh, by way of e^|x| and, where that cancels, of odd polynomials."""

from supple.native.math.bits import format_of, power_of_two, with_sign
from supple.native.math.coefficients import HYPERBOLIC_SINE, HYPERBOLIC_TANGENT
from supple.native.math.exponential import exponential_minus_one, reduce, scaled
from supple.native.math.polynomial import polynomial
from supple.native.math.value import Value, at_most, fma, where

# Where tanh x rounds to 1.
SATURATED = {"float32": 9.1, "float64": 19.1}

# Where tanh x is a half.
HALFWAY = 0.5493061443340549

# Where e^x / 2 overflows, or a little beyond.
HIGHEST = {"float32": 90.0, "float64": 711.0}


def half_exponential(magnitude: Value) -> Value:
    """e^|x| / 2, which is a number a little longer than e^|x| is: the exponent is taken less one."""
    doubled, r = reduce(at_most(magnitude, HIGHEST[magnitude.dtype]), 2 * format_of(magnitude).bias - 1)
    return scaled(exponential_minus_one(r) + 1.0, doubled)


def sinh(x: Value) -> Value:
    """Hyperbolic sine: an odd polynomial up to 1, then e^|x|/2 - e^-|x|/2."""
    magnitude = abs(x)
    z = x * x
    small = fma(x * z, polynomial(z, HYPERBOLIC_SINE[x.dtype]), x)
    half = half_exponential(magnitude)
    return where(magnitude < 1.0, small, with_sign(half - 0.25 / half, x))


def cosh(x: Value) -> Value:
    """Hyperbolic cosine, e^|x|/2 + e^-|x|/2."""
    half = half_exponential(abs(x))
    return half + 0.25 / half


def tanh(x: Value) -> Value:
    """Hyperbolic tangent: an odd polynomial up to ½, then 1 - 2 / (e^2|x| + 1)."""
    magnitude = abs(x)
    z = x * x
    small = fma(magnitude * z, polynomial(z, HYPERBOLIC_TANGENT[x.dtype]), magnitude)
    bounded = at_most(magnitude, SATURATED[x.dtype])
    # Half of the exponential: the exponent is taken less one.
    exponent, r = reduce(bounded + bounded, format_of(x).bias - 1)
    power = power_of_two(exponent)
    large = 1.0 - 1.0 / fma(power, exponential_minus_one(r), power + 0.5)
    return with_sign(where(magnitude < HALFWAY, small, large), x)

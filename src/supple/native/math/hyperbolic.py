"""sinh, cosh, tanh and their inverses, by way of e^x - 1 and log(1 + x)."""

from supple.native.math.bits import format_of, power_of_two, with_sign
from supple.native.math.coefficients import HYPERBOLIC_TANGENT
from supple.native.math.exponential import exponential_minus_one, reduce
from supple.native.math.polynomial import polynomial
from supple.native.math.value import Value, at_most, fma, where

# Where tanh x rounds to 1.
SATURATED = {"float32": 9.1, "float64": 19.1}

# Where tanh x is a half.
HALFWAY = 0.5493061443340549


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

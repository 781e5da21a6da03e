"""rem: the exact remainder of a quotient truncated towards zero, with the sign of the dividend."""

from math import inf

from supple.native.math.bits import format_of, shortened, with_sign
from supple.native.math.value import Value, where


def rem(x: Value, y: Value) -> Value:
    """x - q·y for quotients q that `needs_library` lets pass; y in two parts of which the products with q are exact."""
    magnitude, divisor = abs(x), abs(y)
    quotient = (magnitude / divisor).apply("floor")
    high = shortened(divisor)
    rest = (magnitude - quotient * high) - quotient * (divisor - high)
    # The quotient may have been rounded up to an integer.
    return with_sign(where(rest < 0.0, rest + divisor, rest), x)


def needs_library(x: Value, y: Value) -> Value:
    """Whether the quotient is too long, or infinite or NaN in a way that is not the remainder's."""
    form = format_of(x)
    limit = 2.0 ** (form.fraction - 1 - form.half)
    divisor = abs(y)
    return (abs(x) >= divisor * limit) | divisor.equals(inf)


def library(x: Value, y: Value) -> Value:
    """The operation itself, for which a back end calls C's fmod: exact for every quotient, in a loop."""
    return x.apply("rem", y)

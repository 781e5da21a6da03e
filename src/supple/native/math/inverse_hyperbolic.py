"""asinh, acosh and atanh, as log(1 + a) of an `a` that is known to more digits than its type holds."""

from math import inf, nan

from supple.native.math.bits import format_of, shortened, with_sign
from supple.native.math.exponential import LOG_OF_2
from supple.native.math.logarithm import log_of_sum
from supple.native.math.value import Value, sqrt, where

# Beyond, asinh x = acosh x = log 2x.
LARGE = {"float32": 2.0**13, "float64": 2.0**28}


def one_and(first: Value, second: Value) -> tuple[Value, Value]:
    """1 + first + second as a rounded sum and what it lacks; |first| ≥ |second|."""
    part = first + second
    total = part + 1.0
    return total, (part - (total - 1.0)) + (second - (part - first))


def log_unless_large(x: Value, total: Value, lost: Value) -> Value:
    """log(total + lost), or log 2x."""
    large = x > LARGE[x.dtype]
    result = log_of_sum(where(large, x, total), where(large, 0.0, lost))
    return where(large, result + LOG_OF_2, result)


def asinh(x: Value) -> Value:
    """log(x + √(x² + 1)) = log(1 + x + x² / (1 + √(x² + 1)))."""
    magnitude = abs(x)
    square = magnitude * magnitude
    total, lost = one_and(magnitude, square / (sqrt(square + 1.0) + 1.0))
    return with_sign(log_unless_large(magnitude, total, lost), x)


def acosh(x: Value) -> Value:
    """log(x + √(x² - 1)) = log(1 + t + √(2t + t²)) with t = x - 1."""
    t = x - 1.0
    square = t * t
    root = sqrt(square + (t + t))
    # What the root lacks is (2t + t² - root²) / (2·root); the smallest number is lost in every root but zero.
    high = shortened(root)
    lacking = ((t + t) - high * high + square) - (root - high) * (high + root)
    total, lost = one_and(root, t)
    lost = lost + lacking / (root + root + format_of(x).smallest_normal)
    return where(x < 1.0, nan, log_unless_large(x, total, lost))


def atanh(x: Value) -> Value:
    """½·log((1 + x) / (1 - x)) = ½·log(1 + 2x / (1 - x)), the quotient in two parts."""
    magnitude = abs(x)
    denominator = 1.0 - magnitude
    lost = (1.0 - denominator) - magnitude
    high = shortened(denominator)
    inverse = 1.0 / denominator
    twice = magnitude + magnitude
    quotient = shortened(twice * inverse)
    rest = (twice - quotient * high) - quotient * ((denominator - high) + lost)
    result = log_of_sum(*one_and(quotient, rest * inverse)) * 0.5
    return with_sign(where(magnitude.equals(1.0), inf, result), x)

"""Functions of a number as it is stored: sign, neighbours, whether it is finite, the nearest integer."""

from math import inf

from supple.native.graph import UNSIGNED
from supple.native.math.bits import bits_of, float_of, sign_of, with_sign
from supple.native.math.value import Value, where


def sign(x: Value) -> Value:
    """-1, 1, or x itself if it is 0, -0 or NaN."""
    positive = where(x > 0, x.constant(1), x)
    return positive if x.dtype in UNSIGNED else where(x < 0, -1, positive)


def is_finite(x: Value) -> Value:
    """Whether x is neither infinite nor NaN."""
    return abs(x) < inf


def round_away(x: Value) -> Value:
    """The nearest integer, halves away from zero."""
    magnitude = abs(x)
    whole = magnitude.apply("floor")
    return with_sign(where(magnitude - whole >= 0.5, whole + 1.0, whole), x)


def nextafter(x: Value, y: Value) -> Value:
    """The neighbour of x on the side of y: bits count up away from zero."""
    bits = bits_of(x)
    step = where((x < y) ^ (x < 0.0), bits.constant(1), -1)
    moved = float_of(where(x.equals(0.0), sign_of(y) | 1, bits + step))
    # NaN, if either is.
    return where(x.equals(y), y, where(x.differs(x) | y.differs(y), x + y, moved))

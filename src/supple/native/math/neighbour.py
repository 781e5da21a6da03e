"""nextafter: the neighbour of a number."""

from supple.native.math.bits import bits_of, float_of, sign_of
from supple.native.math.value import Value, where


def nextafter(x: Value, y: Value) -> Value:
    """The neighbour of x on the side of y: bits count up away from zero."""
    bits = bits_of(x)
    step = where((x < y) ^ (x < 0.0), bits.constant(1), -1)
    moved = float_of(where(x.equals(0.0), sign_of(y) | 1, bits + step))
    # NaN, if either is.
    return where(x.equals(y), y, where(x.differs(x) | y.differs(y), x + y, moved))

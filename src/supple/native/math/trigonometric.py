"""sin, cos and tan.

x = n·π/2 + r with |r| ≤ π/4 (Cody and Waite: π/2 in four parts, of which the products of the first
three with n are exact, and the difference with the first two as well; all are positive, so that -0
stays -0). The last bits of n choose among ±sin r and ±cos r.
"""

from supple.native.math.bits import bits_of, flip_sign, format_of, with_sign
from supple.native.math.coefficients import COSINE, HALF_PI, SINE, TANGENT
from supple.native.math.polynomial import polynomial
from supple.native.math.value import Value, fma, where

TWO_OVER_PI = 0.6366197723675814

# The largest |x| of which n·(a part of π/2) is exact; beyond, the fallback reduces the argument.
REDUCIBLE = {"float32": 2.0**11, "float64": 2.0**20}


def reduce(x: Value) -> tuple[Value, Value, Value]:
    """(n as an integer, its last bits at least; r; what r lacks) with x = n·π/2 + r."""
    rounder = format_of(x).rounder
    shifted = fma(x, TWO_OVER_PI, rounder)
    n = shifted - rounder
    first, second, third, fourth = HALF_PI[x.dtype]
    exact = fma(n, -second, fma(n, -first, x))
    r = fma(n, -third, exact)
    return bits_of(shifted), r, fma(n, -fourth, fma(n, -third, exact - r))


def sine(r: Value, tail: Value) -> Value:
    """sin(r + tail) for |r| ≤ π/4, but 0 for r = -0."""
    z = r * r
    return r + fma(r * z, polynomial(z, SINE[r.dtype]), tail)


def cosine(r: Value) -> Value:
    """cos r for |r| ≤ π/4."""
    z = r * r
    return fma(z, polynomial(z, COSINE[r.dtype]), 1.0)


def sine_of_reduced(quadrant: Value, r: Value, tail: Value) -> Value:
    """sin(quadrant·π/2 + r + tail)."""
    odd = (quadrant & 1).differs(0)
    sign = (quadrant & 2) << (format_of(r).bits - 2)
    return flip_sign(where(odd, cosine(r), with_sign(sine(r, tail), r)), sign)


def cosine_of_reduced(quadrant: Value, r: Value, tail: Value) -> Value:
    """cos(quadrant·π/2 + r + tail)."""
    odd = (quadrant & 1).differs(0)
    sign = ((quadrant + 1) & 2) << (format_of(r).bits - 2)
    return flip_sign(where(odd, sine(r, tail), cosine(r)), sign)


def sin(x: Value) -> Value:
    """Sine, of |x| up to REDUCIBLE."""
    return sine_of_reduced(*reduce(x))


def cos(x: Value) -> Value:
    """Cosine, of |x| up to REDUCIBLE."""
    return cosine_of_reduced(*reduce(x))


def tangent_of_reduced(quadrant: Value, r: Value, tail: Value) -> Value:
    """tan(quadrant·π/2 + r + tail): tan r, or -1 / tan r."""
    odd = (quadrant & 1).differs(0)
    z = r * r
    # The tail counts by the derivative, 1 + tan²r, about 1 + r².
    rest = fma(r * z, polynomial(z, TANGENT[r.dtype]), fma(tail, z, tail))
    t = with_sign(r + rest, r)
    return where(odd, -1.0 / t, t)


def tan(x: Value) -> Value:
    """Tangent, of |x| up to REDUCIBLE."""
    return tangent_of_reduced(*reduce(x))


def needs_fallback(x: Value) -> Value:
    """Whether the common path is wrong; NaN is right on it, infinity on both."""
    return abs(x) > REDUCIBLE[x.dtype]

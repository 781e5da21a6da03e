"""asin, acos, atan and atan2."""

from math import inf, pi

from supple.native.math.bits import flip_sign, format_of, sign_of, with_sign
from supple.native.math.coefficients import ARCSINE, ARCTANGENT
from supple.native.math.polynomial import polynomial
from supple.native.math.value import Value, fma, sqrt, where

# π/2 in two parts.
HALF_PI = {"float32": (1.5707964, -4.371139e-08), "float64": (pi / 2, 6.123233995736766e-17)}


def arctangent(u: Value) -> Value:
    """atan u for 0 ≤ u ≤ 1."""
    z = u * u
    return fma(u * z, polynomial(z, ARCTANGENT[u.dtype]), u)


def atan(x: Value) -> Value:
    """Inverse tangent; beyond 1, π/2 less that of 1/|x|."""
    magnitude = abs(x)
    beyond = magnitude > 1.0
    angle = arctangent(where(beyond, 1.0 / magnitude, magnitude))
    high, low = HALF_PI[x.dtype]
    return with_sign(where(beyond, high - (angle - low), angle), x)


def atan2(y: Value, x: Value) -> Value:
    """Angle of the point (x, y), in [-π, π]: that of the smaller coordinate over the larger, ± 0, π/2 or π."""
    high, low = HALF_PI[x.dtype]
    width, height = abs(x), abs(y)
    steep = height > width
    larger = where(steep, height, width)
    # 0/0 is 0 here, and ∞/∞ is 1, as in C.
    quotient = where(steep, width, height) / where(larger.equals(0.0), 1.0, larger)
    angle = arctangent(where(width.equals(height) & larger.equals(inf), 1.0, quotient))
    backward = sign_of(x)
    angle = flip_sign(angle, where(steep, backward ^ format_of(x).sign_bit, backward))
    base = where(steep, x.constant(high), where(backward.differs(0), x.constant(2 * high), 0.0))
    return with_sign(fma(base, low / high, angle) + base, y)


def arcsine(magnitude: Value) -> tuple[Value, Value, Value]:
    """(whether |x| > ½; s, c): s + c is asin|x|, or half of acos|x| if |x| > ½; NaN if |x| > 1."""
    beyond = magnitude > 0.5
    complement = fma(magnitude, -0.5, 0.5)
    z = where(beyond, complement, magnitude * magnitude)
    s = where(beyond, sqrt(complement), magnitude)
    return beyond, s, s * z * polynomial(z, ARCSINE[magnitude.dtype])


def asin(x: Value) -> Value:
    """Inverse sine; beyond ½, π/2 - acos|x| as π/4 + (π/4 - 2s - 2c), so that all but the last sum are small."""
    beyond, s, c = arcsine(abs(x))
    high, low = HALF_PI[x.dtype]
    return with_sign(where(beyond, (high / 2 - (s + s)) - (c + c - low) + high / 2, s + c), x)


def acos(x: Value) -> Value:
    """Inverse cosine: 2p, or π - 2p for x < -½, or π/2 ∓ p for |x| ≤ ½."""
    beyond, s, c = arcsine(abs(x))
    high, low = HALF_PI[x.dtype]
    p = s + c
    signed = flip_sign(where(beyond, p + p, p), sign_of(x))
    base = where(beyond, where(x < 0.0, x.constant(2 * high), 0.0), high)
    return base + fma(base, low / high, where(beyond, signed, -signed))

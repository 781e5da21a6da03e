"""cbrt.

x = y·8^n with y in [√½/2, 2√2); a polynomial gives ∛y roughly, shortened so that its square is exact,
and one step of Halley's iteration triples its digits.
"""

from math import inf

from supple.native.math.bits import format_of, power_of_two, shortened, split_exponent, with_sign
from supple.native.math.coefficients import CUBE_ROOT
from supple.native.math.exponential import nearest
from supple.native.math.logarithm import SQRT_HALF
from supple.native.math.polynomial import polynomial
from supple.native.math.value import Value, fma, where

CBRT_2 = 1.2599210498948732


def cbrt(x: Value) -> Value:
    """Cube root, of either sign."""
    magnitude = abs(x)
    mantissa, exponent = split_exponent(magnitude, SQRT_HALF)
    third, n = nearest(exponent * (1 / 3), format_of(x).bias)
    left = fma(n, -3.0, exponent)
    below, above = left < 0.0, left > 0.0
    y = mantissa * where(below, x.constant(0.5), where(above, x.constant(2.0), 1.0))
    root = where(below, x.constant(1 / CBRT_2), where(above, x.constant(CBRT_2), 1.0))
    t = shortened(root * polynomial(mantissa, CUBE_ROOT[x.dtype]))
    r = y / (t * t)
    result = with_sign(fma(t, (r - t) / (t + t + r), t) * power_of_two(third), x)
    return where((magnitude > 0.0) & (magnitude < inf), result, x)

"""Polynomials with constant coefficients."""

from collections.abc import Sequence

from supple.native.math.value import Value, fma


def polynomial(x: Value, coefficients: Sequence[float]) -> Value:
    """c₀ + c₁x + c₂x² + … by Horner's rule: the fewest operations, and the smallest error for small x."""
    result = x.constant(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        result = fma(result, x, coefficient)
    return result

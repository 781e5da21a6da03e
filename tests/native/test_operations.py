from fractions import Fraction

import numpy as np
import pytest

from supple.native.operations import evaluate


def fma(a, b, c):
    a, b, c = np.broadcast_arrays(*(np.atleast_1d(x) for x in (a, b, c)))
    return evaluate("fma", a.dtype.name, [a, b, c])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_fma_rounds_once(dtype):
    """c is -a·b but for a relative difference of every size, so that what one rounding loses is all that is left."""
    rng = np.random.default_rng(0)
    a, b = (rng.normal(size=3000) * 2.0 ** rng.integers(-15, 15, 3000) for _ in range(2))
    c = -a * b * (1 + rng.choice([0, 1e-17, 1e-8, 1, 1e3, 1e17], 3000) * rng.normal(size=3000))
    a, b, c = (x.astype(dtype) for x in (a, b, c))
    result = fma(a, b, c)
    assert result.dtype == dtype
    infinity = np.dtype(dtype).type(np.inf)
    neighbours = np.nextafter(result, -infinity), np.nextafter(result, infinity)
    for *operands, middle, low, high in zip(a, b, c, result, *neighbours, strict=True):
        x, y, z = (Fraction(float(operand)) for operand in operands)
        error, below, above = (abs(x * y + z - Fraction(float(number))) for number in (middle, low, high))
        assert error <= min(below, above)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_fma_of_special_numbers(dtype):
    inf, nan, huge = np.inf, np.nan, np.finfo(dtype).max
    cases = [
        (0.0, 1.0, -0.0, 0.0),
        (-0.0, 1.0, -0.0, -0.0),
        (-0.0, -1.0, 0.0, 0.0),
        (inf, 1.0, 1.0, inf),
        (inf, 0.0, 1.0, nan),
        (inf, 1.0, -inf, nan),
        (1.0, 1.0, -inf, -inf),
        (nan, 1.0, 1.0, nan),
        (huge, 2.0, 0.0, inf),
        (huge, 1.0, -huge, 0.0),
    ]
    *operands, expected = np.array(cases, dtype=dtype).T
    result = fma(*operands)
    np.testing.assert_array_equal(result, expected)
    np.testing.assert_array_equal(np.signbit(result[:3]), np.signbit(expected[:3]))

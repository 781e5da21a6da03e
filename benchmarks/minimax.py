"""Write supple/native/math/coefficients.py: minimax polynomials by Remez's exchange, rounded one by one.

python benchmarks/minimax.py > coefficients.py && ruff format coefficients.py

Each approximation is a polynomial P(z) close to f(z) on an interval, its error weighted so that it counts as the
relative error of the function in which P stands. After the exchange the lowest coefficient is rounded to the type in
which it is stored, the others are fitted anew around it, and so on for the first few, so that rounding costs next to
nothing. The error is noted in units in the last place of the final result. With names as arguments, only those tables.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import mpmath as mp
import numpy as np

mp.mp.prec = 240

Function = Callable[[mp.mpf], mp.mpf]
REFITTED = 3
DIGITS = {"float32": 24, "float64": 53}


@dataclass(frozen=True)
class Target:
    """P(z) ≈ function(z) on [low, high] with `terms` coefficients per type; the error is weighted by `weight`."""

    function: Function
    low: float | mp.mpf
    high: float | mp.mpf
    terms: dict[str, int]
    weight: Function


def series(coefficient: Callable[[int], mp.mpf], z: mp.mpf) -> mp.mpf:
    """Σ coefficient(k)·z^k, for functions whose closed form cancels near zero."""
    total, term, k = mp.mpf(0), mp.mpf(1), 0
    while True:
        step = coefficient(k) * term
        total += step
        if k > 3 and abs(step) < mp.eps * abs(total):
            return total
        term, k = term * z, k + 1


def sine(z: mp.mpf) -> mp.mpf:
    """(sin √z - √z) / √z³."""
    return series(lambda k: -(mp.mpf(-1) ** k) / mp.factorial(2 * k + 3), z)


def cosine(z: mp.mpf) -> mp.mpf:
    """(cos √z - 1) / z."""
    return series(lambda k: -(mp.mpf(-1) ** k) / mp.factorial(2 * k + 2), z)


def logarithm(z: mp.mpf) -> mp.mpf:
    """(atanh √z - √z) / √z³ · 2."""
    return series(lambda k: mp.mpf(2) / (2 * k + 3), z)


def arctangent(z: mp.mpf) -> mp.mpf:
    """(atan √z - √z) / √z³."""
    return -1 / mp.mpf(3) if z == 0 else (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def arcsine(z: mp.mpf) -> mp.mpf:
    """(asin √z - √z) / √z³."""
    return 1 / mp.mpf(6) if z == 0 else (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def tangent(z: mp.mpf) -> mp.mpf:
    """(tan √z - √z) / √z³."""
    return 1 / mp.mpf(3) if z == 0 else (mp.tan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def hyperbolic_tangent(z: mp.mpf) -> mp.mpf:
    """(tanh √z - √z) / √z³."""
    return -1 / mp.mpf(3) if z == 0 else (mp.tanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def hyperbolic_sine(z: mp.mpf) -> mp.mpf:
    """(sinh √z - √z) / √z³."""
    return series(lambda k: 1 / mp.factorial(2 * k + 3), z)


def inner_logarithm(z: mp.mpf) -> mp.mpf:
    """(3·atanh √z / √z - 3 - z) / z²."""
    return series(lambda k: mp.mpf(3) / (2 * k + 5), z)


def error_function(z: mp.mpf) -> mp.mpf:
    """erf √z / √z - 1."""
    return series(lambda k: 2 / mp.sqrt(mp.pi) * mp.mpf(-1) ** k / (mp.factorial(k) * (2 * k + 1)), z) - 1


def complement(q: mp.mpf) -> mp.mpf:
    """(x + ⅝)·exp(x²)·erfc x - ⅝ at x = 3(1 + q)/(1 - q), which makes a short range of a long one."""
    x = 3 * (1 + q) / (1 - q)
    return (x + FIVE_EIGHTHS) * mp.exp(x * x) * mp.erfc(x) - FIVE_EIGHTHS


def inverse_error(w: mp.mpf) -> mp.mpf:
    """y with erfc y·(2 - erfc y) = exp -w."""
    return mp.erfinv(mp.sqrt(-mp.expm1(-w)))


def center_of_inverse_error(v: mp.mpf) -> mp.mpf:
    """y / erf y - 1 at w = v + 2."""
    w = v + 2
    return (mp.sqrt(mp.pi) / 2 if w == 0 else inverse_error(w) / mp.sqrt(-mp.expm1(-w))) - 1


def tail_of_inverse_error(t: mp.mpf) -> mp.mpf:
    """y - √w at √w = t + 4."""
    return inverse_error((t + 4) ** 2) - (t + 4)


def exponential(r: mp.mpf) -> mp.mpf:
    """(exp r - 1 - r) / r²."""
    return series(lambda k: 1 / mp.factorial(k + 2), r)


QUARTER = mp.pi / 4 * (1 + mp.mpf(2) ** -11)
LOG_RANGE = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)
FIVE_EIGHTHS = mp.mpf(5) / 8
NEAR = mp.mpf(11) / 16
HALF_LOG2 = mp.log(2) / 2 * (1 + mp.mpf(2) ** -10)

TARGETS = {
    "SINE": Target(sine, 0, QUARTER**2, {"float32": 3, "float64": 6}, lambda z: z / (1 + z * sine(z))),
    "COSINE": Target(cosine, 0, QUARTER**2, {"float32": 4, "float64": 7}, lambda z: z / (1 + z * cosine(z))),
    "TANGENT": Target(tangent, 0, QUARTER**2, {"float32": 6, "float64": 14}, lambda z: z / (1 + z * tangent(z))),
    "ARCTANGENT": Target(arctangent, 0, 1, {"float32": 8, "float64": 20}, lambda z: z / (1 + z * arctangent(z))),
    "ARCSINE": Target(arcsine, 0, 0.25, {"float32": 5, "float64": 12}, lambda z: z / (1 + z * arcsine(z))),
    "LOGARITHM": Target(logarithm, 0, LOG_RANGE**2, {"float32": 4, "float64": 7}, lambda z: z / 2),
    "HYPERBOLIC_TANGENT": Target(
        hyperbolic_tangent,
        0,
        mp.atanh(0.5) ** 2 * (1 + mp.mpf(2) ** -10),
        {"float32": 4, "float64": 10},
        lambda z: z / (1 + z * hyperbolic_tangent(z)),
    ),
    "HYPERBOLIC_SINE": Target(
        hyperbolic_sine, 0, 1, {"float32": 4, "float64": 7}, lambda z: z / (1 + z * hyperbolic_sine(z))
    ),
    "INNER_LOGARITHM": Target(inner_logarithm, 0, LOG_RANGE**2, {"float64": 7}, lambda z: z * z / 3),
    "CUBE_ROOT": Target(mp.cbrt, mp.sqrt(0.5), mp.sqrt(2), {"float32": 3, "float64": 6}, lambda m: 1 / mp.cbrt(m)),
    "ERROR_FUNCTION": Target(
        error_function, 0, NEAR**2, {"float32": 6, "float64": 10}, lambda z: 1 / (1 + error_function(z))
    ),
    "COMPLEMENT": Target(
        complement,
        (NEAR - 3) / (NEAR + 3),
        mp.mpf(49) / 61,
        {"float32": 10, "float64": 21},
        lambda q: 1 / (complement(q) + FIVE_EIGHTHS),
    ),
    "CENTER_OF_INVERSE_ERROR": Target(
        center_of_inverse_error,
        -2,
        4,
        {"float32": 11, "float64": 24},
        lambda v: 1 / (1 + center_of_inverse_error(v)),
    ),
    "TAIL_OF_INVERSE_ERROR": Target(
        tail_of_inverse_error,
        mp.sqrt(6) - 4,
        mp.mpf(2.1),
        {"float32": 11, "float64": 27},
        lambda t: 1 / (t + 4 + tail_of_inverse_error(t)),
    ),
    "EXPONENTIAL": Target(
        exponential, -HALF_LOG2, HALF_LOG2, {"float32": 5, "float64": 10}, lambda r: r * r / mp.exp(r)
    ),
}


def exchange(values: np.ndarray, weights: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """Remez's exchange on a grid: coefficients of `basis` (grid, n) that make the largest weighted error small."""
    count, terms = basis.shape
    angles = np.cos(np.pi * (np.arange(terms + 1) + 0.3) / (terms + 1))
    chosen = np.round((1 - angles) / 2 * (count - 1)).astype(int)
    for _ in range(40):
        matrix = mp.matrix(terms + 1, terms + 1)
        for row, point in enumerate(chosen):
            for column in range(terms):
                matrix[row, column] = basis[point, column] * weights[point]
            matrix[row, terms] = (-1) ** row
        solution = mp.lu_solve(matrix, mp.matrix([values[p] * weights[p] for p in chosen]))
        coefficients = np.array(list(solution)[:terms], dtype=object)
        errors = (values - basis @ coefficients) * weights
        extrema = alternation(errors.astype(float), terms + 1)
        if len(extrema) < terms + 1 or np.array_equal(extrema, chosen):
            break
        chosen = extrema
    return coefficients


def alternation(errors: np.ndarray, wanted: int) -> np.ndarray:
    """Points of the largest errors of alternating sign."""
    changes = np.nonzero(np.diff(np.sign(errors)))[0] + 1
    pieces = np.split(np.arange(len(errors)), changes)
    peaks = [piece[np.argmax(np.abs(errors[piece]))] for piece in pieces]
    while len(peaks) > wanted:
        # Of too many, an end, or the smaller neighbours of opposite sign, go.
        sizes = np.abs(errors[peaks])
        del peaks[0 if sizes[0] < sizes[-1] else -1]
    return np.array(peaks)


def rounded(number: mp.mpf, digits: int) -> mp.mpf:
    """A number to the nearest with so many binary digits."""
    with mp.workprec(digits):
        return +number


def approximate(target: Target, dtype: str) -> tuple[list[mp.mpf], mp.mpf]:
    """Coefficients that the type can hold, and the error in units of half its relative spacing."""
    terms = target.terms[dtype]
    count = 60 * (terms + 1)
    low, high = mp.mpf(target.low), mp.mpf(target.high)
    grid = [low + (high - low) * (1 - mp.cos(mp.pi * (i + mp.mpf(1) / 2) / count)) / 2 for i in range(count)]
    values = np.array([target.function(z) for z in grid], dtype=object)
    weights = np.array([target.weight(z) for z in grid], dtype=object)
    basis = np.array([[z**k for k in range(terms)] for z in grid], dtype=object)
    coefficients = exchange(values, weights, basis)
    result = [rounded(coefficients[0], DIGITS[dtype])]
    for fixed in range(1, min(terms, REFITTED)):
        rest = values - basis[:, :fixed] @ np.array(result, dtype=object)
        coefficients = exchange(rest, weights, basis[:, fixed:])
        result.append(rounded(coefficients[0], DIGITS[dtype]))
    result += [rounded(coefficient, DIGITS[dtype]) for coefficient in coefficients[1:]]
    errors = (values - basis @ np.array(result, dtype=object)) * weights
    return result, max(abs(error) for error in errors) * 2 ** (DIGITS[dtype] - 1)


# Constants as sums of parts: so many bits after the binary point each, the last one to full precision.
SPLITS = {
    "LOG2": (mp.log(2), {"float32": (16,), "float64": (42,)}),
    "HALF_PI": (mp.pi / 2, {"float32": (12, 24, 36), "float64": (32, 53, 86)}),
    "TWO_THIRDS_OF_INVERSE_LOG2": (2 / (3 * mp.log(2)), {"float64": (26,)}),
}


def parts(number: mp.mpf, points: Sequence[int], dtype: str) -> list[mp.mpf]:
    """A number as a sum whose terms but the last end at the given binary places, so that short multiples are exact."""
    result = []
    for point in points:
        result.append(mp.floor(number * mp.mpf(2) ** point) / mp.mpf(2) ** point)
        number -= result[-1]
    return [*result, rounded(number, DIGITS[dtype])]


def words(number: mp.mpf, count: int) -> str:
    """The first binary places of a number in (0, 1), as integers of 64 bits."""
    places = int(mp.floor(number * mp.mpf(2) ** (64 * count)))
    return ", ".join(f"0x{places >> 64 * k & 2**64 - 1:016X}" for k in reversed(range(count)))


def shown(number: mp.mpf, dtype: str) -> str:
    """The shortest decimal that reads as this number of the type."""
    return str(np.float32(number)) if dtype == "float32" else repr(float(number))


def table(name: str, rows: dict[str, list[mp.mpf]]) -> str:
    """The source of one table."""
    lines = [f'    "{dtype}": ({", ".join(shown(number, dtype) for number in row)}),' for dtype, row in rows.items()]
    return "\n".join([f"{name} = {{", *lines, "}"])


def main(names: Sequence[str]) -> None:
    """Print the module, or the tables of these names."""
    if not names:
        print('"""Coefficients of polynomials, and constants in parts; written by benchmarks/minimax.py."""\n')
        with mp.workprec(64 * 20):
            print(f"TWO_OVER_PI_PLACES = ({words(2 / mp.pi, 19)})")
    for name in names or [*SPLITS, *TARGETS]:
        if name in SPLITS:
            number, points = SPLITS[name]
            print(table(name, {dtype: parts(number, points[dtype], dtype) for dtype in points}))
        else:
            fits = {dtype: approximate(TARGETS[name], dtype) for dtype in TARGETS[name].terms}
            print("# off by", ", ".join(f"{float(error):.3f} ulp ({dtype})" for dtype, (_, error) in fits.items()))
            print(table(name, {dtype: coefficients for dtype, (coefficients, _) in fits.items()}))


if __name__ == "__main__":
    main(sys.argv[1:])

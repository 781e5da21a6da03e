"""Print docs/math_accuracy.md: the errors and the operation counts of our own elementary functions.

python benchmarks/math_accuracy.py > docs/math_accuracy.md

With `--exhaustive` it tries every float32 instead, which takes about an hour, and prints the largest error of each
function.

float32 is measured against float64 functions of numpy and scipy, float64 against numpy's functions of 80 bits, or
against mpmath for the error functions, which numpy does not have. Errors are in units in the last place of the result.
"""

import sys
from collections.abc import Callable, Iterator

import jax
import mpmath as mp
import numpy as np
from scipy import special

import supple as sp
from supple.native.graph import Graph
from supple.native.math import EXPANSIONS
from supple.native.operations import ARITY
from supple.native.program import Program

Array = np.ndarray
Function = Callable[..., Array]

WIDER = {"float32": np.float64, "float64": np.longdouble}

# Largest error allowed, in units in the last place; of the others, BOUND.
BOUND = 2.0
BOUNDS = {"pow": 4.0, "rem": 0.0, "nextafter": 0.0}

# How many points the slow references of mpmath are asked for.
FEW = 1500


def multiprecision(name: str) -> Function:
    """A function of mpmath, for arrays of the widest type."""
    function = getattr(mp, name)

    def scalar(x: np.longdouble) -> np.longdouble:
        with mp.workprec(100):
            return np.longdouble(mp.nstr(function(mp.mpf(float(x))), 25))

    return lambda x: np.array([scalar(number) for number in x], np.longdouble)


# Functions of numbers of the wider type.
REFERENCES: dict[str, Function] = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "exp": np.exp,
    "exp2": np.exp2,
    "expm1": np.expm1,
    "logistic": lambda x: 1 / (1 + np.exp(-x)),
    "log": np.log,
    "log1p": np.log1p,
    "pow": np.power,
    "cbrt": np.cbrt,
    "erf": special.erf,
    "erfc": special.erfc,
    "erf_inv": special.erfinv,
    "rem": np.fmod,
}

# Functions of float64 that numpy lacks.
MULTIPRECISION = {"erf": multiprecision("erf"), "erfc": multiprecision("erfc"), "erf_inv": multiprecision("erfinv")}


def evaluator(name: str, dtype: str) -> Function:
    """A function of arrays, in machine code."""
    fast = sp.compile(getattr(jax.lax, name), *[np.ones((), dtype)] * ARITY[name])
    return lambda *operands: fast.batch(*operands, threads=1)


def program(arity: int, dtype: str, *expansions: Callable[..., int]) -> Program:
    """Expansions of the same operands as a program."""
    graph = Graph()
    operands = [graph.input(dtype) for _ in range(arity)]
    outputs = [np.array(expand(graph, *operands)) for expand in expansions]
    return Program(graph, tuple(np.array(node) for node in operands), tuple(outputs), None, None)


def edges(dtype: str) -> Array:
    """Special numbers, the ends of the type, and small ones of either sign."""
    info = np.finfo(dtype)
    positive = [0, info.smallest_subnormal, 3 * info.smallest_subnormal, info.tiny, info.eps, 0.5, 1, 1.5, 2, 3, 1e10]
    positive += [info.max, np.inf, 1 - info.epsneg, 1 + info.eps, 2.0**info.nmant + 1, 2.0**info.nmant - 0.5]
    return np.array([*positive, *(-number for number in positive), np.nan], dtype)


def points(dtype: str, count: int = 8000, seed: int = 0) -> Array:
    """Numbers that try a function: of every size, near 0, ±1, the multiples of π/4 and of log(2)/2, and the ends."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2 ** np.finfo(dtype).bits, count, dtype=np.uint64)
    sizes = 2.0 ** rng.uniform(-60, -1, count)
    parts = [
        rng.normal(size=count) * 2.0 ** rng.integers(-30, 21, count),
        *(rng.uniform(-bound, bound, count) for bound in (1, 3, 28, 104, 800)),
        *(rng.choice([-1, 1], count) + rng.normal(size=count) * sizes for _ in range(2)),
        rng.integers(-(2**12), 2**12, count) * (np.pi / 4),
        rng.integers(-(2**21), 2**21, count) * (np.pi / 4),
        rng.integers(-1024, 1024, count) * (np.log(2) / 2),
        rng.integers(-(2**10), 2**10, count) / 2,
    ]
    every = bits.astype(f"uint{np.finfo(dtype).bits}").view(dtype)
    return np.concatenate([edges(dtype), every, *(part.astype(dtype) for part in parts)])


def pairs(dtype: str) -> tuple[Array, Array]:
    """Operands of functions of two: any, of like size, near the ends of pow, and every pair of special numbers."""
    rng = np.random.default_rng(1)
    x, y = points(dtype, seed=2), rng.permutation(points(dtype, seed=3))
    base = np.abs(points(dtype, seed=4))
    with np.errstate(all="ignore"):
        power = rng.uniform(-1.0, 1.0, base.size) * np.finfo(dtype).maxexp * 1.1 / np.log2(base.astype(np.longdouble))
        near = (x * rng.normal(size=x.size)).astype(dtype)
        power = power.astype(dtype)
    first, second = (grid.ravel() for grid in np.meshgrid(edges(dtype), edges(dtype)))
    whole = rng.integers(-60, 60, (2, 8000)).astype(dtype)
    return np.concatenate([x, x, base, first, whole[0]]), np.concatenate([y, near, power, second, whole[1]])


@np.errstate(all="ignore")
def ulps(result: Array, reference: Array) -> Array:
    """Errors in units in the last place; infinite where only one is NaN, infinite, or negative (as -0 is)."""
    info = np.finfo(result.dtype)
    exponent = np.maximum(np.where(reference == 0, info.minexp, np.frexp(reference)[1] - 1), info.minexp)
    spacing = np.ldexp(np.ones_like(reference), exponent - info.nmant)
    rounded = reference.astype(result.dtype)
    error = np.abs(result.astype(reference.dtype) - reference) / spacing
    special = ~np.isfinite(rounded) | ~np.isfinite(result)
    error = np.where(special, np.where(rounded == result, 0, np.inf), error)
    error = np.where(np.signbit(rounded) != np.signbit(result), np.inf, error)
    return np.where(
        np.isnan(reference) | np.isnan(result), np.where(np.isnan(reference) & np.isnan(result), 0, np.inf), error
    )


def operands_of(name: str, dtype: str) -> tuple[Array, ...]:
    """The points at which a function is tried: a few where the reference is slow."""
    if ARITY[name] == 2:
        return pairs(dtype)
    x = points(dtype)
    if dtype == "float64" and name in MULTIPRECISION:
        inside = x[np.abs(x) < (1 if name == "erf_inv" else 28)]
        return (np.random.default_rng(5).choice(inside, FEW, replace=False),)
    return (x,)


@np.errstate(all="ignore")
def reference(name: str, operands: tuple[Array, ...]) -> Array:
    """What a function should be, in a wider type."""
    dtype = operands[0].dtype.name
    if name == "nextafter":
        return np.nextafter(*operands)  # in the type itself
    function = MULTIPRECISION[name] if dtype == "float64" and name in MULTIPRECISION else REFERENCES[name]
    return function(*(operand.astype(WIDER[dtype]) for operand in operands))


def errors(function: Function, name: str, operands: tuple[Array, ...]) -> Array:
    """Errors of a function, as `evaluator` gives them, at some points."""
    return ulps(function(*operands), reference(name, operands))


def float32_numbers(stride: int = 1, chunk: int = 2**20) -> Iterator[Array]:
    """Every float32, or one of so many, in chunks."""
    for start in range(0, 2**32, chunk * stride):
        numbers = np.arange(start, min(start + chunk * stride, 2**32), stride, dtype=np.uint64)
        yield numbers.astype("uint32").view("float32")


@np.errstate(all="ignore")
def worst_of_all(name: str, stride: int = 1) -> tuple[float, float]:
    """The largest error over all float32, or one of so many, and where it is.

    Errors are computed only where a result is not the rounded reference or its neighbour; elsewhere they are below 1.5.
    """
    evaluate, worst, place = evaluator(name, "float32"), 0.0, np.nan
    # scipy's takes microseconds for each: our own in float64, which mpmath has checked, is good enough here.
    wider = evaluator(name, "float64") if name == "erf_inv" else REFERENCES[name]
    for numbers in float32_numbers(stride):
        found, exact = evaluate(numbers), wider(numbers.astype("float64"))
        steps = found.view("int32").astype("int64") - exact.astype("float32").view("int32")
        far = np.flatnonzero((np.abs(steps) > 1) & ~(np.isnan(found) & np.isnan(exact)))
        if far.size:
            error = ulps(found[far], exact[far])
            if error.max() > worst:
                worst, place = float(error.max()), float(numbers[far[np.argmax(error)]])
    return worst, place


INTRODUCTION = """# Accuracy of elementary functions

This page is the output of `python benchmarks/math_accuracy.py`.

The compiler replaces elementary functions by straight lines of additions, products, quotients, square roots,
comparisons and operations on bits, alike for one number and for many. Below: the largest error found, in units in the
last place of the result (a correctly rounded result is off by at most 0.5), where it was found, and how many operations
there are. The points are of every size and near what makes a function difficult; float32 is measured against float64,
and float64 against numbers of 80 bits or more. Infinities, NaN, signed zeros and subnormal numbers are as in C.
"""

APART = """Beyond |x| = 2^11 (float32) or 2^20 (float64), sin, cos and tan reduce their argument apart, by Payne and
Hanek's method; rem calls C's fmod for quotients of more than 10 (float32) or 24 (float64) bits. lgamma is a call
of C's, and digamma is refused."""


def print_exhaustive() -> None:
    """Print a line per function of one number; an error of 0 stands for one below 1.5."""
    for name in REFERENCES:
        if ARITY[name] == 1:
            worst, place = worst_of_all(name)
            print(f"{name}: {worst:.2f} ulp at {place:.9g}", flush=True)


def main() -> None:
    """Print the page."""
    print(INTRODUCTION)
    print("| function | bound | float32: error | at | operations | float64: error | at | operations |")
    print("|---|--:|--:|---|--:|--:|---|--:|")
    for name in EXPANSIONS:
        cells = [name, f"{BOUNDS.get(name, BOUND):g}"]
        for dtype in ("float32", "float64"):
            operands = operands_of(name, dtype)
            error = errors(evaluator(name, dtype), name, operands)
            worst = int(np.argmax(error))
            place = ", ".join(f"{operand[worst]:.9g}" for operand in operands) if error[worst] > 0 else ""
            operations = program(ARITY[name], dtype, EXPANSIONS[name]).arithmetic
            cells += [f"{error[worst]:.2f}", place, str(operations)]
        print(f"| {' | '.join(cells)} |")
    print(f"\n{APART}")


if __name__ == "__main__":
    print_exhaustive() if "--exhaustive" in sys.argv[1:] else main()

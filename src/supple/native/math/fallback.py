"""What the common path of a function does not cover, computed apart: a back end branches to it."""

from collections.abc import Callable
from dataclasses import dataclass

from supple.native.math.large_angle import reduce_large
from supple.native.math.remainder import library, needs_library
from supple.native.math.trigonometric import (
    cosine_of_reduced,
    needs_fallback,
    sine_of_reduced,
    tangent_of_reduced,
)
from supple.native.math.value import Expansion, Value, expansion, narrow, widen


@dataclass(frozen=True)
class Fallback:
    """`needed` says whether the common path is wrong for an operand; `slow` is right wherever it is needed."""

    needed: Expansion
    slow: Expansion


def of_large_angle(function: Callable[[Value, Value, Value], Value]) -> Fallback:
    """The fallback of a function of (quadrant, r, tail); in float64, whatever the type of the operand."""

    def slow(x: Value) -> Value:
        if x.dtype == "float64":
            return function(*reduce_large(x))
        return narrow(function(*reduce_large(widen(x))))

    return Fallback(expansion(needs_fallback), expansion(slow))


FALLBACKS: dict[str, Fallback] = {
    "sin": of_large_angle(sine_of_reduced),
    "cos": of_large_angle(cosine_of_reduced),
    "tan": of_large_angle(tangent_of_reduced),
    "rem": Fallback(expansion(needs_library), expansion(library)),
}

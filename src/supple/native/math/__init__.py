"""Elementary functions as straight lines of machine operations, for every back end alike."""

from supple.native.math.cube_root import cbrt
from supple.native.math.error_function import erf, erf_inv, erfc
from supple.native.math.exponential import exp, exp2, expm1, logistic
from supple.native.math.fallback import FALLBACKS, Fallback
from supple.native.math.hyperbolic import cosh, sinh, tanh
from supple.native.math.inverse_hyperbolic import acosh, asinh, atanh
from supple.native.math.inverse_trigonometric import acos, asin, atan, atan2
from supple.native.math.logarithm import log, log1p
from supple.native.math.neighbour import nextafter
from supple.native.math.power import power
from supple.native.math.remainder import rem
from supple.native.math.trigonometric import cos, sin, tan
from supple.native.math.value import Expansion, expansion

__all__ = ["CALLS", "EXPANSIONS", "FALLBACKS", "Fallback"]

FUNCTIONS = (
    *(sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, asinh, acosh, atanh),
    *(exp, exp2, expm1, logistic, log, log1p, cbrt, erf, erfc, erf_inv),
    *(rem, nextafter),
)

# name of an operation → expand(graph, *operands) → node of the result
EXPANSIONS: dict[str, Expansion] = {
    "pow": expansion(power),
    **{function.__name__: expansion(function) for function in FUNCTIONS},
}

# What C's library computes: rem where its fallback is needed, lgamma always.
CALLS = {"rem": "fmod", "lgamma": "lgamma"}

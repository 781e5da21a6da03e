"""Elementary functions as straight lines of machine operations, for every back end alike."""

from supple.native.math.exponential import exp, expm1, logistic
from supple.native.math.fallback import FALLBACKS, Fallback
from supple.native.math.hyperbolic import tanh
from supple.native.math.inverse_trigonometric import acos, asin, atan, atan2
from supple.native.math.logarithm import log, log1p
from supple.native.math.trigonometric import cos, sin, tan
from supple.native.math.value import Expansion, expansion

__all__ = ["EXPANSIONS", "FALLBACKS", "Fallback"]

FUNCTIONS = (sin, cos, exp, log, tanh, atan, atan2, asin, acos, tan, logistic, expm1, log1p)

# name of an operation → expand(graph, *operands) → node of the result
EXPANSIONS: dict[str, Expansion] = {function.__name__: expansion(function) for function in FUNCTIONS}

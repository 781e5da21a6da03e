"""The rule table: one entry per primitive of `jax.lax`."""

from supple.native.lowering import REFUSED, RULES
from supple.native.rules import (
    algebra,
    bits,
    calls,
    elementwise,
    elimination,
    indexing,
    random,
    reduction,
    reflection,
    refusals,
    shape,
    sorting,
)

__all__ = [
    "REFUSED",
    "RULES",
    "algebra",
    "bits",
    "calls",
    "elementwise",
    "elimination",
    "indexing",
    "random",
    "reduction",
    "reflection",
    "refusals",
    "shape",
    "sorting",
]

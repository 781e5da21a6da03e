"""The rule table: one entry per primitive of `jax.lax`."""

from supple.native.lowering import RULES
from supple.native.rules import algebra, bits, calls, elementwise, indexing, random, reduction, shape, sorting

__all__ = ["RULES", "algebra", "bits", "calls", "elementwise", "indexing", "random", "reduction", "shape", "sorting"]

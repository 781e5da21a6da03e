"""Constructors of nodes, with the algebra that a careful hand would do.

Every node is built through `build`, so that programs are simplified while they are lowered and
again whenever a pass rebuilds them. The normal form:

- signs stand outside: (-x)·y, x·(-y) and -(x·y) share the product x·y, and x - y and y - x are one
  node and its negation;
- constants stand first and are positive in products;
- sin² + cos² of one angle is 1;
- a quotient of floats is a product with a reciprocal, so that quotients of one denominator share
  it (the pass `divide` restores single quotients);
- operands of commutative operations are ordered.

The rules are identities of real numbers. Three kinds differ in floating point, and this is meant:
0·x is 0 even if x is infinite or NaN; x - x is 0 and x·(1/x) is 1 likewise; products and quotients
with constants are re-associated, which moves the last bit. Integers obey the ring rules exactly.
"""

from collections.abc import Callable

from supple.native.fold.base import plain
from supple.native.fold.functions import absolute, even, odd, rounding, sign, sqrt, square
from supple.native.fold.logic import conjunction, disjunction, exclusive, invert
from supple.native.fold.order import equal, extreme, less, less_equal, not_equal, select
from supple.native.fold.quotient import div, integer_pow, power, reciprocal
from supple.native.fold.ring import add, mul, neg, sub
from supple.native.fold.types import bitcast, convert
from supple.native.graph import Graph
from supple.native.operations import TYPED

__all__ = ["CONSTRUCTORS", "build", "integer_pow", "square"]

# Constructors with algebra; every other operation is `plain`.
CONSTRUCTORS: dict[str, Callable[..., int]] = {
    "add": add,
    "sub": sub,
    "mul": mul,
    "div": div,
    "neg": neg,
    "reciprocal": reciprocal,
    "pow": power,
    **{op: odd(op) for op in ("sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "erf", "cbrt")},
    **{op: even(op) for op in ("cos", "cosh", "is_finite")},
    **{op: extreme(op) for op in ("max", "min")},
    **{op: rounding(op) for op in ("floor", "ceil", "round_even", "round_away")},
    "abs": absolute,
    "sqrt": sqrt,
    "sign": sign,
    "select": select,
    "lt": less,
    "le": less_equal,
    "eq": equal,
    "ne": not_equal,
    "and": conjunction,
    "or": disjunction,
    "xor": exclusive,
    "not": invert,
    "convert": convert,
    "bitcast": bitcast,
}


def build(graph: Graph, op: str, args: tuple[int, ...], dtype: str | None = None) -> int:
    """The node of an operation, simplified; `dtype` is needed only by conversions."""
    if op in TYPED:
        return CONSTRUCTORS[op](graph, args[0], dtype)
    constructor = CONSTRUCTORS.get(op)
    return constructor(graph, *args) if constructor else plain(graph, op, args)

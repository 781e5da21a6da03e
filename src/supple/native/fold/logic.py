"""Constructors of logic, on truth values and on bits."""

from supple.native.fold.base import constant_like, plain
from supple.native.graph import Graph


def _all_ones(graph: Graph, a: int) -> int:
    return constant_like(graph, True if graph.dtype[a] == "bool" else -1, a)


def conjunction(graph: Graph, a: int, b: int) -> int:
    """a & b, of truth values and bits."""
    zero, ones = constant_like(graph, 0, a), _all_ones(graph, a)
    if zero in (a, b):
        return zero
    if b in (a, ones):
        return a
    return b if a == ones else plain(graph, "and", (a, b))


def disjunction(graph: Graph, a: int, b: int) -> int:
    """a | b, of truth values and bits."""
    zero, ones = constant_like(graph, 0, a), _all_ones(graph, a)
    if ones in (a, b):
        return ones
    if b in (a, zero):
        return a
    return b if a == zero else plain(graph, "or", (a, b))


def exclusive(graph: Graph, a: int, b: int) -> int:
    """a ^ b, of truth values and bits."""
    zero, ones = constant_like(graph, 0, a), _all_ones(graph, a)
    if a == b:
        return zero
    if zero in (a, b):
        return b if a == zero else a
    if ones in (a, b):
        return invert(graph, b if a == ones else a)
    return plain(graph, "xor", (a, b))


def invert(graph: Graph, a: int) -> int:
    """~a, with ~~a = a."""
    if graph.op[a] == "not":
        return graph.args[a][0]
    if graph.op[a] in ("eq", "ne"):
        return graph.node("ne" if graph.op[a] == "eq" else "eq", "bool", graph.args[a])
    return plain(graph, "not", (a,))

"""Constructors of order and choice."""

from supple.native.fold.base import plain
from supple.native.fold.logic import conjunction, disjunction, exclusive, invert
from supple.native.fold.ring import neg
from supple.native.fold.types import convert
from supple.native.graph import FLOATS, Graph


def extreme(op: str):
    """max and min: idempotent; of truth values they are logic."""

    def construct(graph: Graph, a: int, b: int) -> int:
        if graph.dtype[a] == "bool":
            return disjunction(graph, a, b) if op == "max" else conjunction(graph, a, b)
        return a if a == b else plain(graph, op, (a, b))

    return construct


def select(graph: Graph, condition: int, a: int, b: int) -> int:
    """`a` where the condition holds, else `b`; inner choices by the same condition are resolved."""
    op, args = graph.op, graph.args
    chosen = graph.value[condition]
    if chosen is not None:
        return a if chosen else b
    if op[condition] == "not":
        return select(graph, args[condition][0], b, a)
    if op[a] == "select" and args[a][0] == condition:
        a = args[a][1]
    if op[b] == "select" and args[b][0] == condition:
        b = args[b][2]
    return a if a == b else _choice(graph, condition, a, b)


def _choice(graph: Graph, condition: int, a: int, b: int) -> int:
    """A choice between two different nodes."""
    op, args = graph.op, graph.args
    if graph.dtype[a] == "bool":
        return _select_bool(graph, condition, a, b)
    if op[a] == "neg" and op[b] == "neg":
        return neg(graph, select(graph, condition, args[a][0], args[b][0]))
    if graph.value[a] == 1 and graph.value[b] == 0:
        return convert(graph, condition, graph.dtype[a])
    return graph.node("select", graph.dtype[a], (condition, a, b))


def _select_bool(graph: Graph, condition: int, a: int, b: int) -> int:
    """A choice of truth values is logic where one side is known."""
    x, y = graph.value[a], graph.value[b]
    if x is True and y is False:
        return condition
    if x is False and y is True:
        return invert(graph, condition)
    if x is True:
        return disjunction(graph, condition, b)
    if y is False:
        return conjunction(graph, condition, a)
    return graph.node("select", "bool", (condition, a, b))


def less(graph: Graph, a: int, b: int) -> int:
    """a < b; of truth values it is logic."""
    if a == b:
        return graph.constant(False, "bool")
    if graph.dtype[a] == "bool":
        return conjunction(graph, invert(graph, a), b)
    if graph.op[a] == "neg" and graph.op[b] == "neg" and graph.dtype[a] in FLOATS:
        return less(graph, graph.args[b][0], graph.args[a][0])
    return plain(graph, "lt", (a, b))


def less_equal(graph: Graph, a: int, b: int) -> int:
    """a <= b; of a float with itself it is not folded, because it asks whether it is NaN."""
    if a == b and graph.dtype[a] not in FLOATS:
        return graph.constant(True, "bool")
    if graph.dtype[a] == "bool":
        return disjunction(graph, invert(graph, a), b)
    if graph.op[a] == "neg" and graph.op[b] == "neg" and graph.dtype[a] in FLOATS:
        return less_equal(graph, graph.args[b][0], graph.args[a][0])
    return plain(graph, "le", (a, b))


def equal(graph: Graph, a: int, b: int) -> int:
    """a == b; of a float with itself it is not folded (NaN); of truth values it is logic."""
    if a == b and graph.dtype[a] not in FLOATS:
        return graph.constant(True, "bool")
    if graph.dtype[a] == "bool":
        return invert(graph, exclusive(graph, a, b))
    return plain(graph, "eq", (a, b))


def not_equal(graph: Graph, a: int, b: int) -> int:
    """a != b; of a float with itself it is not folded (NaN); of truth values it is logic."""
    if a == b and graph.dtype[a] not in FLOATS:
        return graph.constant(False, "bool")
    if graph.dtype[a] == "bool":
        return exclusive(graph, a, b)
    return plain(graph, "ne", (a, b))

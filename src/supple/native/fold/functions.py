"""Constructors of functions of one number."""

from supple.native.fold.base import plain
from supple.native.fold.ring import mul, neg
from supple.native.graph import FLOATS, INTEGERS, Graph


def odd(op: str):
    """f(-x) = -f(x)."""

    def construct(graph: Graph, a: int) -> int:
        if graph.op[a] == "neg":
            return neg(graph, plain(graph, op, graph.args[a]))
        return plain(graph, op, (a,))

    return construct


def even(op: str):
    """f(-x) = f(x)."""

    def construct(graph: Graph, a: int) -> int:
        return plain(graph, op, graph.args[a] if graph.op[a] == "neg" else (a,))

    return construct


def absolute(graph: Graph, a: int) -> int:
    """|a|, with |-a| = |a|, ||a|| = |a|, |a·a| = a·a and |√a| = √a; unsigned numbers are their own."""
    op, args = graph.op[a], graph.args[a]
    if op == "neg":
        return absolute(graph, args[0])
    if op in ("abs", "sqrt", "exp") or (op == "mul" and args[0] == args[1] and graph.dtype[a] in FLOATS):
        return a
    return plain(graph, "abs", (a,))


def sqrt(graph: Graph, a: int) -> int:
    """√a, with √(a·a) = |a|."""
    if graph.op[a] == "mul" and graph.args[a][0] == graph.args[a][1]:
        return absolute(graph, graph.args[a][0])
    return plain(graph, "sqrt", (a,))


def sign(graph: Graph, a: int) -> int:
    """The sign of a; odd, except for the smallest integer and unsigned ones."""
    if graph.op[a] == "neg" and graph.dtype[a] in FLOATS:
        return neg(graph, sign(graph, graph.args[a][0]))
    return plain(graph, "sign", (a,))


def square(graph: Graph, a: int) -> int:
    """a·a, with |a|·|a| = a·a."""
    if graph.op[a] == "abs":
        a = graph.args[a][0]
    return mul(graph, a, a)


def rounding(op: str):
    """Rounding of what is already whole is the identity."""

    def construct(graph: Graph, a: int) -> int:
        whole = graph.op[a] in ("floor", "ceil", "round_even", "round_away")
        whole = whole or (graph.op[a] == "convert" and graph.dtype[graph.args[a][0]] in INTEGERS)
        return a if whole else plain(graph, op, (a,))

    return construct

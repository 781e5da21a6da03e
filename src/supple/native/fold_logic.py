"""Constructors of everything that is not arithmetic in a ring: functions, order, choice, logic."""

import numpy as np

from supple.native.fold import CONSTRUCTORS, constant_like, fold, mul, neg, plain
from supple.native.graph import FLOATS, INTEGERS, Graph
from supple.native.operations import evaluate


def _odd(op: str):
    """f(-x) = -f(x)."""

    def construct(graph: Graph, a: int) -> int:
        if graph.op[a] == "neg":
            return neg(graph, plain(graph, op, graph.args[a]))
        return plain(graph, op, (a,))

    return construct


def _even(op: str):
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


def _extreme(op: str):
    """max and min: idempotent."""

    def construct(graph: Graph, a: int, b: int) -> int:
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
    if a == b:
        return a
    if op[a] == "neg" and op[b] == "neg":
        return neg(graph, select(graph, condition, args[a][0], args[b][0]))
    if graph.dtype[a] == "bool":
        return _select_bool(graph, condition, a, b)
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
    """a < b."""
    if a == b:
        return graph.constant(False, "bool")
    if graph.op[a] == "neg" and graph.op[b] == "neg" and graph.dtype[a] in FLOATS:
        return less(graph, graph.args[b][0], graph.args[a][0])
    return plain(graph, "lt", (a, b))


def less_equal(graph: Graph, a: int, b: int) -> int:
    """a <= b; of a float with itself it is not folded, because it asks whether it is NaN."""
    if a == b and graph.dtype[a] not in FLOATS:
        return graph.constant(True, "bool")
    if graph.op[a] == "neg" and graph.op[b] == "neg" and graph.dtype[a] in FLOATS:
        return less_equal(graph, graph.args[b][0], graph.args[a][0])
    return plain(graph, "le", (a, b))


def equal(graph: Graph, a: int, b: int) -> int:
    """a == b; of a float with itself it is not folded (NaN)."""
    if a == b and graph.dtype[a] not in FLOATS:
        return graph.constant(True, "bool")
    return plain(graph, "eq", (a, b))


def not_equal(graph: Graph, a: int, b: int) -> int:
    """a != b; of a float with itself it is not folded (NaN)."""
    if a == b and graph.dtype[a] not in FLOATS:
        return graph.constant(False, "bool")
    return plain(graph, "ne", (a, b))


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


def convert(graph: Graph, a: int, dtype: str) -> int:
    """`a` as another type; a truth value by way of a number, and a float there and back, are one step."""
    if graph.dtype[a] == dtype:
        return a
    if graph.value[a] is not None:
        operand = np.asarray(graph.value[a], dtype=graph.dtype[a])
        return graph.constant(evaluate("convert", dtype, [operand]).item(), dtype)
    if graph.op[a] == "convert":
        inner = graph.args[a][0]
        there_and_back = graph.dtype[inner] == dtype == "float32" and graph.dtype[a] == "float64"
        if graph.dtype[inner] == "bool" or there_and_back:
            return convert(graph, inner, dtype)
    return graph.node("convert", dtype, (a,))


def bitcast(graph: Graph, a: int, dtype: str) -> int:
    """The bits of `a` read as another type of the same width."""
    if graph.dtype[a] == dtype:
        return a
    if graph.value[a] is not None:
        return fold(graph, "bitcast", dtype, (a,))
    return graph.node("bitcast", dtype, (a,))


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


def _rounding(op: str):
    """Rounding of what is already whole is the identity."""

    def construct(graph: Graph, a: int) -> int:
        whole = graph.op[a] in ("floor", "ceil", "round_even", "round_away")
        whole = whole or (graph.op[a] == "convert" and graph.dtype[graph.args[a][0]] in INTEGERS)
        return a if whole else plain(graph, op, (a,))

    return construct


CONSTRUCTORS.update(
    {
        **{op: _odd(op) for op in ("sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "erf", "cbrt")},
        **{op: _even(op) for op in ("cos", "cosh", "is_finite")},
        **{op: _extreme(op) for op in ("max", "min")},
        **{op: _rounding(op) for op in ("floor", "ceil", "round_even", "round_away")},
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
)

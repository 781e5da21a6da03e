"""Constructors of quotients and powers."""

import math

from supple.native.fold.base import constant_like, evaluated, plain
from supple.native.fold.functions import sqrt
from supple.native.fold.ring import mul, neg
from supple.native.graph import FLOATS, Graph


def reciprocal(graph: Graph, a: int) -> int:
    """1/a, with 1/(-a) = -(1/a), 1/(1/a) = a, 1/(c·a) = (1/c)·(1/a) and 1/(n·(1/d)) = d·(1/n)."""
    op, args = graph.op[a], graph.args[a]
    if graph.value[a] is not None:
        return evaluated(graph, "reciprocal", graph.dtype[a], (a,))
    if op == "neg":
        return neg(graph, reciprocal(graph, args[0]))
    if op == "reciprocal":
        return args[0]
    if op == "mul":
        left, right = args
        if graph.value[left] is not None or graph.op[left] == "reciprocal" or graph.op[right] == "reciprocal":
            return mul(graph, reciprocal(graph, left), reciprocal(graph, right))
    return graph.node("reciprocal", graph.dtype[a], (a,))


def div(graph: Graph, a: int, b: int) -> int:
    """a/b: of floats, a·(1/b); of integers the truncated quotient."""
    if graph.dtype[a] in FLOATS:
        if graph.value[a] is not None and graph.value[b] is not None:
            return evaluated(graph, "div", graph.dtype[a], (a, b))
        return mul(graph, a, reciprocal(graph, b))
    if graph.value[b] == 1:
        return a
    return plain(graph, "div", (a, b))


def integer_pow(graph: Graph, a: int, exponent: int) -> int:
    """a to a constant integer power, by squaring; negative powers are reciprocals."""
    if exponent < 0:
        return reciprocal(graph, integer_pow(graph, a, -exponent))
    if exponent == 0:
        return constant_like(graph, 1, a)
    half = integer_pow(graph, a, exponent // 2) if exponent > 1 else None
    if half is None:
        return a
    square = mul(graph, half, half)
    return mul(graph, square, a) if exponent % 2 else square


def power(graph: Graph, a: int, b: int) -> int:
    """a to the power b; products and square roots for small whole and half exponents."""
    exponent = graph.value[b]
    if exponent is not None and graph.value[a] is None and math.isfinite(exponent):
        if float(exponent).is_integer() and abs(exponent) <= 64:
            return integer_pow(graph, a, int(exponent))
        if exponent == 0.5:
            return sqrt(graph, a)
        if exponent == -0.5:
            return reciprocal(graph, sqrt(graph, a))
    return plain(graph, "pow", (a, b), graph.dtype[a])

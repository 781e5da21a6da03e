"""Constructors of changes of type."""

from supple.native.fold.base import evaluated
from supple.native.graph import Graph


def convert(graph: Graph, a: int, dtype: str) -> int:
    """`a` as another type; a truth value by way of a number, and a float there and back, are one step."""
    if graph.dtype[a] == dtype:
        return a
    if graph.value[a] is not None:
        return evaluated(graph, "convert", dtype, (a,))
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
        return evaluated(graph, "bitcast", dtype, (a,))
    return graph.node("bitcast", dtype, (a,))

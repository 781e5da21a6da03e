"""What every constructor needs: constants, and the node without algebra."""

import numpy as np

from supple.native.graph import Graph, Scalar
from supple.native.operations import COMMUTATIVE, PREDICATES, evaluate


def evaluated(graph: Graph, op: str, dtype: str, args: tuple[int, ...]) -> int:
    """The operation on constants, evaluated."""
    operands = [np.asarray(graph.value[a], dtype=graph.dtype[a]) for a in args]
    return graph.constant(evaluate(op, dtype, operands).item(), dtype)


def plain(graph: Graph, op: str, args: tuple[int, ...], dtype: str | None = None) -> int:
    """The node without algebra, except that constants are evaluated and operands ordered."""
    value = graph.value
    if dtype is None:
        dtype = "bool" if op in PREDICATES else graph.dtype[args[-1]]
    if all(value[a] is not None for a in args):
        return evaluated(graph, op, dtype, args)
    if op in COMMUTATIVE and args[0] > args[1]:
        args = (args[1], args[0])
    return graph.node(op, dtype, args)


def constant_like(graph: Graph, value: Scalar, node: int) -> int:
    """A constant of the type of a node."""
    return graph.constant(value, graph.dtype[node])

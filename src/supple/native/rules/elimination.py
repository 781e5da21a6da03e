"""Rules of Gaussian elimination: LU with the greatest entry of each column as its pivot."""

from typing import Any

import numpy as np

from supple.native.fold.functions import absolute
from supple.native.fold.order import equal, less, select
from supple.native.fold.quotient import reciprocal
from supple.native.fold.ring import mul, sub
from supple.native.graph import Graph
from supple.native.lowering import Lowering, Nodes, rule
from supple.native.rules.choice import choose

INDEX = "int32"


@rule("lu")
def _lu(lowering: Lowering, a: Nodes, **_: Any) -> list[Nodes]:
    """P·A = L·U as one matrix, the row that each step swapped with its own, and the rows in their final order."""
    height, width = a.shape[-2:]
    factors, swaps, orders = [], [], []
    for matrix in a.reshape(-1, height, width).tolist():
        rows, swapped = _eliminated(lowering.graph, matrix)
        factors.append([row[:width] for row in rows])
        orders.append([row[width] for row in rows])
        swaps.append(swapped)
    shapes = (variable.aval.shape for variable in lowering.equation.outvars)
    return [lowering.shaped(nodes, shape) for nodes, shape in zip((factors, swaps, orders), shapes, strict=True)]


def _eliminated(graph: Graph, a: list[list[int]]) -> tuple[list[list[int]], list[int]]:
    """The rows of L and U, each followed by its former number, and the swaps."""
    width = len(a[0])
    rows = [[*row, graph.constant(number, INDEX)] for number, row in enumerate(a)]
    zero, one = (graph.constant(value, graph.dtype[a[0][0]]) for value in (0, 1))
    swaps = []
    for step in range(min(len(rows), width)):
        swaps.append(_swap(graph, rows, step))
        top = rows[step]
        # Under a pivot of zero stand only zeros; they stay, as in LAPACK.
        inverse = select(graph, equal(graph, top[step], zero), one, reciprocal(graph, top[step]))
        for row in rows[step + 1 :]:
            row[step] = mul(graph, row[step], inverse)
            for column in range(step + 1, width):
                row[column] = sub(graph, row[column], mul(graph, row[step], top[column]))
    return rows, swaps


def _swap(graph: Graph, rows: list[list[int]], step: int) -> int:
    """Swap row `step` with the one below (or itself) whose entry is greatest, of equals the first; its number."""
    best, which, chosen = absolute(graph, rows[step][step]), graph.constant(step, INDEX), rows[step]
    for number in range(step + 1, len(rows)):
        size = absolute(graph, rows[number][step])
        greater = less(graph, best, size)
        best = select(graph, greater, size, best)
        which = select(graph, greater, graph.constant(number, INDEX), which)
        chosen = [select(graph, greater, new, old) for new, old in zip(rows[number], chosen, strict=True)]
    for number in range(step + 1, len(rows)):
        moved = equal(graph, which, graph.constant(number, INDEX))
        rows[number] = [select(graph, moved, top, own) for top, own in zip(rows[step], rows[number], strict=True)]
    rows[step] = list(chosen)
    return which


@rule("lu_pivots_to_permutation")
def _permutation(lowering: Lowering, swaps: Nodes, *, permutation_size: int) -> Nodes:
    """The order that swaps make of 0, 1, …, one after the other."""
    orders = []
    for row in swaps.reshape(-1, swaps.shape[-1]):
        order = lowering.constants(np.arange(permutation_size), INDEX)
        for step, other in enumerate(row):
            here, there = order[step], choose(lowering, np.asarray(other), order)
            is_other = lowering.map("eq", other, lowering.constants(np.arange(permutation_size), INDEX))
            order = lowering.map("select", is_other, here, order)
            order[step] = there
        orders.append(order)
    return lowering.shaped(orders, (*swaps.shape[:-1], permutation_size))

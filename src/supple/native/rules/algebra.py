"""Rules of dense linear algebra on small matrices: written out element by element."""

from typing import Any

import numpy as np

from supple.native.fold.functions import sqrt
from supple.native.fold.quotient import reciprocal
from supple.native.fold.ring import mul, sub
from supple.native.graph import Graph
from supple.native.lowering import Lowering, Nodes, rule


@rule("cholesky")
def _cholesky(lowering: Lowering, a: Nodes, **_: Any) -> Nodes:
    """A = L·Lᵀ, row by row; only the lower triangle is read, and zeros stand above the diagonal."""
    size = a.shape[-1]
    matrices = [_cholesky_factor(lowering.graph, matrix) for matrix in a.reshape(-1, size, size).tolist()]
    return lowering.shaped(matrices, a.shape)


def _cholesky_factor(graph: Graph, a: list[list[int]]) -> list[list[int]]:
    size = len(a)
    zero = graph.constant(0, graph.dtype[a[0][0]])
    factor = [[zero] * size for _ in range(size)]
    for row in range(size):
        for column in range(row + 1):
            rest = a[row][column]
            for k in range(column):
                rest = sub(graph, rest, mul(graph, factor[row][k], factor[column][k]))
            if column < row:
                factor[row][column] = mul(graph, rest, reciprocal(graph, factor[column][column]))
            else:
                factor[row][row] = sqrt(graph, rest)
    return factor


@rule("triangular_solve")
def _triangular_solve(
    lowering: Lowering,
    a: Nodes,
    b: Nodes,
    *,
    left_side: bool,
    lower: bool,
    transpose_a: bool,
    unit_diagonal: bool,
    **_: Any,
) -> Nodes:
    """Substitution for op(a)·x = b, or x·op(a) = b with `left_side=False`."""
    matrix, right = (a, b) if left_side else (np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2))
    is_lower = lower == left_side
    if transpose_a:
        matrix, is_lower = np.swapaxes(matrix, -1, -2), not is_lower
    rows, columns = right.shape[-2:]
    order = range(rows) if is_lower else range(rows - 1, -1, -1)
    matrices, sides = matrix.reshape(-1, rows, rows).tolist(), right.reshape(-1, rows, columns).tolist()
    for entries, side in zip(matrices, sides, strict=True):
        _substitute(lowering.graph, entries, side, order, unit_diagonal)
    solution = lowering.shaped(sides, right.shape)
    return solution if left_side else np.swapaxes(solution, -1, -2)


def _substitute(graph: Graph, a: list[list[int]], x: list[list[int]], order: range, unit: bool) -> None:
    """Solve in place, in the order in which the unknowns follow from one another."""
    for position, row in enumerate(order):
        for known in order[:position]:
            for column in range(len(x[row])):
                product = mul(graph, a[row][known], x[known][column])
                x[row][column] = sub(graph, x[row][column], product)
        if not unit:
            pivot = reciprocal(graph, a[row][row])
            x[row] = [mul(graph, pivot, node) for node in x[row]]


@rule("tridiagonal_solve")
def _tridiagonal_solve(
    lowering: Lowering, low: Nodes, middle: Nodes, high: Nodes, b: Nodes, *, perturb_singular: bool
) -> Nodes:
    """Thomas' elimination."""
    if perturb_singular:
        raise lowering.refusal("pivots that are zero are perturbed: use perturb_singular=False")
    size, columns = b.shape[-2:]
    solved = []
    for lows, middles, highs, x in zip(
        low.reshape(-1, size).tolist(),
        middle.reshape(-1, size).tolist(),
        high.reshape(-1, size).tolist(),
        b.reshape(-1, size, columns).tolist(),
        strict=True,
    ):
        solved.append(_thomas(lowering.graph, lows, middles, highs, x))
    return lowering.shaped(solved, b.shape)


def _thomas(graph: Graph, low: list[int], middle: list[int], high: list[int], x: list[list[int]]) -> list[list[int]]:
    size, columns = len(x), range(len(x[0]))
    ratio = [0] * size
    for row in range(size):
        pivot = middle[row]
        if row:
            pivot = sub(graph, pivot, mul(graph, low[row], ratio[row - 1]))
            x[row] = [sub(graph, x[row][k], mul(graph, low[row], x[row - 1][k])) for k in columns]
        inverse = reciprocal(graph, pivot)
        ratio[row] = mul(graph, high[row], inverse)
        x[row] = [mul(graph, node, inverse) for node in x[row]]
    for row in range(size - 2, -1, -1):
        x[row] = [sub(graph, x[row][k], mul(graph, ratio[row], x[row + 1][k])) for k in columns]
    return x

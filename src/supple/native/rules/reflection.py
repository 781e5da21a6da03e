"""Rules of QR: products of Householder's reflections H = 1 - τ·v·vᵀ, where v starts with 1 (LAPACK's geqrf)."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from supple.native.fold.functions import sqrt, square
from supple.native.fold.order import equal, less, select
from supple.native.fold.quotient import div, reciprocal
from supple.native.fold.ring import add, mul, neg, sub
from supple.native.graph import Graph
from supple.native.lowering import RULES, Lowering, Nodes, rule

Matrix = list[list[int]]


def _factors(lowering: Lowering, a: Nodes) -> list[Nodes]:
    """R on and above the diagonal, the rest of each v below it; and each τ."""
    height, width = a.shape[-2:]
    matrices = a.reshape(-1, height, width).tolist()
    scales = [_triangulate(lowering.graph, matrix) for matrix in matrices]
    return [lowering.shaped(matrices, a.shape), lowering.shaped(scales, (*a.shape[:-2], min(height, width)))]


RULES["geqrf"] = _factors


def _triangulate(graph: Graph, a: Matrix) -> list[int]:
    """Make R and the vectors in place; the factors τ."""
    scales = []
    for step in range(min(len(a), len(a[0]))):
        top, below = a[step][step], [row[step] for row in a[step + 1 :]]
        diagonal, shrink, scale = _reflection(graph, top, below)
        for row in a[step + 1 :]:
            row[step] = mul(graph, row[step], shrink)
        for column in range(step + 1, len(a[0])):
            _reflect(graph, a, step, a, column, scale)
        a[step][step] = diagonal
        scales.append(scale)
    return scales


def _reflection(graph: Graph, top: int, below: list[int]) -> tuple[int, int, int]:
    """What maps (top, below) to (β, 0, …): β, the factor that makes v of below, and τ (0 if below is zero)."""
    zero = graph.constant(0, graph.dtype[top])
    rest = zero
    for node in below:
        rest = add(graph, rest, square(graph, node))
    done = equal(graph, rest, zero)
    length = sqrt(graph, add(graph, square(graph, top), rest))
    target = select(graph, less(graph, top, zero), length, neg(graph, length))
    change = sub(graph, top, target)
    shrink = select(graph, done, zero, reciprocal(graph, change))
    scale = select(graph, done, zero, neg(graph, div(graph, change, target)))
    return select(graph, done, top, target), shrink, scale


def _reflect(graph: Graph, vectors: Matrix, step: int, x: Matrix, column: int, scale: int) -> None:
    """x - τ·v·(vᵀ·x) of one column, in place, with the vector that stands under the diagonal in column `step`."""
    along = x[step][column]
    for v, row in zip(vectors[step + 1 :], x[step + 1 :], strict=True):
        along = add(graph, along, mul(graph, v[step], row[column]))
    along = mul(graph, scale, along)
    x[step][column] = sub(graph, x[step][column], along)
    for v, row in zip(vectors[step + 1 :], x[step + 1 :], strict=True):
        row[column] = sub(graph, row[column], mul(graph, v[step], along))


def _applied(lowering: Lowering, vectors: Nodes, scales: Nodes, x: Nodes, steps: Iterable[int]) -> Nodes:
    """Reflections applied one after the other to the columns of x."""
    order = list(steps)
    matrices = x.reshape(-1, *x.shape[-2:]).tolist()
    all_vectors = vectors.reshape(-1, *vectors.shape[-2:]).tolist()
    all_scales = scales.reshape(len(matrices), -1).tolist()
    for matrix, vs, taus in zip(matrices, all_vectors, all_scales, strict=True):
        for step in order:
            for column in range(x.shape[-1]):
                _reflect(lowering.graph, vs, step, matrix, column, taus[step])
    return lowering.shaped(matrices, x.shape)


def _product(lowering: Lowering, a: Nodes, scales: Nodes) -> Nodes:
    """H₁·H₂·…, its first columns."""
    dtype = lowering.graph.dtype[a.flat[0]] if a.size else "float64"
    unit = np.broadcast_to(lowering.constants(np.eye(*a.shape[-2:]), dtype), a.shape)
    return _applied(lowering, a, scales, unit, reversed(range(scales.shape[-1])))


RULES["householder_product"] = _product


@rule("ormqr")
def _product_with_q(lowering: Lowering, a: Nodes, scales: Nodes, x: Nodes, *, left: bool, transpose: bool) -> Nodes:
    """Q·x, Qᵀ·x, x·Q or x·Qᵀ."""
    steps = range(scales.shape[-1])
    columns = x if left else np.swapaxes(x, -1, -2)
    result = _applied(lowering, a, scales, columns, steps if left == transpose else reversed(steps))
    return result if left else np.swapaxes(result, -1, -2)


@rule("qr")
def _qr(lowering: Lowering, a: Nodes, *, pivoting: bool, full_matrices: bool, **_: Any) -> list[Nodes]:
    """A = Q·R."""
    if pivoting:
        raise lowering.refusal("it swaps columns: use pivoting=False")
    height, width = a.shape[-2:]
    compact, scales = _factors(lowering, a)
    rank = height if full_matrices else min(height, width)
    zero = lowering.constants(0, lowering.result.dtype)
    padded = np.broadcast_to(zero, (*a.shape[:-1], rank)).copy()
    padded[..., : min(width, rank)] = compact[..., :rank]
    below = np.arange(rank)[:, None] > np.arange(width)
    return [_product(lowering, padded, scales), np.where(below, zero, compact[..., :rank, :])]

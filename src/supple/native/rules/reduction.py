"""Rules of primitives that combine many elements: sums, products, extremes, running totals."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from supple.native.fold import build
from supple.native.graph import FLOATS
from supple.native.lowering import RULES, Lowering, Nodes, rule


def _neutral(op: str, dtype: np.dtype) -> Any:
    """The value that a reduction of nothing has."""
    if op in ("max", "min"):
        if dtype.kind == "f":
            return -np.inf if op == "max" else np.inf
        if dtype.kind == "b":
            return op == "min"
        return np.iinfo(dtype).min if op == "max" else np.iinfo(dtype).max
    return {"add": 0, "mul": 1, "and": dtype.kind == "b" or -1, "or": 0, "xor": 0}[op]


def _reduction(op: str):
    def lower(lowering: Lowering, a: Nodes, *, axes: Sequence[int], **_: Any) -> Nodes:
        if a.size == 0:
            value = lowering.constants(_neutral(op, lowering.result.dtype), lowering.result.dtype)
            return np.broadcast_to(value, lowering.result.shape)
        return lowering.reduce(op, a, axes) if axes else a

    return lower


RULES.update(
    {
        f"reduce_{name}": _reduction(op)
        for name, op in {
            "sum": "add",
            "prod": "mul",
            "max": "max",
            "min": "min",
            "and": "and",
            "or": "or",
            "xor": "xor",
        }.items()
    }
)


def _running(op: str):
    def lower(lowering: Lowering, a: Nodes, *, axis: int, reverse: bool) -> Nodes:
        rows = np.moveaxis(a, axis, 0)
        rows = (rows[::-1] if reverse else rows).copy()
        for index in range(1, len(rows)):
            rows[index] = lowering.map(op, rows[index - 1], rows[index])
        return np.moveaxis(rows[::-1] if reverse else rows, 0, axis)

    return lower


RULES.update(
    {"cumsum": _running("add"), "cumprod": _running("mul"), "cummax": _running("max"), "cummin": _running("min")}
)


@rule("cumlogsumexp")
def _running_logsumexp(lowering: Lowering, a: Nodes, *, axis: int, reverse: bool) -> Nodes:
    rows = np.moveaxis(a, axis, 0)
    rows = (rows[::-1] if reverse else rows).copy()
    for index in range(1, len(rows)):
        high = lowering.map("max", rows[index - 1], rows[index])
        low = lowering.map("min", rows[index - 1], rows[index])
        softened = lowering.map("log1p", lowering.map("exp", lowering.map("sub", low, high)))
        total = lowering.map("add", high, softened)
        same = lowering.map("eq", low, high)
        infinite = lowering.map("not", lowering.map("is_finite", high))
        log_two = lowering.constants(np.log(2.0), lowering.result.dtype)
        doubled = lowering.map("select", infinite, high, lowering.map("add", high, log_two))
        rows[index] = lowering.map("select", same, doubled, total)
    return np.moveaxis(rows[::-1] if reverse else rows, 0, axis)


def _position(beats: str):
    """argmax and argmin: the first best; the first NaN if there is one."""

    def lower(lowering: Lowering, a: Nodes, *, axes: Sequence[int], index_dtype: Any) -> Nodes:
        rows = np.moveaxis(a, axes[0], -1)
        flat = rows.reshape(-1, rows.shape[-1]).tolist()
        best = [_first_best(lowering, row, beats, np.dtype(index_dtype).name) for row in flat]
        return lowering.shaped(best, rows.shape[:-1])

    return lower


def _first_best(lowering: Lowering, row: list[int], beats: str, dtype: str) -> int:
    graph = lowering.graph
    best, where = row[0], graph.constant(0, dtype)
    for index, node in enumerate(row[1:], start=1):
        pair = (best, node) if beats == "max" else (node, best)
        better = build(graph, "lt", pair)
        if graph.dtype[node] in FLOATS:
            node_is_nan = build(graph, "ne", (node, node))
            best_is_number = build(graph, "eq", (best, best))
            better = build(graph, "or", (better, build(graph, "and", (node_is_nan, best_is_number))))
        best = build(graph, "select", (better, node, best))
        where = build(graph, "select", (better, graph.constant(index, dtype), where))
    return where


RULES.update({"argmax": _position("max"), "argmin": _position("min")})


@rule("dot_general")
def _dot_general(lowering: Lowering, a: Nodes, b: Nodes, *, dimension_numbers: tuple, **_: Any) -> Nodes:
    (contract_a, contract_b), (batch_a, batch_b) = dimension_numbers
    dtype = lowering.result.dtype.name
    a, b = lowering.map("convert", a, dtype=dtype), lowering.map("convert", b, dtype=dtype)
    free_a = [axis for axis in range(a.ndim) if axis not in (*contract_a, *batch_a)]
    free_b = [axis for axis in range(b.ndim) if axis not in (*contract_b, *batch_b)]
    shape = lowering.result.shape
    batch = int(np.prod([a.shape[axis] for axis in batch_a]))
    depth = int(np.prod([a.shape[axis] for axis in contract_a]))
    rows = np.transpose(a, [*batch_a, *free_a, *contract_a])
    rows = rows.reshape(batch, int(np.prod([a.shape[axis] for axis in free_a])), depth)
    columns = np.transpose(b, [*batch_b, *free_b, *contract_b])
    columns = columns.reshape(batch, int(np.prod([b.shape[axis] for axis in free_b])), depth)
    zero = lowering.graph.constant(0, dtype)
    results = [
        _dot(lowering, row, column, zero)
        for row_block, column_block in zip(rows.tolist(), columns.tolist(), strict=True)
        for row in row_block
        for column in column_block
    ]
    return lowering.shaped(results, shape)


def _dot(lowering: Lowering, row: list[int], column: list[int], zero: int) -> int:
    graph = lowering.graph
    total = zero
    for x, y in zip(row, column, strict=True):
        if zero not in (x, y):
            total = build(graph, "add", (total, build(graph, "mul", (x, y))))
    return total

"""Rules of primitives that combine many elements: sums, products, extremes, running totals."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from jax.extend import core

from supple.native.fold import build
from supple.native.graph import FLOATS
from supple.native.lowering import RULES, Lowering, Nodes, rule
from supple.native.rules.calls import closed
from supple.native.rules.shape import padded_with

WINDOWED = {"sum": "add", "max": "max", "min": "min"}


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


@rule("reduce")
def _reduce(lowering: Lowering, *operands: Nodes, jaxpr: Any, dimensions: Sequence[int], **_: Any) -> list[Nodes]:
    """A reduction by any function of scalars."""
    count = len(operands) // 2
    kept = [axis for axis in range(operands[0].ndim) if axis not in dimensions]
    moved = [np.transpose(array, [*kept, *dimensions]) for array in operands[:count]]
    return _combined(lowering, closed(jaxpr), moved, operands[count:], len(kept))


def _combined(
    lowering: Lowering, body: core.ClosedJaxpr, arrays: Sequence[Nodes], initial: Sequence[Nodes], rank: int
) -> list[Nodes]:
    """The axes after the first `rank` folded away by a function of (totals, elements)."""
    shape = arrays[0].shape[:rank]
    results = [np.empty(shape, dtype=np.int64) for _ in arrays]
    for position in np.ndindex(shape):
        totals = list(initial)
        for elements in zip(*(array[position].ravel() for array in arrays), strict=True):
            totals = lowering.evaluate(body, [*totals, *map(np.asarray, elements)])
        for result, total in zip(results, totals, strict=True):
            result[position] = total
    return results


def _windows(
    a: Nodes,
    fill: int,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int],
    padding: Sequence[tuple[int, int]],
    base_dilation: Sequence[int],
    window_dilation: Sequence[int],
) -> Nodes:
    """Every window of an array that is spread and padded: (*positions, *window)."""
    spread = [(low, high, apart - 1) for (low, high), apart in zip(padding, base_dilation, strict=True)]
    padded = padded_with(a, fill, spread)
    extents = [(size - 1) * apart + 1 for size, apart in zip(window_dimensions, window_dilation, strict=True)]
    windows = np.lib.stride_tricks.sliding_window_view(padded, extents)
    return windows[tuple(slice(None, None, step) for step in (*window_strides, *window_dilation))]


def _window_reduction(op: str):
    def lower(lowering: Lowering, a: Nodes, **parameters: Any) -> Nodes:
        dtype = lowering.result.dtype
        fill = lowering.graph.constant(_neutral(op, dtype), dtype.name)
        return lowering.reduce(op, _windows(a, fill, **parameters), range(a.ndim, 2 * a.ndim))

    return lower


RULES.update({f"reduce_window_{name}": _window_reduction(op) for name, op in WINDOWED.items()})


@rule("reduce_window")
def _reduce_window(lowering: Lowering, *operands: Nodes, jaxpr: Any, consts: Any, **parameters: Any) -> list[Nodes]:
    """A reduction of windows by any function of scalars."""
    count = len(operands) // 2
    arrays, initial = operands[:count], operands[count:]
    windows = [_windows(a, int(fill), **parameters) for a, fill in zip(arrays, initial, strict=True)]
    return _combined(lowering, core.ClosedJaxpr(jaxpr, consts), windows, initial, arrays[0].ndim)


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
    results = [
        _dot(lowering, row, column, dtype)
        for row_block, column_block in zip(rows.tolist(), columns.tolist(), strict=True)
        for row in row_block
        for column in column_block
    ]
    return lowering.shaped(results, shape)


def _dot(lowering: Lowering, row: list[int], column: list[int], dtype: str) -> int:
    """Σ xᵢ·yᵢ; of truth values, whether both hold anywhere."""
    graph = lowering.graph
    plus, times = ("or", "and") if dtype == "bool" else ("add", "mul")
    total = zero = graph.constant(0, dtype)
    for x, y in zip(row, column, strict=True):
        if zero not in (x, y):
            total = build(graph, plus, (total, build(graph, times, (x, y))))
    return total

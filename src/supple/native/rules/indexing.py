"""Rules of gather, scatter and dynamic slices: with constant indices nothing but names remains."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from supple.native.fold import build
from supple.native.graph import FLOATS, SIGNED
from supple.native.lowering import RULES, Lowering, Nodes, rule


def _indices(lowering: Lowering, nodes: Nodes) -> np.ndarray:
    known = lowering.known(nodes)
    if known is None:
        raise lowering.refusal("its indices depend on inputs")
    return known.astype(np.int64)


def _starts(indices: np.ndarray, targets: Sequence, batching: Sequence, rank: int) -> np.ndarray:
    """First element of each window, (*batch, rank).

    It comes from the index vectors and, for batching dimensions, from the position in the batch.
    """
    starts = np.zeros((*indices.shape[:-1], rank), dtype=np.int64)
    for position, dimension in enumerate(targets):
        starts[..., dimension] = indices[..., position]
    for dimension, batch_axis in batching:
        axis_shape = [-1 if axis == batch_axis else 1 for axis in range(indices.ndim - 1)]
        starts[..., dimension] = np.arange(indices.shape[batch_axis]).reshape(axis_shape)
    return starts


def _windows(starts: np.ndarray, sizes: Sequence[int], kept: Sequence[int]) -> tuple[np.ndarray, ...]:
    """Index arrays, one per dimension, that broadcast to (*batch, *window of kept dimensions)."""
    batch_rank = starts.ndim - 1
    result = []
    for dimension in range(len(sizes)):
        start = starts[..., dimension].reshape(*starts.shape[:-1], *[1] * len(kept))
        if dimension in kept:
            shape = [1] * (batch_rank + len(kept))
            shape[batch_rank + kept.index(dimension)] = sizes[dimension]
            start = start + np.arange(sizes[dimension]).reshape(shape)
        result.append(start)
    return tuple(result)


def _limits(shape: Sequence[int], sizes: Sequence[int]) -> np.ndarray:
    return np.array([extent - size for extent, size in zip(shape, sizes, strict=True)], dtype=np.int64)


def _fill(lowering: Lowering, dtype: str, value: Any) -> int:
    """What a gather reads outside of its operand."""
    if value is None:
        if dtype in FLOATS:
            value = np.nan
        elif dtype == "bool":
            value = True
        else:
            value = np.iinfo(dtype).min if dtype in SIGNED else np.iinfo(dtype).max
    return lowering.graph.constant(value, dtype)


@rule("gather")
def _gather(
    lowering: Lowering,
    a: Nodes,
    nodes: Nodes,
    *,
    dimension_numbers: Any,
    slice_sizes: tuple[int, ...],
    mode: Any,
    fill_value: Any,
    **_: Any,
) -> Nodes:
    numbers = dimension_numbers
    indices = _indices(lowering, nodes)
    batching = list(zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True))
    starts = _starts(indices, numbers.start_index_map, batching, a.ndim)
    limits = _limits(a.shape, slice_sizes)
    inside = np.all((starts >= 0) & (starts <= limits), axis=-1)
    removed = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    kept = [dimension for dimension in range(a.ndim) if dimension not in removed]
    window = _windows(np.clip(starts, 0, limits), slice_sizes, kept)
    shape = (*indices.shape[:-1], *(slice_sizes[dimension] for dimension in kept))
    result = np.empty(shape, dtype=np.int64) if a.size == 0 else np.broadcast_to(a[window], shape)
    if mode.name == "FILL_OR_DROP" and not inside.all():
        outside = ~inside.reshape(*inside.shape, *[1] * len(kept))
        result = np.where(outside, _fill(lowering, lowering.result.dtype.name, fill_value), result)
    batch_rank = indices.ndim - 1
    order = iter(range(batch_rank)), iter(range(batch_rank, result.ndim))
    return np.transpose(result, [next(order[axis in numbers.offset_dims]) for axis in range(result.ndim)])


def _scatter(op: str | None):
    """Scatter with a combining operation; None replaces."""

    def lower(
        lowering: Lowering, a: Nodes, nodes: Nodes, updates: Nodes, *, dimension_numbers: Any, mode: Any, **_: Any
    ) -> Nodes:
        numbers = dimension_numbers
        indices = _indices(lowering, nodes)
        batching = list(zip(numbers.operand_batching_dims, numbers.scatter_indices_batching_dims, strict=True))
        starts = _starts(indices, numbers.scatter_dims_to_operand_dims, batching, a.ndim)
        removed = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
        kept = [dimension for dimension in range(a.ndim) if dimension not in removed]
        batch_axes = [axis for axis in range(updates.ndim) if axis not in numbers.update_window_dims]
        moved = np.transpose(updates, [*batch_axes, *numbers.update_window_dims])
        sizes = [1] * a.ndim
        for dimension, size in zip(kept, moved.shape[len(batch_axes) :], strict=True):
            sizes[dimension] = size
        limits = _limits(a.shape, sizes)
        if mode.name == "CLIP":
            starts = np.clip(starts, 0, limits)
        inside = np.all((starts >= 0) & (starts <= limits), axis=-1)
        window = np.broadcast_arrays(*_windows(starts[inside], sizes, kept))
        targets = [index.ravel().tolist() for index in window]
        return _combine(lowering, a, zip(*targets, strict=True), moved[inside].ravel().tolist(), op)

    return lower


def _combine(lowering: Lowering, a: Nodes, targets: Any, sources: list[int], op: str | None) -> Nodes:
    result = a.copy()
    if result.ndim == 0:
        targets = [()] * len(sources)
    for target, source in zip(targets, sources, strict=True):
        result[target] = source if op is None else build(lowering.graph, op, (int(result[target]), source))
    return result


RULES.update(
    {
        "scatter": _scatter(None),
        "scatter-add": _scatter("add"),
        "scatter-sub": _scatter("sub"),
        "scatter-mul": _scatter("mul"),
        "scatter-min": _scatter("min"),
        "scatter-max": _scatter("max"),
    }
)


def _corner(lowering: Lowering, starts: Sequence[Nodes], shape: Sequence[int], sizes: Sequence[int]) -> tuple:
    """The slices of a window, moved inside as XLA does."""
    corner = [int(_indices(lowering, start)) for start in starts]
    corner = np.clip(corner, 0, _limits(shape, sizes)).tolist()
    return tuple(slice(first, first + size) for first, size in zip(corner, sizes, strict=True))


@rule("dynamic_slice")
def _dynamic_slice(lowering: Lowering, a: Nodes, *starts: Nodes, slice_sizes: tuple[int, ...]) -> Nodes:
    return a[_corner(lowering, starts, a.shape, slice_sizes)]


@rule("dynamic_update_slice")
def _dynamic_update_slice(lowering: Lowering, a: Nodes, update: Nodes, *starts: Nodes) -> Nodes:
    result = a.copy()
    result[_corner(lowering, starts, a.shape, update.shape)] = update
    return result

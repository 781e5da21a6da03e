"""Rules of gather, scatter and dynamic slices.

With constant indices nothing remains of them; an index that is known at run time only becomes a
tree of selects where it is read (`choice`), and a comparison with each place where it is written.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
from jax.extend import core

from supple.native.fold import build
from supple.native.graph import FLOATS, SIGNED
from supple.native.keys import KEY
from supple.native.lowering import RULES, Lowering, Nodes, rule
from supple.native.rules.choice import window

Combine = Callable[[Nodes, Nodes], Nodes]  # (old elements, updates) → new elements


def _positions(lowering: Lowering, nodes: Nodes) -> Nodes:
    """Indices in a type that holds every position; a narrow one would wrap where it is compared."""
    dtype = lowering.graph.dtype[nodes.flat[0]] if nodes.size else "int32"
    return nodes if np.iinfo(dtype).bits >= 32 else lowering.map("convert", nodes, dtype="int32")


def _starts(lowering: Lowering, indices: Nodes, targets: Sequence[int], batching: Any, rank: int) -> Nodes:
    """First element of each window, (*batch, rank).

    It comes from the index vectors and, for batching dimensions, from the position in the batch.
    """
    indices = _positions(lowering, indices)
    starts = np.full((*indices.shape[:-1], rank), lowering.graph.constant(0, "int32"))
    for position, dimension in enumerate(targets):
        starts[..., dimension] = indices[..., position]
    for dimension, axis in batching:
        along = [-1 if other == axis else 1 for other in range(indices.ndim - 1)]
        starts[..., dimension] = lowering.constants(np.arange(indices.shape[axis]), "int32").reshape(along)
    return starts


def _limits(shape: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """The last start in each dimension."""
    return [extent - size for extent, size in zip(shape, sizes, strict=True)]


def _take(lowering: Lowering, a: Nodes, starts: Sequence[int], sizes: Sequence[int]) -> Nodes:
    """A window of `a`, moved inside as XLA does; what is known of the starts is cut out first."""
    value, limits = lowering.graph.value, _limits(a.shape, sizes)
    for dimension in sorted(range(a.ndim), key=lambda dimension: value[starts[dimension]] is None):
        start, limit, size = starts[dimension], limits[dimension], sizes[dimension]
        rows = np.moveaxis(a, dimension, 0)
        if limit == 0 or value[start] is not None:
            first = min(max(value[start] or 0, 0), limit)
            rows = rows[first : first + size]
        elif size:
            rows = window(lowering, np.asarray(start), rows, size)
        else:
            rows = rows[:0]
        a = np.moveaxis(rows, 0, dimension)
    return a


def _inside(lowering: Lowering, starts: Sequence[int], limits: Sequence[int]) -> int:
    """Whether a whole window lies inside."""
    graph = lowering.graph
    truth = graph.constant(True, "bool")
    for start, limit in zip(starts, limits, strict=True):
        zero, last = (graph.constant(value, graph.dtype[start]) for value in (0, limit))
        within = build(graph, "and", (build(graph, "le", (zero, start)), build(graph, "le", (start, last))))
        truth = build(graph, "and", (truth, within))
    return truth


def _fill(lowering: Lowering, dtype: str, value: Any) -> int:
    """What a gather reads outside of its operand."""
    if dtype == KEY:
        raise lowering.refusal("there is no key to fill with: use mode='clip'")
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
    indices: Nodes,
    *,
    dimension_numbers: Any,
    slice_sizes: tuple[int, ...],
    mode: Any,
    fill_value: Any,
    **_: Any,
) -> Nodes:
    numbers = dimension_numbers
    batching = zip(numbers.operand_batching_dims, numbers.start_indices_batching_dims, strict=True)
    starts = _starts(lowering, indices, numbers.start_index_map, batching, a.ndim)
    batch = starts.shape[:-1]
    removed = (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
    kept = [slice_sizes[dimension] for dimension in range(a.ndim) if dimension not in removed]
    result = np.empty((*batch, *kept), dtype=np.int64)
    for position in np.ndindex(batch):
        corner = starts[position].tolist()
        found = _take(lowering, a, corner, slice_sizes).reshape(kept)
        if mode.name == "FILL_OR_DROP":
            inside = np.asarray(_inside(lowering, corner, _limits(a.shape, slice_sizes)))
            outside = np.asarray(_fill(lowering, lowering.result.dtype.name, fill_value))
            found = lowering.map("select", inside, found, outside)
        result[position] = found
    order = iter(range(len(batch))), iter(range(len(batch), result.ndim))
    return np.transpose(result, [next(order[axis in numbers.offset_dims]) for axis in range(result.ndim)])


def _corners(lowering: Lowering, start: int, limit: int, clip: bool) -> Iterator[tuple[int, int]]:
    """Where a window may start in one dimension, each place with the truth value of its starting there."""
    graph = lowering.graph
    dtype, value = graph.dtype[start], graph.value[start]
    if value is not None:
        first = min(max(value, 0), limit) if clip else value
        if 0 <= first <= limit:
            yield first, graph.constant(True, "bool")
        return
    for first in range(limit + 1):
        place = graph.constant(first, dtype)
        low, high = clip and first == 0, clip and first == limit
        if low and high:
            yield first, graph.constant(True, "bool")
        elif low or high:
            yield first, build(graph, "le", (start, place) if low else (place, start))
        else:
            yield first, build(graph, "eq", (start, place))


def _put(
    lowering: Lowering, a: Nodes, starts: Sequence[int], update: Nodes, clip: bool, combine: Combine | None
) -> None:
    """Combine a window of `a` with an update, in place; outside of `a` it is moved inside or dropped."""
    graph = lowering.graph
    limits = _limits(a.shape, update.shape)
    places = (_corners(lowering, start, limit, clip) for start, limit in zip(starts, limits, strict=True))
    for corner in product(*places):
        here = graph.constant(True, "bool")
        for _, truth in corner:
            here = build(graph, "and", (here, truth))
        region = tuple(slice(first, first + size) for (first, _), size in zip(corner, update.shape, strict=True))
        old = a[region]
        a[region] = lowering.map("select", np.asarray(here), combine(old, update) if combine else update, old)


def _scatter(op: str | None):
    """Scatter with a combining operation; None replaces, unless the primitive brings a function."""

    def lower(
        lowering: Lowering,
        a: Nodes,
        indices: Nodes,
        updates: Nodes,
        *,
        dimension_numbers: Any,
        mode: Any,
        **others: Any,
    ) -> Nodes:
        numbers = dimension_numbers
        batching = zip(numbers.operand_batching_dims, numbers.scatter_indices_batching_dims, strict=True)
        starts = _starts(lowering, indices, numbers.scatter_dims_to_operand_dims, batching, a.ndim)
        batch_axes = [axis for axis in range(updates.ndim) if axis not in numbers.update_window_dims]
        moved = np.transpose(updates, [*batch_axes, *numbers.update_window_dims])
        removed = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
        extents = iter(moved.shape[len(batch_axes) :])
        sizes = [1 if dimension in removed else next(extents) for dimension in range(a.ndim)]
        combine = _combination(lowering, op, others)
        result = a.copy()
        for position in np.ndindex(starts.shape[:-1]):
            update = moved[position].reshape(sizes)
            _put(lowering, result, starts[position].tolist(), update, mode.name == "CLIP", combine)
        return result

    return lower


def _combination(lowering: Lowering, op: str | None, parameters: dict[str, Any]) -> Combine | None:
    """How a scatter combines; its own function (of `.at[…].apply`) is evaluated for each element."""
    if op is not None:
        return lambda old, new: lowering.map(op, old, new)
    if parameters["update_jaxpr"] is None:
        return None
    closed = core.ClosedJaxpr(parameters["update_jaxpr"], parameters["update_consts"])

    def evaluate(old: Nodes, new: Nodes) -> Nodes:
        pairs = zip(old.ravel(), new.ravel(), strict=True)
        return lowering.shaped([lowering.evaluate(closed, list(map(np.asarray, pair)))[0] for pair in pairs], old.shape)

    return evaluate


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


@rule("dynamic_slice")
def _dynamic_slice(lowering: Lowering, a: Nodes, *starts: Nodes, slice_sizes: tuple[int, ...]) -> Nodes:
    return _take(lowering, a, [int(_positions(lowering, start)) for start in starts], slice_sizes)


@rule("dynamic_update_slice")
def _dynamic_update_slice(lowering: Lowering, a: Nodes, update: Nodes, *starts: Nodes) -> Nodes:
    result = a.copy()
    corner = [int(_positions(lowering, start)) for start in starts]
    _put(lowering, result, corner, update, clip=True, combine=None)
    return result

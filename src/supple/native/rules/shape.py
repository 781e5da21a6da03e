"""Rules of primitives that move elements: they leave no operation behind."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from supple.native.lowering import Lowering, Nodes, rule


@rule("reshape")
def _reshape(_lowering: Lowering, a: Nodes, *, new_sizes: tuple[int, ...], dimensions: Any, **_: Any) -> Nodes:
    return (a if dimensions is None else np.transpose(a, dimensions)).reshape(new_sizes)


@rule("broadcast_in_dim")
def _broadcast(_lowering: Lowering, a: Nodes, *, shape: tuple, broadcast_dimensions: tuple, **_: Any) -> Nodes:
    aligned = [1] * len(shape)
    for axis, target in enumerate(broadcast_dimensions):
        aligned[target] = a.shape[axis]
    return np.broadcast_to(a.reshape(aligned), shape)


@rule("transpose")
def _transpose(_lowering: Lowering, a: Nodes, *, permutation: tuple[int, ...]) -> Nodes:
    return np.transpose(a, permutation)


@rule("squeeze")
def _squeeze(_lowering: Lowering, a: Nodes, *, dimensions: tuple[int, ...]) -> Nodes:
    return np.squeeze(a, tuple(dimensions))


@rule("rev")
def _reverse(_lowering: Lowering, a: Nodes, *, dimensions: tuple[int, ...]) -> Nodes:
    return np.flip(a, tuple(dimensions))


@rule("concatenate")
def _concatenate(_lowering: Lowering, *operands: Nodes, dimension: int) -> Nodes:
    return np.concatenate(operands, axis=dimension)


@rule("stack")
def _stack(_lowering: Lowering, *operands: Nodes, axis: int) -> Nodes:
    return np.stack(operands, axis=axis)


@rule("unstack")
def _unstack(_lowering: Lowering, a: Nodes, *, axis: int) -> list[Nodes]:
    return list(np.moveaxis(a, axis, 0))


@rule("tile")
def _tile(_lowering: Lowering, a: Nodes, *, reps: tuple[int, ...]) -> Nodes:
    return np.tile(a, reps)


@rule("split")
def _split(_lowering: Lowering, a: Nodes, *, sizes: Sequence, axis: int) -> list[Nodes]:
    return np.split(a, np.cumsum(sizes)[:-1].tolist(), axis=axis)


@rule("slice")
def _slice(_lowering: Lowering, a: Nodes, *, start_indices: tuple, limit_indices: tuple, strides: Any) -> Nodes:
    steps = strides or (1,) * a.ndim
    return a[tuple(slice(*bounds) for bounds in zip(start_indices, limit_indices, steps, strict=True))]


@rule("pad")
def _pad(_lowering: Lowering, a: Nodes, value: Nodes, *, padding_config: tuple) -> Nodes:
    return padded_with(a, int(value), padding_config)


def padded_with(a: Nodes, fill: int, padding: Sequence[tuple[int, int, int]]) -> Nodes:
    """`a` with a node before, after (or, for negative counts, less there) and between its elements, axis by axis."""
    for axis, (low, high, interior) in enumerate(padding):
        rows = np.moveaxis(a, axis, 0)
        length = max(0, rows.shape[0] + max(0, rows.shape[0] - 1) * interior)
        spread = np.full((max(low, 0) + length + max(high, 0), *rows.shape[1:]), fill, dtype=np.int64)
        spread[max(low, 0) : max(low, 0) + length : interior + 1] = rows
        spread = spread[max(-low, 0) : len(spread) - max(-high, 0)]
        a = np.moveaxis(spread, 0, axis)
    return a


@rule("iota")
def _iota(lowering: Lowering, *, dtype: Any, shape: tuple[int, ...], dimension: int, **_: Any) -> Nodes:
    row = lowering.constants(np.arange(shape[dimension]), dtype)
    return np.broadcast_to(row.reshape([-1 if axis == dimension else 1 for axis in range(len(shape))]), shape)


@rule("empty", "empty2")
def _empty(lowering: Lowering, **_: Any) -> Nodes:
    """What is allocated and written later; zeros, as in JAX's own lowering."""
    return np.broadcast_to(lowering.constants(0, lowering.result.dtype), lowering.result.shape)

"""Walking the joint tree, level by level, outward from the roots or inward from the tips.

A walk's step sees all links of one level at once, as arrays with a leading axis of links. In a deep tree, runs of
levels that are alike share one compiled body (`jax.lax.scan`), so that a chain of hundreds of links compiles as fast as a
short one.
"""

import itertools
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from supple.dynamics.topology import Level, Topology

Rows = Any  # a pytree of arrays with a leading axis of links

DEEP = 24  # levels; up to here unrolling compiles fast and runs fastest
_SHORTEST_LOOP = 4  # levels


class ByKind(eqx.Module):
    """Values that differ in shape between kinds of joint: for each kind, by its name, rows in link order."""

    values: dict[str, Rows]


def outward(topology: Topology, step: Callable[[Level, Rows, Rows], tuple[Rows, Rows]], root: Rows, columns: Rows) -> Rows:
    """Carry values from the roots to the tips.

    `step(level, above, rows)` gets what the parent links passed on (`root`, without the leading axis, at the first level) and this
    level's rows of `columns`; it returns what to pass on and this level's result. The results are stacked in link order.
    """
    results: list[Rows] = []
    above = root
    for run in _runs(topology):
        first = run[0]
        above, result = step(first, _of_parents(first, above, is_root=not results), _rows(columns, first))
        results.append(result)
        if len(run) > 1:
            above, result = _loop(step, run[1:], above, columns, reverse=False)
            results.append(result)
    return _concatenate(results)


def inward(topology: Topology, step: Callable[[Level, Rows, Rows], tuple[Rows, Rows]], zero: Rows, columns: Rows) -> Rows:
    """Gather values from the tips to the roots.

    `step(level, below, rows)` gets the sum of what the child links passed up (`zero` for a tip, without the leading axis) and this
    level's rows; it returns what to pass up and this level's result. The results are stacked in link order.
    """
    results: list[Rows] = []
    runs = _runs(topology)
    below = _broadcast(zero, runs[-1][-1].width) if runs else zero
    for i, run in reversed(list(enumerate(runs))):
        first = run[0]
        if len(run) > 1:
            below, result = _loop(step, run[1:], below, columns, reverse=True)
            results.append(result)
        up, result = step(first, below, _rows(columns, first))
        results.append(result)
        if i > 0:
            below = _sum_over_children(first, runs[i - 1][-1].width, up)
    return _concatenate(results[::-1])


def _loop(
    step: Callable[..., tuple[Rows, Rows]], run: list[Level], carry: Rows, columns: Rows, *, reverse: bool
) -> tuple[Rows, Rows]:
    """One compiled body for a run of levels that are alike."""
    level = run[0]
    carry, stacked = jax.lax.scan(lambda c, rows: step(level, c, rows), carry, _stacked_rows(columns, run), reverse=reverse)
    return carry, jax.tree.map(lambda x: x.reshape(-1, *x.shape[2:]), stacked)


def _runs(topology: Topology) -> list[list[Level]]:
    """Levels in runs that may share a loop's body; of one level each in a tree that is not deep."""
    runs: list[list[Level]] = []
    for level in topology.levels:
        alike = bool(runs) and level.continues(runs[-1][-1])
        if alike and len(topology.levels) > DEEP:
            runs[-1].append(level)
        else:
            runs.append([level])
    split = [[run] if len(run) >= _SHORTEST_LOOP else [[level] for level in run] for run in runs]
    return list(itertools.chain.from_iterable(split))


def _is_by_kind(x: Any) -> bool:
    return isinstance(x, ByKind)


def _rows(columns: Rows, level: Level) -> Rows:
    def slice_rows(x: Any) -> Any:
        if not _is_by_kind(x):
            return x[level.start : level.stop]
        spans = {s.kind.value: slice(s.first, s.first + s.stop - s.start) for s in level.spans}
        return ByKind({kind: jax.tree.map(lambda y, span=span: y[span], x.values[kind]) for kind, span in spans.items()})

    return jax.tree.map(slice_rows, columns, is_leaf=_is_by_kind)


def _stacked_rows(columns: Rows, run: list[Level]) -> Rows:
    rows = [_rows(columns, level) for level in run]
    return jax.tree.map(lambda *xs: jnp.stack(xs), *rows)


def _broadcast(values: Rows, width: int) -> Rows:
    return jax.tree.map(lambda x: jnp.broadcast_to(x, (width, *x.shape)), values)


def _of_parents(level: Level, above: Rows, *, is_root: bool) -> Rows:
    if is_root:
        return _broadcast(above, level.width)
    return jax.tree.map(lambda x: x if np.array_equal(level.parents, np.arange(len(x))) else x[level.parents], above)


def _sum_over_children(level: Level, width: int, up: Rows) -> Rows:
    if np.array_equal(level.parents, np.arange(width)):
        return up
    return jax.tree.map(lambda x: jnp.zeros((width, *x.shape[1:]), x.dtype).at[level.parents].add(x), up)


def _concatenate(results: list[Rows]) -> Rows:
    def join(*xs: Any) -> Any:
        if _is_by_kind(xs[0]):
            kinds = dict.fromkeys(kind for x in xs for kind in x.values)
            return ByKind({kind: _concatenate([x.values[kind] for x in xs if kind in x.values]) for kind in kinds})
        return jnp.concatenate(xs) if len(xs) > 1 else xs[0]

    return jax.tree.map(join, *results, is_leaf=_is_by_kind)

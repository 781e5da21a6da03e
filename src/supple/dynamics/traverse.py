"""Walking the joint tree, level by level: outward from the roots, or inward from the tips.

A walk's step sees all links of one level at once, as arrays with a leading axis of slots. Slots without a joint
compute with harmless numbers that reach no one.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from supple.dynamics.topology import NOWHERE, Topology

Rows = Any  # a pytree of arrays with a leading axis of a level's slots (or of roots)
Grid = Any  # a pytree of arrays with leading axes (depth, width)

Step = Callable[[Rows, Rows], tuple[Rows, Rows]]


def outward(tree: Topology, step: Step, roots: Rows, columns: Grid) -> Grid:
    """Carry values from the roots to the tips.

    `step(above, rows)` gets what the parents passed on (`roots` at the first level) and this level's rows of
    `columns`; it returns what to pass on and this level's result.
    """
    rows, moves = _room(tree), _parents_move(tree)

    def visit(above: Rows, level: Any) -> tuple[Rows, Rows]:
        parents, here = level
        passed, result = step(jax.tree.map(lambda x: x[parents], above) if moves else above, here)
        return _pad(passed, rows), result

    return jax.lax.scan(visit, _pad(roots, rows), (tree.parents, columns))[1]


def inward(tree: Topology, step: Step, zero: Any, columns: Grid) -> tuple[Rows, Grid]:
    """Gather values from the tips to the roots.

    `step(below, rows)` gets the sum of what the children passed up (`zero`, without the leading axis, at a tip) and
    this level's rows; it returns what to pass up and this level's result. Returns what arrives at the roots, and the
    results.
    """
    rows, moves = _room(tree), _parents_move(tree)
    width = tree.slots.shape[1]
    nobody = np.where(tree.slots == NOWHERE, rows, tree.parents)  # what is added there is dropped

    def visit(below: Rows, level: Any) -> tuple[Rows, Rows]:
        parents, here = level
        up, result = step(jax.tree.map(lambda x: x[:width], below), here)
        if not moves:
            return up, result
        add = lambda x: jnp.zeros((rows, *x.shape[1:]), x.dtype).at[parents].add(x, mode="drop")  # noqa: E731
        return jax.tree.map(add, up), result

    empty = jax.tree.map(lambda x: jnp.zeros((rows, *jnp.shape(x)), jnp.result_type(x)) + x, zero)
    below, results = jax.lax.scan(visit, empty, (nobody, columns), reverse=True)
    return jax.tree.map(lambda x: x[: tree.roots], below), results


def _room(tree: Topology) -> int:
    """Rows that a loop carries from level to level."""
    return max(tree.roots, tree.slots.shape[1])


def _parents_move(tree: Topology) -> bool:
    """Whether any child stands in another row than its parent, as none does in a chain."""
    return (
        tree.roots != tree.slots.shape[1]
        or bool((tree.slots == NOWHERE).any())
        or bool((tree.parents != np.arange(tree.slots.shape[1])).any())
    )


def _pad(values: Rows, rows: int) -> Rows:
    def pad(x: Any) -> Any:
        missing = rows - x.shape[0]
        return jnp.concatenate([x, jnp.zeros((missing, *x.shape[1:]), x.dtype)]) if missing else x

    return jax.tree.map(pad, values)

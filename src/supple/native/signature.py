"""What a compiled function takes and returns: pytrees of arrays of fixed shape and type."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jax import tree_util

from supple.native.keys import WORD, is_key, numbers
from supple.native.lower import Trace
from supple.native.program import is_array


@dataclass(frozen=True)
class Leaf:
    """One array: where it stands in its tree, its shape and type."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype

    def __str__(self) -> str:
        return f"{self.name} {self.dtype.name}{list(self.shape)}"

    def empty(self, *lead: int) -> np.ndarray:
        """Memory for such arrays."""
        return np.empty((*lead, *self.shape), self.dtype)

    def check(self, value: Any, lead: tuple[int, ...] = ()) -> np.ndarray:
        """The value as an array of this leaf's shape, after leading axes, and of a type that can become this leaf's."""
        array = value if type(value) is np.ndarray else numbers(value)
        self.fits(array.shape, array.dtype, lead)
        return array

    def fits(self, shape: tuple[int, ...], dtype: np.dtype, lead: tuple[int, ...] = ()) -> None:
        """Raise unless an array of this shape, after leading axes, and of this type can become this leaf's."""
        if shape != (*lead, *self.shape):
            raise TypeError(f"{self.name} has shape {shape}; the function was compiled for {(*lead, *self.shape)}")
        if dtype is not self.dtype and not np.can_cast(dtype, self.dtype, "same_kind"):
            raise TypeError(f"{self.name} is of type {dtype}; the function was compiled for {self.dtype}")


@dataclass(frozen=True)
class Signature:
    """Leaves and trees. `baked` are the leaves that are no arrays and so part of the program, by position."""

    inputs: tuple[Leaf, ...]
    positions: tuple[int, ...]
    baked: dict[int, Any]
    in_tree: Any
    outputs: tuple[Leaf, ...]
    out_tree: Any

    def leaves(self, arguments: tuple[Any, ...]) -> list[Any]:
        """The arrays among the leaves of arguments, which must have the structure compiled for."""
        leaves, tree = tree_util.tree_flatten(arguments)
        if tree != self.in_tree:
            raise TypeError(_difference(self.in_tree, tree))
        if not self.baked:
            return leaves
        for position, value in self.baked.items():
            if leaves[position] is not value and leaves[position] != value:
                raise TypeError(
                    f"an argument holds {leaves[position]!r:.40}, where the function was compiled for {value!r:.40}"
                )
        return [leaves[position] for position in self.positions]

    def result(self, leaves: Iterable[Any]) -> Any:
        """The leaves of a result in their tree."""
        return tree_util.tree_unflatten(self.out_tree, leaves)


def signature(traced: Trace) -> Signature:
    """The signature of a traced function."""
    paths = _names(traced.in_tree, "argument")
    positions = tuple(k for k, leaf in enumerate(traced.leaves) if is_array(leaf))
    return Signature(
        inputs=_leaves([paths[k] for k in positions], traced.jaxpr.in_avals),
        positions=positions,
        baked={k: leaf for k, leaf in enumerate(traced.leaves) if k not in positions},
        in_tree=traced.in_tree,
        outputs=_leaves(_names(traced.out_tree, "result"), traced.jaxpr.out_avals),
        out_tree=traced.out_tree,
    )


def _leaves(names: Sequence[str], avals: Sequence[Any]) -> tuple[Leaf, ...]:
    """The leaves of traced arrays; typed random keys as their words."""
    return tuple(
        Leaf(name, (*aval.shape, 2), np.dtype(WORD)) if is_key(aval) else Leaf(name, aval.shape, np.dtype(aval.dtype))
        for name, aval in zip(names, avals, strict=True)
    )


def _names(tree: Any, root: str) -> list[str]:
    """A name for each leaf of a tree, such as argument[0].q."""
    numbered = tree_util.tree_unflatten(tree, range(tree.num_leaves))
    return [root + tree_util.keystr(path) for path, _ in tree_util.tree_flatten_with_path(numbered)[0]]


def _difference(expected: Any, given: Any) -> str:
    """One line that says how the structure of arguments differs."""
    wanted, found = expected.num_leaves, given.num_leaves
    if wanted != found:
        return f"the arguments have {found} arrays; the function was compiled for {wanted}"
    return f"the arguments are of the structure {str(given)[:120]}; the function was compiled for {str(expected)[:120]}"

"""Leaves by name: `bodies.mass` is an array of a model, `bodies.mass[*_thigh]` the rows of some of its parts."""

import dataclasses
import difflib
import fnmatch
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from supple.model.errors import ModelError

Tree = TypeVar("Tree")
_ADDRESS = re.compile(r"([^\[\]]+)(?:\[(.+)\])?")


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a leaf stands in a tree: its name, its position among the leaves, and the module that holds it."""

    path: str
    index: int
    owner: Any
    field: str

    @property
    def row_names(self) -> tuple[str, ...] | None:
        """The names of the leaf's rows: those of the owner's parts; `home` has its joints', once per coordinate."""
        joints = getattr(self.owner, "joints", None)
        if self.field == "home" and joints is not None:
            return tuple(name for name, kind in zip(joints.names, joints.kinds, strict=True) for _ in range(kind.nq))
        return getattr(self.owner, "names", None)


def leaves(tree: Any) -> dict[str, Any]:
    """Every leaf by its name, `bodies.mass` for instance: what `replace`, `randomize` and `save` call it."""
    values = jax.tree.leaves(tree)
    return {place.path: values[place.index] for place in find_places(tree)}


def replace(tree: Tree, changes: Mapping[str, Any]) -> Tree:
    """A copy of a model or system with other values at some of its leaves.

    A name is that of a leaf (see `leaves`) or its end, if no other leaf ends so. Rows are chosen by the names of
    their parts, in brackets, where `*`, `?` and `[ab]` match as in a shell. A value is broadcast to the shape that it
    replaces, and takes its dtype:

    ```python
    sp.replace(model, {"bodies.mass[trunk]": 7.5, "joints.damping[*_knee]": 0.1, "gravity": (0, 0, -1.62)})
    ```

    Later entries win where two overlap. Values may be traced. Names, kinds and limits' presence are structure, not
    leaves, and stay.
    """
    check_changes(tree, changes, "{'bodies.mass': 2.0}")
    values, structure = jax.tree.flatten(tree)
    places = find_places(tree)
    for address, value in changes.items():
        place, rows = _select(places, values, address)
        values[place.index] = _changed(values[place.index], rows, value, address)
    return jax.tree.unflatten(structure, values)


def check_changes(tree: Any, changes: Any, example: str) -> None:
    """`ModelError` unless changes are given by the names of leaves, of a tree that has such leaves."""
    if not any(place.path for place in find_places(tree)):
        raise ModelError(f"{tree!r:.60} has no leaves by name; write a model or a system")
    if not isinstance(changes, Mapping) or not all(isinstance(address, str) for address in changes):
        raise ModelError(
            f"changes={changes!r:.60} are not given by the names of leaves; write, for instance, {example}"
        )


def select(tree: Any, address: str) -> tuple[Place, np.ndarray | None]:
    """The leaf that an address means, and the indices of its rows if the address has brackets."""
    return _select(find_places(tree), jax.tree.leaves(tree), address)


def find_places(tree: Any) -> list[Place]:
    """The places of all leaves, in their order."""
    return [_find_place(tree, keys, index) for index, (keys, _) in enumerate(jax.tree_util.tree_leaves_with_path(tree))]


def _find_place(tree: Any, keys: Sequence[Any], index: int) -> Place:
    owner, words = tree, []
    for key in keys:
        owner, tree = tree, _item(tree, key)
        words.append(_own_name(owner, tree) or jax.tree_util.keystr((key,), simple=True))
    return Place(".".join(words), index, owner, words[-1] if words else "")


def _item(tree: Any, key: Any) -> Any:
    if isinstance(key, jax.tree_util.GetAttrKey):
        return getattr(tree, key.name)
    return tree[key.idx] if isinstance(key, jax.tree_util.SequenceKey) else tree[key.key]


def _own_name(group: Any, item: Any) -> str | None:
    """The name by which an item of a tuple or list goes rather than by its place: a sensor's, if no other has it."""
    if not isinstance(group, tuple | list) or not isinstance(name := getattr(item, "name", None), str):
        return None
    return name if sum(getattr(other, "name", None) == name for other in group) == 1 else None


def _select(places: Sequence[Place], values: Sequence[Any], address: str) -> tuple[Place, np.ndarray | None]:
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise ModelError(
            f"{address!r} is not the name of a leaf; write for instance 'bodies.mass' or 'bodies.mass[a*]'"
        )
    place = _find(places, match[1])
    return place, None if match[2] is None else _find_rows(place, np.shape(values[place.index]), match[2])


def _find(places: Sequence[Place], name: str) -> Place:
    exact = [place for place in places if place.path == name]
    found = exact or [place for place in places if place.path.endswith(f".{name}")]
    if len(found) == 1:
        return found[0]
    if found:
        raise ModelError(f"{name!r} may mean {', '.join(place.path for place in found)}; write one of them in full")
    owners = [place.owner for place in places if place.path.rpartition(".")[0] == name.rpartition(".")[0]]
    if owners and name.rpartition(".")[2] in getattr(owners[0], "__dataclass_fields__", ()):
        raise ModelError(f"{name!r} is no leaf but structure, which is fixed when a model is made")
    raise ModelError(f"there is no leaf {name!r}; {suggest(name, [place.path for place in places])}")


def _find_rows(place: Place, shape: tuple[int, ...], pattern: str) -> np.ndarray:
    names = place.row_names
    if names is None or not shape:
        raise ModelError(f"{place.path} has no parts to choose from; leave out [{pattern}]")
    if shape[0] != len(names):
        raise ModelError(
            f"{place.path} has shape {shape} for {len(names)} parts: the model is a batch; choose parts before batching"
        )
    exact = [row for row, name in enumerate(names) if name == pattern]
    rows = exact or [row for row, name in enumerate(names) if fnmatch.fnmatchcase(name, pattern)]
    if not rows:
        raise ModelError(f"{place.path}: no part is called {pattern!r}; {suggest(pattern, list(dict.fromkeys(names)))}")
    return np.array(rows)


def suggest(name: str, known: Sequence[str]) -> str:
    """Words that lead from a name to the nearest known ones."""
    if not known:
        return "there are none"
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    last = name.rpartition(".")[2]
    near = near or [other for other in known if other.rpartition(".")[2] == last][:3]
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"there are {', '.join(known[:20])}" + (f" and {len(known) - 20} more" if len(known) > 20 else "")


def _changed(leaf: Any, rows: np.ndarray | None, value: Any, address: str) -> Any:
    """The leaf with a value in some or all of its rows: numpy stays numpy unless something is traced."""
    whole = np.shape(leaf)
    shape = whole if rows is None else (len(rows), *whole[1:])
    traced = isinstance(value, Tracer) or isinstance(leaf, jax.Array)
    dtype = getattr(leaf, "dtype", np.dtype(np.float64))
    try:
        new = jnp.broadcast_to(jnp.asarray(value, dtype), shape) if traced else _broadcast(value, dtype, shape)
    except (TypeError, ValueError, OverflowError) as error:
        what = f"a value of shape {np.shape(value)}" if hasattr(value, "shape") else repr(value)
        raise ModelError(f"{address}: {what} does not fit, it takes numbers of shape {shape}") from error
    if not isinstance(new, Tracer) and np.isnan(np.asarray(new)).any():
        raise ModelError(f"{address}: the new value is not a number (NaN)")
    if isinstance(leaf, float):
        return new if traced else float(new)
    if rows is None:
        return new
    if traced:
        return jnp.asarray(leaf).at[rows].set(new)
    result = np.array(leaf)
    result[rows] = new
    return result


def _broadcast(value: Any, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    return np.array(np.broadcast_to(np.asarray(value, dtype), shape))

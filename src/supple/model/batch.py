"""Batches: models or systems of one structure, all or some of whose leaves have a leading axis."""

import dataclasses
import operator
import typing
from typing import Any, TypeVar

import jax
import numpy as np

from supple.model.errors import ModelError
from supple.model.paths import Place, find_places

Tree = TypeVar("Tree")


def batch_axes(tree: Tree) -> Tree:
    """What `jax.vmap` wants as `in_axes`: 0 for each leaf with an axis more than one robot needs, None for the others.

    ```python
    models = sp.randomize(model, key, {"bodies.mass": sp.Uniform(0.8, 1.2)}, count=1000)
    systems = sp.Simulator(models)
    axes = sp.batch_axes(systems)
    states = jax.vmap(sp.Simulator.init, in_axes=(axes,), axis_size=1000)(systems)
    states = jax.vmap(sp.Simulator.step, in_axes=(axes, 0, None))(systems, states, control)
    ```

    How many axes a leaf has for one robot is what its class says; a leaf of which the class says nothing is taken to
    be shared by all. Raises `ModelError` if leaves disagree about the number of copies.
    """
    batch_size(tree)
    batched = {place.index for place in _find_batched(tree)}
    values, structure = jax.tree.flatten(tree)
    return jax.tree.unflatten(structure, [0 if index in batched else None for index in range(len(values))])


def batch_size(tree: Any) -> int | None:
    """The number of copies in a batch, or None for a single robot; `ModelError` if leaves disagree about it."""
    values = jax.tree.leaves(tree)
    sizes: dict[int, str] = {}
    for place in _find_batched(tree):
        sizes.setdefault(np.shape(values[place.index])[0], place.path)
    if len(sizes) > 1:
        found = ", ".join(f"{path} has {size}" for size, path in sizes.items())
        raise ModelError(f"the leaves of a batch must have one number of copies, but {found}")
    return next(iter(sizes), None)


def pick(tree: Tree, index: int) -> Tree:
    """One robot of a batch."""
    try:
        index = operator.index(index)
    except TypeError:
        raise ModelError(f"{index!r} is no copy of a batch; write an index, such as 0") from None
    size = batch_size(tree)
    if size is None or not -size <= index < size:
        raise ModelError(f"there is no copy {index}: this is {'one robot' if size is None else f'a batch of {size}'}")
    batched = {place.index for place in _find_batched(tree)}
    values, structure = jax.tree.flatten(tree)
    return jax.tree.unflatten(structure, [leaf[index] if i in batched else leaf for i, leaf in enumerate(values)])


def leaf_dimensions(place: Place) -> tuple[str, ...] | None:
    """The names or sizes of a leaf's axes for one robot, by its class's annotation; None if that does not tell."""
    fields = {field.name: field for field in dataclasses.fields(place.owner)} if _is_record(place.owner) else {}
    if place.field not in fields:
        return None
    annotation = fields[place.field].type
    for kind in (annotation, *typing.get_args(annotation)):
        dimensions = getattr(kind, "dim_str", None)
        if dimensions is not None and not any(sign in dimensions for sign in ("*", ".", "#", "?")):
            return tuple(dimensions.split())
    return None


def _is_record(owner: Any) -> bool:
    return dataclasses.is_dataclass(owner) and not isinstance(owner, type)


def _find_batched(tree: Any) -> list[Place]:
    """The leaves that have one axis more than their class says."""
    values = jax.tree.leaves(tree)
    found = []
    for place in find_places(tree):
        dimensions = leaf_dimensions(place)
        extra = 0 if dimensions is None else np.ndim(values[place.index]) - len(dimensions)
        if extra not in {0, 1}:
            shape, one = np.shape(values[place.index]), " ".join(dimensions or ()) or "a number"
            raise ModelError(
                f"{place.path} has shape {shape}, but one robot needs [{one}], and a batch one axis before"
            )
        if extra == 1:
            found.append(place)
    return found

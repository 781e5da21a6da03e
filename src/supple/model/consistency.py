"""Whether the parts of a model or system fit each other: sizes of arrays, numbers of names, indices of parents."""

import dataclasses
from collections.abc import Iterator
from typing import Any

import jax
import numpy as np

from supple.model.actuators import NO_PART
from supple.model.batch import leaf_dimensions
from supple.model.model import Model
from supple.model.paths import find_places


def find_inconsistent(tree: Any) -> tuple[str, ...]:
    """A sentence for each part that does not fit the others; leading axes of batches are left alone."""
    models = [node for node in _nodes(tree) if isinstance(node, Model)]
    return (*_names(tree), *_sizes(tree), *(sentence for model in models for sentence in _indices(model)))


def _nodes(tree: Any) -> list[Any]:
    """The models in a tree."""
    return jax.tree.leaves(tree, is_leaf=lambda node: isinstance(node, Model))


def _names(tree: Any) -> Iterator[str]:
    owners = {id(place.owner): place for place in find_places(tree) if hasattr(place.owner, "names")}
    for place in owners.values():
        names, block = place.owner.names, place.path.rpartition(".")[0]
        if not (isinstance(names, tuple) and all(isinstance(name, str) for name in names)):
            yield f"{block}.names are not all words"
        elif len(set(names)) < len(names):
            yield f"{block}.names has {next(name for name in names if names.count(name) > 1)!r} twice"
        for field in dataclasses.fields(place.owner):
            value = getattr(place.owner, field.name)
            if isinstance(value, tuple) and len(value) != len(names):
                yield f"{block}.{field.name} has {len(value)} entries, but there are {len(names)} names"


def _sizes(tree: Any) -> Iterator[str]:
    """Axes of one name have one length within a module, and the axis of its parts has one entry per name."""
    values = jax.tree.leaves(tree)
    known: dict[tuple[int, str], tuple[int, str]] = {}
    named: set[int] = set()
    for place in find_places(tree):
        dimensions, shape, owner = leaf_dimensions(place), np.shape(values[place.index]), id(place.owner)
        if not dimensions:
            continue
        names = getattr(place.owner, "names", None)
        if isinstance(names, tuple) and owner not in named and not dimensions[0].isdecimal():
            named.add(owner)
            known[owner, dimensions[0]] = (len(names), "names")
        for dimension, size in zip(dimensions, shape[len(shape) - len(dimensions) :], strict=True):
            fixed = (int(dimension), "its class") if dimension.isdecimal() else (size, place.path)
            expected, source = known.setdefault((owner, dimension), fixed)
            if size != expected:
                yield f"{place.path} has shape {shape}, but {source} says {expected} for [{dimension}]"


def _indices(model: Model) -> Iterator[str]:
    bodies, joints = len(model.bodies.names), len(model.joints.names)
    parents, moved, kinds = model.bodies.parents, model.joints.bodies, model.joints.kinds
    if len(parents) != bodies or not all(-1 <= parent < body for body, parent in enumerate(parents)):
        yield "bodies.parents is not one index of an earlier body, or -1, for each body"
    if len(moved) != joints or len(kinds) != joints or not all(0 <= body < bodies for body in moved):
        yield "joints.bodies and joints.kinds are not one body and one kind for each joint"
    if not all(NO_PART <= joint < joints for joint in model.actuators.joints):
        yield "actuators.joints is not one index of a joint, or -1, for each actuator"
    if model.sites is not None and (
        len(model.sites.bodies) != len(model.sites.names) or not all(-1 <= body < bodies for body in model.sites.bodies)
    ):
        yield "sites.bodies is not one index of a body, or -1, for each site"
    if np.shape(model.home)[-1] != model.nq:
        yield f"home has shape {np.shape(model.home)}, but the joints have {model.nq} coordinates"

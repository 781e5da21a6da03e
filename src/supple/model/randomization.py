"""Domain randomisation: models that differ from one by random draws."""

import zlib
from collections.abc import Mapping
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jaxtyping import Float

from supple.model.distributions import Change, Distribution, Key, Scale
from supple.model.errors import ModelError
from supple.model.paths import Place, check_changes, find_places, select
from supple.spatial.arrays import Array

Tree = TypeVar("Tree")
_DIRECTIONS = ("rotation", "axis")  # leaves whose numbers depend on each other


def randomize(tree: Tree, key: Any, changes: Mapping[str, Any], count: int | None = None) -> Tree:
    """Copies of a model (or system) with random parameters, for training across a range of robots.

    Args:
        tree: What to vary.
        key: Of `jax.random`; the same key gives the same models, and each entry draws independently of the others.
        changes: Leaf names as in `supple.replace`, each with what to do: `Scale(distribution)` multiplies each part by
            a draw, `Add(distribution)` and `Draw(distribution)` add to or replace each number. A distribution alone
            is a `Scale`.
        count: How many copies: the varied leaves get a leading axis, the others are shared (see `batch_axes`). None
            makes one, without that axis, as for use under `jax.vmap` over keys.

    A body's inertia follows its mass, Iᵢ' = Iᵢ mᵢ'/mᵢ, as if its density changed: what was a possible rigid body stays
    one. Entries for the inertia come on top. Axes, rotations and quaternions cannot be varied number by number.
    """
    _check_key(key)
    if count is not None and (not isinstance(count, (int, np.integer)) or count < 1):
        raise ModelError(f"randomize: count={count!r}, but it needs a whole number, and at least one copy")
    check_changes(tree, changes, "{'bodies.mass': sp.Uniform(0.8, 1.2)}")
    values, structure = jax.tree.flatten(tree)
    copies = _Copies(values, () if count is None else (count,))
    selected = [(address, *select(tree, address)) for address in changes]
    for address, place, rows in sorted(selected, key=lambda entry: entry[1].field != "mass"):  # inertia follows mass
        _check_independent(place, rows)
        change = changes[address]
        change = Scale(change) if isinstance(change, Distribution) else change
        if not isinstance(change, Change):
            raise ModelError(f"{address}: {change!r} is neither a distribution nor Scale, Add or Draw of one")
        factor = copies.vary(place, rows, change, jax.random.fold_in(key, zlib.crc32(address.encode())))
        if place.field == "mass":
            _check_masses(address, copies.values[place.index])
            for other in find_places(tree):
                if other.owner is place.owner and other.field == "inertia":
                    copies.multiply(other, factor)
    return jax.tree.unflatten(structure, copies.values)


class _Copies:
    """Leaves of several models, each leaf shared until it is varied."""

    def __init__(self, values: list[Any], shape: tuple[int, ...]):
        self.values = values
        self._shape = shape
        self._varied: set[int] = set()

    def vary(self, place: Place, rows: np.ndarray | None, change: Change, key: Key) -> Float[Array, "..."]:
        """Change rows of a leaf; returns new by old values of the whole leaf, 1 where the old one is zero."""
        old = self._own(place)
        index = (
            (*[slice(None)] * len(self._shape), slice(None) if rows is None else rows)
            if old.ndim > len(self._shape)
            else ...
        )
        has_parts = place.row_names is not None and old.ndim > len(self._shape)
        new = change.apply(key, old[index], len(self._shape) + has_parts)
        if isinstance(old, np.ndarray) and not isinstance(new, Tracer):
            whole: Any = old.copy()
            whole[index] = np.asarray(new)
        else:
            whole = jnp.asarray(old).at[index].set(new)
        self.values[place.index] = whole
        safe = np.where if isinstance(whole, np.ndarray) else jnp.where
        return safe(old == 0, 1.0, whole / safe(old == 0, 1.0, old))

    def multiply(self, place: Place, factor: Float[Array, "..."]) -> None:
        """Multiply each part of a leaf by a factor."""
        old = self._own(place)
        self.values[place.index] = old * factor[(..., *[None] * (old.ndim - factor.ndim))]

    def _own(self, place: Place) -> Float[Array, "..."]:
        """The leaf with an axis for the copies."""
        leaf = self.values[place.index]
        if place.index in self._varied:
            return leaf
        self._varied.add(place.index)
        if isinstance(leaf, jax.Array):
            return jnp.broadcast_to(leaf, (*self._shape, *leaf.shape))
        return np.broadcast_to(
            np.asarray(leaf, dtype=getattr(leaf, "dtype", np.float64)), (*self._shape, *np.shape(leaf))
        )


def _check_key(key: Any) -> None:
    """One key, of JAX's new kind or its old one."""
    typed = isinstance(key, jax.Array) and jnp.issubdtype(key.dtype, jax.dtypes.prng_key)
    raw = isinstance(key, jax.Array) and key.dtype == np.uint32
    if not ((typed and key.shape == ()) or (raw and key.shape == (2,))):
        what = f"an array of shape {key.shape}" if typed or raw else f"{key!r:.60}"
        raise ModelError(f"randomize needs one key such as jax.random.key(0), not {what}")


def _check_independent(place: Place, rows: np.ndarray | None) -> None:
    """Refuse leaves whose numbers cannot be drawn one by one."""
    if place.field in _DIRECTIONS:
        raise ModelError(f"{place.path}: directions and rotations cannot be varied number by number")
    joints = getattr(place.owner, "joints", None)
    if place.field != "home" or joints is None:
        return
    kinds = [kind for kind in joints.kinds for _ in range(kind.nq)]
    names = place.row_names or ()
    for row in range(len(kinds)) if rows is None else rows:
        if kinds[row].nq != kinds[row].nv:
            raise ModelError(f"{place.path}: joint {names[row]!r} has a quaternion; draw q yourself, for `init`")


def _check_masses(address: str, masses: Any) -> None:
    if not isinstance(masses, Tracer) and not (np.asarray(masses) >= 0).all():
        raise ModelError(
            f"{address}: a mass of {np.nanmin(np.asarray(masses)):.3g} kg was drawn; narrow the distribution"
        )

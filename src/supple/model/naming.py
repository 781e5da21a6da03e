"""Marks: any intermediate value of a computation can be given a name.

A mark is JAX's `checkpoint_name`, an identity that survives jit, scan, cond, vmap, jvp and grad and
disappears in compilation. Its string carries everything that `observe`, `quantities` and `augment`
must know about the value, so that a mark needs neither a registry nor a primitive of our own.
"""

import json
import operator
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.ad_checkpoint import checkpoint_name

from supple.model.errors import NamingError

_PREFIX = "supple:"
_NAME = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+")


class Parts(NamedTuple):
    """The rows of a quantity, along its leading axis, that one site holds."""

    rows: tuple[int, ...]
    total: int  # rows of the whole quantity


@dataclass(frozen=True)
class Mark:
    """What the string of a mark says about the marked value."""

    name: str
    unit: str
    shape: tuple[int, ...]  # of the value where it was marked, for one robot
    parts: Parts | None

    @property
    def key(self) -> tuple[str, Parts | None]:
        """Identity of the site: marks of equal key are the same quantity's same rows."""
        return self.name, self.parts

    @property
    def whole_shape(self) -> tuple[int, ...]:
        """Shape of the quantity of which the marked value is all or some rows."""
        return self.shape if self.parts is None else (self.parts.total, *self.shape[1:])

    @property
    def in_unit(self) -> str:
        """The unit, to be written behind a number or shape."""
        return f" {self.unit}" if self.unit else ""

    def encode(self) -> str:
        """The string that goes into the computation."""
        fields = {"name": self.name, "unit": self.unit, "shape": self.shape, "parts": self.parts}
        return _PREFIX + json.dumps(fields, separators=(",", ":"))

    @classmethod
    def decode(cls, text: str) -> "Mark | None":
        """The mark in a `checkpoint_name`'s string, or None if the string is not ours."""
        if not text.startswith(_PREFIX):
            return None
        fields = json.loads(text[len(_PREFIX) :])
        parts = fields["parts"]
        if parts is not None:
            parts = Parts(tuple(parts[0]), parts[1])
        return cls(fields["name"], fields["unit"], tuple(fields["shape"]), parts)


def named(name: str, x: Any, *, unit: str = "", parts: tuple[Any, int] | None = None) -> Any:
    """Mark array x as the quantity `name`; returns x, unchanged and at no cost.

    `name` is dotted lowercase, such as "joint.force"; `unit` is for readers, such as "N m". A site that holds
    only some rows of the quantity says which along the leading axis, and how many there are in all:
    `parts=((0, 2), 5)`. Marks stand outside `vmap`, `while` and custom-derivative regions, where
    `observe` and `augment` could not honour them and raise `NamingError`.
    """
    if getattr(jax.config, "jax_remat3", False):
        raise NamingError(f"{name!r} cannot be marked under JAX's experimental option jax_remat3: turn it off.")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise NamingError(f"{name!r} is not a name: write a dotted lowercase identifier, such as 'joint.force'.")
    if not isinstance(x, (jax.Array, np.ndarray)):
        x = _as_array(name, x)
    mark = Mark(name, unit, tuple(x.shape), None if parts is None else _as_parts(name, parts, x.shape))
    return checkpoint_name(x, mark.encode())


def _as_array(name: str, x: Any) -> jax.Array:
    """A number as an array; containers are refused, since a quantity is one array."""
    if isinstance(x, (bool, int, float, complex, np.generic)):
        return jnp.asarray(x)
    raise NamingError(f"{name!r} marks a {type(x).__name__}: a quantity is one array; mark its arrays one by one.")


def _as_parts(name: str, parts: tuple[Any, int], shape: tuple[int, ...]) -> Parts:
    """Parts in canonical form, checked against the shape of the rows."""
    try:
        rows, total = tuple(operator.index(row) for row in parts[0]), operator.index(parts[1])
    except (TypeError, IndexError):
        raise NamingError(
            f"{name!r} has parts={parts!r:.60}: write rows and their total, such as ((0, 2), 5)."
        ) from None
    if not shape or len(rows) != shape[0]:
        raise NamingError(f"{name!r} has shape {tuple(shape)} but parts for {len(rows)} rows: give one index per row.")
    if len(set(rows)) != len(rows) or any(row not in range(total) for row in rows):
        raise NamingError(f"{name!r} has parts {rows}: write different indices from 0 to {total - 1}.")
    return Parts(rows, total)

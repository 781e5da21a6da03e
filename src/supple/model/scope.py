"""Scopes: where a visitor of marks keeps what it wants to take out of a computation.

A value made in the body of a loop or a branch does not exist outside of it. So each region has a scope, whose
records leave the region as extra outputs: unchanged from a branch, stacked along time from a loop.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from supple.model.errors import NamingError
from supple.model.naming import Mark


@dataclass(frozen=True)
class Site:
    """A place in a computation where a quantity, or some rows of it, is marked."""

    mark: Mark
    dtype: Any
    loops: tuple[int, ...]  # lengths of the enclosing scans, outermost first
    where: str  # file:line


@dataclass(frozen=True)
class Keepsake:
    """What is known about a record besides its value."""

    key: Hashable
    site: Site
    loops: tuple[int, ...]  # lengths of the scans between the value's making and the scope that holds it
    latest: bool

    @property
    def axes(self) -> tuple[Any, ...]:
        """What a second record of the same key must have in common with the first."""
        return self.loops, self.site.mark.shape, self.site.mark.unit, self.site.dtype


@dataclass(frozen=True)
class Record:
    """A value that a visitor keeps; stacked along a leading axis for each of `about.loops`."""

    value: Any
    about: Keepsake


class Scope:
    """The records of one region; those of the enclosing regions can be looked up but not changed."""

    def __init__(self, loops: tuple[int, ...] = (), parent: "Scope | None" = None):
        self.loops = loops
        self.records: dict[Hashable, Record] = {}
        self._parent = parent

    def record(self, site: Site, value: Any, *, key: Hashable = None, latest: bool = False) -> None:
        """Keep a value under a key (by default the site's).

        Of several values under one key the first is kept, so that of a multi-stage integrator the first stage is
        seen; or the latest, on request.
        """
        self._keep(Record(value, Keepsake(site.mark.key if key is None else key, site, (), latest)))

    def lookup(self, key: Hashable) -> Any:
        """The value recorded under a key in the present iteration, here or in an enclosing region; or None."""
        found = self.records.get(key)
        if found is not None and not found.about.loops:
            return found.value
        return None if self._parent is None else self._parent.lookup(key)

    def enter(self, *loops: int) -> "Scope":
        """The scope of a region inside; `loops` is the length of the scan, if it is one."""
        return Scope((*self.loops, *loops), self)

    def leave(self) -> tuple[list[Any], list[Keepsake]]:
        """The values that leave the region as outputs, and what they are, in an order common to all branches."""
        records = sorted(self.records.values(), key=lambda record: repr(record.about.key))
        return [record.value for record in records], [record.about for record in records]

    def take(self, values: Sequence[Any], keepsakes: Sequence[Keepsake], *loops: int) -> None:
        """Keep what has left a region inside."""
        for value, about in zip(values, keepsakes, strict=True):
            self._keep(Record(value, replace(about, loops=(*loops, *about.loops))))

    def _keep(self, record: Record) -> None:
        about = record.about
        first = self.records.get(about.key)
        if first is not None and first.about.axes != about.axes:
            raise NamingError(_describe_clash(first.about, about))
        if first is None or about.latest:
            self.records[about.key] = record


def _describe_clash(first: Keepsake, second: Keepsake) -> str:
    one, two = (
        f"{about.site.where} ({about.site.dtype}{[*about.loops, *about.site.mark.shape]}{about.site.mark.in_unit})"
        for about in (first, second)
    )
    return (
        f"{first.site.mark.name!r} is marked differently at {one} and at {two}: "
        "use another name, say which parts each holds, or observe the function inside the loop instead."
    )

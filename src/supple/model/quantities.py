"""The list of a system's named quantities."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import equinox as eqx
import jax

from supple.model.assembly import group_sites
from supple.model.errors import NamingError
from supple.model.scope import Scope, Site
from supple.model.system import System
from supple.model.tracing import trace
from supple.model.visit import visit_jaxpr


@dataclass(frozen=True)
class Quantity:
    """A named quantity of a system's step."""

    name: str
    shape: tuple[int, ...]  # of the whole quantity, within one iteration of `loops`
    dtype: Any
    unit: str
    where: tuple[str, ...]  # file:line of every mark
    sites: int  # how many make up the whole
    loops: tuple[int, ...]  # lengths of the scans inside the step in which it is made

    @property
    def dims(self) -> int:
        """Number of axes as `observe` returns it."""
        return len(self.loops) + len(self.shape)


class Quantities:
    """The named quantities of a step, in the order in which they are made; prints as a table."""

    def __init__(self, records: list[Quantity]):
        self._records = {record.name: record for record in records}

    def __iter__(self) -> Iterator[Quantity]:
        return iter(self._records.values())

    def __len__(self) -> int:
        return len(self._records)

    def __contains__(self, name: object) -> bool:
        return name in self._records

    def __getitem__(self, name: str) -> Quantity:
        if name not in self._records:
            near = difflib.get_close_matches(name, self._records, cutoff=0.4) or list(self._records)
            raise NamingError(f"No quantity is named {name!r}. Nearest: {', '.join(near) or 'there is none'}.")
        return self._records[name]

    @property
    def names(self) -> tuple[str, ...]:
        """All names."""
        return tuple(self._records)

    def __repr__(self) -> str:
        if not self._records:
            return "No named quantities."
        header = ("quantity", "shape", "dtype", "unit", "sites", "where")
        rows = [header, *(_cells(record) for record in self)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]])


def quantities(system: System, control: Any = None) -> Quantities:
    """Every named quantity that takes part in `system.step`: shape, dtype, unit, and where it is made.

    Found by tracing, nothing is computed. A system without a `model` that knows its number of controls `nu` needs
    an example `control`.
    """
    if not isinstance(system, System):
        raise NamingError(f"quantities({system!r:.60}): it is no system; write one, such as sp.Simulator(model).")
    state = eqx.filter_eval_shape(system.init)
    if control is None:
        control = jax.ShapeDtypeStruct((_count_controls(system),), state.v.dtype)
    sites: list[Site] = []

    def note(site: Site, value: Any, _: Scope) -> Any:
        sites.append(site)
        return value

    traced = trace(system.step, (state, control), {})
    jax.eval_shape(lambda *arrays: visit_jaxpr(traced.jaxpr, arrays, note)[0], *traced.arrays)
    groups = group_sites(dict.fromkeys(sites))  # a region may be traced twice: its sites count once
    return Quantities([_summarise(group) for group in groups.values()])


def _summarise(group: list[Site]) -> Quantity:
    first, mark = group[0], group[0].mark
    return Quantity(
        name=mark.name,
        shape=mark.whole_shape,
        dtype=first.dtype,
        unit=mark.unit,
        where=tuple(dict.fromkeys(site.where for site in group)),
        sites=len({site.mark.parts for site in group}),
        loops=first.loops,
    )


def _count_controls(system: System) -> int:
    nu = getattr(getattr(system, "model", None), "nu", None)
    if nu is None:
        raise NamingError(
            f"{type(system).__name__} has no model.nu to tell its number of controls: "
            "write quantities(system, control)."
        )
    return nu


def _cells(record: Quantity) -> tuple[str, ...]:
    shape = "×".join(map(str, record.shape)) or "scalar"
    loops = "".join(f" in a loop of {length}" for length in record.loops)
    first, *others = record.where
    where = _shorten(first) + (f" and {len(others)} more" if others else "")
    return record.name, shape + loops, str(record.dtype), record.unit, str(record.sites), where


def _shorten(where: str) -> str:
    """A path as seen from the working directory, if it lies below."""
    here = Path.cwd()
    return str(Path(where).relative_to(here)) if Path(where).is_relative_to(here) else where

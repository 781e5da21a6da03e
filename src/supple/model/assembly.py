"""Assembly: the sites of one name are one quantity."""

from collections.abc import Iterable, Sequence

import jax.numpy as jnp
import numpy as np
from jaxtyping import Shaped

from supple.model.errors import NamingError
from supple.model.scope import Record, Site
from supple.spatial.arrays import Array


def group_sites(sites: Iterable[Site]) -> dict[str, list[Site]]:
    """Sites by name, in order of appearance, each group checked to make up one whole quantity."""
    groups: dict[str, list[Site]] = {}
    for site in sites:
        groups.setdefault(site.mark.name, []).append(site)
    for name, group in groups.items():
        _check_group(name, group)
    return groups


def assemble_records(records: Sequence[Record]) -> dict[str, Shaped[Array, "..."]]:
    """One array per name, its rows put in their places."""
    by_key = {record.about.key: record for record in records}
    sites = group_sites(record.about.site for record in records)
    return {name: _join([by_key[site.mark.key] for site in group]) for name, group in sites.items()}


def _join(records: Sequence[Record]) -> Shaped[Array, "..."]:
    parts = [record.about.site.mark.parts for record in records]
    if None in parts:
        return records[0].value
    axis = len(records[0].about.loops)
    joined = jnp.concatenate([record.value for record in records], axis)
    rows = [row for part in parts if part is not None for row in part.rows]
    if rows == sorted(rows):
        return joined
    return jnp.take(joined, np.argsort(rows), axis, unique_indices=True, mode="clip")


def _check_group(name: str, group: Sequence[Site]) -> None:
    """The sites of a name agree in everything but their rows, and their rows make up the whole."""
    first = group[0]
    for site in group[1:]:
        if _kind(site) != _kind(first):
            raise NamingError(
                f"{name!r} is marked at {first.where} as {_describe(first)} and at {site.where} as {_describe(site)}: "
                "the sites of a name are rows of one quantity, in the same loops."
            )
    held = [row for parts in {site.mark.parts for site in group} if parts is not None for row in parts.rows]
    total = first.mark.whole_shape[0] if first.mark.parts is not None else 0
    missing, twice = sorted(set(range(total)) - set(held)), sorted({row for row in held if held.count(row) > 1})
    if missing or twice:
        fault = f"rows {missing} are marked nowhere" if missing else f"rows {twice} are marked by several sites"
        raise NamingError(f"{name!r}, marked at {first.where}, has {total} rows, but {fault}.")


def _kind(site: Site) -> tuple[object, ...]:
    return site.mark.whole_shape, site.mark.unit, site.mark.parts is None, site.dtype, site.loops


def _describe(site: Site) -> str:
    rows = "the whole" if site.mark.parts is None else "some rows"
    loop = f" in a loop of {site.loops}" if site.loops else ""
    return f"{rows} of {site.dtype}{list(site.mark.whole_shape)}{site.mark.in_unit}{loop}"

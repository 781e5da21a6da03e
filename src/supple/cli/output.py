"""What commands print: rich text for people, JSON for machines."""

import json
import math
from typing import Any

import numpy as np
import numpy.typing as npt
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table


def print_json(value: Any) -> None:
    """Print a value as JSON; arrays become lists, and what is not a finite number becomes null."""
    typer.echo(json.dumps(_plain(value), indent=2, allow_nan=False))


def console() -> Console:
    """Standard output, where names of robots are never read as markup; wide where it is not a terminal."""
    out = Console(highlight=False, markup=False, emoji=False)
    if not out.is_terminal:
        out.width = 240
    return out


def note(text: str) -> None:
    """Tell something on standard error that is no error."""
    typer.echo(f"supple: note: {text}", err=True)


def progress_bar(show: bool) -> Progress:
    """A bar on standard error, if that is a terminal."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not (show and console.is_terminal),
    )


def table(title: str, columns: list[str], rows: list[list[str]]) -> Table:
    """A plain table; columns whose every cell is a number are aligned to the right."""
    result = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")
    for i, column in enumerate(columns):
        numeric = all(_is_number(row[i]) for row in rows)
        result.add_column(column, justify="right" if numeric else "left", no_wrap=True)
    for row in rows:
        result.add_row(*row)
    return result


def number(value: float | np.ndarray) -> str:
    """A number in at most five significant digits."""
    return f"{float(value):.5g}"


def vector(values: npt.ArrayLike) -> str:
    """Numbers side by side."""
    return " ".join(number(value) for value in np.asarray(values))


def _is_number(cell: str) -> bool:
    return cell in {"", "–"} or cell.replace(".", "", 1).lstrip("-").replace("e-", "").replace("e+", "").isdigit()


def _plain(value: Any) -> Any:
    match value:
        case dict():
            return {key: _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case float() if not math.isfinite(value):
            return None
        case None | bool() | int() | float() | str():
            return value
        case _:
            return _plain(np.asarray(value).tolist())

"""A model in words: one line for `repr`, tables for `str`."""

import dataclasses
from typing import Any

import equinox as eqx
import jax
import numpy as np
from jax.core import Tracer

from supple.model.batch import batch_size
from supple.model.errors import ModelError
from supple.model.paths import leaves

_ROWS = 40  # of a table; more are counted
_WIDTH = 4  # numbers of a row that are shown


def summarize(model: Any) -> str:
    """A model's name and sizes in one line: `Model('arm': 8 bodies, 7 joints, 7 actuators; nq 7, nv 7, nu 7)`."""
    parts = ", ".join(f"{len(block.names)} {name}" for name, block in _blocks(model))
    parts += f", {len(model.sensors)} sensors" if model.sensors else ""
    sizes = ", ".join(f"{size} {getattr(model, size)}" for size in ("nq", "nv", "nu"))
    return f"{type(model).__name__}({model.name!r}: {parts}; {sizes}{_copies(model)})"


def tabulate(model: Any) -> str:
    """The line of `summarize`, a table of each block's parts and parameters, and the warnings.

    Columns are the block's fields; those that are zero, or off, for every part are left out.
    """
    lines = [summarize(model)]
    blocks = dict(_blocks(model))
    shown = {*blocks, "sensors"}
    others = {name: value for name, value in leaves(model).items() if name.partition(".")[0] not in shown}
    lines += [f"{name} = {_cell(value, 0)}" for name, value in others.items()]
    for name, block in blocks.items():
        lines += ["", f"{name}:", *_table(model, block)]
    if model.sensors:
        lines += ["", "sensors:", *(f"  {describe_sensor(sensor)}" for sensor in model.sensors)]
    lines += [f"warning: {warning}" for warning in model.warnings]
    return "\n".join(lines)


def describe_sensor(sensor: Any) -> str:
    """A sensor in one line: `gyro: Gyro, frame trunk; noise 0.01 0.01 0.01, delay 0.002`."""
    fields = {field.name: getattr(sensor, field.name) for field in dataclasses.fields(sensor)}
    static = [f"{name} {value}" for name, value in fields.items() if isinstance(value, str | int) and name != "name"]
    line = ", ".join([f"{sensor.name}: {type(sensor).__name__}", *static])
    numbers = [f"{name.rpartition('.')[2]} {_cell(value, 0)}" for name, value in leaves(sensor).items()]
    return f"{line}; {', '.join(numbers)}" if numbers else line


def _copies(model: Any) -> str:
    """How many robots a batch holds."""
    try:
        size = batch_size(model)
    except ModelError:
        return "; leaves of shapes that do not fit"
    return "" if size is None else f"; a batch of {size}"


def _blocks(model: Any) -> list[tuple[str, Any]]:
    """The parts of a model that have names: bodies, joints, …, if there are any."""
    fields = [(field.name, getattr(model, field.name)) for field in dataclasses.fields(model)]
    return [(name, value) for name, value in fields if isinstance(value, eqx.Module) and getattr(value, "names", ())]


def _table(model: Any, block: Any) -> list[str]:
    count = len(block.names)
    columns = {"name": list(block.names)}
    for field in dataclasses.fields(block):
        value = getattr(block, field.name)
        if field.name != "names" and _is_column(value, count) and not _is_void(value):
            columns[field.name] = [_entry(model, field.name, value, row) for row in range(min(count, _ROWS))]
    rows = [[column[row] for column in columns.values()] for row in range(min(count, _ROWS))]
    widths = [max(len(cell) for cell in (head, *cells[:_ROWS])) for head, cells in columns.items()]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (list(columns), *rows)
    ]
    more = [f"and {count - _ROWS} more"] if count > _ROWS else []
    return ["  " + line.rstrip() for line in (*lines, *more)]


def _is_column(value: Any, count: int) -> bool:
    if isinstance(value, tuple):
        return len(value) == count
    return isinstance(value, np.ndarray | jax.Array) and value.shape[:1] == (count,)


def _is_void(value: Any) -> bool:
    """Whether a column says nothing: all zero, all off, or no rotation."""
    if isinstance(value, tuple):
        return not any(value) if all(isinstance(item, bool) for item in value) else False
    if isinstance(value, Tracer):
        return False
    numbers = np.asarray(value)
    return not numbers.any() or (numbers.shape[1:] == (3, 3) and bool((numbers == np.eye(3)).all()))


def _entry(model: Any, field: str, value: Any, row: int) -> str:
    """A cell: indices of bodies and joints as names, enumerations by their value."""
    item = value[row]
    owners = {"parents": model.bodies, "bodies": model.bodies, "joints": model.joints}
    if field in owners and isinstance(item, int):
        return owners[field].names[item] if item >= 0 else "world"
    return str(getattr(item, "value", item)) if isinstance(value, tuple) else _cell(value, 1, row)


def _cell(value: Any, lead: int, row: int = 0) -> str:
    """The numbers of a leaf or of one of its rows, or its shape if they are many or not known yet."""
    if isinstance(value, Tracer):
        return f"{value.dtype}{list(value.shape[lead:])}"
    numbers = np.asarray(value)[row].ravel() if lead else np.asarray(value).ravel()
    if len(numbers) > _WIDTH * 2:
        return f"[{' '.join(f'{number:.4g}' for number in numbers[:_WIDTH])} … {len(numbers)} numbers]"
    return " ".join(f"{number:.4g}" for number in numbers)

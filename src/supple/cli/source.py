"""Where a command's robot comes from: a file, or a built-in robot by name."""

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from supple.cli.errors import UsageError

if TYPE_CHECKING:
    import supple.model.model

Base = Literal["fixed", "floating"]

RobotFile = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="A URDF or MJCF file.", exists=True, dir_okay=False)
]
RobotName = Annotated[str | None, typer.Option("--robot", help="A built-in robot instead of a file.", metavar="NAME")]
RobotBase = Annotated[
    Base | None,
    typer.Option("--base", help="How a file's robot stands in the world. [default: as the file says; URDF: fixed]"),
]
Strict = Annotated[
    bool | None,
    typer.Option(
        "--strict/--lenient", help="Whether what a file asks for and is not supported is an error or a warning."
    ),
]


def load_model(
    file: Path | None, robot: str | None, base: Base | None, strict: bool | None
) -> "supple.model.model.Model":
    """The model of a file or of a built-in robot, whichever is named."""
    if file is not None and robot is not None:
        raise UsageError(f"give either a file or --robot, not both ({file} and {robot})")
    if file is not None:
        from supple.describe.load import load

        return load(file, base=base) if strict is None else load(file, base=base, strict=strict)
    if base is not None or strict is not None:
        raise UsageError("--base, --strict and --lenient say how to read a file; built-in robots are ready made")
    if robot is None:
        raise UsageError("name a robot file, or a built-in robot with --robot NAME")
    return _build(robot)


def robot_names() -> list[str]:
    """The names of the built-in robots: the functions of `supple.robots` that return a model."""
    from supple.describe import robots
    from supple.model.model import Model

    functions = inspect.getmembers(robots, inspect.isfunction)
    return [
        name
        for name, function in functions
        if not name.startswith("_") and inspect.signature(function).return_annotation is Model
    ]


def _build(name: str) -> "supple.model.model.Model":
    from supple.describe import robots

    if name not in robot_names():
        raise UsageError(f"there is no built-in robot '{name}'; there are {', '.join(robot_names())}")
    return getattr(robots, name)()

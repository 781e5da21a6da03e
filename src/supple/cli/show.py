"""`supple show`: what a robot file says, as Supple reads it."""

from typing import Annotated

import typer

from supple.cli.output import print_json
from supple.cli.source import RobotBase, RobotFile, RobotName, Strict, load_model


def show(
    file: RobotFile = None,
    robot: RobotName = None,
    base: RobotBase = None,
    strict: Strict = None,
    check: Annotated[bool, typer.Option("--check", help="Fail on values that no physical robot can have.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the bodies, joints and actuators of a robot, and what was read with a warning."""
    model = load_model(file, robot, base, strict)
    from supple.cli.listing import describe_model, print_model

    if check:
        model.check()
    if as_json:
        print_json(describe_model(model))
    else:
        print_model(model)

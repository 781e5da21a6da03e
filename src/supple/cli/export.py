"""`supple export`: a function of a robot as code of this processor, and how the compiler got there."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from supple.cli.errors import UsageError
from supple.cli.output import console, print_json
from supple.cli.quantity import Quantity
from supple.cli.source import RobotBase, RobotFile, RobotName, Strict, load_model

SUFFIXES = (".ll", ".s", ".o")


def export(
    file: RobotFile = None,
    robot: RobotName = None,
    base: RobotBase = None,
    strict: Strict = None,
    quantity: Annotated[
        Quantity,
        typer.Option(help="Forward dynamics, inverse dynamics, the inertia matrix, or a step of 1 ms without contact."),
    ] = "aba",
    gradient: Annotated[bool, typer.Option("--gradient", help="Add the reverse gradient.")] = False,
    dtype: Annotated[Literal["float64", "float32"], typer.Option(help="The precision of all numbers.")] = "float64",
    explain: Annotated[bool, typer.Option("--explain", help="Print what each pass of the compiler left.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="Write LLVM's assembly (.ll), the processor's (.s) or object code (.o).", dir_okay=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compile a function of a robot for this processor: say how, or write the code, or both.

    The robot's parameters become part of the code, which computes one state.
    """
    if not (explain or out or as_json):
        raise UsageError("say what to do: --explain prints how the code is made, --out FILE.ll, .s or .o writes it")
    if out is not None and out.suffix not in SUFFIXES:
        raise UsageError(f"--out {out}: the name must end in .ll, .s or .o, which says what to write")
    model = load_model(file, robot, base, strict)

    from supple.cli.destination import check_folder, writing
    from supple.cli.explanation import explain as explain_quantity
    from supple.cli.explanation import print_explanation

    if out is not None:
        check_folder(out.parent)
    about, content = explain_quantity(model, quantity, gradient, dtype, out, show_progress=not as_json)
    if out is not None:
        with writing(out) as code:
            code.write(content)
    if as_json:
        print_json({**about, "file": None if out is None else str(out)})
        return
    if explain:
        print_explanation(about)
    if out is not None:
        console().print(f"wrote      {out}")
    for warning in about["warnings"]:
        console().print(f"warning: {warning}", style="yellow")

"""The command `supple`: one file per subcommand, and one place where errors become lines."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

import supple
from supple.cli.doctor import doctor
from supple.cli.errors import describe_error, exit_status
from supple.cli.export import export
from supple.cli.show import show
from supple.cli.simulate import simulate

app = typer.Typer(
    name="supple",
    help="Robot physics that bends to your data.",
    epilog="Example: supple simulate --out pendulum",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(epilog="Example: supple show robot.urdf --base floating")(show)
app.command(epilog="Example: supple simulate robot.urdf --duration 5 --out fall")(simulate)
app.command(epilog="Example: supple export robot.urdf --gradient --explain --out robot.s")(export)
app.command(epilog="Example: supple doctor --json")(doctor)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit status: 0 done, 1 failed, 2 wrong use."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in words  # understood before and after the subcommand
    words = [word for word in words if word != "--debug"]
    try:
        status = typer.main.get_command(app).main(args=words or ["--help"], prog_name="supple", standalone_mode=False)
    except Exception as error:
        if debug:
            raise
        sys.stderr.write(f"supple: error: {describe_error(error)}\n")
        return exit_status(error)
    if not words:
        return 2
    return status if isinstance(status, int) else 0


def _print_version(wanted: bool) -> bool:
    if wanted:
        typer.echo(f"supple {supple.__version__}")
        raise typer.Exit
    return wanted


@app.callback()
def _root(
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
    _debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """Options that stand before the subcommand; `main` has seen to `--debug`."""

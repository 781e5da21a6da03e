"""`supple simulate`: let a robot move under gravity, and keep and draw its motion."""

import math
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from supple.cli.errors import UsageError
from supple.cli.output import console, number, print_json
from supple.cli.source import RobotBase, RobotFile, RobotName, Strict, load_model

DEMO = "double_pendulum"
MOST_STEPS = 10_000_000  # every state is kept, in memory too
DEMO_START = "1.2,0.4"  # rad: high enough to tumble


def simulate(
    file: RobotFile = None,
    robot: RobotName = None,
    base: RobotBase = None,
    strict: Strict = None,
    duration: Annotated[float, typer.Option(help="Seconds to simulate.")] = 10.0,
    dt: Annotated[float, typer.Option(help="Seconds per step.")] = 1e-3,
    q: Annotated[str | None, typer.Option("--q", help="Start at these coordinates.", metavar="Q1,Q2,…")] = None,
    v: Annotated[str | None, typer.Option("--v", help="Start at these velocities.", metavar="V1,V2,…")] = None,
    seed: Annotated[int | None, typer.Option(help="Start at random joint positions.", min=0)] = None,
    out: Annotated[Path, typer.Option(help="Folder for motion.npz and motion.png.", file_okay=False)] = Path("motion"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Simulate a robot without contact or control, and save its motion and a figure of it.

    Without FILE and --robot, a built-in double pendulum falls from a raised position.
    """
    steps = _count_steps(duration, dt)
    if seed is not None and q is not None:
        raise UsageError("give either --q or --seed, not both: each says where the joints start")
    if file is None and robot is None:
        robot, q = DEMO, q if q is not None or seed is not None else DEMO_START
    model = load_model(file, robot, base, strict)

    import jax

    from supple.cli.destination import check_folder
    from supple.cli.motion import run, save
    from supple.cli.start import start_state

    check_folder(out)
    with jax.enable_x64(True):
        start = start_state(model, q, v, seed)
        began = time.perf_counter()
        motion = run(model, *start, steps, dt, show_progress=not as_json)
        elapsed = time.perf_counter() - began

    files = save(model, motion, out)
    about = {"robot": model.name, "joints": len(model.joints.names), "steps": steps, "dt": dt, "elapsed": elapsed}
    summary = {
        **about,
        **motion.summary(),
        "files": [str(file) for file in files],
        "warnings": list(model.warnings),
    }
    if as_json:
        print_json(summary)
    else:
        _print_summary(summary)


def _count_steps(duration: float, dt: float) -> int:
    for option, value in (("--duration", duration), ("--dt", dt)):
        if not (math.isfinite(value) and value > 0):
            raise UsageError(f"{option} must be a positive number of seconds, not {value:g}")
    if dt > duration:
        raise UsageError(f"--dt {dt:g} s is longer than --duration {duration:g} s")
    if duration / dt > MOST_STEPS:
        raise UsageError(
            f"--duration {duration:g} s asks for {duration / dt:.3g} steps; at most {MOST_STEPS:,} are kept"
        )
    return round(duration / dt)


def _print_summary(summary: dict[str, Any]) -> None:
    out, energy = console(), summary["energy"]
    out.print(f"robot   {summary['robot']}, {summary['joints']} joint{'' if summary['joints'] == 1 else 's'}")
    out.print(
        f"motion  {number(summary['duration'])} s in {summary['steps']:,} steps of {summary['dt']:g} s; "
        f"took {summary['elapsed']:.1f} s, compilation included"
    )
    out.print(
        f"energy  {number(energy['start'])} J at the start, {number(energy['end'])} J at the end; "
        f"at most {number(energy['largest_change'])} J away from the start"
    )
    for file in summary["files"]:
        out.print(f"wrote   {file}")
    for warning in summary["warnings"]:
        out.print(f"warning: {warning}", style="yellow")

"""Speed of forward dynamics, steps and gradients: ours and every peer's, in one run on one core of this machine.

    python benchmarks/dynamics.py --write

writes docs/benchmarks.md (without `--write`, prints it); `--json FILE` keeps every figure, in seconds. What peers need
stands in benchmarks/requirements.txt; one that is not installed says so in its column. The first run takes half an
hour, most of it gcc's, whose libraries are kept in the temporary folder; later ones take a few minutes. Run it while
nothing else does. `--quick` times the double pendulum only, a few times.

Each engine meets each robot in a process of its own, with limited time, which must agree with Supple's own results
before anything is timed. All processes are pinned to the same core, and XLA to one thread.
"""

import argparse
import importlib
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from case import Case, NotMeasured
from costs import COSTS
from dynamics_page import COLUMNS, COMPILED, PACKAGES, QUESTIONS, SLOW, page
from measured_robots import ROBOTS
from timing import Figure, measure

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
PATIENCE = 3600  # s for one engine and robot
REPETITIONS = 1000
COMPILATIONS = 3
ONE_THREAD = {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1", "OMP_NUM_THREADS": "1"}

# Of one figure: of which question, robot and column; a text instead says why there is none.
Key = tuple[str, str, str]
Table = dict[Key, Figure | str]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write, or, in a process started by this one, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--write", action="store_true", help=f"write docs/{PAGE.name} instead of printing")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write all figures to FILE, in seconds")
    parser.add_argument("--quick", action="store_true", help="the double pendulum only, a few repetitions")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)), help="the core to run on")
    parser.add_argument("--child", nargs=2, metavar=("COLUMN", "ROBOT"), help=argparse.SUPPRESS)
    parser.add_argument("--questions", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    os.sched_setaffinity(0, {options.core})
    if options.child:
        answer(*options.child, options.questions, 20 if options.quick else REPETITIONS)
        return
    table = ask_all(options.quick)
    if options.json:
        entries = [
            {"question": what, "robot": robot, "engine": column}
            | (asdict(found) if isinstance(found, Figure) else {"none": found})
            for (what, robot, column), found in table.items()
        ]
        options.json.write_text(json.dumps(entries, indent=1))
    text = page(table)
    if options.write:
        PAGE.write_text(text)
    else:
        print(text, end="")


def ask_all(is_quick: bool) -> Table:
    """Every figure of every engine."""
    table: Table = {}
    robots = list(ROBOTS)[:1] if is_quick else list(ROBOTS)
    questions = {what: q for what, q in QUESTIONS.items() if q.is_quick or not is_quick}
    for robot in robots:
        for column in (column for column in COLUMNS if not (is_quick and column in SLOW)):
            asked = [what for what, q in questions.items() if column in q.columns and not q.is_compilation]
            if asked:
                table |= ask(column, robot, asked, is_quick)
    if not is_quick:
        for robot in COMPILED:
            table |= ask_compilation(robot)
    return table


def ask(column: str, robot: str, questions: Sequence[str], is_quick: bool, cache: str | None = None) -> Table:
    """The figures of one engine for one robot, from a process of its own."""
    package = PACKAGES[column]
    if not installed(package):
        return {(what, robot, column): "not installed" for what in questions}
    print(f"{robot}: {column}", file=sys.stderr)
    command = [sys.executable, __file__, "--child", column, robot, "--questions", *questions]
    environment = {**os.environ, **ONE_THREAD} | ({"SUPPLE_CACHE": cache} if cache else {})
    try:
        done = subprocess.run(
            [*command, *(["--quick"] if is_quick else [])],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            env=environment,
        )
        output, silence = done.stdout, f"ended with {done.returncode}"
    except subprocess.TimeoutExpired as stopped:
        output, silence = (stopped.stdout or b"").decode(), f"over {PATIENCE} s"
    answers = dict(json.loads(line) for line in output.splitlines() if line.startswith("["))
    return {
        (what, robot, column): Figure(**found) if isinstance(found, dict) else found
        for what in questions
        for found in [answers.get(what, silence)]
    }


def ask_compilation(robot: str) -> Table:
    """Seconds to compile, from fresh processes with a fresh cache each, and from that cache."""
    runs: dict[str, list[float]] = {what: [] for what, q in QUESTIONS.items() if q.is_compilation}
    for _ in range(COMPILATIONS):
        with tempfile.TemporaryDirectory() as cache:
            for what, seconds in runs.items():
                (found,) = ask("Supple", robot, [what], is_quick=False, cache=cache).values()
                if isinstance(found, str):
                    return {(failed, robot, "Supple"): found for failed in runs}
                seconds.append(found.median)
    return {(what, robot, "Supple"): Figure.of(seconds) for what, seconds in runs.items()}


def answer(column: str, robot: str, questions: Sequence[str], repetitions: int) -> None:
    """Print a line of JSON per question: what it is, and seconds per state or why there are none."""
    case = Case(ROBOTS[robot]())
    case.prepare(questions)
    for what in questions:
        try:
            figure = COSTS[what](case, repetitions) if what in COSTS else timed(case, column, what, repetitions)
            found = asdict(figure)
        except NotMeasured as reason:
            found = str(reason)
        except Exception as error:  # noqa: BLE001  # a peer may fail in any way; the others are measured still
            found = f"failed: {type(error).__name__}: {' '.join(str(error).split())[:60]}"
        print(json.dumps([what, found]), flush=True)


def timed(case: Case, column: str, what: str, repetitions: int) -> Figure:
    """Seconds per state of an engine's task."""
    task = importlib.import_module(f"peers.{column.lower()}").TASKS[what](case)
    case.check(what, task)
    return measure(task.run, repetitions).per(task.states)


def installed(package: str) -> bool:
    """Whether a package can be imported."""
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:  # of the package that it is part of
        return False


if __name__ == "__main__":
    main()

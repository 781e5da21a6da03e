"""The page of `dynamics.py`: what is asked of whom, the goals, and one table of the answers."""

import importlib.metadata
import platform
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from timing import Figure

# Column → the package without which it cannot be measured.
PACKAGES = {
    "Supple": "supple",
    "CasADi": "casadi",
    "Pinocchio": "pinocchio",
    "MuJoCo": "mujoco",
    "XLA": "jax",
    "MJX": "mujoco.mjx",
    "Brax": "brax",
}
COLUMNS = tuple(PACKAGES)
SLOW = {"Pinocchio"}  # to build
DISTRIBUTIONS = ("supple", "jax", "llvmlite", "casadi", "pin", "mujoco", "mujoco-mjx", "brax")
COMPILED = {"laikago floating (18)": 4.0, "talos floating (38)": 12.0}  # s that compilation may take


@dataclass(frozen=True)
class Question:
    """What is asked, of whom, and the goals: as fast as a peer, times so much at least; or seconds, at most."""

    label: str
    columns: tuple[str, ...] = ("Supple",)
    factors: Mapping[str, float] = field(default_factory=dict)
    seconds: float | None = None
    is_quick: bool = False
    is_compilation: bool = False


QUESTIONS = {
    "forward": Question(
        "forward dynamics", ("Supple", "CasADi", "Pinocchio"), {"CasADi": 1 / 1.1, "Pinocchio": 4.0}, is_quick=True
    ),
    "step": Question("step", ("Supple", "MuJoCo"), {"MuJoCo": 2.5}, is_quick=True),
    "gradient": Question("gradient", ("Supple", "CasADi"), {"CasADi": 1 / 1.1}),
    "bound call": Question("bound call, without the function", seconds=3e-6, is_quick=True),
    "call": Question("call", seconds=15e-6, is_quick=True),
    "forward batch": Question("forward dynamics ×1024", ("Supple", "CasADi"), {"CasADi": 1 / 1.25}),
    "gradient batch": Question("gradient ×1024", ("Supple", "CasADi"), {"CasADi": 1 / 1.25}),
    "forward batch from Python": Question(
        "forward dynamics ×1024, from Python", ("Supple", "XLA", "MJX", "Brax"), {"MJX": 100.0, "Brax": 100.0}
    ),
    "move rows": Question("rows of states to lanes and back ×1024"),
    "compile": Question("compile the step's gradient", is_compilation=True),
    "compile from cache": Question("the same, cached", seconds=0.1, is_compilation=True),
}

TEXT = """# Speed

This page is the output of `python benchmarks/dynamics.py`.

One core of {machine}; {versions}.

Median time per state (the least in brackets) of up to 1000 repetitions of half a millisecond; × is how many times as
fast as the peer Supple is, by the medians. Every result was compared with Supple's before it was timed.

- *Forward dynamics* of (q, v, τ), the *gradient* of a weighted sum of accelerations with respect to them (reverse
  mode, with the accelerations), and a *step* of 1 ms without contact, limits and dry friction: one state, in double
  precision, called in a loop in machine code. CasADi is C generated from a careful articulated-body algorithm with the
  robot's numbers as constants (`benchmarks/casadi_dynamics.py`), compiled by `gcc -O3 -march=native`; Pinocchio is its
  C++ articulated-body algorithm compiled alike; MuJoCo is `mj_step` with contacts and constraints disabled.
- *×1024*: a batch of states in single precision, in one thread. CasADi is the same program with a state in each lane of
  a vector register, given the states in blocks of lanes; Supple takes and returns rows of states, and what turning
  those into lanes and back costs has a line of its own.
- *From Python*: the same as a user calls it, `fast.batch` against `jax.jit(jax.vmap(…))` of our own code (XLA), of MJX
  and of Brax.
- *Bound call*: what `bound()` costs beyond the native function; *call*: `fast(q, v, tau)`, all included.
- *Compile*: from a JAX function to machine code, tracing included, in a fresh process with an empty cache; *cached*:
  the same in another process, after tracing. The step has limits and friction here.

A goal in brackets is how many times as fast Supple shall be at least, or how long it may take at most.
"""

# Why a goal is missed, as far as found: by question and peer.
ROWS = (
    "mostly because Supple turns rows of states into lanes and back, which CasADi is spared; that has a line of its own"
)
CALL = "the call itself, of some ten microseconds in Python, takes longer than the states do"
REASONS: dict[tuple[str, str], str] = {
    ("forward batch", "CasADi"): ROWS,
    ("gradient batch", "CasADi"): ROWS,
    ("forward batch from Python", "MJX"): CALL,
    ("forward batch from Python", "Brax"): CALL,
}


def page(table: Mapping[tuple[str, str, str], Figure | str]) -> str:
    """Introduction, table, and the reasons for what is missed."""
    lines = [TEXT.format(machine=machine(), versions=versions())]
    lines.append(f"| what | robot | {' | '.join(COLUMNS)} | goals |")
    lines.append(f"|---|---|{'--:|' * len(COLUMNS)}---|")
    missed: list[tuple[str, str]] = []
    for what, robot in dict.fromkeys((what, robot) for what in QUESTIONS for w, robot, _ in table if w == what):
        row = {column: table[what, robot, column] for column in COLUMNS if (what, robot, column) in table}
        verdicts = judge(what, robot, row)
        missed += [(what, peer) for peer, verdict in verdicts.items() if verdict.endswith("MISSED")]
        cells = [cell(row, column) for column in COLUMNS]
        lines.append(f"| {QUESTIONS[what].label} | {robot} | {' | '.join(cells)} | {'; '.join(verdicts.values())} |")
    for what, peer in dict.fromkeys(missed):
        reason = REASONS.get((what, peer), "reason not found yet")
        lines.append(f"\nMissed, {QUESTIONS[what].label} against {peer}: {reason}.")
    return "\n".join(lines) + "\n"


def judge(what: str, robot: str, row: Mapping[str, Figure | str]) -> dict[str, str]:
    """For each goal, by peer, what was reached, and whether that is enough."""
    ours, question = row["Supple"], QUESTIONS[what]
    if isinstance(ours, str):
        return {}
    verdicts = {}
    for peer, least in question.factors.items():
        theirs = row.get(peer)
        if isinstance(theirs, Figure):
            ratio = theirs.median / ours.median
            verdicts[peer] = f"{peer} {ratio:.2f} ({least:.2f}): {'met' if ratio >= least else 'MISSED'}"
    most = COMPILED[robot] if what == "compile" else question.seconds
    if most is not None:
        verdicts["the limit"] = f"({duration(most)}): {'met' if ours.median <= most else 'MISSED'}"
    return verdicts


def cell(row: Mapping[str, Figure | str], column: str) -> str:
    """A time, and how many times as fast ours is; or why there is none."""
    found, ours = row.get(column, ""), row["Supple"]
    if isinstance(found, str):
        return found
    text = f"{duration(found.median)} ({duration(found.minimum)})"
    if column == "Supple" or isinstance(ours, str):
        return text
    return f"{text} {found.median / ours.median:.2f}×"


def duration(seconds: float) -> str:
    """Three digits, in the largest unit that leaves one before the point."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if abs(seconds) >= 0.9995 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def versions() -> str:
    """Of what is installed."""
    found = []
    for name in DISTRIBUTIONS:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join([f"Python {platform.python_version()}", *found])


def machine() -> str:
    """The processor's name."""
    about = Path("/proc/cpuinfo")
    lines = about.read_text().splitlines() if about.exists() else []
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())

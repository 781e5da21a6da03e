"""A function of a robot on its way to machine code, and what each stage made of it."""

import itertools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jax
import numpy as np
from rich.table import Table

from supple.cli.output import console, progress_bar, table
from supple.cli.quantity import Quantity, function_of, with_gradient
from supple.model.model import Model
from supple.native.lower import lower_trace, trace
from supple.native.machine.module import write_single
from supple.native.machine.target import Target, host
from supple.native.passes import MACHINE_PASSES
from supple.native.program import Program
from supple.native.signature import Leaf, signature

# What a file of each kind holds, from the text in LLVM's assembly language.
FORMATS: dict[str, Callable[[Target, str], bytes]] = {
    ".ll": lambda _, text: text.encode(),
    ".s": lambda target, text: target.assembly(text).encode(),
    ".o": lambda target, text: target.object_code(text),
}


CALL = "one(inputs, outputs, workspace): addresses of two tables of addresses, of the arrays above, and of memory"


class Stages:
    """Wall-clock seconds of each stage, and a bar that tells which one runs."""

    def __init__(self, count: int, show_progress: bool) -> None:
        self.seconds: dict[str, float] = {}
        self.bar = progress_bar(show_progress)
        self._task = self.bar.add_task("", total=count)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure what happens in a block."""
        self.bar.update(self._task, description=name)
        begun = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - begun
        self.bar.advance(self._task)


def explain(
    model: Model, quantity: Quantity, gradient: bool, dtype: str, out: Path | None, show_progress: bool
) -> tuple[dict[str, Any], bytes]:
    """What every stage made of a quantity, as plain values; and the content of the file `out`, if there is one."""
    stages = Stages(3 if out is None else 4, show_progress)
    content = b""
    with stages.bar, jax.enable_x64(dtype == "float64"):
        with stages.stage("trace"):
            call = function_of(model, quantity)
            fn, arguments = with_gradient(*call) if gradient else call
            traced = trace(fn, *arguments, dtype=np.dtype(dtype))
        with stages.stage("lower"):
            program = lower_trace(traced, MACHINE_PASSES)
        with stages.stage("chunks"):
            text, body = write_single(program, host())
        if out is not None:
            with stages.stage("code"):
                content = FORMATS[out.suffix](host(), text)
    leaves = signature(traced)
    about = {
        "robot": model.name,
        "quantity": quantity,
        "gradient": gradient,
        "dtype": dtype,
        "inputs": [_describe_leaf(leaf) for leaf in leaves.inputs],
        "outputs": [_describe_leaf(leaf) for leaf in leaves.outputs],
        "passes": _passes(program),
        "operations": program.arithmetic,
        "kinds": program.stats,
        "chunks": body.chunks,
        "workspace_bytes": body.places.frame.size,
        "seconds": stages.seconds,
        "warnings": list(model.warnings),
    }
    return about, content


def _describe_leaf(leaf: Leaf) -> dict[str, Any]:
    return {"name": leaf.name, "shape": leaf.shape, "dtype": leaf.dtype.name}


def _passes(program: Program) -> list[dict[str, Any]]:
    """Each pass with the operations that it left, and how many fewer those are than before it."""
    left = [operations for _, operations in program.history]
    saved = [None, *(before - after for before, after in itertools.pairwise(left))]
    return [
        {"name": name, "operations": operations, "saved": fewer}
        for (name, operations), fewer in zip(program.history, saved, strict=True)
    ]


def print_explanation(about: dict[str, Any]) -> None:
    """Print what passes left, of what kind it is, and what the functions take."""
    out, of = console(), "value and reverse gradient" if about["gradient"] else "value"
    out.print(f"{about['robot']}: {about['quantity']}, {of}, {about['dtype']}", style="bold")
    for part in (_pass_table(about["passes"]), _kind_table(about["kinds"]), _leaf_table(about)):
        out.print()
        out.print(part)
    seconds = ", ".join(f"{name} {seconds:.2f}" for name, seconds in about["seconds"].items())
    out.print()
    out.print(f"call       {CALL}")
    out.print(f"chunks     {about['chunks']:,}")
    out.print(f"workspace  {about['workspace_bytes']:,} bytes")
    out.print(f"seconds    {seconds}")


def _pass_table(passes: list[dict[str, Any]]) -> Table:
    rows = [
        [entry["name"], str(entry["operations"]), "–" if entry["saved"] is None else str(entry["saved"])]
        for entry in passes
    ]
    return table("passes", ["name", "operations left", "saved"], rows)


def _kind_table(kinds: dict[str, int]) -> Table:
    return table("operations", ["kind", "count"], [[kind, str(count)] for kind, count in kinds.items()])


def _leaf_table(about: dict[str, Any]) -> Table:
    rows = [
        [side.rstrip("s"), leaf["name"], "×".join(map(str, leaf["shape"])) or "–", leaf["dtype"]]
        for side in ("inputs", "outputs")
        for leaf in about[side]
    ]
    return table("arrays", ["", "name", "shape", "type"], rows)

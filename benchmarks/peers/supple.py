"""Ours: functions compiled by `supple.compile`."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from case import FORWARD, GRADIENT, Case, Task, forward, gradient, gradient_rows, rows, state_rows
from timing import NativeLoop, python_loop

import supple as sp
from supple.native.workspace import Frame, Table

Rows = Callable[[Any], np.ndarray]


def single(fn: Callable[..., Any], arguments: Sequence[Any], to_rows: Rows) -> Task:
    """The native function of one state."""
    fast = sp.compile(fn, *arguments)
    bound = fast.bind(*arguments)
    inputs, outputs, frame = Table(bound.inputs), Table(bound.outputs), Frame(fast.stats.workspace_bytes)
    addresses = inputs.address, outputs.address, frame.address
    run = NativeLoop(fast.source.load(None).native.address, addresses, fast, inputs, outputs, frame)
    return Task(run, lambda: to_rows(bound.result)[None])


def batch(fn: Callable[..., Any], arrays: Sequence[np.ndarray], to_rows: Rows) -> Task:
    """The native function of a batch, one state after another in memory."""
    fast, states = sp.compile(fn, *(array[0] for array in arrays)), len(arrays[0])
    loaded = fast.source.load((True,) * len(arrays))
    results = [leaf.empty(states) for leaf in fast.signature.outputs]
    inputs, outputs, frame = Table(arrays), Table(results), Frame(loaded.image.frame_bytes)
    addresses = inputs.address, outputs.address, frame.address, 0, states
    run = NativeLoop(loaded.native.address, addresses, fast, inputs, outputs, frame)
    result = fast.signature.result(results)
    return Task(run, lambda: to_rows(result), "float32", states)


def python_batch(fn: Callable[..., Any], arrays: Sequence[np.ndarray]) -> Task:
    """`fast.batch` as users call it."""
    fast = sp.compile(fn, *(array[0] for array in arrays))

    def call() -> np.ndarray:
        return fast.batch(*arrays, threads=1)

    return Task(python_loop(call), call, "float32", len(arrays[0]))


TASKS: dict[str, Callable[[Case], Task]] = {
    "forward": lambda case: single(forward(case.model), case.one(FORWARD), rows),
    "step": lambda case: single(case.system.step, (case.state(), case.control[0].copy()), state_rows),
    "gradient": lambda case: single(gradient(case.model), case.one(GRADIENT), gradient_rows),
    "forward batch": lambda case: batch(forward(case.model), case.all(FORWARD), rows),
    "gradient batch": lambda case: batch(gradient(case.model), case.all(GRADIENT), gradient_rows),
    "forward batch from Python": lambda case: python_batch(forward(case.model), case.all(FORWARD)),
}

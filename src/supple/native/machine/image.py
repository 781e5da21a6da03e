"""Machine code with what must be known to call it: the form in which programs are cached and pickled."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.native.graph import FLOATS
from supple.native.machine.batch import write_batch
from supple.native.machine.module import write_single
from supple.native.machine.target import Target
from supple.native.program import Program


@dataclass(frozen=True)
class Image:
    """Object code of `one` or `many`; `frame_bytes` is the memory that it works in, `lanes` the states at a time."""

    symbol: str
    code: bytes
    lanes: int
    frame_bytes: int
    chunks: int
    operations: int


def compile_single(program: Program, target: Target) -> Image:
    """The code for one state."""
    text, body = write_single(program, target)
    code = target.object_code(text)
    return Image("one", code, 1, body.places.frame.size, body.chunks, program.arithmetic)


def compile_batch(program: Program, target: Target, is_batched: Sequence[bool]) -> Image:
    """The code for a batch of states."""
    lanes = batch_lanes(program, target)
    text, body = write_batch(program, target, lanes, is_batched)
    code = target.object_code(text)
    return Image("many", code, lanes, body.places.frame.size, body.chunks, program.arithmetic)


def batch_lanes(program: Program, target: Target) -> int:
    """As many states as a register holds of the program's widest floating type; of 64 bits if it has none."""
    widest = max((np.dtype(name) for name in set(program.graph.dtype) & FLOATS), key=lambda d: d.itemsize, default=None)
    return target.lanes(widest or np.dtype(np.float64))

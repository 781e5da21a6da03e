"""Seconds per call of native functions and of Python ones: the median and the least of many short repetitions."""

import ctypes
import functools
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from llvmlite import binding as llvm

from supple.native.machine.target import host, target_machine

REPETITION = 5e-4  # s: long against the clock's tick, short against what else runs on the machine
LIMIT = 5.0  # s for all repetitions of one figure
FEWEST = 5  # repetitions, however long they take

# Five arguments are enough for every engine; on x86-64 and aarch64 a function overlooks those beyond its own.
ARGUMENTS = 5


@dataclass(frozen=True)
class Figure:
    """Seconds."""

    median: float
    minimum: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Figure":
        """That of repetitions."""
        return cls(statistics.median(seconds), min(seconds))

    def per(self, count: int) -> "Figure":
        """Of one of so many."""
        return Figure(self.median / count, self.minimum / count)


def measure(run: Callable[[int], None], repetitions: int) -> Figure:
    """Seconds per call of what `run(count)` calls `count` times."""
    run(1)
    run(1)
    count = 1
    while (seconds := elapsed(run, count)) < REPETITION and count < 10**6:
        count = max(2 * count, int(count * 0.9 * REPETITION / max(seconds, 1e-7)))
    times, begun = [], time.perf_counter()
    while len(times) < FEWEST or (len(times) < repetitions and time.perf_counter() - begun < LIMIT):
        times.append(elapsed(run, count) / count)
    return Figure.of(times)


def elapsed(run: Callable[[int], None], count: int) -> float:
    """Seconds of so many calls."""
    begun = time.perf_counter()
    run(count)
    return time.perf_counter() - begun


class NativeLoop:
    """Calls the function at an address so many times, without Python in between.

    `memory` is what the function reads and writes, and the function itself: it lives as long as the loop.
    """

    def __init__(self, function: int, arguments: Sequence[int], *memory: object) -> None:
        padded = [*arguments, *[0] * (ARGUMENTS - len(arguments))]
        self._call = functools.partial(_loop().call, function, *padded)
        self._memory = memory

    def __call__(self, count: int) -> None:
        """Call so many times."""
        self._call(count)


def python_loop(function: Callable[[], object]) -> Callable[[int], None]:
    """Calls a Python function so many times."""

    def run(count: int) -> None:
        for _ in range(count):
            function()

    return run


class Loop:
    """A loop in machine code that calls a function with five arguments of the size of a pointer."""

    def __init__(self) -> None:
        given = ", ".join(f"i64 %a{k}" for k in range(ARGUMENTS))
        text = f"""
target triple = "{host().triple}"
define void @loop(ptr %function, {given}, i64 %count) {{
entry:
  br label %again
again:
  %k = phi i64 [ 0, %entry ], [ %next, %again ]
  call void %function({given})
  %next = add i64 %k, 1
  %is_done = icmp eq i64 %next, %count
  br i1 %is_done, label %end, label %again
end:
  ret void
}}"""
        linker = llvm.create_lljit_compiler(target_machine(host()), use_jit_link=True)
        self._library = llvm.JITLibraryBuilder().add_ir(text).export_symbol("loop").link(linker, "loop")
        signature = ctypes.CFUNCTYPE(None, ctypes.c_void_p, *[ctypes.c_int64] * ARGUMENTS, ctypes.c_int64)
        self.call: Callable[..., None] = signature(self._library["loop"])


@functools.cache
def _loop() -> Loop:
    return Loop()

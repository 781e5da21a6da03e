"""XLA: `jax.jit(jax.vmap)` of our own forward dynamics, in one thread."""

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from case import FORWARD, Case, Task, forward
from timing import python_loop

CHECKED = 4  # states


def batch(case: Case, build: Callable[[], Callable[..., jax.Array]]) -> Task:
    """What `build` makes, jitted over a batch in single precision and called from Python.

    It is checked in double precision: how much of a result single precision spares is not a question of speed.
    """
    with jax.enable_x64(True):
        few = [getattr(case, name)[:CHECKED] for name in FORWARD]
        exact = np.asarray(jax.jit(jax.vmap(build()))(*few))
    fast, arrays = jax.jit(jax.vmap(build())), [jax.device_put(array) for array in case.all(FORWARD)]

    def call() -> Any:
        return jax.block_until_ready(fast(*arrays))

    return Task(python_loop(call), lambda: exact, states=len(arrays[0]))


TASKS: dict[str, Callable[[Case], Task]] = {
    "forward batch from Python": lambda case: batch(case, lambda: forward(case.model)),
}

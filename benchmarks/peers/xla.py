"""XLA: `jax.jit(jax.vmap)` of our own forward dynamics, in one thread."""

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from case import FORWARD, Case, Task, forward, rows
from timing import python_loop


def batch(fn: Callable[..., Any], arrays: Sequence[np.ndarray]) -> Task:
    """A jitted function over a batch, called from Python."""
    fast, on_device = jax.jit(jax.vmap(fn)), [jax.device_put(array) for array in arrays]

    def call() -> Any:
        return jax.block_until_ready(fast(*on_device))

    return Task(python_loop(call), lambda: rows(call()), "float32", len(arrays[0]))


TASKS: dict[str, Callable[[Case], Task]] = {
    "forward batch from Python": lambda case: batch(forward(case.model), case.all(FORWARD)),
}

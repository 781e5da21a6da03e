"""What a compiled step costs inside `jax.jit`, over the bound call: a table in µs, on one core, in float64.

    python benchmarks/in_jax.py

`bound` is a call from Python of the step bound to its arrays; `in a loop` is one of a thousand steps of a loop inside
`jax.jit`; `over bound` is their difference, negative where XLA calls faster than Python does. `XLA's own` is the same
loop of the step as JAX has it. `by itself` is a call from Python of `jax.jit` of one compiled step, and `of nothing`
one of a function that returns its arguments plus one: most of the former is JAX's.
"""

import os
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from measured_robots import ROBOTS
from timing import measure, python_loop

import supple as sp

STEPS = 1000
REPETITIONS = 200
COLUMNS = ("bound", "in a loop", "over bound", "XLA's own", "by itself", "of nothing")


def main() -> None:
    """Print the table."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(f"| robot | {' | '.join(COLUMNS)} |\n|---|{'---:|' * len(COLUMNS)}")
    for name in list(ROBOTS)[:4]:
        figures = " | ".join(f"{microseconds:.2f}" for microseconds in times(ROBOTS[name]()))
        print(f"| {name} | {figures} |", flush=True)


def times(model: sp.Model) -> tuple[float, ...]:
    """The columns of a robot."""
    system = sp.Simulator(model, contact=None, dt=1e-4)
    start = jax.tree.map(np.array, system.init())
    control = np.zeros(model.nu)
    fast = sp.compile(system.step, start, control)
    bound = median(fast.bind(start, control))
    state = jax.tree.map(jnp.asarray, start)

    def in_a_loop(step: Callable) -> float:
        many = jax.jit(lambda state: lax.fori_loop(0, STEPS, lambda _, state: step(state, control), state))
        return median(lambda: jax.block_until_ready(many(state))) / STEPS

    def by_itself(function: Callable) -> float:
        one = jax.jit(function)
        return median(lambda: jax.block_until_ready(one(state)))

    ours = in_a_loop(fast.in_jax)
    alone = by_itself(lambda state: fast.in_jax(state, control))
    nothing = by_itself(lambda state: jax.tree.map(lambda x: x + 1, state))
    return bound, ours, ours - bound, in_a_loop(system.step), alone, nothing


def median(function: Callable[[], object]) -> float:
    """Microseconds of a call."""
    return 1e6 * measure(python_loop(function), REPETITIONS).median


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    main()

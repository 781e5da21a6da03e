"""What only Supple is asked: the price of a call from Python, of rows of states, and seconds to compile."""

import time
from collections.abc import Callable

import jax
import jax.numpy as jnp
from case import DT, FORWARD, Case, forward, rows
from peers.supple import TASKS, batch
from timing import Figure, measure, python_loop

import supple as sp


def bound_call(case: Case, repetitions: int) -> Figure:
    """`bound()` less the native function that it calls."""
    arguments = case.one(FORWARD)
    bound = sp.compile(forward(case.model), *arguments).bind(*arguments)
    native = measure(TASKS["forward"](case).run, repetitions)
    called = measure(python_loop(bound), repetitions)
    return Figure(called.median - native.median, called.minimum - native.minimum)


def call(case: Case, repetitions: int) -> Figure:
    """`fast(q, v, tau)`, the native function included."""
    arguments = case.one(FORWARD)
    fast = sp.compile(forward(case.model), *arguments)
    return measure(python_loop(lambda: fast(*arguments)), repetitions)


def move_rows(case: Case, repetitions: int) -> Figure:
    """Of a batched function of (q, v, τ), the part that is no arithmetic: from rows of states to lanes, and back."""
    task = batch(lambda q, v, tau: tau + jnp.sum(q) * v, case.all(FORWARD), rows)
    return measure(task.run, repetitions).per(task.states)


def compile_step_gradient(case: Case, _repetitions: int) -> Figure:
    """Seconds for the reverse gradient of a whole step, limits and friction included.

    With an empty cache, all of them, tracing included; where the cache has the program, those after tracing.
    """
    system = sp.Simulator(case.model, contact=None, dt=DT)

    def end_sum(state: sp.State, control: jax.Array) -> jax.Array:
        after = system.step(state, control)
        return jnp.sum(after.q) + jnp.sum(after.v)

    compile_it, arguments = sp.compile, (case.state(), case.control[0])  # imports are not compilation
    begun = time.perf_counter()
    fast = compile_it(jax.grad(end_sum, argnums=(0, 1)), *arguments)
    seconds = time.perf_counter() - begun
    return Figure.of([seconds - fast.stats.trace_seconds if fast.stats.cache_hit else seconds])


COSTS: dict[str, Callable[[Case, int], Figure]] = {
    "bound call": bound_call,
    "call": call,
    "move rows": move_rows,
    "compile": compile_step_gradient,
    "compile from cache": compile_step_gradient,
}

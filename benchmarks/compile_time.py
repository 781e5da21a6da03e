"""Print docs/compile_time.md: seconds that XLA takes to compile a robot's functions, and MJX for the same robot.

python benchmarks/compile_time.py > docs/compile_time.md
"""

import statistics
import time
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import mujoco
from measured_robots import floating

import supple as sp

REPEATS = 3
ROBOTS: dict[str, tuple[Callable[[], sp.Model], tuple[float, float]]] = {
    "a1 floating (18)": (floating("a1_description/urdf/a1.urdf"), (2.0, 5.0)),
    "talos floating (38)": (floating("talos_data/robots/talos_reduced.urdf"), (4.0, 12.0)),
    "200-link chain": (lambda: sp.robots.pendulum(links=200, length=0.1, mass=0.1), (15.0, 15.0)),
}
INTRODUCTION = """# Compile times

This page is the output of `python benchmarks/compile_time.py`.

Seconds from a first call of `jax.jit` to its result (trace, lower and compile), float64, median of {repeats}; the goal
in brackets. `aba` is forward dynamics, `step` one step without contact, `gradient` the reverse gradient of a step with
respect to state and control. MJX runs one step of the same robot with constraints disabled, float64, where it loads it.

| robot | aba | step | gradient | MJX step | MJX gradient |
|---|--:|--:|--:|--:|--:|"""


def main() -> None:
    """Print the page."""
    print(INTRODUCTION.format(repeats=REPEATS))
    for name, (build, (goal, gradient_goal)) in ROBOTS.items():
        model = build()
        system = sp.Simulator(model)
        q, v, control = jnp.asarray(model.home), jnp.zeros(model.nv), jnp.zeros(model.nu)
        gradient = jax.grad(end_sum, argnums=(1, 2, 3))
        ours = [
            seconds(sp.dynamics.aba, model, q, v, v),
            seconds(lambda system, q, v, u: system.step(system.init(q, v), u), system, q, v, control),
            seconds(gradient, system, q, v, control),
        ]
        goals = [goal, goal if "chain" not in name else gradient_goal, gradient_goal]
        cells = [f"{measured:.1f} ({limit:.0f})" for measured, limit in zip(ours, goals, strict=True)]
        print(f"| {' | '.join([name, *cells, *peer(model)])} |", flush=True)


def end_sum(system: sp.Simulator, q: jax.Array, v: jax.Array, control: jax.Array) -> jax.Array:
    """A scalar of the state after one step."""
    state = system.step(system.init(q, v), control)
    return jnp.sum(state.q) + jnp.sum(state.v)


def peer(model: sp.Model) -> list[str]:
    """MJX's seconds for a step and its gradient, or why there are none."""
    from mujoco import mjx

    try:
        source = model.to_mujoco()
        source.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
        robot = mjx.put_model(source)
        data = mjx.make_data(robot)
        step = seconds(mjx.step, robot, data)
    except (NotImplementedError, TypeError, ValueError, AttributeError, IndexError) as error:
        return [f"refused: {type(error).__name__}", ""]

    def loss(q: jax.Array) -> jax.Array:
        after = mjx.step(robot, data.replace(qpos=q))
        return jnp.sum(after.qpos) + jnp.sum(after.qvel)

    return [f"{step:.1f}", f"{seconds(jax.grad(loss), data.qpos):.1f}"]


def seconds(function: Callable[..., Any], *arguments: Any) -> float:
    """Median time of a first call."""
    times = []
    for _ in range(REPEATS):
        jax.clear_caches()
        start = time.perf_counter()
        fresh = eqx.filter_jit(function)
        jax.block_until_ready(fresh(*arguments))
        times.append(time.perf_counter() - start)
    return statistics.median(times)


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    main()

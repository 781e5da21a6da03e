"""Print docs/compile_time.md: seconds that XLA takes to compile a robot's functions, and MJX for the same robot.

python benchmarks/compile_time.py > docs/compile_time.md

Every figure comes from a process of its own (`python benchmarks/compile_time.py ROBOT FUNCTION`), whose memory and time
are limited: a peer that needs more than the machine has must not take this script with it.
"""

import resource
import statistics
import subprocess
import sys
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
MEMORY = 14  # GiB
PATIENCE = 600  # s
ROBOTS: dict[str, tuple[Callable[[], sp.Model], tuple[int, int, int]]] = {
    "a1 floating (18)": (floating("a1_description/urdf/a1.urdf"), (2, 2, 5)),
    "talos floating (38)": (floating("talos_data/robots/talos_reduced.urdf"), (4, 4, 12)),
    "200-link chain": (lambda: sp.robots.pendulum(links=200, length=0.1, mass=0.1), (15, 15, 15)),
}
INTRODUCTION = f"""# Compile times

This page is the output of `python benchmarks/compile_time.py`.

Seconds from a first call of `jax.jit` to its result (trace, lower and compile), float64, median of {REPEATS}; the goal
in brackets. `aba` is forward dynamics, `step` one step without contact, `gradient` the reverse gradient of a step with
respect to state and control. MJX runs one step of the same robot with constraints disabled, float64, where it loads it;
each figure may take {PATIENCE} s and {MEMORY} GiB of memory.

| robot | aba | step | gradient | MJX step | MJX gradient |
|---|--:|--:|--:|--:|--:|"""


def main() -> None:
    """Print the page."""
    print(INTRODUCTION)
    for robot, (_, goals) in ROBOTS.items():
        ours = [f"{measured(robot, name)} ({goal})" for name, goal in zip(OURS, goals, strict=True)]
        print(f"| {' | '.join([robot, *ours, *(measured(robot, name) for name in PEERS)])} |", flush=True)


def measured(robot: str, function: str) -> str:
    """What a fresh process prints, or why it prints nothing."""
    command = [sys.executable, __file__, robot, function]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return f"over {PATIENCE} s"
    return done.stdout.strip() if done.returncode == 0 else "out of memory"


def measure(robot: str, function: str) -> None:
    """Print one figure."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY << 30, MEMORY << 30))
    jax.config.update("jax_enable_x64", True)
    try:
        print(f"{(OURS | PEERS)[function](ROBOTS[robot][0]()):.1f}")
    except (NotImplementedError, TypeError, ValueError, AttributeError, IndexError) as error:
        print(f"refused: {type(error).__name__}")


def aba(model: sp.Model) -> float:
    zero = jnp.zeros(model.nv)
    return seconds(sp.dynamics.aba, model, jnp.asarray(model.home), zero, zero)


def step(model: sp.Model) -> float:
    system = sp.Simulator(model)
    return seconds(lambda system, state, u: system.step(state, u), system, system.init(), jnp.zeros(model.nu))


def gradient(model: sp.Model) -> float:
    def end_sum(q: jax.Array, v: jax.Array, control: jax.Array, system: sp.Simulator) -> jax.Array:
        state = system.step(system.init(q, v), control)
        return jnp.sum(state.q) + jnp.sum(state.v)

    inputs = jnp.asarray(model.home), jnp.zeros(model.nv), jnp.zeros(model.nu)
    return seconds(jax.grad(end_sum, argnums=(0, 1, 2)), *inputs, sp.Simulator(model))


def peer_step(model: sp.Model) -> float:
    from mujoco import mjx

    return seconds(mjx.step, *peer_robot(model))


def peer_gradient(model: sp.Model) -> float:
    from mujoco import mjx

    robot, data = peer_robot(model)

    def end_sum(q: jax.Array, v: jax.Array, control: jax.Array) -> jax.Array:
        after = mjx.step(robot, data.replace(qpos=q, qvel=v, ctrl=control))
        return jnp.sum(after.qpos) + jnp.sum(after.qvel)

    return seconds(jax.grad(end_sum, argnums=(0, 1, 2)), data.qpos, data.qvel, data.ctrl)


def peer_robot(model: sp.Model) -> tuple[Any, Any]:
    """MJX's model and data of the same robot."""
    from mujoco import mjx

    source = model.to_mujoco()
    source.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
    robot = mjx.put_model(source)
    return robot, mjx.make_data(robot)


def seconds(function: Callable[..., Any], *arguments: Any) -> float:
    """Median time of a first call."""
    times = []
    for _ in range(REPEATS):
        jax.clear_caches()
        start = time.perf_counter()
        jax.block_until_ready(eqx.filter_jit(function)(*arguments))
        times.append(time.perf_counter() - start)
    return statistics.median(times)


OURS = {"aba": aba, "step": step, "gradient": gradient}
PEERS = {"MJX step": peer_step, "MJX gradient": peer_gradient}

if __name__ == "__main__":
    measure(*sys.argv[1:]) if len(sys.argv) > 1 else main()

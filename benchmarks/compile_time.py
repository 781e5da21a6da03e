"""Print docs/compile_time.md: seconds that XLA takes to compile a robot's functions, and MJX for the same robot.

python benchmarks/compile_time.py > docs/compile_time.md

MJX is optional (`pip install -r benchmarks/requirements.txt`): without it, its columns say "not installed".

Every figure comes from a process of its own (`python benchmarks/compile_time.py ROBOT FUNCTION`), whose memory and time
are limited: a peer that needs more than the machine has must not take this script with it.
"""

import importlib.util
import os
import platform
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
EXHAUSTED = ("RESOURCE_EXHAUSTED", "MemoryError", "bad_alloc", "Out of memory", "Cannot allocate memory")
ROBOTS: dict[str, Callable[[], sp.Model]] = {
    "a1 floating (18)": floating("a1_description/urdf/a1.urdf"),
    "talos floating (38)": floating("talos_data/robots/talos_reduced.urdf"),
    "200-link chain": lambda: sp.robots.pendulum(links=200, length=0.1, mass=0.1),
}
GOALS = {
    ("a1 floating (18)", "aba"): 2,
    ("a1 floating (18)", "gradient"): 5,
    ("talos floating (38)", "aba"): 4,
    ("talos floating (38)", "gradient"): 12,
    ("200-link chain", "step"): 15,
    ("200-link chain", "gradient"): 15,
}
INTRODUCTION = f"""# Compile times

This page is the output of `python benchmarks/compile_time.py`.

Seconds from a first call of `jax.jit` to its result (trace, lower, compile and run once), float64, median of {REPEATS};
the goal, where there is one, in brackets. `aba` is forward dynamics, `step` one step without contact, `gradient` the
reverse gradient of a step with respect to state and control; the model's parameters are arguments of all three. MJX
steps the same robot with constraints disabled, float64, where it loads it. Each figure may take {PATIENCE} s and
{MEMORY} GiB of memory.
"""


def main() -> None:
    """Print the page."""
    print(INTRODUCTION)
    print(f"Measured with JAX {jax.__version__} on {os.cpu_count()} cores ({platform.machine()}).\n")
    print(f"| robot | {' | '.join([*OURS, *PEERS])} |")
    print(f"|---|{'--:|' * len(OURS | PEERS)}")
    for robot in ROBOTS:
        print(f"| {' | '.join([robot, *(cell(robot, function) for function in OURS | PEERS)])} |", flush=True)


def cell(robot: str, function: str) -> str:
    """What a fresh process prints, and the goal; or why there is no figure."""
    if function in PEERS and not has_mjx():
        return "not installed"
    command = [sys.executable, __file__, robot, function]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return f"over {PATIENCE} s"
    if done.returncode < 0 or any(sign in done.stderr for sign in EXHAUSTED):
        return "out of memory"
    if done.returncode:
        raise SystemExit(f"{robot}, {function}: {done.stderr.strip()}")
    goal = GOALS.get((robot, function))
    return done.stdout.splitlines()[-1] + ("" if goal is None else f" ({goal})")  # before it a peer may have chatted


def has_mjx() -> bool:
    """Whether MJX can be imported; the package `mujoco` alone does not have it."""
    return importlib.util.find_spec("mujoco.mjx") is not None


def measure(robot: str, function: str) -> None:
    """Print one figure, or that a peer refuses the robot."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY << 30, MEMORY << 30))
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_enable_compilation_cache", False)
    model = ROBOTS[robot]()
    if function in OURS:
        print(f"{OURS[function](model):.1f}")
        return
    try:
        print(f"{PEERS[function](model):.1f}")
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

    def end_sum(q: jax.Array, v: jax.Array, control: jax.Array, robot: Any, data: Any) -> jax.Array:
        after = mjx.step(robot, data.replace(qpos=q, qvel=v, ctrl=control))
        return jnp.sum(after.qpos) + jnp.sum(after.qvel)

    robot, data = peer_robot(model)
    return seconds(jax.grad(end_sum, argnums=(0, 1, 2)), data.qpos, data.qvel, data.ctrl, robot, data)


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

"""MJX: `jax.jit(jax.vmap)` of MuJoCo's forward dynamics in JAX, of which XLA keeps what the acceleration needs."""

from collections.abc import Callable

import jax
from case import FORWARD, Case, Task
from mujoco import mjx

from peers.mujoco import bare_model
from peers.xla import batch


def forward(case: Case) -> Task:
    """Accelerations of a batch."""
    host_model = bare_model(case)
    model = mjx.put_model(host_model)
    data = mjx.make_data(model)

    def acceleration(q: jax.Array, v: jax.Array, tau: jax.Array) -> jax.Array:
        return mjx.forward(model, data.replace(qpos=q, qvel=v, qfrc_applied=tau)).qacc

    return batch(acceleration, case.all(FORWARD))


TASKS: dict[str, Callable[[Case], Task]] = {"forward batch from Python": forward}

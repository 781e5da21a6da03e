"""MJX: `jax.jit(jax.vmap)` of MuJoCo's forward dynamics in JAX, of which XLA keeps what the acceleration needs."""

from collections.abc import Callable

import jax
from case import Case, Task
from mujoco import mjx

from peers.mujoco import undamped_model
from peers.xla import batch


def forward(case: Case) -> Callable[..., jax.Array]:
    """Forward dynamics of (q, v, τ)."""
    robot = undamped_model(case)
    model = mjx.put_model(robot)
    data = mjx.make_data(model)
    return lambda q, v, tau: mjx.forward(model, data.replace(qpos=q, qvel=v, qfrc_applied=tau)).qacc


TASKS: dict[str, Callable[[Case], Task]] = {
    "forward batch from Python": lambda case: batch(case, lambda: forward(case)),
}

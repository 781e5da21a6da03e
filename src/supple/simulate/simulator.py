"""The analytic simulator: one time step of a robot."""

from typing import Any

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple import dynamics
from supple.model.errors import ModelError
from supple.model.model import Model
from supple.model.naming import named
from supple.model.state import State
from supple.model.system import System
from supple.spatial.arrays import Array


class Simulator(System):
    """Rigid-body dynamics of a model in time steps of `dt` seconds.

    Semi-implicit Euler: velocities first, then positions with the new velocities; of first order, and symplectic for
    a robot without friction. Quaternions stay unit.
    """

    model: Model
    contact: None = None
    dt: Float[Array, ""] | float = 1e-3

    def init(self, q: Any = None, v: Any = None) -> State:
        """A state at time zero; by default at the model's `home`, at rest."""
        model = self.model
        q = _coordinates(model.home if q is None else q, "q", model.nq)
        v = _coordinates(np.zeros(model.nv) if v is None else v, "v", model.nv)
        return State(q, v, jnp.zeros((), q.dtype))

    def step(self, state: State, control: Float[Array, " nu"]) -> State:
        """The state after `dt` seconds under a constant control."""
        model, dt = self.model, self.dt
        q = named("joint.position", state.q, unit="rad or m")
        v = named("joint.velocity", state.v, unit="rad/s or m/s")
        control = named("actuator.control", control)

        actuation = named("joint.actuation", dynamics.actuator_force(model, q, v, control), unit="N m or N")
        passive = named("joint.passive_force", dynamics.passive_force(model, q, v), unit="N m or N")
        force = named("joint.force", actuation + passive, unit="N m or N")

        links = dynamics.articulate(model)
        pose = dynamics.place_links(model, links, q)
        bias = named("joint.bias", dynamics.newton_euler(links, pose, model.gravity, v), unit="N m or N")
        acceleration = dynamics.solve_mass(links, pose, force - bias)
        acceleration = named("joint.acceleration", acceleration, unit="rad/s² or m/s²")

        v = v + dt * acceleration
        q = dynamics.move(model, q, dt * v)
        return State(q, v, state.time + dt, state.memory)


def _coordinates(values: Any, name: str, size: int) -> Array:
    array = jnp.asarray(values, dtype=jnp.result_type(float))
    if array.shape != (size,):
        raise ModelError(f"{name} has shape {array.shape}, but this model needs ({size},).")
    return array

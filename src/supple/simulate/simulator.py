"""The analytic simulator: one time step of a robot."""

from typing import Any

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple import dynamics
from supple.dynamics.actuation import activation_rate
from supple.model.errors import UnsupportedError
from supple.model.integrator import Integrator, Motion, Rates
from supple.model.model import Model
from supple.model.naming import named
from supple.model.renewal import renew
from supple.model.state import State
from supple.model.system import System
from supple.simulate.euler import SemiImplicitEuler
from supple.simulate.inputs import check_simulator, read_inputs, read_start
from supple.simulate.resistance import accelerate
from supple.spatial.arrays import Array


class Simulator(System):
    """Rigid-body dynamics of a model in time steps of `dt` seconds; quaternions stay unit.

    The integrator decides how good and how stable a step is; see `supple.simulate`.

    `observe(system.step)` shows the ideal readings of the model's sensors as `sensor.NAME`. They are those of the
    step's start: of its state, under the step's control, with the acceleration that the equation of motion has there
    (for integrators of several stages, the first one's; for implicit ones, with their resistance).
    """

    model: Model
    contact: None = None
    dt: Float[Array, ""] | float = 1e-3
    integrator: Integrator = SemiImplicitEuler()

    def __check_init__(self) -> None:
        check_simulator(self.model, self.dt)
        if self.contact is not None:
            raise UnsupportedError(f"contact={self.contact!r:.60}: there is no contact yet; write contact=None.")
        if not isinstance(self.integrator, Integrator):
            raise UnsupportedError(
                f"integrator={self.integrator!r:.60} is none; write one, such as supple.simulate.RungeKutta4()."
            )

    def init(self, q: Any = None, v: Any = None) -> State:
        """A state at time zero; by default at the model's `home`, at rest. Its memory is the activations, all zero."""
        model = self.model
        q, v = read_start(model, model.home if q is None else q, np.zeros(model.nv) if v is None else v)
        memory = jnp.zeros(model.na, q.dtype) if model.na else ()
        return State(q, v, time=jnp.zeros((), q.dtype), memory=memory)

    def step(self, state: State, control: Float[Array, " nu"]) -> State:
        """The state after `dt` seconds under a constant control."""
        model = renew(self.model)
        state, control = read_inputs(model, state, control)
        links = dynamics.articulate(model)

        def rates(state: State, resistance: Array | None = None) -> Rates:
            q = named("joint.position", state.q, unit="rad or m")
            v = named("joint.velocity", state.v, unit="rad/s or m/s")
            u = named("actuator.control", control)
            activation = named("actuator.activation", state.memory) if model.na else None

            actuation = dynamics.actuator_force(model, q, v, u, activation, self.dt)
            actuation = named("joint.actuation", actuation, unit="N m or N")
            passive = named("joint.passive_force", dynamics.passive_force(model, q, v), unit="N m or N")
            force = named("joint.force", actuation + passive, unit="N m or N")

            pose = dynamics.place_links(model, links, q)
            bias = named("joint.bias", dynamics.newton_euler(links, pose, model.gravity, v), unit="N m or N")
            acceleration = accelerate(model, links, pose, force - bias, resistance)
            acceleration = named("joint.acceleration", acceleration, unit="rad/s² or m/s²")
            dynamics.measure(model, q, v, acceleration, actuation, u, activation, self.dt)  # marks what sensors read
            return Rates(v, acceleration, () if activation is None else activation_rate(model, u, activation))

        return self.integrator.advance(Motion(model, control, rates), state, self.dt)

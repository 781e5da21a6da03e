"""Sensors of actuators: of what they pull on, on the actuator's side of the gear."""

from typing import ClassVar

import equinox as eqx
from jaxtyping import Float

from supple.model.errors import ModelError
from supple.model.imperfection import Imperfection
from supple.model.lookup import find_actuator
from supple.model.model import Model
from supple.model.sensor import ActuatorSensor, Instant
from supple.spatial.arrays import Array


class ActuatorPosition(ActuatorSensor):
    """The length of an actuator's transmission: gear times coordinate. MuJoCo's `actuatorpos`."""

    name: str = eqx.field(static=True)
    actuator: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "rad or m"

    def read(self, model: Model, instant: Instant) -> Float[Array, "1"]:
        """l."""
        return instant.drives.length[find_actuator(model, self.actuator)][None]


class ActuatorVelocity(ActuatorSensor):
    """How fast the length of an actuator's transmission changes. MuJoCo's `actuatorvel`."""

    name: str = eqx.field(static=True)
    actuator: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "rad/s or m/s"

    def read(self, model: Model, instant: Instant) -> Float[Array, "1"]:
        """The derivative of l."""
        return instant.drives.velocity[find_actuator(model, self.actuator)][None]


class ActuatorForce(ActuatorSensor):
    """The force of an actuator along its transmission, which the gear multiplies. MuJoCo's `actuatorfrc`.

    It is the model's: what rewrites `joint.actuation` is seen by `JointEffort`, not here.
    """

    name: str = eqx.field(static=True)
    actuator: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "N m or N"

    def read(self, model: Model, instant: Instant) -> Float[Array, "1"]:
        """f of `supple.dynamics.actuator_output`."""
        actuator = find_actuator(model, self.actuator)
        if instant.drives.force is None:
            raise ModelError(f"sensor {self.name!r} reads an actuator's force: pass the control to `measure`")
        return instant.drives.force[actuator][None]

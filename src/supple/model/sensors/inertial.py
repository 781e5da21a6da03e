"""Sensors of an inertial measurement unit."""

from typing import ClassVar

import equinox as eqx
from jaxtyping import Float

from supple.model.imperfection import Imperfection
from supple.model.lookup import find_frame
from supple.model.model import Model
from supple.model.sensor import FrameSensor, Instant
from supple.spatial.arrays import Array
from supple.spatial.vector import apply_transpose


class Gyro(FrameSensor):
    """Angular velocity of a frame, in its own axes: Rᵀ ω. MuJoCo's `gyro`."""

    name: str = eqx.field(static=True)
    frame: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "rad/s"

    def read(self, model: Model, instant: Instant) -> Float[Array, "3"]:
        """Rᵀ ω."""
        frame = find_frame(model, self.frame)
        return apply_transpose(instant.frames.rotation[frame], instant.frames.velocity[frame, :3])


class Accelerometer(FrameSensor):
    """Proper acceleration of a frame's origin, in its own axes: Rᵀ (ẍ − g); a resting one shows gravity, upward.

    MuJoCo's `accelerometer`.
    """

    name: str = eqx.field(static=True)
    frame: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "m/s²"

    def read(self, model: Model, instant: Instant) -> Float[Array, "3"]:
        """Rᵀ (ẍ − g)."""
        frame = find_frame(model, self.frame)
        proper = instant.frames.acceleration[frame, 3:] - model.gravity
        return apply_transpose(instant.frames.rotation[frame], proper)


class Velocimeter(FrameSensor):
    """Linear velocity of a frame's origin, in its own axes: Rᵀ ẋ. MuJoCo's `velocimeter`."""

    name: str = eqx.field(static=True)
    frame: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "m/s"

    def read(self, model: Model, instant: Instant) -> Float[Array, "3"]:
        """Rᵀ ẋ."""
        frame = find_frame(model, self.frame)
        return apply_transpose(instant.frames.rotation[frame], instant.frames.velocity[frame, 3:])

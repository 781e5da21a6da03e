"""Sensors of where a frame is and how it moves, as a motion-capture system sees it.

With a `reference`, everything is relative to that frame and in its axes, as someone sees it who moves along.
"""

from typing import ClassVar

import equinox as eqx
from jaxtyping import Float

from supple.model.imperfection import Imperfection
from supple.model.lookup import find_frame
from supple.model.model import Model
from supple.model.sensor import FrameSensor, Instant, OrientationSensor
from supple.spatial.arrays import Array
from supple.spatial.quaternion import to_quaternion
from supple.spatial.vector import apply_transpose, cross, multiply


class FramePosition(FrameSensor):
    """The origin of a frame. MuJoCo's `framepos`."""

    name: str = eqx.field(static=True)
    frame: str = eqx.field(static=True)
    reference: str = eqx.field(static=True, default="world")
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "m"

    def read(self, model: Model, instant: Instant) -> Float[Array, "3"]:
        """R₀ᵀ (x − x₀), with the reference's R₀ and x₀."""
        frame, reference = find_frame(model, self.frame), find_frame(model, self.reference)
        position = instant.frames.position
        return apply_transpose(instant.frames.rotation[reference], position[frame] - position[reference])


class FrameOrientation(OrientationSensor, FrameSensor):
    """The orientation of a frame, with w ≥ 0. MuJoCo's `framequat`, of which the sign may differ."""

    name: str = eqx.field(static=True)
    frame: str = eqx.field(static=True)
    reference: str = eqx.field(static=True, default="world")
    imperfection: Imperfection | None = None

    def read(self, model: Model, instant: Instant) -> Float[Array, "4"]:
        """The quaternion of R₀ᵀ R."""
        rotation = instant.frames.rotation
        R_world_frame = rotation[find_frame(model, self.frame)]
        R_world_reference = rotation[find_frame(model, self.reference)]
        return to_quaternion(multiply(R_world_reference.T, R_world_frame))


class FrameAxis(FrameSensor):
    """The direction of an axis of a frame. MuJoCo's `framexaxis`, `frameyaxis` and `framezaxis`."""

    name: str = eqx.field(static=True)
    frame: str = eqx.field(static=True)
    axis: int = eqx.field(static=True)  # 0, 1, 2 for x, y, z
    reference: str = eqx.field(static=True, default="world")
    imperfection: Imperfection | None = None

    def read(self, model: Model, instant: Instant) -> Float[Array, "3"]:
        """A column of R₀ᵀ R."""
        rotation = instant.frames.rotation
        direction = rotation[find_frame(model, self.frame), :, self.axis]
        return apply_transpose(rotation[find_frame(model, self.reference)], direction)


class FrameLinearVelocity(FrameSensor):
    """The velocity of a frame's origin. MuJoCo's `framelinvel`."""

    name: str = eqx.field(static=True)
    frame: str = eqx.field(static=True)
    reference: str = eqx.field(static=True, default="world")
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "m/s"

    def read(self, model: Model, instant: Instant) -> Float[Array, "3"]:
        """R₀ᵀ (ẋ − ẋ₀ − ω₀ × (x − x₀)): the derivative of the reading of `FramePosition`."""
        frame, reference = find_frame(model, self.frame), find_frame(model, self.reference)
        position, velocity = instant.frames.position, instant.frames.velocity
        swept = cross(velocity[reference, :3], position[frame] - position[reference])
        relative = velocity[frame, 3:] - velocity[reference, 3:] - swept
        return apply_transpose(instant.frames.rotation[reference], relative)


class FrameAngularVelocity(FrameSensor):
    """The angular velocity of a frame. MuJoCo's `frameangvel`."""

    name: str = eqx.field(static=True)
    frame: str = eqx.field(static=True)
    reference: str = eqx.field(static=True, default="world")
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "rad/s"

    def read(self, model: Model, instant: Instant) -> Float[Array, "3"]:
        """R₀ᵀ (ω − ω₀)."""
        frame, reference = find_frame(model, self.frame), find_frame(model, self.reference)
        velocity = instant.frames.velocity
        return apply_transpose(instant.frames.rotation[reference], velocity[frame, :3] - velocity[reference, :3])


class FrameLinearAcceleration(FrameSensor):
    """Proper acceleration of a frame's origin, in world axes: what an `Accelerometer` shows, not turned with it.

    MuJoCo's `framelinacc`.
    """

    name: str = eqx.field(static=True)
    frame: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "m/s²"

    def read(self, model: Model, instant: Instant) -> Float[Array, "3"]:
        """ẍ − g."""
        return instant.frames.acceleration[find_frame(model, self.frame), 3:] - model.gravity


class FrameAngularAcceleration(FrameSensor):
    """The angular acceleration of a frame, in world axes. MuJoCo's `frameangacc`."""

    name: str = eqx.field(static=True)
    frame: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "rad/s²"

    def read(self, model: Model, instant: Instant) -> Float[Array, "3"]:
        """α."""
        return instant.frames.acceleration[find_frame(model, self.frame), :3]

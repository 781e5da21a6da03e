"""Sensors of what a body's parent does to it, through the joint or weld between them."""

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Float

from supple.model.errors import ModelError
from supple.model.imperfection import Imperfection
from supple.model.lookup import WORLD, find_frame, find_subtree, frame_body
from supple.model.model import Model
from supple.model.sensor import FrameSensor, Instant
from supple.spatial.arrays import Array
from supple.spatial.vector import apply_transpose, cross


class ForceTorque(FrameSensor):
    """The wrench by which the parent holds a frame's body: torque about the frame's origin, then force, in its axes.

    All directions count, those in which the joint is free as well (there it is the joint's own force). It holds all
    that hangs on the body against gravity, and moves it; what a fluid and gravity compensation do counts as done by the
    joints. MuJoCo's `torque` and `force` sensors in one.
    """

    name: str = eqx.field(static=True)
    frame: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "N m, N"

    def read(self, model: Model, instant: Instant) -> Float[Array, "6"]:
        """[n; f]."""
        return jnp.concatenate(_holding_wrench(self.name, self.frame, model, instant))


class Force(FrameSensor):
    """The force of `ForceTorque` alone. MuJoCo's `force`."""

    name: str = eqx.field(static=True)
    frame: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "N"

    def read(self, model: Model, instant: Instant) -> Float[Array, "3"]:
        """The force."""
        return _holding_wrench(self.name, self.frame, model, instant)[1]


class Torque(FrameSensor):
    """The torque of `ForceTorque` alone. MuJoCo's `torque`."""

    name: str = eqx.field(static=True)
    frame: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "N m"

    def read(self, model: Model, instant: Instant) -> Float[Array, "3"]:
        """The torque."""
        return _holding_wrench(self.name, self.frame, model, instant)[0]


def _holding_wrench(sensor: str, name: str, model: Model, instant: Instant) -> tuple[Array, Array]:
    """What the body and all that hang on it need, about the frame's origin and in its axes."""
    frame = find_frame(model, name)
    body = frame_body(model, frame)
    if body == WORLD:
        raise ModelError(f"sensor {sensor!r}: {name!r} is fixed to the world, which nothing holds")
    held = find_subtree(model, body)
    torque, force = instant.demand[held, :3], instant.demand[held, 3:]
    arm = instant.frames.position[held] - instant.frames.position[frame]
    rotation = instant.frames.rotation[frame]
    whole_torque = jnp.sum(torque + cross(arm, force), axis=0)
    return apply_transpose(rotation, whole_torque), apply_transpose(rotation, jnp.sum(force, axis=0))

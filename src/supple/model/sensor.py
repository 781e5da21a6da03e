"""Sensors: what a device on a robot reads, ideally, at an instant."""

import abc
import re
from typing import TYPE_CHECKING, ClassVar

import equinox as eqx
from jaxtyping import Float

from supple.model.imperfection import Imperfection
from supple.spatial.arrays import Array

if TYPE_CHECKING:
    from supple.model.model import Model


class MovingFrames(eqx.Module):
    """All named frames, and how they move: bodies, then sites, then the world, where the index -1 finds it.

    Velocities and accelerations are angular first, of the frame's origin, in world axes; accelerations are classical
    and without gravity.
    """

    rotation: Float[Array, "frames 3 3"]  # R_world_frame
    position: Float[Array, "frames 3"]  # m
    velocity: Float[Array, "frames 6"]  # rad/s, m/s
    acceleration: Float[Array, "frames 6"]  # rad/s², m/s²


class Drives(eqx.Module):
    """What the actuators pull on: lengths of their transmissions, how fast these change, and the forces along them."""

    length: Float[Array, " nu"]  # rad or m, times the gear
    velocity: Float[Array, " nu"]
    force: Float[Array, " nu"] | None  # N m or N; not known without the control


class Instant(eqx.Module):
    """All that there is to measure at one time; made by `supple.dynamics.capture`."""

    q: Float[Array, " nq"]
    v: Float[Array, " nv"]
    acceleration: Float[Array, " nv"]
    actuation: Float[Array, " nv"]  # generalised force of the actuators
    drives: Drives
    frames: MovingFrames
    demand: Float[Array, "bodies 6"]  # wrench that a body needs from its neighbours: torque about its origin, force


class Sensor(eqx.Module):
    """A device; extend it, or one of its kinds, to make your own.

    `read` is what a perfect device shows; `imperfection` is how this one departs from that, which `supple.corrupt` puts
    into a sequence of readings.
    """

    name: eqx.AbstractVar[str]
    imperfection: eqx.AbstractVar[Imperfection | None]
    unit: ClassVar[str] = ""  # of the readings

    @abc.abstractmethod
    def read(self, model: "Model", instant: Instant) -> Float[Array, " values"]:
        """The ideal reading."""


class OrientationSensor(Sensor):
    """A sensor that reads a unit quaternion (w, x, y, z).

    Its bias and noise are rotation vectors (rad) in the turned frame.
    """


class FrameSensor(Sensor):
    """A sensor that sits on a body or site; see `supple.model.lookup.find_frame`."""

    frame: eqx.AbstractVar[str]


class JointSensor(Sensor):
    """A sensor of a joint."""

    joint: eqx.AbstractVar[str]


class ActuatorSensor(Sensor):
    """A sensor of an actuator."""

    actuator: eqx.AbstractVar[str]


class SubtreeSensor(Sensor):
    """A sensor of a body together with all that hang on it; of the whole robot, for "world"."""

    body: eqx.AbstractVar[str]


def mark_name(sensor: str) -> str:
    """The name of a sensor's mark, `sensor.NAME`: in lower case, with an underscore for all but letters and digits."""
    word = re.sub(r"[^a-z0-9]", "_", sensor.lower())
    return f"sensor.{word}" if word[:1].isalpha() else f"sensor.s{word}"

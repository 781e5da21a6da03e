"""Sensors of joints."""

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Float

from supple.model.errors import ModelError
from supple.model.imperfection import Imperfection
from supple.model.joint import JointKind
from supple.model.lookup import find_joint
from supple.model.model import Model
from supple.model.sensor import Instant, JointSensor, OrientationSensor
from supple.spatial.arrays import Array
from supple.spatial.vector import dot


class JointPosition(JointSensor):
    """The coordinate of a hinge or slide. MuJoCo's `jointpos`."""

    name: str = eqx.field(static=True)
    joint: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "rad or m"

    def read(self, model: Model, instant: Instant) -> Float[Array, "1"]:
        """The joint's entry of q."""
        joint = find_joint(model, self.joint)
        if model.joints.kinds[joint].nq != 1:
            raise ModelError(
                f"sensor {self.name!r}: joint {self.joint!r} is neither hinge nor slide; "
                "read its orientation, or the pose of a frame"
            )
        return instant.q[model.joints.q_starts[joint] :][:1]


class BallOrientation(OrientationSensor, JointSensor):
    """The unit quaternion of a ball joint. MuJoCo's `ballquat`."""

    name: str = eqx.field(static=True)
    joint: str = eqx.field(static=True)
    imperfection: Imperfection | None = None

    def read(self, model: Model, instant: Instant) -> Float[Array, "4"]:
        """The joint's entries of q, normalised."""
        joint = find_joint(model, self.joint)
        if model.joints.kinds[joint] is not JointKind.BALL:
            raise ModelError(f"sensor {self.name!r}: joint {self.joint!r} is not a ball")
        quaternion = instant.q[model.joints.q_starts[joint] :][:4]
        return quaternion / jnp.sqrt(dot(quaternion, quaternion))


class JointVelocity(JointSensor):
    """The velocity of a joint of any kind, one value per degree of freedom. MuJoCo's `jointvel` and `ballangvel`."""

    name: str = eqx.field(static=True)
    joint: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "rad/s or m/s"

    def read(self, model: Model, instant: Instant) -> Float[Array, " freedoms"]:
        """The joint's entries of v."""
        return _freedoms(model, self.joint, instant.v)


class JointEffort(JointSensor):
    """What the actuators do to a joint of any kind, one value per degree of freedom. MuJoCo's `jointactuatorfrc`."""

    name: str = eqx.field(static=True)
    joint: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "N m or N"

    def read(self, model: Model, instant: Instant) -> Float[Array, " freedoms"]:
        """The joint's entries of the actuators' generalised force."""
        return _freedoms(model, self.joint, instant.actuation)


def _freedoms(model: Model, name: str, values: Float[Array, " nv"]) -> Float[Array, " freedoms"]:
    joint = find_joint(model, name)
    return values[model.joints.v_starts[joint] :][: model.joints.kinds[joint].nv]

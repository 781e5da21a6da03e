"""The model: a robot's parts, whose physical parameters are the leaves of a pytree."""

import itertools
from typing import TYPE_CHECKING, Any

import equinox as eqx
from jaxtyping import Float
from wadler_lindig import AbstractDoc, TextDoc

from supple.model.actuators import Actuators
from supple.model.joint import JointKind
from supple.model.medium import Medium
from supple.model.sensor import Sensor
from supple.model.sites import Sites
from supple.model.tendons import Tendons
from supple.spatial.arrays import Array

if TYPE_CHECKING:
    import mujoco


class Bodies(eqx.Module):
    """Rigid bodies in topological order: a parent stands before its children.

    Bodies that are welded to their parent (no joint) are kept, with inertial leaves of their
    own; the dynamics fuse them. The world is not a body: its index as a parent is -1.
    """

    position: Float[Array, "bodies 3"]  # origin of the body frame in the parent's frame, m
    rotation: Float[Array, "bodies 3 3"]  # R_parent_body, with joints at their reference
    mass: Float[Array, " bodies"]  # kg
    center_of_mass: Float[Array, "bodies 3"]  # in the body frame, m
    inertia: Float[Array, "bodies 6"]  # about the centre of mass, body axes: xx xy xz yy yz zz, kg m²
    gravity_compensation: Float[Array, " bodies"] | None  # share of its weight that is carried; None if no body's is

    names: tuple[str, ...] = eqx.field(static=True)
    parents: tuple[int, ...] = eqx.field(static=True)


class Joints(eqx.Module):
    """Joints in the order of their degrees of freedom; a body may have several, applied in order.

    Scalar parameters of a ball or free joint hold for each of its degrees of freedom. Dry friction and limits, which
    have no derivative as they are, are smooth: over `friction_speed` and `limit_width` (see
    `supple.dynamics.friction_loss` and `supple.dynamics.limits`).
    """

    axis: Float[Array, "joints 3"]  # unit, in the body frame (hinge, slide)
    position: Float[Array, "joints 3"]  # the anchor, in the body frame, m (hinge, ball)
    reference: Float[Array, " joints"]  # coordinate at which the body stands as described (hinge, slide)
    armature: Float[Array, " joints"]  # rotor inertia, kg m² or kg
    damping: Float[Array, " joints"]  # N m s/rad or N s/m
    stiffness: Float[Array, " joints"]  # N m/rad or N/m
    rest: Float[Array, " joints"]  # coordinate at which the spring rests (hinge, slide)
    friction_loss: Float[Array, " joints"]  # dry friction, N m or N
    friction_speed: Float[Array, " joints"]  # at which dry friction reaches three quarters, rad/s or m/s
    range: Float[Array, "joints 2"]  # limits, rad or m; meaningful where `limited`
    limit_stiffness: Float[Array, " joints"]  # beyond the limits, N m/rad or N/m
    limit_damping: Float[Array, " joints"]  # beyond the limits, N m s/rad or N s/m
    limit_width: Float[Array, " joints"]  # over which these set in, rad or m
    force_range: Float[Array, "joints 2"]  # of all actuators together, N m or N; meaningful where `force_limited`

    names: tuple[str, ...] = eqx.field(static=True)
    kinds: tuple[JointKind, ...] = eqx.field(static=True)
    bodies: tuple[int, ...] = eqx.field(static=True)  # the body that the joint moves
    limited: tuple[bool, ...] = eqx.field(static=True)
    force_limited: tuple[bool, ...] = eqx.field(static=True)  # of hinges and slides

    @property
    def q_starts(self) -> tuple[int, ...]:
        """Index of each joint's first coordinate in q."""
        return tuple(itertools.accumulate((k.nq for k in self.kinds[:-1]), initial=0))[: len(self.kinds)]

    @property
    def v_starts(self) -> tuple[int, ...]:
        """Index of each joint's first degree of freedom in v."""
        return tuple(itertools.accumulate((k.nv for k in self.kinds[:-1]), initial=0))[: len(self.kinds)]


class Model(eqx.Module):
    """A robot. Leaves are numpy float64 until traced; everything else is static.

    `home` is the configuration in which the robot was described and in which `init` starts.
    """

    bodies: Bodies
    joints: Joints
    actuators: Actuators
    gravity: Float[Array, "3"]  # m/s², world frame
    home: Float[Array, " nq"]

    name: str = eqx.field(static=True)
    warnings: tuple[str, ...] = eqx.field(static=True, default=())

    tendons: Tendons | None = None
    medium: Medium | None = None  # None is a vacuum
    sites: Sites | None = None
    sensors: tuple[Sensor, ...] = ()

    @property
    def nq(self) -> int:
        """Number of position coordinates."""
        return sum(kind.nq for kind in self.joints.kinds)

    @property
    def nv(self) -> int:
        """Number of degrees of freedom."""
        return sum(kind.nv for kind in self.joints.kinds)

    @property
    def nu(self) -> int:
        """Number of controls."""
        return len(self.actuators.names)

    @property
    def na(self) -> int:
        """Number of activations: of actuators that have a state."""
        return len(self.actuators.stateful)

    def check(self) -> None:
        """Raise `ModelError` naming every part that is physically impossible; see `supple.model.check`."""
        from supple.model.check import check

        check(self)

    def to_mujoco(self) -> "mujoco.MjModel":
        """The same robot as a `mujoco.MjModel`; see `supple.model.mujoco_model`."""
        from supple.model.mujoco_model import compile_model

        return compile_model(self)

    def __pdoc__(self, **_kwargs: Any) -> AbstractDoc:
        """One line, for `repr`, also within that of a system."""
        from supple.model.summary import summarize

        return TextDoc(summarize(self))

    def __str__(self) -> str:
        from supple.model.summary import tabulate

        return tabulate(self)

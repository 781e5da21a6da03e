"""Build a robot in Python, from solids and joints."""

import dataclasses
from collections.abc import Collection, Sequence

import numpy as np
from jaxtyping import Float

from supple.describe.drives import Drive, Numbers, make_actuators
from supple.describe.frames import quaternion_from_matrix, snap, snap_zeros, unit_axis
from supple.describe.inertial import Inertial
from supple.describe.limits import FRICTION_SPEED, stiffen_limits
from supple.describe.numbers import check_numbers
from supple.describe.primitives import IDENTITY, ORIGIN, Rotation, Vector, combine
from supple.model.actuators import ActivationKind
from supple.model.errors import ModelError
from supple.model.joint import JointKind
from supple.model.model import Bodies, Joints, Model
from supple.spatial.arrays import Array

WORLD = "world"
_WIDTHS = {"gear": 6, "gain": 3, "bias": 3}  # the most numbers that an actuator has of each


@dataclasses.dataclass(frozen=True)
class _Body:
    name: str
    parent: str
    position: Vector
    rotation: Rotation
    inertial: Inertial


@dataclasses.dataclass(frozen=True)
class _Joint:
    name: str
    kind: JointKind
    body: str
    axis: Vector
    position: Vector
    reference: float
    armature: float
    damping: float
    stiffness: float
    rest: float
    friction_loss: float
    limits: Vector | None


class RobotBuilder:
    """Collects bodies, joints and actuators; `build` makes the model.

    Bodies may be added in any order after their parent, and have any number of joints, applied in the order in
    which they are added. A body without a joint is welded to its parent.

    ```python
    builder = RobotBuilder("pendulum")
    builder.body("arm", solids=[rod((0, 0, 0), (0, 0, -1), radius=0.02, mass=1.0)])
    builder.joint("pivot", "arm", axis=(0, 1, 0))
    model = builder.build()
    ```
    """

    def __init__(self, name: str, gravity: Vector = (0.0, 0.0, -9.81)):
        check_numbers("gravity", gravity, 3)
        self._name = name
        self._gravity = gravity
        self._bodies: dict[str, _Body] = {}
        self._joints: dict[str, _Joint] = {}
        self._drives: dict[str, tuple[str, Drive]] = {}

    def body(
        self,
        name: str,
        parent: str = WORLD,
        *,
        position: Vector = ORIGIN,
        rotation: Rotation = IDENTITY,
        solids: Sequence[Inertial] = (),
    ) -> None:
        """Add a body whose frame stands at `position` (m) and `rotation` (R_parent_body) in its parent's."""
        known = (WORLD, *self._bodies)
        _check_new("body", name, known)
        _check_known("body", parent, known)
        check_numbers(f"body {name!r}: position", position, 3)
        check_numbers(f"body {name!r}: rotation", rotation, 3, 3)
        if isinstance(solids, Inertial) or not all(isinstance(solid, Inertial) for solid in solids):
            raise ModelError(
                f"body {name!r}: solids={solids!r:.60}; write a list of them, such as [sphere(0.1, mass=1)]"
            )
        self._bodies[name] = _Body(name, parent, position, rotation, combine(solids))

    def joint(
        self,
        name: str,
        body: str,
        kind: JointKind = JointKind.HINGE,
        *,
        axis: Vector = (0.0, 0.0, 1.0),
        position: Vector = ORIGIN,
        reference: float = 0.0,
        armature: float = 0.0,
        damping: float = 0.0,
        stiffness: float = 0.0,
        rest: float = 0.0,
        friction_loss: float = 0.0,
        limits: Vector | None = None,
    ) -> None:
        """Let a body move against its parent; the fields are those of `Joints`, `limits` its `range`."""
        _check_new("joint", name, self._joints)
        _check_known("body", body, self._bodies)
        joint = _Joint(
            name, kind, body, axis, position, reference, armature, damping, stiffness, rest, friction_loss, limits
        )
        _check_joint(joint)
        self._joints[name] = joint

    def motor(self, name: str, joint: str, *, gear: float = 1.0, limits: Vector | None = None) -> None:
        """Drive a hinge or slide with `gear` times the control, which is clamped to `limits` if they are given."""
        self.drive(name, joint, Drive(gear=(gear,), control_range=limits))

    def position(
        self,
        name: str,
        joint: str,
        *,
        stiffness: float,
        damping: float = 0.0,
        time_constant: float = 0.0,
        limits: Numbers | None = None,
        force_limits: Numbers | None = None,
    ) -> None:
        """Pull a hinge or slide towards the coordinate that the control asks for: k (u − q) − d q̇.

        With a `time_constant` (s) the control passes an exact first-order filter. `limits` clamp the control,
        `force_limits` the force.
        """
        filtered = {"dynamics": ActivationKind.FILTER_EXACT, "time_constant": time_constant} if time_constant else {}
        bias = (0.0, -stiffness, -damping)
        servo = Drive(gain=(stiffness,), bias=bias, control_range=limits, force_range=force_limits, **filtered)
        self.drive(name, joint, servo)

    def velocity(
        self,
        name: str,
        joint: str,
        *,
        damping: float,
        limits: Numbers | None = None,
        force_limits: Numbers | None = None,
    ) -> None:
        """Push a hinge or slide towards the velocity that the control asks for: d (u − q̇)."""
        bias = (0.0, 0.0, -damping)
        self.drive(name, joint, Drive(gain=(damping,), bias=bias, control_range=limits, force_range=force_limits))

    def damper(self, name: str, joint: str, *, damping: float, limits: Numbers) -> None:
        """Brake a hinge or slide with −d u q̇; `limits` clamp the control, which must not be negative."""
        self.drive(name, joint, Drive(gain=(0.0, 0.0, -damping), control_range=limits))

    def drive(self, name: str, joint: str, drive: Drive) -> None:
        """Drive a hinge or slide with any affine actuator."""
        _check_new("actuator", name, self._drives)
        _check_known("joint", joint, self._joints)
        _check_drive(name, drive)
        if self._joints[joint].kind.nv != 1:
            raise ModelError(f"actuator {name!r}: joint {joint!r} is neither hinge nor slide")
        self._drives[name] = (joint, drive)

    def build(self) -> Model:
        """The model, checked."""
        order = self._depth_first()
        index = {name: i for i, name in enumerate(order)}
        bodies = [self._bodies[name] for name in order]
        joints = sorted(self._joints.values(), key=lambda joint: index[joint.body])  # stable
        made, names = _make_bodies(bodies, index), [joint.name for joint in joints]
        model = Model(
            bodies=made,
            joints=stiffen_limits(made, _make_joints(joints, index)),
            actuators=make_actuators([(name, names.index(to), drive) for name, (to, drive) in self._drives.items()]),
            gravity=np.array(self._gravity, dtype=np.float64),
            home=_home(joints, bodies, index),
            name=self._name,
        )
        model.check()
        return model

    def _depth_first(self) -> list[str]:
        """MuJoCo's order of bodies: each with all that hangs on it, siblings as they were added."""
        children: dict[str, list[str]] = {}
        for body in self._bodies.values():
            children.setdefault(body.parent, []).append(body.name)
        order, waiting = [], children.get(WORLD, [])[::-1]
        while waiting:
            order.append(waiting.pop())
            waiting += children.get(order[-1], [])[::-1]
        return order


def _check_new(part: str, name: str, taken: Collection[str]) -> None:
    if name in taken:
        raise ModelError(f"there is already: {part} {name!r}")


def _check_known(part: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        raise ModelError(f"there is no {part} {name!r}; there are: {', '.join(known) or 'none'}")


def _check_joint(joint: _Joint) -> None:
    what = f"joint {joint.name!r}"
    if not isinstance(joint.kind, JointKind):
        raise ModelError(f"{what}: kind={joint.kind!r:.60} is none; write one, such as JointKind.SLIDE")
    for field in ("axis", "position"):
        check_numbers(f"{what}: {field}", getattr(joint, field), 3)
    for field in ("reference", "armature", "damping", "stiffness", "rest", "friction_loss"):
        check_numbers(f"{what}: {field}", getattr(joint, field))
    if joint.limits is not None:
        check_numbers(f"{what}: limits", joint.limits, 2, endless=True)
    if not np.any(joint.axis):
        raise ModelError(f"{what}: its axis is zero; write a direction, such as (0, 0, 1)")


def _check_drive(name: str, drive: Drive) -> None:
    for field in dataclasses.fields(drive):
        value, what = getattr(drive, field.name), f"actuator {name!r}: {field.name}"
        if field.name in _WIDTHS:
            check_numbers(what, value, min(np.size(value), _WIDTHS[field.name]))
        elif field.name.endswith("range") and value is not None:
            check_numbers(what, value, 2, endless=True)
        elif field.name == "time_constant":
            check_numbers(what, value)


def _make_bodies(bodies: Sequence[_Body], index: dict[str, int]) -> Bodies:
    return Bodies(
        position=_rows([body.position for body in bodies], 3),
        rotation=snap(np.array([body.rotation for body in bodies]).reshape(-1, 3, 3)),
        mass=np.array([body.inertial.mass for body in bodies]),
        center_of_mass=_rows([body.inertial.center_of_mass for body in bodies], 3),
        inertia=np.array([body.inertial.inertia for body in bodies]).reshape(-1, 6),
        gravity_compensation=None,
        names=tuple(body.name for body in bodies),
        parents=tuple(index.get(body.parent, -1) for body in bodies),
    )


def _make_joints(joints: Sequence[_Joint], index: dict[str, int]) -> Joints:
    def column(field: str) -> np.ndarray:
        return np.array([getattr(joint, field) for joint in joints], dtype=np.float64)

    return Joints(
        axis=np.array([unit_axis(np.array(joint.axis)) for joint in joints]).reshape(-1, 3),
        position=_rows([joint.position for joint in joints], 3),
        reference=column("reference"),
        armature=column("armature"),
        damping=column("damping"),
        stiffness=column("stiffness"),
        rest=column("rest"),
        friction_loss=column("friction_loss"),
        friction_speed=np.full(len(joints), FRICTION_SPEED),
        range=_rows([joint.limits or (0.0, 0.0) for joint in joints], 2),
        limit_stiffness=np.zeros(len(joints)),
        limit_damping=np.zeros(len(joints)),
        limit_width=np.ones(len(joints)),
        force_range=np.zeros((len(joints), 2)),
        names=tuple(joint.name for joint in joints),
        kinds=tuple(joint.kind for joint in joints),
        bodies=tuple(index[joint.body] for joint in joints),
        limited=tuple(joint.limits is not None for joint in joints),
        force_limited=(False,) * len(joints),
    )


def _home(joints: Sequence[_Joint], bodies: Sequence[_Body], index: dict[str, int]) -> np.ndarray:
    """Each joint's coordinates as described: references, identities, and the poses of floating bodies."""
    parts: list[Sequence[float] | np.ndarray] = []
    for joint in joints:
        if joint.kind is JointKind.FREE:
            body = bodies[index[joint.body]]
            if body.parent != WORLD or len([other for other in joints if other.body == joint.body]) > 1:
                raise ModelError(f"joint {joint.name!r}: only a child of the world can be free, as its only joint")
            parts += [body.position, quaternion_from_matrix(body.rotation)]
        else:
            parts.append((1.0, 0.0, 0.0, 0.0) if joint.kind is JointKind.BALL else (joint.reference,))
    return np.concatenate([np.array(part, dtype=np.float64) for part in parts]) if parts else np.zeros(0)


def _rows(rows: Sequence, width: int) -> Float[Array, "rows width"]:
    return snap_zeros(np.array(rows, dtype=np.float64).reshape(-1, width))

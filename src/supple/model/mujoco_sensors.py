"""Sites and sensors as MuJoCo's, and which of its kinds are which of ours."""

from collections.abc import Callable
from typing import NamedTuple

import mujoco
import numpy as np

from supple.model import sensors
from supple.model.errors import ModelError
from supple.model.imperfection import Imperfection
from supple.model.joint import JointKind
from supple.model.lookup import WORLD, find_body, find_frame, find_joint, site_names
from supple.model.model import Model
from supple.model.mujoco_spec import WORLD_NAME, body_names, to_quaternion
from supple.model.sensor import ActuatorSensor, FrameSensor, JointSensor, Sensor, SubtreeSensor
from supple.model.sites import Sites

Kinds = dict[mujoco.mjtSensor, Callable[..., Sensor]]

_TYPE, _OBJECT = mujoco.mjtSensor, mujoco.mjtObj

INERTIAL: Kinds = {
    _TYPE.mjSENS_GYRO: sensors.Gyro,
    _TYPE.mjSENS_ACCELEROMETER: sensors.Accelerometer,
    _TYPE.mjSENS_VELOCIMETER: sensors.Velocimeter,
}
HOLDING: Kinds = {
    _TYPE.mjSENS_FORCE: sensors.Force,
    _TYPE.mjSENS_TORQUE: sensors.Torque,
}
ON_FRAMES: Kinds = {
    _TYPE.mjSENS_FRAMELINACC: sensors.FrameLinearAcceleration,
    _TYPE.mjSENS_FRAMEANGACC: sensors.FrameAngularAcceleration,
}
RELATIVE: Kinds = {  # to another frame
    _TYPE.mjSENS_FRAMEPOS: sensors.FramePosition,
    _TYPE.mjSENS_FRAMEQUAT: sensors.FrameOrientation,
    _TYPE.mjSENS_FRAMELINVEL: sensors.FrameLinearVelocity,
    _TYPE.mjSENS_FRAMEANGVEL: sensors.FrameAngularVelocity,
}
AXES = (_TYPE.mjSENS_FRAMEXAXIS, _TYPE.mjSENS_FRAMEYAXIS, _TYPE.mjSENS_FRAMEZAXIS)
ON_SCALAR_JOINTS: Kinds = {
    _TYPE.mjSENS_JOINTPOS: sensors.JointPosition,
    _TYPE.mjSENS_JOINTVEL: sensors.JointVelocity,
    _TYPE.mjSENS_JOINTACTFRC: sensors.JointEffort,
}
ON_BALLS: Kinds = {
    _TYPE.mjSENS_BALLQUAT: sensors.BallOrientation,
    _TYPE.mjSENS_BALLANGVEL: sensors.JointVelocity,
}
ON_ACTUATORS: Kinds = {
    _TYPE.mjSENS_ACTUATORPOS: sensors.ActuatorPosition,
    _TYPE.mjSENS_ACTUATORVEL: sensors.ActuatorVelocity,
    _TYPE.mjSENS_ACTUATORFRC: sensors.ActuatorForce,
}
ON_SUBTREES: Kinds = {
    _TYPE.mjSENS_SUBTREECOM: sensors.SubtreeCenterOfMass,
    _TYPE.mjSENS_SUBTREELINVEL: sensors.SubtreeLinearVelocity,
    _TYPE.mjSENS_SUBTREEANGMOM: sensors.SubtreeAngularMomentum,
}
_ON_JOINTS: dict[JointKind, Kinds] = {
    JointKind.HINGE: ON_SCALAR_JOINTS,
    JointKind.SLIDE: ON_SCALAR_JOINTS,
    JointKind.BALL: ON_BALLS,
    JointKind.FREE: {},
}
_LINEAR = 1  # MuJoCo's code for linear interpolation between the samples of a delayed sensor


class _Object(NamedTuple):
    """What a sensor of MuJoCo's looks at."""

    kind: mujoco.mjtObj
    name: str


def add_sites(spec: mujoco.MjSpec, model: Model, sites: Sites) -> None:
    """Put sites on the bodies of a specification."""
    for i, name in enumerate(sites.names):
        body = _find_body(spec, model, sites.bodies[i])
        body.add_site(name=name, pos=np.asarray(sites.position[i]), quat=to_quaternion(sites.rotation[i]))


def add_sensors(spec: mujoco.MjSpec, model: Model) -> None:
    """Put sensors into a specification that has all other parts."""
    for sensor in model.sensors:
        if isinstance(sensor, sensors.ForceTorque):
            site = _on_site(spec, model, sensor)
            _add(spec, sensor, f"{sensor.name}_torque", _TYPE.mjSENS_TORQUE, site, slice(0, 3))
            _add(spec, sensor, f"{sensor.name}_force", _TYPE.mjSENS_FORCE, site, slice(3, 6))
        else:
            added = _add(spec, sensor, sensor.name, *_find_counterpart(spec, model, sensor))
            if (reference := getattr(sensor, "reference", WORLD_NAME)) != WORLD_NAME:
                added.reftype, added.refname = _on_frame(spec, model, reference)


def _add(
    spec: mujoco.MjSpec,
    sensor: Sensor,
    name: str,
    kind: mujoco.mjtSensor,
    target: _Object,
    values: slice = slice(None),
) -> mujoco.MjsSensor:
    """A sensor of MuJoCo's, with the noise of some of the values of one of ours, and its delay."""
    added = spec.add_sensor(name=name, type=kind, objtype=target.kind, objname=target.name)
    flaws = sensor.imperfection or Imperfection()
    noise = np.unique([] if flaws.noise is None else np.asarray(flaws.noise)[values])
    if len(noise) == 1:  # MuJoCo has one number for all values
        added.noise = float(noise[0])
    if flaws.delay is not None and float(flaws.delay) > 0:
        added.delay, added.interp = float(flaws.delay), _LINEAR
        added.nsample = int(np.ceil(added.delay / spec.option.timestep)) + 2
    return added


def _find_counterpart(spec: mujoco.MjSpec, model: Model, sensor: Sensor) -> tuple[mujoco.mjtSensor, _Object]:
    """MuJoCo's kind of a sensor, and what it looks at; `ModelError` if it has none."""
    kinds, target = _find_candidates(spec, model, sensor)
    for counterpart, ours in kinds.items():
        if ours is type(sensor):
            return counterpart, target
    what = type(sensor).__name__ + (f" of joint {sensor.joint!r}" if isinstance(sensor, JointSensor) else "")
    raise ModelError(f"sensor {sensor.name!r}: MuJoCo has nothing like a {what}; take it out of model.sensors")


def _find_candidates(spec: mujoco.MjSpec, model: Model, sensor: Sensor) -> tuple[Kinds, _Object]:
    """The kinds of sensors that may look at what a sensor looks at."""
    kinds: Kinds = {}
    target = _Object(_OBJECT.mjOBJ_UNKNOWN, "")
    match sensor:
        case JointSensor():
            kinds = _ON_JOINTS[model.joints.kinds[find_joint(model, sensor.joint)]]
            target = _Object(_OBJECT.mjOBJ_JOINT, sensor.joint)
        case ActuatorSensor():
            kinds, target = ON_ACTUATORS, _Object(_OBJECT.mjOBJ_ACTUATOR, sensor.actuator)
        case SubtreeSensor():
            body = WORLD if sensor.body == WORLD_NAME else find_body(model, sensor.body)
            kinds, target = ON_SUBTREES, _Object(_OBJECT.mjOBJ_BODY, _find_body(spec, model, body).name)
        case sensors.FrameAxis():
            kinds[AXES[sensor.axis]], target = sensors.FrameAxis, _on_frame(spec, model, sensor.frame)
        case FrameSensor() if type(sensor) in (INERTIAL | HOLDING).values():
            kinds, target = INERTIAL | HOLDING, _on_site(spec, model, sensor)
        case FrameSensor():
            kinds, target = ON_FRAMES | RELATIVE, _on_frame(spec, model, sensor.frame)
    return kinds, target


def _on_frame(spec: mujoco.MjSpec, model: Model, name: str) -> _Object:
    """A body or site of ours."""
    frame = find_frame(model, name)
    if (site := frame - len(model.bodies.names)) >= 0:
        return _Object(_OBJECT.mjOBJ_SITE, site_names(model)[site])
    return _Object(_OBJECT.mjOBJ_XBODY, _find_body(spec, model, frame).name)


def _on_site(spec: mujoco.MjSpec, model: Model, sensor: FrameSensor) -> _Object:
    """The site on which a sensor sits, or a new one, of its name, at the body on which it sits."""
    target = _on_frame(spec, model, sensor.frame)
    if target.kind == _OBJECT.mjOBJ_SITE:
        return target
    name, taken = sensor.name, {site.name for site in spec.sites}
    while name in taken:
        name += "_"
    spec.body(target.name).add_site(name=name)
    return _Object(_OBJECT.mjOBJ_SITE, name)


def _find_body(spec: mujoco.MjSpec, model: Model, body: int) -> mujoco.MjsBody:
    return spec.worldbody if body == WORLD else spec.body(body_names(model.bodies)[body])

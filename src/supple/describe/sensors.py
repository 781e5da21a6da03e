"""Sites and sensors of a compiled MuJoCo model."""

import dataclasses
from collections.abc import Iterator

import mujoco
import numpy as np

from supple.describe.frames import matrix_from_quaternion, snap
from supple.describe.parts import flags, part_names
from supple.model import sensors
from supple.model.imperfection import Imperfection
from supple.model.model import Model
from supple.model.sensor import Sensor
from supple.model.sites import Sites

_TYPE, _OBJECT = mujoco.mjtSensor, mujoco.mjtObj
_ON_SITES = {
    _TYPE.mjSENS_GYRO: sensors.Gyro,
    _TYPE.mjSENS_ACCELEROMETER: sensors.Accelerometer,
    _TYPE.mjSENS_VELOCIMETER: sensors.Velocimeter,
    _TYPE.mjSENS_FORCE: sensors.Force,
    _TYPE.mjSENS_TORQUE: sensors.Torque,
}
_ON_FRAMES = {
    _TYPE.mjSENS_FRAMEPOS: sensors.FramePosition,
    _TYPE.mjSENS_FRAMEQUAT: sensors.FrameOrientation,
    _TYPE.mjSENS_FRAMELINVEL: sensors.FrameLinearVelocity,
    _TYPE.mjSENS_FRAMEANGVEL: sensors.FrameAngularVelocity,
}
_ON_JOINTS = {
    _TYPE.mjSENS_JOINTPOS: sensors.JointPosition,
    _TYPE.mjSENS_JOINTVEL: sensors.JointVelocity,
    _TYPE.mjSENS_JOINTACTFRC: sensors.JointEffort,
    _TYPE.mjSENS_BALLQUAT: sensors.BallOrientation,
    _TYPE.mjSENS_BALLANGVEL: sensors.JointVelocity,
}


def add_sensors(model: Model, compiled: mujoco.MjModel) -> Model:
    """The model with MuJoCo's sites and sensors, and a warning for each sensor that cannot be read."""
    model = dataclasses.replace(model, sites=_read_sites(compiled))
    if not compiled.nsensor:
        return model
    if not flags(compiled)("SENSOR"):
        return _warned(model, ["the sensors are switched off by the option's flags, so they are left out"])
    names = part_names("sensor", [compiled.sensor(i).name for i in range(compiled.nsensor)])
    found, warnings = [], []
    for i, name in enumerate(names):
        sensor = _read_sensor(model, compiled, i, name)
        if isinstance(sensor, Sensor):
            found.append(sensor)
            warnings += [f"sensor {name!r}: {ignored} is ignored" for ignored in _extras(compiled, i)]
        else:
            warnings.append(f"sensor {name!r}: {sensor}, so it is left out")
    return _warned(dataclasses.replace(model, sensors=tuple(found)), warnings)


def _warned(model: Model, warnings: list[str]) -> Model:
    return dataclasses.replace(model, warnings=(*model.warnings, *warnings))


def _read_sites(compiled: mujoco.MjModel) -> Sites | None:
    if not compiled.nsite:
        return None
    return Sites(
        position=snap(compiled.site_pos),
        rotation=np.array([matrix_from_quaternion(quaternion) for quaternion in compiled.site_quat]),
        names=part_names("site", [compiled.site(i).name for i in range(compiled.nsite)]),
        bodies=tuple(int(body) - 1 for body in compiled.site_bodyid),
    )


def _read_sensor(model: Model, compiled: mujoco.MjModel, index: int, name: str) -> Sensor | str:
    """A sensor, or why there is none."""
    kind = _TYPE(int(compiled.sensor_type[index]))
    word = kind.name.removeprefix("mjSENS_").lower()
    flaws = _read_imperfection(compiled, index, orientation=kind in {_TYPE.mjSENS_FRAMEQUAT, _TYPE.mjSENS_BALLQUAT})
    if kind in _ON_JOINTS:
        return _ON_JOINTS[kind](name, model.joints.names[compiled.sensor_objid[index]], imperfection=flaws)
    if kind not in {**_ON_SITES, **_ON_FRAMES}:
        return f"{word} is not among the kinds that can be read"
    frame = _frame_name(model, compiled.sensor_objtype[index], compiled.sensor_objid[index])
    if frame is None:
        return f"{word} of what is neither site nor xbody cannot be read"
    if kind in _ON_SITES:
        return _ON_SITES[kind](name, frame, imperfection=flaws)
    reference = "world"
    if compiled.sensor_refid[index] >= 0:
        reference = _frame_name(model, compiled.sensor_reftype[index], compiled.sensor_refid[index])
    if reference is None:
        return f"{word} relative to what is neither site nor xbody cannot be read"
    return _ON_FRAMES[kind](name, frame, reference=reference, imperfection=flaws)


def _frame_name(model: Model, kind: int, index: int) -> str | None:
    """The name of a site or body frame, with its kind in front where another frame is called so; None for others."""
    if kind == int(_OBJECT.mjOBJ_XBODY) and index == 0:
        return "world"
    bodies, sites = model.bodies.names, () if model.sites is None else model.sites.names
    if kind == int(_OBJECT.mjOBJ_XBODY):
        name, others, prefix = bodies[index - 1], (*sites, "world"), "body:"
    elif kind == int(_OBJECT.mjOBJ_SITE):
        name, others, prefix = sites[index], (*bodies, "world"), "site:"
    else:
        return None
    return prefix + name if name in others else name


def _read_imperfection(compiled: mujoco.MjModel, index: int, *, orientation: bool) -> Imperfection | None:
    noise, delay = float(compiled.sensor_noise[index]), float(compiled.sensor_delay[index])
    if not noise and not delay:
        return None
    size = 3 if orientation else int(compiled.sensor_dim[index])
    return Imperfection(noise=np.full(size, noise) if noise else None, delay=np.array(delay) if delay else None)


def _extras(compiled: mujoco.MjModel, index: int) -> Iterator[str]:
    if compiled.sensor_cutoff[index]:
        yield "the cutoff"
    if compiled.sensor_interval[index].any():
        yield "the interval"

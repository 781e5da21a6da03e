"""Sites and sensors of a compiled MuJoCo model."""

import dataclasses
from collections.abc import Iterator

import mujoco
import numpy as np

from supple.describe.actuators import kept_actuators
from supple.describe.frames import matrix_from_quaternion, snap
from supple.describe.parts import flags, part_names
from supple.model import sensors
from supple.model.imperfection import Imperfection
from supple.model.lookup import WORLD, find_subtree, site_names
from supple.model.model import Model
from supple.model.mujoco_sensors import (
    AXES,
    HOLDING,
    INERTIAL,
    ON_ACTUATORS,
    ON_BALLS,
    ON_FRAMES,
    ON_SCALAR_JOINTS,
    ON_SUBTREES,
    RELATIVE,
)
from supple.model.sensor import Sensor, mark_name
from supple.model.sites import Sites

_TYPE, _OBJECT = mujoco.mjtSensor, mujoco.mjtObj
_ORIENTATIONS = (_TYPE.mjSENS_FRAMEQUAT, _TYPE.mjSENS_BALLQUAT)


def add_sensors(model: Model, compiled: mujoco.MjModel) -> Model:
    """The model with MuJoCo's sites and sensors, and a warning for each sensor that cannot be read."""
    model = dataclasses.replace(model, sites=_read_sites(compiled))
    if not compiled.nsensor:
        return model
    if not flags(compiled)("SENSOR"):
        return _warned(model, ["the sensors are switched off by the option's flags, so they are left out"])
    names = part_names("sensor", [compiled.sensor(i).name for i in range(compiled.nsensor)])
    found, warnings = {}, []
    for i, name in enumerate(names):
        mark = mark_name(name)
        try:
            if mark in found:
                raise _UnreadableError(f"it would be marked {mark!r}, as {found[mark].name!r} is")
            found[mark] = _read_sensor(model, compiled, i, name)
        except _UnreadableError as why:
            warnings.append(f"sensor {name!r}: {why}, so it is left out")
        else:
            warnings += [f"sensor {name!r}: {ignored} is ignored" for ignored in _extras(compiled, i)]
    return _warned(dataclasses.replace(model, sensors=tuple(found.values())), warnings)


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


def _read_sensor(model: Model, compiled: mujoco.MjModel, index: int, name: str) -> Sensor:
    """A sensor, or `_UnreadableError`."""
    kind = _TYPE(int(compiled.sensor_type[index]))
    flaws = _read_imperfection(compiled, index, kind)
    for kinds, find_part in _PARTS:
        if kind in kinds:
            return kinds[kind](name, find_part(model, compiled, index), imperfection=flaws)
    if kind not in RELATIVE and kind not in AXES:
        raise _UnreadableError(f"{_word(kind)} is not among the kinds that can be read")
    frame, reference = _frame(model, compiled, index), _reference(model, compiled, index)
    if kind in AXES:
        return sensors.FrameAxis(name=name, frame=frame, axis=AXES.index(kind), reference=reference, imperfection=flaws)
    return RELATIVE[kind](name, frame, reference=reference, imperfection=flaws)


class _UnreadableError(Exception):
    """Why a sensor is left out."""


def _joint(model: Model, compiled: mujoco.MjModel, index: int) -> str:
    return model.joints.names[compiled.sensor_objid[index]]


def _actuator(model: Model, compiled: mujoco.MjModel, index: int) -> str:
    kept = kept_actuators(compiled)
    if compiled.sensor_objid[index] not in kept:
        raise _UnreadableError("its actuator is left out")
    return model.actuators.names[kept.index(compiled.sensor_objid[index])]


def _subtree(model: Model, compiled: mujoco.MjModel, index: int) -> str:
    body = int(compiled.sensor_objid[index]) - 1
    if not np.sum(model.bodies.mass[find_subtree(model, body)]) > 0:  # MuJoCo's may be that of a placeholder
        raise _UnreadableError("what it looks at has no mass")
    return "world" if body == WORLD else model.bodies.names[body]


def _held_frame(model: Model, compiled: mujoco.MjModel, index: int) -> str:
    if compiled.site_bodyid[compiled.sensor_objid[index]] == 0:
        raise _UnreadableError("its site is fixed to the world, which nothing holds")
    return _frame(model, compiled, index)


def _frame(model: Model, compiled: mujoco.MjModel, index: int) -> str:
    return _frame_name(model, int(compiled.sensor_objtype[index]), int(compiled.sensor_objid[index]))


def _reference(model: Model, compiled: mujoco.MjModel, index: int) -> str:
    if compiled.sensor_refid[index] < 0:
        return "world"
    return _frame_name(model, int(compiled.sensor_reftype[index]), int(compiled.sensor_refid[index]))


def _frame_name(model: Model, kind: int, index: int) -> str:
    """The name of a site or body frame, with its kind in front where another frame is called so."""
    bodies, sites = ("world", *model.bodies.names), site_names(model)
    if kind == int(_OBJECT.mjOBJ_XBODY):
        name, others, prefix = bodies[index], sites, "body:"
    elif kind == int(_OBJECT.mjOBJ_SITE):
        name, others, prefix = sites[index], bodies, "site:"
    else:
        what = _OBJECT(kind).name.removeprefix("mjOBJ_").lower()
        raise _UnreadableError(f"the frame of a {what} is neither a site's nor an xbody's")
    return prefix + name if name in others else name


def _word(kind: mujoco.mjtSensor) -> str:
    return kind.name.removeprefix("mjSENS_").lower()


def _read_imperfection(compiled: mujoco.MjModel, index: int, kind: mujoco.mjtSensor) -> Imperfection | None:
    noise, delay = float(compiled.sensor_noise[index]), float(compiled.sensor_delay[index])
    if not noise and not delay:
        return None
    size = 3 if kind in _ORIENTATIONS else int(compiled.sensor_dim[index])
    return Imperfection(noise=np.full(size, noise) if noise else None, delay=np.array(delay) if delay else None)


def _extras(compiled: mujoco.MjModel, index: int) -> Iterator[str]:
    if compiled.sensor_cutoff[index]:
        yield "the cutoff"
    if compiled.sensor_interval[index].any():
        yield "the interval"


_PARTS = (
    (ON_SCALAR_JOINTS | ON_BALLS, _joint),
    (ON_ACTUATORS, _actuator),
    (ON_SUBTREES, _subtree),
    (HOLDING, _held_frame),
    (INERTIAL | ON_FRAMES, _frame),
)

"""Load a robot from a URDF or MJCF file, an XML string, or MuJoCo's objects."""

import os
import pathlib
import xml.etree.ElementTree as ET
from typing import Literal

import mujoco
import numpy as np

from supple.describe import compiled as reader
from supple.describe import urdf
from supple.describe.inertial import RawInertials
from supple.model.model import Model


def load(
    source: str | os.PathLike[str] | mujoco.MjSpec | mujoco.MjModel,
    *,
    base: Literal["fixed", "floating"] | None = None,
    strict: bool = False,
    meshes: Literal["load", "skip"] = "load",
    mimic: Literal["ignore", "reduce"] = "ignore",
) -> Model:
    """The model of a robot."""
    if isinstance(source, mujoco.MjModel):
        return _model(source, {}, is_urdf=False)
    if isinstance(source, mujoco.MjSpec):
        spec, is_urdf = source.copy(), False
    else:
        text = source if isinstance(source, str) and source.lstrip().startswith("<") else pathlib.Path(source).read_text()
        is_urdf = ET.fromstring(text).tag == "robot"
        if is_urdf:
            spec = mujoco.MjSpec.from_string(urdf.prepare(text).text)
        elif text is source:
            spec = mujoco.MjSpec.from_string(text)
        else:
            spec = mujoco.MjSpec.from_file(str(source))
    spec.compiler.fusestatic = False
    if base == "floating" and not any(joint.type == mujoco.mjtJoint.mjJNT_FREE for joint in spec.joints):
        spec.worldbody.first_body().add_freejoint(name="root")
    raw = RawInertials(spec, missing_is_massless=is_urdf)
    compiled = spec.compile()
    return _model(compiled, raw.restore(compiled), is_urdf=is_urdf)


def _model(compiled, raw, *, is_urdf) -> Model:
    joints = reader.read_joints(compiled)
    bodies = reader.read_bodies(compiled, raw)
    motors = [i for i in range(compiled.nu)]
    return Model(
        bodies=bodies,
        joints=joints,
        actuators=reader.drive_every_joint(joints) if is_urdf else reader.read_actuators(compiled, motors),
        gravity=reader.read_gravity(compiled),
        home=np.array(compiled.qpos0),
        name="",
    )

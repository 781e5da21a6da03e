"""A scene with every kind of sensor on every kind of frame, and what MuJoCo's sensors read in random states of it."""

import dataclasses
import functools
import itertools
from typing import NamedTuple

import mujoco
import numpy as np

import supple as sp
from supple.model.model import Model
from supple.model.sensors import ForceTorque
from supple.testing import random_configuration

# Constraints are off, and with them contact: limits and dry friction are constraints in MuJoCo and smooth forces here.
SCENE = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.01" gravity="0.7 -1.3 -9.2" density="3" viscosity="0.2" wind="0.3 -0.5 0.7">
    <flag contact="disable" constraint="disable"/></option>
  <worldbody>
    <site name="ground" pos="1 2 3" quat=".9 .1 -.3 .2"/>
    <body name="post" pos="2 0 0" quat=".7 .1 .2 .6"><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/>
      <site name="top" pos="0 .1 1" quat=".3 .3 .1 .9"/>
      <body name="gate" pos="0 0 1"><joint name="turn" axis="0 1 1" pos=".1 .2 .3" damping=".2"/>
        <inertial pos=".4 0 0" mass="1.5" diaginertia=".1 .1 .1"/>
        <site name="handle" pos=".8 .1 0" euler="1 2 3"/></body>
    </body>
    <body name="base" pos="0 0 1"><freejoint name="base"/>
      <inertial pos=".1 .2 .3" mass="2" fullinertia=".3 .2 .25 .02 -.03 .01"/>
      <site name="imu" pos=".1 -.2 .3" euler=".3 -.4 .5"/>
      <body name="arm" pos=".3 .1 0" quat=".8 .2 .1 -.3" gravcomp="0.6">
        <joint name="twist" axis="1 2 3" pos=".1 0 .05" damping=".3" stiffness="2" springref=".2" armature=".02"/>
        <joint name="reach" type="slide" axis="0 1 1" damping=".1" stiffness="3"/>
        <joint name="bend" axis="0 1 0" pos="0 .1 0" ref=".3"/>
        <inertial pos=".1 0 0" mass="1" diaginertia=".1 .1 .12"/>
        <site name="elbow" pos="-.1 .1 .2" euler=".1 .2 2"/>
        <body name="plate" pos=".1 .1 .1" quat=".5 .5 .5 .4">
          <inertial pos=".1 0 .1" mass=".7" diaginertia=".1 .1 .19" quat=".3 .2 .1 .9"/>
          <site name="corner" pos=".1 .2 -.1" euler="2 1 0"/>
          <body name="hand" pos=".2 0 0"><joint name="wrist" type="ball" pos="0 .05 0" armature=".01" damping=".05"/>
            <inertial pos="0 0 .2" mass="1" diaginertia=".1 .15 .12"/><site name="tip" pos=".3 0 .1"/></body>
        </body>
      </body>
      <body name="piston" pos="-.3 .1 0"><joint name="push" type="slide" axis="0 0 1"/>
        <inertial pos=".1 0 0" mass="1" diaginertia=".1 .1 .12"/></body>
    </body>
  </worldbody>
  <tendon><fixed name="pair"><joint joint="twist" coef="0.5"/><joint joint="turn" coef="-2"/></fixed></tendon>
  <actuator>
    <motor name="motor" joint="turn" gear="3" ctrlrange="-1 1"/>
    <position name="servo" joint="twist" kp="5" kv="0.5" gear="0.7" forcerange="-2 2"/>
    <position name="filtered" joint="reach" kp="2" timeconst="0.05"/>
    <motor name="ball motor" joint="wrist" gear="0.2 0.5 -0.3"/>
    <general name="thrust" joint="base" gear="1 2 3 4 5 6"/>
    <motor name="pull" tendon="pair" gear="1.5"/>
    <general name="early" joint="push" dyntype="filterexact" dynprm="0.02" actearly="true" gainprm="2"/>
  </actuator>
  <sensor>{sensors}</sensor>
</mujoco>"""

SITES = ("ground", "top", "handle", "imu", "elbow", "corner", "tip")
FRAMES = ("site handle", "site imu", "site tip", "xbody world", "xbody post", "xbody plate", "xbody hand")
REFERENCES = ("", "site handle", "site imu", "xbody plate")
JOINTS = ("turn", "twist", "reach", "bend", "push")
ACTUATORS = ("motor", "servo", "filtered", "ball motor", "thrust", "pull", "early")
BODIES = ("world", "base", "arm", "hand", "gate")


def sensors_xml() -> str:
    """The elements of all sensors, named by their kind and a number."""
    targets = {
        "gyro accelerometer velocimeter": [{"site": site} for site in SITES],
        "force torque": [{"site": site} for site in SITES[1:]],
        "framelinacc frameangacc": [_frame("obj", frame) for frame in FRAMES],
        "framepos framequat framelinvel frameangvel framexaxis frameyaxis framezaxis": [
            {**_frame("obj", frame), **_frame("ref", reference)}
            for (i, frame), (j, reference) in itertools.product(enumerate(FRAMES), enumerate(REFERENCES))
            if (i + j) % 2 == 0
        ],
        "jointpos jointvel jointactuatorfrc": [{"joint": joint} for joint in JOINTS],
        "ballquat ballangvel": [{"joint": "wrist"}],
        "actuatorpos actuatorvel actuatorfrc": [{"actuator": actuator} for actuator in ACTUATORS],
        "subtreecom subtreelinvel subtreeangmom": [{"body": body} for body in BODIES],
    }
    return "".join(
        f'<{kind} name="{kind} {i}" {" ".join(f"{key}={value!r}" for key, value in target.items())}/>'
        for kinds, rows in targets.items()
        for kind in kinds.split()
        for i, target in enumerate(rows)
    )


def _frame(role: str, frame: str) -> dict[str, str]:
    kind, _, name = frame.partition(" ")
    return {f"{role}type": kind, f"{role}name": name} if frame else {}


@functools.cache
def scene() -> tuple[Model, mujoco.MjModel]:
    """The scene as ours, with a `ForceTorque` too on every site that something holds, and as MuJoCo's."""
    peer = mujoco.MjModel.from_xml_string(SCENE.replace("{sensors}", sensors_xml()))
    model = sp.load(peer, strict=True)
    wrenches = [ForceTorque(name=f"wrench {i}", frame=site) for i, site in enumerate(SITES[1:])]
    return dataclasses.replace(model, sensors=(*model.sensors, *wrenches)), peer


class States(NamedTuple):
    """Random states, of which the last is at rest, with what acts on them."""

    q: np.ndarray
    v: np.ndarray
    control: np.ndarray
    activation: np.ndarray
    force: np.ndarray  # MuJoCo's `qfrc_applied`
    push: np.ndarray  # MuJoCo's `xfrc_applied` without the world: a force, then a torque, at the centres of mass


def random_states(model: Model, count: int, seed: int = 0) -> States:
    """States of all magnitudes near 1."""
    rng = np.random.default_rng(seed)
    q = np.array([random_configuration(model, rng) for _ in range(count)])
    v, control, activation, force = (rng.normal(size=(count, n)) for n in (model.nv, model.nu, model.na, model.nv))
    v[-1] = 0.0
    return States(q, v, 2.0 * control, activation, force, rng.normal(size=(count, len(model.bodies.names), 6)))


def mujoco_readings(peer: mujoco.MjModel, states: States) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Each sensor's readings, and of MjData, each state's `qacc`, `qfrc_actuator`, `xpos` and `xipos`."""
    data = mujoco.MjData(peer)
    fields: dict[str, list[np.ndarray]] = {"qacc": [], "qfrc_actuator": [], "xpos": [], "xipos": [], "sensordata": []}
    for q, v, control, activation, force, push in zip(*states, strict=True):
        data.qpos, data.qvel, data.ctrl, data.act, data.qfrc_applied = q, v, control, activation, force
        data.xfrc_applied[1:] = push
        mujoco.mj_forward(peer, data)
        for field, rows in fields.items():
            rows.append(getattr(data, field).copy())
    arrays = {field: np.array(rows) for field, rows in fields.items()}
    columns = [slice(start, start + size) for start, size in zip(peer.sensor_adr, peer.sensor_dim, strict=True)]
    readings = {peer.sensor(i).name: arrays["sensordata"][:, column] for i, column in enumerate(columns)}
    return readings, arrays


def with_wrenches(readings: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The readings, and those that MuJoCo would have of each `ForceTorque`."""
    wrenches = {
        f"wrench {i}": np.concatenate([readings[f"torque {i}"], readings[f"force {i}"]], axis=1)
        for i in range(len(SITES) - 1)
    }
    return {**readings, **wrenches}


def find_unequal(got: dict[str, np.ndarray], expected: dict[str, np.ndarray], tolerance: float) -> dict[str, float]:
    """Sensors that differ by more than `tolerance` of the largest reading of their kind, each with its error.

    Quaternions may differ in sign.
    """
    assert got.keys() == expected.keys()
    scales: dict[str, float] = {}
    for name, values in expected.items():
        kind = name.split()[0]
        scales[kind] = max(scales.get(kind, 0.0), np.abs(values).max())
    unequal = {}
    for name, values in expected.items():
        here, kind = np.asarray(got[name]), name.split()[0]
        if kind in {"framequat", "ballquat"}:
            here = here * np.sign(np.sum(here * values, axis=1, keepdims=True))
        error = np.abs(here - values).max() / scales[kind]
        if not error <= tolerance:
            unequal[name] = error
    return unequal

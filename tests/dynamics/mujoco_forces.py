"""Robots with forces of every kind, and what MuJoCo makes of random states of them."""

import mujoco
import numpy as np
from robots import mjcf

import supple as sp
from supple.model.model import Model
from supple.testing import random_configuration

FIELDS = ("qfrc_actuator", "actuator_force", "act_dot", "qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid")

ZOO = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.01" gravity="0.4 -0.3 -9.8" density="800" viscosity="2" wind="0.3 -0.5 0.7" {option}/>
  <worldbody>
    <body name="base" pos="0 0 1" gravcomp="0.4"><freejoint name="base"/>
      <inertial pos=".1 .2 .3" mass="2" fullinertia=".3 .2 .25 .02 -.03 .01"/>
      <body name="arm" pos=".3 .1 0" quat=".8 .2 .1 -.3" gravcomp="1.5">
        <joint name="twist" axis="1 2 3" pos=".1 0 .05" damping=".3" stiffness="2" springref=".2"
          actuatorfrcrange="-3 2"/>
        <joint name="reach" type="slide" axis="0 1 1" damping=".1" stiffness="3" armature=".2"/>
        <inertial pos=".1 0 0" mass="1" diaginertia=".1 .1 .12"/>
        <body name="plate" pos=".1 .1 .1" quat=".5 .5 .5 .4">
          <inertial pos=".1 0 .1" mass=".7" diaginertia=".1 .1 .19" quat=".3 .2 .1 .9"/>
          <body name="hand" pos=".2 0 0" gravcomp="0.8"><joint name="wrist" type="ball" pos="0 .05 0" damping=".05"
            stiffness=".4"/><inertial pos="0 0 .2" mass="1" diaginertia=".1 .15 .12"/></body>
        </body>
      </body>
    </body>
    <body name="post" pos="2 0 0" gravcomp="1"><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/>
      <body name="gate" pos="0 0 1"><joint name="turn" axis="0 1 1"/>
        <inertial pos=".4 0 0" mass="1.5" diaginertia=".1 .1 .1"/></body></body>
  </worldbody>
  <tendon>
    <fixed name="idle"><joint joint="turn" coef="1"/></fixed>
    <fixed name="pair" stiffness="3" damping="0.7" springlength="-0.2 0.3">
      <joint joint="twist" coef="0.5"/><joint joint="turn" coef="-2"/></fixed>
    <fixed name="single"><joint joint="reach" coef="3"/></fixed>
  </tendon>
  <actuator>
    <motor name="motor" joint="turn" gear="3" ctrlrange="-1 1" damping="0.2" armature="0.1"/>
    <motor name="second motor" joint="turn" gear="-2" damping="0.3" armature="0.4"/>
    <position name="servo" joint="twist" kp="5" kv="0.5" gear="0.7" forcerange="-4 3"/>
    <position name="filtered servo" jointinparent="turn" kp="2" timeconst="0.05"/>
    <velocity name="velocity" joint="reach" kv="2"/>
    <intvelocity name="integrating" joint="twist" kp="3" kv="0.2" actrange="-0.5 0.5"/>
    <damper name="damper" joint="turn" kv="1.5" ctrlrange="0 1"/>
    <cylinder name="cylinder" joint="reach" timeconst="0.2" area="2" bias="0.1 0.2 0.3"/>
    <general name="general" joint="twist" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="4 5 6" gear="2"/>
    <motor name="ball motor" joint="wrist" gear="0.2 0.5 -0.3"/>
    <position name="ball servo" joint="wrist" kp="2" kv="0.1" gear="1 2 3"/>
    <intvelocity name="ball integrator" joint="wrist" kp="2" gear="0 1 0.5"/>
    <general name="thrust" joint="base" gear="1 2 3 4 5 6" biastype="affine" biasprm="0 2 0.3"/>
    <motor name="pull" tendon="pair" gear="1.5"/>
    <position name="tendon servo" tendon="single" kp="2" kv="0.4" gear="0.5"/>
    <general name="early" joint="twist" dyntype="filterexact" dynprm="0.02" actearly="true" gainprm="2"/>
    <general name="early integrator" joint="reach" dyntype="integrator" actearly="true" actrange="-1 1"/>
  </actuator>
</mujoco>"""


def zoo(option: str = "") -> str:
    """A scene with every kind of actuator, tendon springs, gravity compensation and a fluid."""
    return ZOO.replace("{option}", option)


def load_both(name: str) -> tuple[Model, mujoco.MjModel]:
    """A robot by name, or the zoo, as ours and as MuJoCo's."""
    if name == "zoo":
        return sp.load(zoo()), mujoco.MjModel.from_xml_string(zoo())
    path = mjcf(name)
    return sp.load(path, meshes="skip"), mujoco.MjModel.from_xml_path(str(path))


def random_states(model: Model, count: int, seed: int = 3) -> tuple[np.ndarray, ...]:
    """q, v, control and activation, of which the last state is at rest."""
    rng = np.random.default_rng(seed)
    q = np.array([random_configuration(model, rng) for _ in range(count)])
    v, control, activation = (rng.normal(size=(count, n)) for n in (model.nv, model.nu, model.na))
    v[-1] = 0.0
    return q, v, 2.0 * control, activation


def mujoco_forces(peer: mujoco.MjModel, states: tuple[np.ndarray, ...]) -> dict[str, np.ndarray]:
    """`FIELDS` of MjData for each state, and the activations after a step."""
    data = mujoco.MjData(peer)
    rows: dict[str, list[np.ndarray]] = {field: [] for field in (*FIELDS, "next_act")}
    for q, v, control, activation in zip(*states, strict=True):
        mujoco.mj_resetData(peer, data)
        data.qpos[:], data.qvel[:], data.ctrl[:], data.act[:] = q, v, control, activation
        mujoco.mj_forward(peer, data)
        for field in FIELDS:
            rows[field].append(getattr(data, field).copy())
        mujoco.mj_step(peer, data)
        rows["next_act"].append(data.act.copy())
    return {field: np.array(values) for field, values in rows.items()}


def assert_close(got: np.ndarray, expected: np.ndarray, tolerance: float = 1e-9) -> None:
    """Each column to `tolerance` of its largest value in the batch, or of a thousandth of the largest of all."""
    scale = np.abs(expected).max(axis=0, initial=0.0)
    scale = np.maximum(scale, 1e-3 * scale.max(initial=0.0))
    error = np.abs(np.asarray(got) - expected).max(axis=0, initial=0.0)
    assert np.all(error <= tolerance * scale), error / np.where(scale > 0, scale, 1.0)

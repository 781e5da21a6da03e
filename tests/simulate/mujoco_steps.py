"""The same robots in Supple and in MuJoCo, without what makes forces in one and constraints in the other."""

import dataclasses
from collections.abc import Callable

import jax
import jax.numpy as jnp
import mujoco
import numpy as np
from mujoco_forces import zoo
from robots import every_joint_xml, mjcf

import supple as sp
from supple import simulate
from supple.model.integrator import Integrator
from supple.model.model import Model

# Every way in which MuJoCo's implicitfast counts, or leaves out, the resistance of an actuator or a tendon.
SERVOS = """
<mujoco><option timestep="0.01" viscosity="0.1"/><worldbody>
  <body name="a"><joint name="a" axis="0 1 0" damping=".3"/><inertial pos=".2 0 0" mass="1" diaginertia=".1 .1 .12"/>
    <body name="b" pos=".4 0 0"><joint name="b" axis="0 1 1" actuatorfrcrange="-2 2"/>
      <inertial pos=".2 0 .1" mass="1" diaginertia=".1 .1 .12"/>
      <body name="c" pos=".4 0 0"><joint name="c" type="slide" axis="0 1 1"/>
        <inertial pos=".2 0 .1" mass="1" diaginertia=".1 .1 .12"/></body></body>
    <body name="d" pos="-.4 0 0"><joint name="d" axis="0 1 1"/>
      <inertial pos=".2 0 .1" mass="1" diaginertia=".1 .1 .12"/></body></body>
</worldbody>
<tendon><fixed name="t" damping=".4"><joint joint="a" coef=".5"/><joint joint="b" coef="-1"/><joint joint="d" coef="1"/>
</fixed></tendon>
<actuator>
  <velocity tendon="t" kv="2"/>
  <velocity tendon="t" kv="3" forcerange="-1 1"/>
  <velocity joint="b" kv="1.5"/>
  <general joint="c" gaintype="affine" gainprm="1 2 3" ctrlrange="-1 1"/>
  <general joint="d" gaintype="affine" gainprm="1 2 -.5" dyntype="filter" dynprm=".05" actearly="true"/>
  <general joint="a" gaintype="affine" gainprm="1 2 -.7" dyntype="integrator" actrange="-.5 .5"/>
</actuator></mujoco>"""

# A free, a hinged and a balled body, an activation, and forces on velocities that are coupled.
TUMBLER = """
<mujoco><option gravity="0.5 -1 -9.8"/><worldbody>
  <body name="base" pos="0 0 1"><freejoint name="base"/><inertial pos=".1 .2 .05" mass="2" diaginertia=".3 .2 .25"/>
    <body name="arm" pos=".3 .1 0"><joint name="bend" axis="0 1 0" damping=".2" stiffness="1"/>
      <inertial pos=".1 0 0" mass="1" diaginertia=".1 .1 .12"/>
      <body name="hand" pos=".3 0 0"><joint name="wrist" type="ball" damping=".05" stiffness=".4"/>
        <inertial pos="0 0 .2" mass="1" diaginertia=".1 .15 .12"/></body></body></body>
</worldbody><actuator>
  <general name="lagging" joint="bend" dyntype="filter" dynprm=".1" gainprm="2"/>
  <velocity name="brake" joint="wrist" gear="1 .5 -.3" kv=".3"/>
</actuator></mujoco>"""

TEXTS: dict[str, Callable[[], str]] = {
    "every_joint": every_joint_xml,
    "zoo": zoo,
    "servos": lambda: SERVOS,
    "tumbler": lambda: TUMBLER,
}

EULER, FAST = mujoco.mjtIntegrator.mjINT_EULER, mujoco.mjtIntegrator.mjINT_IMPLICITFAST
RK4 = mujoco.mjtIntegrator.mjINT_RK4
FLAGS = mujoco.mjtDisableBit

# ours, MuJoCo's, and a flag that it needs
INTEGRATORS: dict[str, tuple[Integrator, int, int]] = {
    "semi_implicit_euler": (simulate.SemiImplicitEuler(), EULER, FLAGS.mjDSBL_EULERDAMP),
    "implicit_damping": (simulate.ImplicitDamping(), EULER, 0),
    "implicit_fast": (simulate.ImplicitFast(), FAST, 0),
    "runge_kutta_4": (simulate.RungeKutta4(), RK4, 0),
}


def load_pair(name: str) -> tuple[Model, mujoco.MjModel]:
    """A scene of `TEXTS`, or a robot of gymnasium, as ours and as MuJoCo's."""
    if name in TEXTS:
        return unconstrained(sp.load(TEXTS[name]())), mujoco.MjModel.from_xml_string(TEXTS[name]())
    path = mjcf(f"gymnasium/{name}")
    return unconstrained(sp.load(path, meshes="skip")), mujoco.MjModel.from_xml_path(str(path))


def unconstrained(model: Model) -> Model:
    """Without dry friction and limits, which are forces here and constraints in MuJoCo."""
    joints = model.joints
    none = (False,) * len(joints.names)
    joints = dataclasses.replace(joints, friction_loss=np.zeros_like(joints.friction_loss), limited=none)
    return dataclasses.replace(model, joints=joints)


def configure(peer: mujoco.MjModel, integrator: str, dt: float) -> mujoco.MjModel:
    """MuJoCo's model with an integrator and without constraints."""
    _, peer.opt.integrator, flag = INTEGRATORS[integrator]
    peer.opt.disableflags = FLAGS.mjDSBL_CONTACT | FLAGS.mjDSBL_LIMIT | FLAGS.mjDSBL_FRICTIONLOSS | flag
    peer.opt.timestep = dt
    return peer


def as_state(model: Model, q: jax.Array, v: jax.Array, activation: jax.Array) -> sp.State:
    """A state at time zero."""
    return sp.State(q, v, jnp.zeros(()), activation if model.na else ())


def mujoco_steps(
    peer: mujoco.MjModel, q: np.ndarray, v: np.ndarray, activation: np.ndarray, controls: np.ndarray
) -> tuple[np.ndarray, ...]:
    """q, v, activation and time after each step under each of the controls."""
    data = mujoco.MjData(peer)
    data.qpos[:], data.qvel[:], data.act[:] = q, v, activation
    rows = []
    for control in controls:
        data.ctrl[:] = control
        mujoco.mj_step(peer, data)
        rows.append((data.qpos.copy(), data.qvel.copy(), data.act.copy(), data.time))
    assert not any(warning.number for warning in data.warning), "MuJoCo's step diverged"
    return tuple(np.array(column) for column in zip(*rows, strict=True))

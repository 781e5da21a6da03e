"""Robots whose rollouts are differentiated: every parameter of theirs takes part."""

import dataclasses

import numpy as np
from rollout_gradients import Start

import supple as sp
from supple.describe.builder import RobotBuilder
from supple.describe.primitives import box
from supple.model.actuators import ActivationKind
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.testing import random_configuration

BALL_TREE = """
<mujoco><option gravity="0.5 -1 -9.8"/><default><joint armature=".02" damping=".1"/></default><worldbody>
  <body name="trunk" pos="0 0 1" gravcomp=".3"><joint name="root" type="ball" stiffness="2"/>
    <inertial pos=".1 .2 .3" mass="2" diaginertia=".3 .2 .25"/>
    <body name="left" pos=".3 .1 0"><joint name="shoulder" type="ball" pos="0 .05 0" range="0 40" limited="true"/>
      <inertial pos=".1 0 0" mass="1" diaginertia=".1 .1 .12"/>
      <body name="plate" pos=".1 .1 .1"><inertial pos=".1 0 .1" mass=".7" diaginertia=".1 .1 .12"/>
        <body name="hand" pos=".2 0 0"><joint name="wrist" type="ball"/>
          <inertial pos="0 0 .2" mass="1" diaginertia=".1 .1 .12"/></body></body></body>
    <body name="right" pos="-.3 .1 0"><joint name="elbow" axis="0 1 0" actuatorfrcrange="-1.5 1.5"/>
      <inertial pos="-.1 0 0" mass="1" diaginertia=".1 .1 .12"/>
      <body name="tip" pos="-.2 0 0"><joint name="push" type="slide" axis="1 0 0"/>
        <inertial pos="-.1 0 0" mass=".5" diaginertia=".1 .1 .12"/></body></body>
  </body>
</worldbody>
<tendon><fixed name="cord" stiffness="5" damping=".3" springlength="-.1 .1">
  <joint joint="elbow" coef="1"/><joint joint="push" coef="-2"/></fixed></tendon>
<actuator>
  <motor name="turn" joint="shoulder" gear="1 -.5 2" ctrlrange="-1 1"/>
  <position name="servo" joint="elbow" kp="5" kv=".5" forcerange="-1 1"/>
  <general name="slow" joint="wrist" gear=".5 1 .3" dyntype="filter" dynprm=".05" gainprm="2" actlimited="true"
    actrange="-.3 .3"/>
  <motor name="cord" tendon="cord"/>
</actuator></mujoco>"""


def lagging_cartpole() -> Model:
    """A cart-pole whose motor lags behind its control."""
    model = sp.robots.cartpole()
    actuators = dataclasses.replace(
        model.actuators,
        dynamics=(ActivationKind.FILTER,),
        time_constant=np.array([0.03]),
        gear=20.0 * model.actuators.gear,
    )
    return dataclasses.replace(model, actuators=actuators)


def gimbal() -> Model:
    """A body in two massless rings, whose joints have armature; all axes meet and stand at right angles."""
    builder = RobotBuilder("gimbal")
    parent = "world"
    for name, axis in (("outer", (0.0, 0.0, 1.0)), ("inner", (0.0, 1.0, 0.0)), ("wheel", (1.0, 0.0, 0.0))):
        builder.body(name, parent, solids=[box((0.1, 0.2, 0.3), mass=2.0)] if name == "wheel" else [])
        builder.joint(name, name, axis=axis, armature=0.02)
        builder.motor(name, name)
        parent = name
    return builder.build()


MAKERS = {
    "arm": sp.robots.arm,
    "ball_tree": lambda: sp.load(BALL_TREE),
    "quadruped": sp.robots.quadruped,
    "humanoid": sp.robots.humanoid,
    "swimmer": sp.robots.swimmer,
    "cartpole": lagging_cartpole,
}


def generic(model: Model) -> Model:
    """A model of the same structure whose parameters all have some value, none of it special."""
    rng = np.random.default_rng(7)

    def spread(leaf, size):
        return leaf + size * rng.normal(size=np.shape(leaf))

    bodies, joints, actuators = model.bodies, model.joints, model.actuators
    n = len(joints.names)
    bodies = dataclasses.replace(
        bodies,
        position=spread(bodies.position, 0.02),
        mass=bodies.mass * rng.uniform(0.8, 1.2, len(bodies.mass)),
        center_of_mass=spread(bodies.center_of_mass, 0.01),
        inertia=bodies.inertia + 0.05 * bodies.inertia[:, :1] * rng.normal(size=bodies.inertia.shape),
    )
    joints = dataclasses.replace(
        joints,
        position=np.where(free(model)[:, None], 0.0, spread(joints.position, 0.01)),
        reference=spread(joints.reference, 0.1),
        stiffness=rng.uniform(0.2, 0.5, n),
        rest=spread(joints.rest, 0.2),
        friction_loss=rng.uniform(0.01, 0.02, n),
        friction_speed=rng.uniform(0.5, 1.0, n),
        range=np.where(np.arange(n)[:, None] == stopped(model), [-0.3, 0.02], joints.range),
        limit_width=rng.uniform(0.05, 0.1, n),
        force_range=joints.force_range * np.where(np.arange(n) == n - 1, 1e-2, 1.0)[:, None],
    )
    actuators = dataclasses.replace(
        actuators,
        gear=actuators.gear * rng.uniform(0.8, 1.2, actuators.gear.shape),
        gain=spread(actuators.gain, 0.1),
        bias=spread(actuators.bias, 0.1),
        control_range=actuators.control_range * np.where(np.arange(model.nu) == 0, 1e-2, 1.0)[:, None],
        force_range=actuators.force_range * np.where(np.arange(model.nu) == 1, 1e-2, 1.0)[:, None],
        activation_range=0.1 * actuators.activation_range,
    )
    return dataclasses.replace(model, bodies=bodies, joints=joints, actuators=actuators)


def idle_parts(model: Model) -> set[str]:
    """The parameters that cannot have an effect in a model made by `generic`: those of what it does not have."""
    joints, actuators = model.joints, model.actuators
    absent = set() if free(model).any() else {"model.home"}  # where the spring of a free joint rests
    if not any(joints.limited):
        absent |= {f"model.joints.{leaf}" for leaf in ("range", "limit_stiffness", "limit_damping", "limit_width")}
    absent |= set() if any(joints.force_limited) else {"model.joints.force_range"}
    absent |= set() if any(actuators.control_limited) else {"model.actuators.control_range"}
    absent |= set() if any(actuators.force_limited) else {"model.actuators.force_range"}
    absent |= set() if any(actuators.activation_limited) else {"model.actuators.activation_range"}
    if model.name == "cartpole":
        absent |= {"model.bodies.position"}  # nothing turns the cart, so where it is does not matter
    filters = {ActivationKind.FILTER, ActivationKind.FILTER_EXACT}
    return absent if filters & set(actuators.dynamics) else absent | {"model.actuators.time_constant"}


def stopped(model: Model) -> int:
    """The joint that starts beyond its limit: the first hinge or slide that has one, else -1."""
    scalar = [kind in (JointKind.HINGE, JointKind.SLIDE) for kind in model.joints.kinds]
    return next((i for i, limited in enumerate(model.joints.limited) if limited and scalar[i]), -1)


def free(model: Model) -> np.ndarray:
    """Which joints are free."""
    return np.array([kind is JointKind.FREE for kind in model.joints.kinds])


def make_start(model: Model, steps: int) -> Start:
    """A rollout from a random state, under random controls."""
    rng = np.random.default_rng(3)
    system = sp.Simulator(model, contact=None, dt=1e-3)
    q = random_configuration(model, rng, spread=0.3)
    if stopped(model) >= 0:
        q[model.joints.q_starts[stopped(model)]] = 0.05
    state = system.init(q, rng.normal(size=model.nv))
    if model.na:
        state = dataclasses.replace(state, memory=0.2 * rng.normal(size=model.na))
    return Start(system, state, rng.normal(size=(steps, model.nu)))

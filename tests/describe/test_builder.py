"""Robots built in Python against the same robots in MJCF."""

import jax
import numpy as np
import pytest

from supple.describe.builder import RobotBuilder
from supple.describe.load import load
from supple.describe.primitives import box, sphere
from supple.model.errors import ModelError
from supple.model.joint import JointKind

SIDEWAYS = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))

MJCF = """
<mujoco model="crane"><worldbody>
  <body name="base" pos="0 0 1" euler="90 0 0"><freejoint name="free"/><geom type="box" size="0.1 0.2 0.3" mass="2"/>
    <body name="arm" pos="0 0 0.5">
      <joint name="turn" axis="0 0 3" pos="0 0 0.1" ref="0.2" springref="0.3" stiffness="4" damping="5" armature="6"
             frictionloss="7" range="-1 2"/>
      <joint name="lift" type="slide" axis="0 1 0"/>
      <geom size="0.1" mass="1" pos="1 0 0"/>
      <body name="hook" pos="1 0 0"><joint name="swing" type="ball"/><geom size="0.1" mass="0.1" pos="0 0 -1"/></body>
    </body>
    <body name="cabin" pos="0 1 0"><geom size="0.1" mass="3"/></body>
  </body></worldbody>
  <compiler angle="radian"/>
  <actuator><motor name="winch" joint="lift" gear="10" ctrlrange="0 1"/><motor name="motor" joint="turn"/></actuator>
</mujoco>
"""


def crane() -> RobotBuilder:
    builder = RobotBuilder("crane")
    builder.body("base", position=(0.0, 0.0, 1.0), rotation=SIDEWAYS, solids=[box((0.2, 0.4, 0.6), mass=2.0)])
    builder.body("arm", "base", position=(0.0, 0.0, 0.5), solids=[sphere(0.1, mass=1.0, position=(1.0, 0.0, 0.0))])
    builder.body("cabin", "base", position=(0.0, 1.0, 0.0), solids=[sphere(0.1, mass=3.0)])
    builder.body("hook", "arm", position=(1.0, 0.0, 0.0), solids=[sphere(0.1, mass=0.1, position=(0.0, 0.0, -1.0))])
    builder.joint("swing", "hook", JointKind.BALL)
    builder.joint(
        "turn",
        "arm",
        axis=(0.0, 0.0, 3.0),
        position=(0.0, 0.0, 0.1),
        reference=0.2,
        rest=0.3,
        stiffness=4.0,
        damping=5.0,
        armature=6.0,
        friction_loss=7.0,
        limits=(-1.0, 2.0),
    )
    builder.joint("lift", "arm", JointKind.SLIDE, axis=(0.0, 1.0, 0.0))
    builder.joint("free", "base", JointKind.FREE)
    builder.motor("winch", "lift", gear=10.0, limits=(0.0, 1.0))
    builder.motor("motor", "turn")
    return builder


def test_the_same_robot_as_in_mjcf() -> None:
    built, loaded = crane().build(), load(MJCF.replace('euler="90 0 0"', 'euler="1.5707963267948966 0 0"'))
    assert built.bodies.names == ("base", "arm", "hook", "cabin")  # MuJoCo's order, whatever ours was
    assert jax.tree.structure(built) == jax.tree.structure(loaded)  # names, kinds, parents: all that is static
    used = np.array([kind.nv == 1 for kind in built.joints.kinds])
    for group in ("bodies", "actuators"):
        for field, value in vars(getattr(built, group)).items():
            if isinstance(value, np.ndarray):
                np.testing.assert_allclose(value, getattr(getattr(loaded, group), field), atol=1e-12, err_msg=field)
    for field, value in vars(built.joints).items():
        if isinstance(value, np.ndarray):
            np.testing.assert_allclose(value[used], getattr(loaded.joints, field)[used], atol=1e-12, err_msg=field)
    np.testing.assert_allclose(built.home, loaded.home, atol=1e-15)
    np.testing.assert_array_equal(built.gravity, loaded.gravity)


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (lambda b: b.body("arm"), "there is already: body 'arm'"),
        (lambda b: b.body("world"), "there is already: body 'world'"),
        (lambda b: b.body("x", "leg"), "no body 'leg'; there are: world, base, arm"),
        (lambda b: b.joint("x", "leg"), "no body 'leg'"),
        (lambda b: b.joint("turn", "arm"), "there is already: joint 'turn'"),
        (lambda b: b.motor("x", "spin"), "no joint 'spin'; there are: swing"),
        (lambda b: b.motor("x", "swing"), "joint 'swing' is neither hinge nor slide"),
        (lambda b: b.motor("motor", "turn"), "there is already: actuator 'motor'"),
    ],
)
def test_mistakes_are_named(mistake, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        mistake(crane())


def test_free_joints_below_the_root_are_refused() -> None:
    builder = crane()
    builder.body("bird", "arm", solids=[sphere(0.1, mass=1.0)])
    builder.joint("flight", "bird", JointKind.FREE)
    with pytest.raises(ModelError, match="'flight': only a child of the world can be free"):
        builder.build()


def test_impossible_robots_are_refused() -> None:
    builder = crane()
    builder.body("tip", "hook")
    builder.joint("loose", "tip")
    with pytest.raises(ModelError, match="joint 'loose': nothing with inertia"):
        builder.build()

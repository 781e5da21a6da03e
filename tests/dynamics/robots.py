"""Robots that tests of the dynamics share, from packages that are installed with the tests."""

import functools
from pathlib import Path

import supple as sp
from supple.model.model import Model

_EVERY_JOINT = """
<mujoco>
  <option gravity="0.3 -0.2 -9.8"/>
  <worldbody>
    <body name="base" pos="0 0 1"><freejoint name="base"/>
      <inertial pos=".1 .2 .3" mass="2" diaginertia=".3 .2 .25" quat=".9 .1 .2 .3"/>
      <body name="arm" pos=".3 .1 0" quat=".8 .2 .1 -.3">
        <joint name="twist" axis="1 2 3" pos=".1 0 .05" armature=".02" damping=".3" stiffness="2" springref=".2"/>
        <joint name="reach" type="slide" axis="0 1 1" damping=".1" stiffness="3"/>
        <joint name="bend" axis="0 1 0" pos="0 .1 0" ref=".3"/>
        <inertial pos=".1 0 0" mass="1" diaginertia=".1 .1 .12"/>
        <body name="plate" pos=".1 .1 .1" quat=".5 .5 .5 .4">
          <inertial pos=".1 0 .1" mass=".7" diaginertia=".1 .1 .12"/>
          <body name="hand" pos=".2 0 0"><joint name="wrist" type="ball" pos="0 .05 0" armature=".01" damping=".05"
            stiffness=".4"/><inertial pos="0 0 .2" mass="1" diaginertia=".1 .1 .12"/></body>
        </body>
      </body>
      <body name="piston" pos="-.3 .1 0"><joint name="push" type="slide" axis="0 0 1"/>
        <inertial pos=".1 0 0" mass="1" diaginertia=".1 .1 .12"/></body>
    </body>
    <body name="post" pos="2 0 0"><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/>
      <body name="gate" pos="0 0 1"><joint name="turn" axis="0 0 1"/>
        <inertial pos=".4 0 0" mass="1.5" diaginertia=".1 .1 .1"/></body></body>
    <body name="ball" pos="0 3 0"><freejoint name="ball"/><inertial pos="0 0 0" mass="1" diaginertia=".1 .1 .1"/></body>
  </worldbody>
</mujoco>"""


def robot_data() -> Path:
    """The folder of robots of the package example-robot-data."""
    import pinocchio

    for folder in Path(pinocchio.__file__).parents:
        robots = folder / "share/example-robot-data/robots"
        if robots.is_dir():
            return robots
    raise FileNotFoundError("example-robot-data is not installed next to pinocchio: pip install example-robot-data")


def gymnasium_assets() -> Path:
    """The folder of gymnasium's MJCFs."""
    import gymnasium

    return Path(gymnasium.__file__).parent / "envs/mujoco/assets"


def every_joint_xml() -> str:
    """A scene with every kind of joint, several per body, anchors, welds, and three trees."""
    return _EVERY_JOINT


@functools.cache
def urdf(path: str, base: str) -> Model:
    """A robot of example-robot-data."""
    return sp.load(robot_data() / path, base=base, meshes="skip")  # pyright: ignore[reportArgumentType]

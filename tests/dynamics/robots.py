"""Robots that tests of the dynamics share, from packages that are installed with the tests."""

import functools
import importlib.util
from pathlib import Path

import pytest

import supple as sp
from supple.model.model import Model

_GYMNASIUM = (
    "ant",
    "half_cheetah",
    "hopper",
    "humanoid",
    "inverted_double_pendulum",
    "inverted_pendulum",
    "pusher_v5",
    "reacher",
    "swimmer",
    "walker2d",
)
_SUITE = ("acrobot", "cartpole", "cheetah", "finger", "fish", "humanoid_CMU", "point_mass", "quadruped", "swimmer")
MJCFS = (*(f"gymnasium/{name}" for name in _GYMNASIUM), *(f"suite/{name}" for name in _SUITE))

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


def mjcf(name: str) -> Path:
    """One of `MJCFS`: a file of gymnasium or of dm_control, which are not imported: they would look for a display."""
    package, _, robot = name.partition("/")
    module, folder = {"gymnasium": ("gymnasium", "envs/mujoco/assets"), "suite": ("dm_control", "suite")}[package]
    found = importlib.util.find_spec(module)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / folder / f"{robot}.xml"


def mostly_full(names: tuple[str, ...], quick: set[str]) -> list[object]:
    """Test parameters of which only the quick ones run by default."""
    return [name if name in quick else pytest.param(name, marks=pytest.mark.full) for name in names]


def every_joint_xml() -> str:
    """A scene with every kind of joint, several per body, anchors, welds, and three trees."""
    return _EVERY_JOINT


@functools.cache
def urdf(path: str, base: str) -> Model:
    """A robot of example-robot-data."""
    return sp.load(robot_data() / path, base=base, meshes="skip")  # pyright: ignore[reportArgumentType]

"""Running the command in process."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from supple.cli.main import main

ARM = """
<mujoco model="arm">
  <compiler angle="radian"/>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" type="hinge" axis="0 1 0" range="-1 1" limited="true" damping="0.1"/>
      <inertial mass="2" pos="0 0 -0.5" fullinertia="0.2 0.2 0.01 0 0 0"/>
      <body name="lower" pos="0 0 -1">
        <joint name="reach" type="slide" axis="0 0 1"/>
        <inertial mass="1" pos="0 0 -0.25" fullinertia="0.1 0.1 0.01 0 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="torque" joint="shoulder" gear="3" ctrlrange="-2 2" ctrllimited="true"/></actuator>
</mujoco>
"""

BOX = """
<robot name="box">
  <link name="box">
    <inertial><mass value="2"/><inertia ixx="1" iyy="1.2" izz="1.4" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
</robot>
"""


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


@pytest.fixture
def supple(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    def run(*words: object) -> Outcome:
        status = main([str(word) for word in words])
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    return run


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    path = tmp_path / "arm.xml"
    path.write_text(ARM)
    return path


@pytest.fixture
def box(tmp_path: Path) -> Path:
    path = tmp_path / "box.urdf"
    path.write_text(BOX)
    return path

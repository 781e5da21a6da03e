"""The script that measures all engines: what it runs, checks and writes."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from case import Case, NotMeasured, Task

import supple as sp
from supple.testing import PinocchioMap

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "dynamics.py"


# A floating base with something welded to it, and hinges, along an axis and not, on links with something welded on.
ROBOT = """<mujoco><worldbody><body name="base"><freejoint/>
  <inertial pos="0.1 0 0.2" mass="3" fullinertia="0.3 0.4 0.5 0.01 0.02 0.03"/>
  <body name="head" pos="0.3 0 0.1" euler="20 0 30"><inertial pos="0 0 0.1" mass="1" diaginertia="0.1 0.2 0.2"/></body>
  <body name="thigh" pos="0.1 0.2 0" euler="0 40 0"><joint name="hip" axis="0 1 0" damping="0.3" range="-1 1"/>
    <inertial pos="0 0 -0.2" mass="2" diaginertia="0.2 0.2 0.1"/>
    <body name="plate" pos="0 0.1 -0.1"><inertial pos="0.1 0 0" mass="0.5" diaginertia="0.1 0.1 0.1"/></body>
    <body name="shank" pos="0 0 -0.4"><joint name="knee" axis="0.6 0 0.8" pos="0 0.1 0" frictionloss="0.2"/>
      <inertial pos="0 0 -0.2" mass="1" diaginertia="0.1 0.2 0.1"/></body></body>
</body></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def case() -> Case:
    case = Case(sp.load(ROBOT))
    case.prepare(["forward", "gradient"])
    return case


def test_quick_run_prints_a_table_and_writes_every_figure(tmp_path: Path):
    command = [sys.executable, SCRIPT, "--quick", "--json", tmp_path / "figures.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    figures = json.loads((tmp_path / "figures.json").read_text())
    ours = {entry["question"]: entry for entry in figures if entry["engine"] == "Supple"}
    assert ours.keys() == {"forward", "step", "bound call", "call"}
    assert all(0 < ours[what]["minimum"] <= ours[what]["median"] < 1 for what in ("forward", "step", "call"))
    (peer,) = (entry for entry in figures if entry["engine"] == "MuJoCo")
    assert 0 < peer["minimum"] <= peer["median"] < 1
    assert done.stdout.count("| double pendulum |") == len(ours)


def test_fused_robot_has_a_body_per_joint_and_the_same_dynamics(case: Case):
    import pinocchio as pin
    from peers.pinocchio import pinocchio_model

    model = case.fused
    assert len(model.bodies.names) == len(model.joints.names) < len(case.model.bodies.names)
    robot = pinocchio_model(model)
    mapping = PinocchioMap(model, robot)
    q, v, tau = case.q[0], case.v[0], case.tau[0]
    found = pin.aba(robot, robot.createData(), mapping.q(q), mapping.v(q, v), mapping.force(q, tau))
    case.check("forward", Task(lambda _: None, lambda: mapping.acceleration_from(q, v, found)[None]))


def test_what_computes_something_else_is_not_measured(case: Case):
    with pytest.raises(NotMeasured, match="wrong by"):
        case.check("forward", Task(lambda _: None, lambda: np.ones((1, case.model.nv))))


@pytest.mark.parametrize("name", ["forward", "gradient"])
def test_casadi_computes_the_same(case: Case, name: str):
    pytest.importorskip("casadi")
    from casadi_dynamics import forward_function, gradient_function
    from case import FORWARD, GRADIENT

    make, names = {"forward": (forward_function, FORWARD), "gradient": (gradient_function, GRADIENT)}[name]
    function = make(case.fused)
    found = np.concatenate([np.array(part) for part in function.call(case.one(names))])
    case.check(name, Task(lambda _: None, lambda: found.T))

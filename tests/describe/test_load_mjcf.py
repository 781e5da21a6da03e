"""MJCF against MuJoCo's compiled model, and the file's own numbers."""

import pathlib

import gymnasium
import mujoco
import numpy as np
import pytest

from supple.describe.load import load
from supple.model.errors import DescriptionError
from supple.model.joint import JointKind
from supple.spatial.symmetric import unpack

ASSETS = pathlib.Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
FILES = sorted(ASSETS.glob("*.xml"))
ORDER = [JointKind.FREE, JointKind.BALL, JointKind.SLIDE, JointKind.HINGE]

gym = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)

ZOO = """
<mujoco model="zoo">
  <compiler angle="degree"/>
  <option gravity="0 0 -5"/>
  <default>
    <default class="arm">
      <joint type="hinge" axis="0 2 0" damping="0.3" stiffness="4" springref="30" ref="10" armature="0.2"
             frictionloss="0.7" range="-40 50"/>
    </default>
  </default>
  <worldbody>
    <body name="floor_lamp" pos="1 2 3" euler="0 0 90">
      <inertial pos="0.1 0.2 0.3" mass="3" fullinertia="1.1 1.2 1.3 0.1 0.02 0.03"/>
      <body pos="0 0 1">
        <joint name="lamp" class="arm" pos="0.1 0.2 0.3"/>
        <joint name="slider" type="slide" axis="1 1 0" ref="0.5" range="0 1"/>
        <inertial pos="0 0 0" mass="1" diaginertia="0.1 0.2 0.25" euler="0 90 0"/>
        <body name="shade" pos="0 0 0.5" gravcomp="0.25">
          <joint type="ball" pos="0 0 0.1" damping="0.1"/>
          <geom type="box" size="0.1 0.2 0.3" mass="2"/>
        </body>
      </body>
    </body>
    <frame pos="0 0 1" euler="90 0 0">
      <body name="ball" pos="0 0 2"><freejoint/><geom size="0.1"/></body>
    </frame>
  </worldbody>
  <actuator>
    <motor name="m" joint="lamp" gear="7" ctrlrange="-2 3"/>
    <motor joint="slider"/>
  </actuator>
</mujoco>
"""


@gym
@pytest.mark.filterwarnings("ignore:compiler attribute 'settotalmass' is deprecated")
def test_gymnasium_agrees_with_mujoco(path: pathlib.Path) -> None:
    other = mujoco.MjModel.from_xml_path(str(path))
    model = load(path)
    assert (model.nq, model.nv, model.nu) == (other.nq, other.nv, other.nu)
    assert len(model.bodies.names) == other.nbody - 1
    assert [k.nq for k in model.joints.kinds] == [ORDER[kind].nq for kind in other.jnt_type]
    np.testing.assert_allclose(model.bodies.mass, other.body_mass[1:], rtol=1e-14)
    np.testing.assert_allclose(model.bodies.position, other.body_pos[1:], atol=1e-14)
    np.testing.assert_allclose(model.bodies.center_of_mass, other.body_ipos[1:], atol=1e-14)
    moments = np.linalg.eigvalsh(np.asarray(unpack(model.bodies.inertia)))
    np.testing.assert_allclose(moments, np.sort(other.body_inertia[1:], axis=1), rtol=1e-10)
    np.testing.assert_allclose(model.joints.axis, other.jnt_axis, atol=1e-14)
    np.testing.assert_array_equal(model.joints.position, other.jnt_pos)
    np.testing.assert_array_equal(model.joints.range, other.jnt_range)
    np.testing.assert_array_equal(model.joints.limited, other.jnt_limited)
    np.testing.assert_array_equal(model.joints.stiffness, other.jnt_stiffness)
    np.testing.assert_array_equal(model.joints.damping, other.dof_damping[other.jnt_dofadr])
    np.testing.assert_array_equal(model.joints.armature, other.dof_armature[other.jnt_dofadr])
    np.testing.assert_array_equal(model.actuators.gear, other.actuator_gear)
    np.testing.assert_array_equal(model.actuators.gain, other.actuator_gainprm[:, :3])
    np.testing.assert_array_equal(model.actuators.control_range, other.actuator_ctrlrange)
    np.testing.assert_array_equal(model.gravity, other.opt.gravity)
    np.testing.assert_array_equal(model.home, other.qpos0)


def test_bodies_of_the_zoo() -> None:
    bodies = load(ZOO).bodies
    assert bodies.names == ("floor_lamp", "body_1", "shade", "ball")
    assert bodies.parents == (-1, 0, 1, -1)
    assert bodies.mass[:3].tolist() == [3, 1, 2]
    assert bodies.inertia[0].tolist() == [1.1, 0.1, 0.02, 1.2, 0.03, 1.3]  # as written, not diagonalised
    np.testing.assert_allclose(bodies.inertia[1], [0.25, 0, 0, 0.2, 0, 0.1], rtol=1e-14)
    assert bodies.inertia[1][[1, 2, 4]].tolist() == [0, 0, 0]  # exact, though turned by 90°
    np.testing.assert_allclose(bodies.inertia[2][[0, 3, 5]], 2 / 3 * np.array([0.13, 0.1, 0.05]), rtol=1e-14)
    assert bodies.rotation[0].tolist() == [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    assert bodies.position[3].tolist() == [0, -2, 1]
    assert bodies.gravity_compensation.tolist() == [0, 0, 0.25, 0]


def test_joints_of_the_zoo() -> None:
    model = load(ZOO)
    joints = model.joints
    assert joints.names == ("lamp", "slider", "joint_2", "joint_3")
    assert joints.kinds == (JointKind.HINGE, JointKind.SLIDE, JointKind.BALL, JointKind.FREE)
    assert joints.bodies == (1, 1, 2, 3)
    assert joints.limited == (True, True, False, False)
    assert joints.axis[0].tolist() == [0, 1, 0]
    np.testing.assert_allclose(joints.axis[1], np.array([1, 1, 0]) / np.sqrt(2), rtol=1e-15)
    assert joints.position[:3].tolist() == [[0.1, 0.2, 0.3], [0, 0, 0], [0, 0, 0.1]]
    np.testing.assert_allclose(joints.reference, [np.radians(10), 0.5, 0, 0], rtol=1e-14)
    np.testing.assert_allclose(joints.rest, [np.radians(30), 0, 0, 0], rtol=1e-14)
    np.testing.assert_allclose(joints.range[:2], [np.radians([-40, 50]), [0, 1]], rtol=1e-14)
    assert joints.damping.tolist() == [0.3, 0, 0.1, 0]
    assert joints.stiffness.tolist() == [4, 0, 0, 0]
    assert joints.armature.tolist() == [0.2, 0, 0, 0]
    assert joints.friction_loss.tolist() == [0.7, 0, 0, 0]
    np.testing.assert_allclose(model.home[:2], [np.radians(10), 0.5], rtol=1e-14)
    assert model.home[2:6].tolist() == [1, 0, 0, 0]
    np.testing.assert_allclose(model.home[6:], [0, -2, 1, np.sqrt(0.5), np.sqrt(0.5), 0, 0], atol=1e-15)


def test_the_rest_of_the_zoo() -> None:
    model = load(ZOO, strict=True)
    assert model.name == "zoo"
    assert model.warnings == ()
    assert model.gravity.tolist() == [0, 0, -5]
    assert model.actuators.names == ("m", "actuator_1")
    assert model.actuators.joints == (0, 1)
    assert model.actuators.gear[:, 0].tolist() == [7, 1]
    assert model.actuators.control_limited == (True, False)
    assert model.actuators.control_range[0].tolist() == [-2, 3]


@pytest.mark.parametrize("convert", [mujoco.MjSpec.from_string, mujoco.MjModel.from_xml_string])
def test_mujoco_objects_load_like_text(convert) -> None:
    model, other = load(ZOO), load(convert(ZOO))
    assert other.bodies.names == model.bodies.names
    assert other.joints.names == model.joints.names
    np.testing.assert_allclose(other.bodies.inertia, model.bodies.inertia, atol=1e-12)
    np.testing.assert_array_equal(other.joints.rest, model.joints.rest)


def test_a_spec_is_not_changed_by_loading() -> None:
    spec = mujoco.MjSpec.from_string(ZOO)
    before = spec.to_xml()
    load(spec, base="fixed")
    assert spec.to_xml() == before


def test_impossible_inertia_is_kept_with_a_warning() -> None:
    text = """<mujoco><worldbody><body name="odd"><joint/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 5"/></body></worldbody></mujoco>"""
    model = load(text, strict=True)
    assert model.bodies.inertia.tolist() == [[1, 0, 0, 1, 0, 5]]
    assert len(model.warnings) == 1
    assert "'odd'" in model.warnings[0]


@pytest.mark.parametrize(
    ("attributes", "masses"),
    [('settotalmass="10"', [2.5, 7.5]), ('boundmass="2"', [2, 3]), ('inertiafromgeom="true"', [4, 4])],
)
def test_inertias_that_the_file_lets_the_compiler_change(attributes: str, masses: list[float]) -> None:
    text = f"""<mujoco><compiler {attributes}/><worldbody>
      <body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom size="1" mass="4"/></body>
      <body><joint/><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/><geom size="1" mass="4"/></body>
      </worldbody></mujoco>"""
    np.testing.assert_allclose(load(text).bodies.mass, masses, rtol=1e-12)


@pytest.mark.parametrize(
    ("flag", "field"),
    [("damper", "damping"), ("spring", "stiffness"), ("frictionloss", "friction_loss"), ("limit", "limited")],
)
def test_flags_that_switch_off_joint_forces(flag: str, field: str) -> None:
    text = ZOO.replace('<option gravity="0 0 -5"/>', f'<option><flag {flag}="disable"/></option>')
    assert not np.any(getattr(load(text).joints, field))


def test_flags_that_switch_off_gravity_and_clamping() -> None:
    text = ZOO.replace('<option gravity="0 0 -5"/>', '<option><flag gravity="disable" clampctrl="disable"/></option>')
    model = load(text)
    assert model.gravity.tolist() == [0, 0, 0]
    assert model.actuators.control_limited == (False, False)


def test_included_files_and_their_lines(tmp_path: pathlib.Path) -> None:
    (tmp_path / "arm.xml").write_text(
        '<mujoco><worldbody>\n<body name="b"><joint name="j" springdamper="0 0" stiffness="1 2"/>\n'
        '<geom size="1"/></body></worldbody></mujoco>'
    )
    (tmp_path / "robot.xml").write_text('<mujoco>\n<include file="arm.xml"/></mujoco>')
    model = load(tmp_path / "robot.xml")
    assert model.bodies.names == ("b",)
    assert model.warnings == ("joint 'j' (arm.xml, line 2): stiffness of higher order ignored",)


def test_names_that_are_taken_are_not_invented() -> None:
    text = """<mujoco><worldbody><body><joint/><geom size="1"/></body>
      <body name="body_0"><joint name="joint_0"/><geom size="1"/></body></worldbody></mujoco>"""
    model = load(text)
    assert model.bodies.names == ("body_0_", "body_0")
    assert model.joints.names == ("joint_0_", "joint_0")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<mujoco><worldbody>\n<bdy/></worldbody></mujoco>", "unrecognized element.*line 2"),
        ("<mujoco>\n<worldbody></mujoco>", "line 2"),
        ("<mujoco><worldbody>\n<body><joint/></body></worldbody></mujoco>", "mass and inertia.*line 2"),
        ("<sdf/>", "the root element is <sdf>"),
        ('<mujoco><worldbody>\n<body pos="nan 0 0"/></worldbody></mujoco>', "line 2: pos='nan 0 0'"),
        ("<mujoco/", "not well-formed XML"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(DescriptionError, match=message):
        load(text)

"""Models as MuJoCo's: read back equal in every leaf, and moving alike."""

import dataclasses
from pathlib import Path

import jax
import mujoco
import numpy as np
import pytest

import supple as sp
from supple.model.errors import ModelError
from supple.model.model import Model

EVERYTHING = """
<mujoco model="everything">
  <option gravity="1 2 -9" density="1.5" viscosity="0.3" wind="1 0.5 0"/>
  <compiler angle="radian"/>
  <worldbody>
    <site name="origin" pos="1 0 2"/>
    <body name="post" pos="0 0 1"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><site name="post"/></body>
    <body name="ship" pos="1 2 3" quat="1 2 3 4" gravcomp="0.4"><freejoint name="free"/>
      <inertial pos="0.1 0.2 0.3" mass="3" fullinertia="0.3 0.4 0.5 0.01 0.02 0.03"/>
      <body name="mast" pos="0 1 0" euler="0.1 0.2 0.3">
        <inertial pos="0.1 0.2 0.3" mass="2" diaginertia="0.3 0.4 0.5" quat="4 3 2 1"/>
        <joint name="turn" axis="1 2 3" pos="0.1 0.2 0.3" ref="0.7" springref="0.2" stiffness="3" damping="0.4"
               armature="0.05" frictionloss="0.6" range="-1 2" limited="true" actuatorfrcrange="-3 4"
               solreflimit="0.05 0.7" solimplimit="0.9 0.95 0.02"/>
        <joint name="lift" type="slide" axis="0 1 1" range="-0.1 0.2" limited="true" solreflimit="-300 -20"/>
        <site name="top" pos="0.1 0 0.3" quat="1 2 -3 1"/>
        <body name="flag" pos="0 0 1"><joint name="swing" type="ball" damping="0.1" stiffness="2" pos="0 0 0.1"/>
          <inertial pos="0.2 0 0" mass="1" diaginertia="0.1 0.1 0.2"/></body>
      </body>
      <body name="keel" pos="0 0 -1"><inertial pos="0 0 -0.2" mass="5" diaginertia="0.1 0.2 0.2"/></body>
    </body>
  </worldbody>
  <tendon><fixed name="rope" stiffness="7" damping="0.3" springlength="-0.2 0.1">
    <joint joint="turn" coef="0.5"/><joint joint="lift" coef="-2"/></fixed></tendon>
  <actuator>
    <motor name="motor" joint="turn" gear="3" ctrlrange="-1 2" ctrllimited="true"/>
    <position name="position" joint="lift" kp="5" kv="0.2" forcerange="-4 3" forcelimited="true"/>
    <velocity name="velocity" joint="turn" kv="0.7"/>
    <damper name="damper" joint="lift" kv="0.7" ctrlrange="0 2"/>
    <intvelocity name="intvelocity" joint="turn" kp="2" actrange="-1 1"/>
    <general name="filter" tendon="rope" dyntype="filter" dynprm="0.3" actearly="true"
             gainprm="2" biastype="affine" biasprm="1 2 3"/>
    <motor name="torque" joint="swing" gear="1 2 3 0 0 0"/>
    <general name="thrust" joint="free" gear="1 2 3 4 5 6" dyntype="filterexact" dynprm="0.1"/>
  </actuator>
  <sensor>
    <gyro name="gyro" site="top" noise="0.1"/>
    <accelerometer name="accelerometer" site="top" delay="0.003" nsample="4"/>
    <velocimeter name="velocimeter" site="origin"/>
    <force name="force" site="top"/><torque name="torque" site="post"/>
    <framepos name="position" objtype="xbody" objname="flag" reftype="site" refname="post"/>
    <framequat name="orientation" objtype="site" objname="top" noise="0.02"/>
    <framelinvel name="velocity" objtype="xbody" objname="post" reftype="xbody" refname="mast"/>
    <frameangvel name="spin" objtype="xbody" objname="world" reftype="site" refname="top"/>
    <framexaxis name="x" objtype="xbody" objname="mast"/><frameyaxis name="y" objtype="xbody" objname="mast"/>
    <framezaxis name="z" objtype="site" objname="top" reftype="site" refname="origin"/>
    <framelinacc name="acceleration" objtype="site" objname="top"/>
    <frameangacc name="angular acceleration" objtype="xbody" objname="flag"/>
    <jointpos name="joint position" joint="turn"/><jointvel name="joint velocity" joint="lift"/>
    <jointactuatorfrc name="effort" joint="lift"/>
    <ballquat name="ball" joint="swing"/><ballangvel name="ball spin" joint="swing"/>
    <actuatorpos name="length" actuator="filter"/><actuatorvel name="rate" actuator="position"/>
    <actuatorfrc name="thrust force" actuator="thrust"/>
    <subtreecom name="center" body="world"/><subtreelinvel name="center velocity" body="mast"/>
    <subtreeangmom name="momentum" body="ship"/>
  </sensor>
</mujoco>
"""


def gymnasium_files() -> list[Path]:
    import gymnasium

    names = ("ant", "half_cheetah", "hopper", "humanoid", "inverted_double_pendulum", "pusher", "swimmer", "walker2d")
    return [Path(gymnasium.__file__).parent / "envs/mujoco/assets" / f"{name}.xml" for name in names]


def urdf_files() -> list[Path]:
    import pinocchio

    found = (folder / "share/example-robot-data/robots" for folder in Path(pinocchio.__file__).parents)
    robots = next(folder for folder in found if folder.is_dir())
    names = ("panda_description/urdf/panda", "a1_description/urdf/a1", "talos_data/robots/talos_full_v2")
    return [robots / f"{name}.urdf" for name in names]


def assert_same(a: Model, b: Model) -> None:
    """Every leaf to 1e-12 of its largest number, and the structure."""
    assert sp.leaves(a).keys() == sp.leaves(b).keys()
    for (name, x), y in zip(sp.leaves(a).items(), sp.leaves(b).values(), strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-12 * np.abs(x).max(initial=1.0), err_msg=name)
    a, b = (dataclasses.replace(model, warnings=()) for model in (a, b))
    assert jax.tree.structure(a) == jax.tree.structure(b)


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("file", urdf_files(), ids=lambda path: path.stem)
def test_urdfs_come_back_equal(file: Path, base):
    model = sp.load(file, base=base, meshes="skip")
    assert_same(sp.load(model.to_mujoco()), model)


@pytest.mark.parametrize("file", gymnasium_files(), ids=lambda path: path.stem)
def test_mjcfs_come_back_equal(file: Path):
    model = sp.load(file)
    assert_same(sp.load(model.to_mujoco()), model)


@pytest.mark.parametrize("name", sp.robots.list())
def test_built_in_robots_come_back_equal(name: str):
    model = getattr(sp.robots, name)()
    assert_same(sp.load(model.to_mujoco()), model)


def test_everything_comes_back_equal():
    model = sp.load(EVERYTHING)
    assert len(model.actuators.names) == 8
    assert len(model.sensors) == 25
    assert_same(sp.load(model.to_mujoco()), model)


@pytest.mark.parametrize(
    "source", [EVERYTHING, str(gymnasium_files()[0]), str(gymnasium_files()[6])], ids=lambda s: s[-12:-4]
)
def test_the_copy_accelerates_and_reads_like_the_original(source: str):
    original = (mujoco.MjModel.from_xml_string if source.startswith("\n") else mujoco.MjModel.from_xml_path)(source)
    original.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)  # the copy has no shapes
    copy = sp.load(source).to_mujoco()
    results = []
    for compiled in (original, copy):
        data = mujoco.MjData(compiled)
        compiled.opt.tolerance = 0  # the solver of limits stops at a tolerance otherwise
        mujoco.mj_integratePos(compiled, data.qpos, np.linspace(-1, 1, compiled.nv), 0.5)
        data.qvel, data.ctrl = np.linspace(1, -2, compiled.nv), np.linspace(-2, 2, compiled.nu)
        data.act = np.linspace(0, 1, compiled.na)
        mujoco.mj_forward(compiled, data)
        orientations = compiled.sensor_type == int(mujoco.mjtSensor.mjSENS_FRAMEQUAT)
        for start in compiled.sensor_adr[orientations]:
            data.sensordata[start : start + 4] *= np.sign(data.sensordata[start])  # either sign is right
        results.append(np.concatenate([data.qacc, data.sensordata]))
    np.testing.assert_allclose(results[1], results[0], rtol=0, atol=1e-7 * np.abs(results[0]).max())


def test_impossible_inertias_are_kept(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = sp.replace(sp.robots.pendulum(3), {"bodies.mass": [0, -1, 20], "bodies.inertia": [1, 2, 3, -1, 0, 5]})
    assert_same(sp.load(model.to_mujoco()), model)
    assert capfd.readouterr() == ("", "")
    assert not list(tmp_path.iterdir())


def test_a_home_of_ones_own_is_a_keyframe():
    model = sp.replace(sp.robots.quadruped(), {"home[*_knee]": -1.6, "home[floating_base]": [0, 0, 0.3, 1, 0, 0, 0]})
    compiled = model.to_mujoco()
    assert (compiled.key("home").qpos == model.home).all()
    assert compiled.qpos0[9] == 0  # where the shanks' frames are given
    assert sp.robots.quadruped().to_mujoco().nkey == 0


def test_a_body_called_world_is_renamed():
    joint = '<joint name="j" type="fixed"><parent link="world"/><child link="a"/></joint>'
    text = f'<robot name="r"><link name="world"/><link name="a"/>{joint}</robot>'
    model = sp.load(text)
    assert model.bodies.names[0] == "world"
    assert sp.load(model.to_mujoco()).bodies.names == ("world_", "a")


def test_what_cannot_be_exported_is_refused():
    model = sp.robots.pendulum()
    with pytest.raises(ModelError, match="a batch of 2"):
        sp.randomize(model, jax.random.key(0), {"bodies.mass": sp.Uniform(1, 2)}, 2).to_mujoco()
    with pytest.raises(ModelError, match="being traced"):
        jax.jit(lambda model: model.to_mujoco().nq)(model)
    inverted = dataclasses.replace(model, joints=dataclasses.replace(model.joints, limited=(True, True)))
    with pytest.raises(ModelError, match=r"pendulum: MuJoCo refuses it: .*range"):
        inverted.to_mujoco()

"""Sites and sensors as files name them, and what becomes of those that cannot be read."""

import mujoco
import numpy as np
import pytest

import supple as sp
from supple.model import sensors

TEXT = """<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <site name="origin"/><geom name="floor" type="plane" size="1 1 1"/><camera name="eye"/>
    <body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0"/><geom name="shape" size="0.1"/>
      <site name="tip" pos="0.1 0 0.2" quat="0 0 0 2"/><site pos="1 2 3"/><site name="arm"/>
      <body name="leg"><joint name="quill"/><geom size="0.1"/><body name="feather"/></body>
    </body>
  </worldbody>
  <actuator>
    <motor name="motor" joint="hinge"/><motor name="jet" site="tip"/><motor name="last" joint="quill"/>
  </actuator>
  <sensor>{}</sensor>
</mujoco>"""


def load(sensor: str, **options: bool) -> sp.Model:
    return sp.load(TEXT.format(sensor), **options)


def test_sites_are_frames_of_bodies_and_of_the_world() -> None:
    sites = load("").sites
    assert sites is not None
    assert sites.names == ("origin", "tip", "site_2", "arm")
    assert sites.bodies == (-1, 0, 0, 0)
    np.testing.assert_array_equal(sites.position[:3], [[0, 0, 0], [0.1, 0, 0.2], [1, 2, 3]])
    np.testing.assert_array_equal(sites.rotation[1], np.diag([-1.0, -1.0, 1.0]))


def test_every_source_has_the_sensors(tmp_path) -> None:
    text = TEXT.format('<gyro name="spin" site="tip"/>')
    (tmp_path / "robot.xml").write_text(text)
    spec, compiled = mujoco.MjSpec.from_string(text), mujoco.MjModel.from_xml_string(text)
    for source in (text, tmp_path / "robot.xml", spec, compiled):
        assert sp.load(source).sensors == (sensors.Gyro(name="spin", frame="tip"),)
        assert sp.load(source).sites.names[1] == "tip"


def test_urdfs_have_none() -> None:
    model = sp.load('<robot name="r"><link name="a"/></robot>')
    assert model.sites is None
    assert model.sensors == ()


@pytest.mark.parametrize(
    ("xml", "sensor"),
    [
        ('<framepos name="s" objtype="xbody" objname="arm"/>', sensors.FramePosition(name="s", frame="body:arm")),
        ('<framepos name="s" objtype="site" objname="arm"/>', sensors.FramePosition(name="s", frame="site:arm")),
        ('<framepos name="s" objtype="xbody" objname="world"/>', sensors.FramePosition(name="s", frame="world")),
        (
            '<frameyaxis name="s" objtype="site" objname="tip" reftype="xbody" refname="feather"/>',
            sensors.FrameAxis(name="s", frame="tip", axis=1, reference="feather"),
        ),
        ('<actuatorfrc name="s" actuator="last"/>', sensors.ActuatorForce(name="s", actuator="last")),
        ('<subtreecom name="s" body="world"/>', sensors.SubtreeCenterOfMass(name="s", body="world")),
        ('<jointpos name="s" joint="quill"/>', sensors.JointPosition(name="s", joint="quill")),
        ('<jointpos joint="quill"/>', sensors.JointPosition(name="sensor_0", joint="quill")),
    ],
)
def test_sensors_look_at_parts_by_name(xml: str, sensor: sensors.FramePosition) -> None:
    assert load(xml).sensors == (sensor,)


def test_noise_and_delay_are_read() -> None:
    model = load(
        '<gyro name="a" site="tip" noise="0.1" delay="0.01" nsample="5"/>'
        '<framequat name="b" objtype="site" objname="tip" noise="0.2"/><gyro name="c" site="tip"/>'
    )
    flaws = [sensor.imperfection for sensor in model.sensors]
    np.testing.assert_array_equal(flaws[0].noise, [0.1] * 3)
    assert flaws[0].delay == 0.01
    np.testing.assert_array_equal(flaws[1].noise, [0.2] * 3)  # a rotation vector's
    assert flaws[1].delay is None
    assert flaws[2] is None


@pytest.mark.parametrize(
    ("xml", "warning"),
    [
        (
            '<magnetometer name="s" site="tip"/>',
            "magnetometer is not among the kinds that can be read, so it is left out",
        ),
        ('<clock name="s"/>', "clock is not among"),
        ('<touch name="s" site="tip"/>', "touch is not among"),
        (
            '<framepos name="s" objtype="geom" objname="shape"/>',
            "the frame of a geom is neither a site's nor an xbody's",
        ),
        (
            '<framepos name="s" objtype="site" objname="tip" reftype="camera" refname="eye"/>',
            "the frame of a camera is neither a site's nor an xbody's, so it is left out",
        ),
        ('<actuatorpos name="s" actuator="jet"/>', "its actuator is left out, so it is left out"),
        ('<subtreecom name="s" body="feather"/>', "what it looks at has no mass, so it is left out"),
        ('<force name="s" site="origin"/>', "its site is fixed to the world, which nothing holds, so it is left out"),
    ],
)
def test_what_cannot_be_read_is_a_warning(xml: str, warning: str) -> None:
    model = load(xml)
    assert model.sensors == ()
    assert any(line.startswith("sensor 's': ") and warning in line for line in model.warnings)


def test_sensors_never_change_the_motion() -> None:
    text = TEXT.format('<clock name="s"/><gyro name="t" site="tip" cutoff="3" interval="0.1"/>')
    text = text.replace('<motor name="jet" site="tip"/>', "")
    model = sp.load(text, strict=True)
    assert model.warnings[-3:] == (
        "sensor 's': clock is not among the kinds that can be read, so it is left out",
        "sensor 't': the cutoff is ignored",
        "sensor 't': the interval is ignored",
    )


def test_sensors_that_would_be_marked_alike() -> None:
    model = load('<gyro name="Spin 1" site="tip"/><gyro name="spin_1" site="tip"/>')
    assert [sensor.name for sensor in model.sensors] == ["Spin 1"]
    assert "sensor 'spin_1': it would be marked 'sensor.spin_1', as 'Spin 1' is, so it is left out" in model.warnings


def test_sensors_that_are_switched_off() -> None:
    off = TEXT.replace("<worldbody>", '<option><flag sensor="disable"/></option><worldbody>')
    model = sp.load(off.format('<gyro site="tip"/>'))
    assert model.sensors == ()
    assert "the sensors are switched off by the option's flags, so they are left out" in model.warnings

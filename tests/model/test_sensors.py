"""Sensors as parts of a model: their leaves by name, words, files, and MuJoCo's counterparts."""

import dataclasses
from pathlib import Path

import equinox as eqx
import jax
import mujoco
import numpy as np
import pytest

import supple as sp
from supple.model import sensors
from supple.model.errors import ModelError, StorageError
from supple.model.imperfection import Imperfection
from supple.model.model import Model
from supple.model.sensor import Instant, Sensor
from supple.model.sites import Sites

FLAWS = Imperfection(bias=np.array([0.1, 0.2, 0.3]), noise=np.full(3, 0.05), delay=np.array(0.002))
SITES = Sites(
    position=np.array([[0.1, 0.0, 0.2], [0.0, 0.0, 0.0]]),
    rotation=np.array([np.eye(3), np.diag([1.0, -1.0, -1.0])]),
    names=("tip", "camera"),
    bodies=(1, -1),
)
IMU = (
    sensors.Gyro(name="gyro", frame="tip", imperfection=FLAWS),
    sensors.Accelerometer(name="accelerometer", frame="link_0", imperfection=Imperfection(noise=np.full(3, 0.4))),
    sensors.FramePosition(name="place", frame="tip", reference="camera"),
)


def with_sensors(*chosen: Sensor) -> Model:
    return dataclasses.replace(sp.robots.pendulum(2), sites=SITES, sensors=chosen)


def test_leaves_go_by_the_names_of_sensors() -> None:
    model = with_sensors(*IMU)
    assert sp.leaves(model)["sensors.gyro.imperfection.bias"] is FLAWS.bias
    changed = sp.replace(
        model,
        {"gyro.imperfection.bias": 0.0, "sensors.gyro.imperfection.delay": 0.01, "sites.position[tip]": (1, 2, 3)},
    )
    flaws = changed.sensors[0].imperfection
    assert flaws is not None
    np.testing.assert_array_equal(flaws.bias, np.zeros(3))
    np.testing.assert_array_equal(flaws.noise, FLAWS.noise)
    assert flaws.delay == 0.01
    np.testing.assert_array_equal(changed.sites.position, [[1, 2, 3], [0, 0, 0]])
    with pytest.raises(ModelError, match=r"'imperfection.noise' may mean sensors.gyro.*sensors.accelerometer"):
        sp.replace(model, {"imperfection.noise": 0.0})


def test_sensors_of_one_name_go_by_their_place() -> None:
    twins = with_sensors(*(dataclasses.replace(IMU[0]) for _ in range(2)))
    assert {"sensors.0.imperfection.bias", "sensors.1.imperfection.bias"} <= sp.leaves(twins).keys()


def test_sensors_and_sites_can_be_randomized() -> None:
    changes = {
        "gyro.imperfection.bias": sp.Draw(sp.Normal(0.0, 1.0)),
        "gyro.imperfection.noise": sp.Scale(sp.Uniform(0.5, 2.0)),
        "gyro.imperfection.delay": sp.Draw(sp.Uniform(0.0, 0.1)),
        "sites.position[tip]": sp.Add(sp.Uniform(0.0, 0.1)),
    }
    models = sp.randomize(with_sensors(*IMU), jax.random.key(0), changes, 5)
    flaws = models.sensors[0].imperfection
    assert (flaws.bias.shape, flaws.noise.shape, flaws.delay.shape) == ((5, 3), (5, 3), (5,))
    assert np.ptp(flaws.bias, axis=0).min() > 0
    assert np.ptp(flaws.delay) > 0
    assert np.ptp(models.sites.position[:, 0], axis=0).min() > 0
    np.testing.assert_array_equal(models.sites.position[:, 1], 0.0)
    assert sp.pick(models, 2).sensors[0].imperfection.delay == flaws.delay[2]


def test_saved_sensors_come_back_equal(tmp_path: Path) -> None:
    model = with_sensors(*IMU)
    sp.save(model, tmp_path / "robot.supple")
    restored = sp.restore(tmp_path / "robot.supple")
    assert eqx.tree_equal(restored, model)
    assert jax.tree.structure(restored) == jax.tree.structure(model)


def test_sites_on_bodies_that_are_not_there_are_refused(tmp_path: Path) -> None:
    lost = dataclasses.replace(with_sensors(), sites=dataclasses.replace(SITES, bodies=(1, 7)))
    sp.save(lost, tmp_path / "robot.supple")
    with pytest.raises(StorageError, match=r"sites\.bodies is not one index of a body, or -1, for each site"):
        sp.restore(tmp_path / "robot.supple")


def test_words() -> None:
    model = with_sensors(*IMU)
    assert repr(model) == "Model('pendulum': 2 bodies, 2 joints, 2 actuators, 2 sites, 3 sensors; nq 2, nv 2, nu 2)"
    text = str(model)
    assert "gyro: Gyro, frame tip; bias 0.1 0.2 0.3, noise 0.05 0.05 0.05, delay 0.002" in text
    assert "place: FramePosition, frame tip, reference camera" in text
    assert "imperfection" not in text


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"gyro.imperfection.noise": [0.1, -0.1, 0.1]}, "sensor 'gyro': its noise is negative"),
        ({"gyro.imperfection.delay": -0.1}, "sensor 'gyro': its delay is negative"),
        ({"sites.rotation[tip]": np.zeros((3, 3))}, "site 'tip': its rotation is not a rotation"),
        ({"gyro.imperfection.bias": np.inf}, "sensors.gyro.imperfection.bias is inf"),
        ({"sites.position": np.inf}, "sites.position of 'tip' is inf"),
    ],
)
def test_impossible_values_are_named(changes: dict, message: str) -> None:
    model = with_sensors(*IMU)
    model.check()
    with pytest.raises(ModelError, match=message):
        sp.replace(model, changes).check()


def test_mujoco_gets_a_site_where_a_sensor_sits_on_a_body() -> None:
    compiled = with_sensors(*IMU, sensors.Gyro(name="tip", frame="link_1")).to_mujoco()
    assert [compiled.site(i).name for i in range(compiled.nsite)] == ["camera", "accelerometer", "tip", "tip_"]
    assert compiled.body(compiled.site("accelerometer").bodyid[0]).name == "link_0"
    assert compiled.body(compiled.site("tip_").bodyid[0]).name == "link_1"
    assert compiled.sensor("tip").objid == compiled.site("tip_").id


def test_mujoco_gets_noise_and_delay_but_no_bias() -> None:
    odd = sensors.Velocimeter(name="odd", frame="tip", imperfection=Imperfection(noise=np.array([1.0, 2.0, 3.0])))
    compiled = with_sensors(*IMU, odd).to_mujoco()
    np.testing.assert_allclose(compiled.sensor_noise, [0.05, 0.4, 0.0, 0.0])
    np.testing.assert_allclose(compiled.sensor_delay, [0.002, 0.0, 0.0, 0.0])
    flaws = sp.load(compiled).sensors[0].imperfection
    assert flaws.bias is None
    np.testing.assert_array_equal(flaws.noise, FLAWS.noise)
    assert flaws.delay == FLAWS.delay


def test_mujoco_delays_what_it_is_told_to() -> None:
    """Of a swing, one velocimeter knows late, and as `corrupt` says."""
    late = Imperfection(delay=np.array(0.0125))
    chosen = (
        sensors.Velocimeter(name="late", frame="tip", imperfection=late),
        sensors.Velocimeter(name="now", frame="tip"),
    )
    compiled = with_sensors(*chosen).to_mujoco()
    data, shown = mujoco.MjData(compiled), []
    data.qvel = 3.0, -2.0
    for _ in range(100):
        mujoco.mj_step(compiled, data)
        shown.append(data.sensordata.copy())
    delayed, now = np.array(shown)[:, :3], np.array(shown)[:, 3:]
    time = compiled.opt.timestep * np.arange(100)
    expected = sp.corrupt(chosen[0], time, now)
    np.testing.assert_allclose(delayed[20:], expected[20:], atol=1e-6 * np.abs(now).max())
    assert np.abs(now - delayed).max() > 0.01


def test_a_force_torque_sensor_becomes_two() -> None:
    flaws = Imperfection(noise=np.array([0.1, 0.1, 0.1, 2.0, 2.0, 2.0]))
    compiled = with_sensors(sensors.ForceTorque(name="grip", frame="tip", imperfection=flaws)).to_mujoco()
    assert [compiled.sensor(i).name for i in range(compiled.nsensor)] == ["grip_torque", "grip_force"]
    np.testing.assert_array_equal(compiled.sensor_noise, [0.1, 2.0])
    assert [type(sensor) for sensor in sp.load(compiled).sensors] == [sensors.Torque, sensors.Force]


class Thermometer(Sensor):
    name: str = eqx.field(static=True, default="warmth")
    imperfection: Imperfection | None = None

    def read(self, model: Model, instant: Instant) -> np.ndarray:
        return np.full(1, 20.0)


@pytest.mark.parametrize(
    ("sensor", "what"),
    [
        (Thermometer(), "sensor 'warmth': MuJoCo has nothing like a Thermometer; take it out of model.sensors"),
        (
            sensors.JointVelocity(name="s", joint="floating_base"),
            "nothing like a JointVelocity of joint 'floating_base'",
        ),
    ],
    ids=["own", "free"],
)
def test_mujoco_has_no_counterpart(sensor: Sensor, what: str) -> None:
    with pytest.raises(ModelError, match=what):
        dataclasses.replace(sp.robots.quadruped(), sensors=(sensor,)).to_mujoco()


def test_sensors_of_bodies_that_mujoco_renames() -> None:
    joint = '<joint name="j" type="fixed"><parent link="world"/><child link="a"/></joint>'
    model = sp.load(f'<robot name="r"><link name="world"/><link name="a"/>{joint}</robot>')
    chosen = (sensors.FramePosition(name="s", frame="world", reference="a"),)
    assert sp.load(dataclasses.replace(model, sensors=chosen).to_mujoco()).sensors[0].frame == "world_"

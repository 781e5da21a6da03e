"""Readings of sensors against MuJoCo's sensors of the same kind, and their derivatives."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from sensor_scene import find_unequal, mujoco_readings, random_states, scene, with_wrenches

import supple as sp
from supple import dynamics
from supple.model import sensors
from supple.model.errors import ModelError
from supple.model.model import Model
from supple.model.sensor import Sensor
from supple.spatial.arrays import Array

TOLERANCE = 1e-9


def one_of_each() -> Model:
    """The scene with one sensor of each class, of those that move."""
    model, _ = scene()
    kinds = {type(sensor): sensor for sensor in model.sensors if getattr(sensor, "frame", "") != "world"}
    return dataclasses.replace(model, sensors=tuple(kinds.values()))


def test_readings_equal_mujocos_under_applied_forces() -> None:
    """100 moving states and a still one, with forces on joints and bodies, and the acceleration that MuJoCo finds."""
    model, peer = scene()
    states = random_states(model, count=101)
    expected, data = mujoco_readings(peer, states)
    force, torque = states.push[..., :3], states.push[..., 3:]
    arm = (data["xipos"] - data["xpos"])[:, 1:]  # MuJoCo pushes at the centre of mass, we at the origin
    wrenches = np.concatenate([torque + np.cross(arm, force), force], axis=-1)

    @jax.jit
    @jax.vmap
    def read(q, v, acceleration, actuation, control, activation, wrenches):
        return dynamics.measure(model, q, v, acceleration, actuation, control, activation, peer.opt.timestep, wrenches)

    known = data["qacc"], data["qfrc_actuator"], states.control, states.activation, wrenches
    got = read(states.q, states.v, *known)
    assert not find_unequal(got, with_wrenches(expected), TOLERANCE)


def test_steps_mark_what_mujoco_reads() -> None:
    """The acceleration, too, is ours."""
    model, (_, peer) = one_of_each(), scene()
    states = random_states(model, count=20, seed=1)
    states = states._replace(force=0.0 * states.force, push=0.0 * states.push)
    expected, _ = mujoco_readings(peer, states)
    system = sp.Simulator(model, dt=peer.opt.timestep)

    @jax.jit
    @jax.vmap
    def look(q, v, control, activation):
        state = sp.State(q, v, jnp.zeros(()), activation)
        return sp.observe(system.step)(state, control)[1]

    seen = look(*states[:4])
    got = {sensor.name: seen["sensor." + sensor.name.replace(" ", "_")] for sensor in model.sensors}
    assert not find_unequal(got, {name: with_wrenches(expected)[name] for name in got}, TOLERANCE)


def test_every_kind_is_in_the_scene() -> None:
    public = {kind for kind in vars(sensors).values() if isinstance(kind, type) and issubclass(kind, Sensor)}
    assert {type(sensor) for sensor in scene()[0].sensors} == public - {Sensor}
    assert scene()[0].warnings == ()


def test_derivatives_equal_finite_differences() -> None:
    """By everything that a reading may depend on, leaves of the model included, along a random direction."""
    model = one_of_each()
    states = [values[0] for values in random_states(model, count=1, seed=2)]
    rng = np.random.default_rng(3)
    a, actuation = rng.normal(size=(2, model.nv))
    weights = {sensor.name: rng.normal() for sensor in model.sensors}

    def summary(arguments) -> Array:
        model, shift, v, a, actuation, control, activation = arguments
        q = dynamics.move(model, states[0], shift)
        readings = dynamics.measure(model, q, v, a, actuation, control, activation, 0.01)
        return sum((weights[name] * jnp.sum(jnp.sin(value + 0.3)) for name, value in readings.items()), jnp.zeros(()))

    shift = np.zeros(model.nv)
    arguments = jax.tree.map(jnp.asarray, (model, shift, states[1], a, actuation, states[2], states[3]))
    way = jax.tree.map(lambda x: jnp.asarray(rng.normal(size=x.shape)) * (1e-2 + jnp.abs(x)), arguments)

    @jax.jit
    def differentiate(arguments):
        value, forward = jax.jvp(summary, (arguments,), (way,))
        return value, forward, jax.grad(summary)(arguments)

    _, forward, reverse = differentiate(arguments)
    along = sum(jnp.vdot(x, dx) for x, dx in zip(jax.tree.leaves(reverse), jax.tree.leaves(way), strict=True))
    step = 1e-5
    ahead, behind = (differentiate(jax.tree.map(lambda x, dx: x + s * dx, arguments, way))[0] for s in (step, -step))  # noqa: B023
    np.testing.assert_allclose(forward, along, rtol=1e-10)
    np.testing.assert_allclose(forward, (ahead - behind) / (2 * step), rtol=1e-6)


def hinge(*chosen: Sensor) -> Model:
    """A pendulum with a motor, and sensors."""
    return dataclasses.replace(sp.robots.pendulum(links=1), sensors=chosen)


WRONG = [
    (sensors.Gyro(name="g", frame="lnk_0"), "no body or site 'lnk_0'; did you mean link_0?"),
    (
        sensors.FramePosition(name="g", frame="link_0", reference="nowhere"),
        "no body or site 'nowhere'; there are link_0",
    ),
    (sensors.JointPosition(name="g", joint="hinge"), "no joint 'hinge'; did you mean hinge_0?"),
    (sensors.ActuatorForce(name="g", actuator="motor"), "no actuator 'motor'; there are hinge_0"),
    (sensors.SubtreeCenterOfMass(name="g", body="link"), "no body 'link'; did you mean link_0?"),
    (sensors.Force(name="g", frame="world"), "sensor 'g': 'world' is fixed to the world, which nothing holds"),
    (sensors.BallOrientation(name="g", joint="hinge_0"), "sensor 'g': joint 'hinge_0' is not a ball"),
]


@pytest.mark.parametrize(("sensor", "message"), WRONG, ids=[type(sensor).__name__ for sensor, _ in WRONG])
def test_wrong_names_list_the_nearest(sensor: Sensor, message: str) -> None:
    model = hinge(sensor)
    with pytest.raises(ModelError) as caught:
        jax.eval_shape(dynamics.measure, model, *np.zeros((5, 1)))  # traced, not computed
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)

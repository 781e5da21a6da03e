"""Readings through a simulator's steps: observed, listed, batched, rolled out and differentiated."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import supple as sp
from supple import dynamics
from supple.model import sensors
from supple.model.model import Model
from supple.simulate import ImplicitFast, Integrator, RungeKutta4, SemiImplicitEuler

SENSORS = (
    sensors.Accelerometer(name="IMU 1", frame="link_1"),
    sensors.JointEffort(name="effort", joint="hinge_0"),
    sensors.ForceTorque(name="7", frame="link_0"),
)
STATE = np.array([0.3, -0.4]), np.array([0.5, 1.5])
CONTROL = np.array([0.7, -0.2])


@pytest.fixture(scope="module")
def model() -> Model:
    damped = sp.replace(sp.robots.pendulum(2), {"joints.damping": 0.3})
    return dataclasses.replace(damped, sensors=SENSORS)


def test_quantities_list_readings_with_their_units(model: Model) -> None:
    listed = sp.quantities(sp.Simulator(model))
    assert [(listed[name].shape, listed[name].unit) for name in ("sensor.imu_1", "sensor.effort", "sensor.s7")] == [
        ((3,), "m/s²"),
        ((1,), "N m or N"),
        ((6,), "N m, N"),
    ]


@pytest.mark.parametrize(
    "integrator", [SemiImplicitEuler(), RungeKutta4(), ImplicitFast()], ids=lambda i: type(i).__name__
)
def test_steps_show_what_is_read_at_their_start(model: Model, integrator: Integrator) -> None:
    """Of Runge-Kutta's four stages the first is seen; the acceleration is the step's own."""
    system = sp.Simulator(model, dt=0.05, integrator=integrator)
    _, seen = jax.jit(sp.observe(system.step))(system.init(*STATE), CONTROL)
    known = seen["joint.acceleration"], seen["joint.actuation"], CONTROL
    expected = jax.jit(dynamics.measure)(model, *STATE, *known)
    for sensor, mark in zip(SENSORS, ("imu_1", "effort", "s7"), strict=True):
        np.testing.assert_allclose(seen[f"sensor.{mark}"], expected[sensor.name], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(seen["sensor.effort"], [0.7])


def test_readings_pass_through_rollouts_batches_and_gradients(model: Model) -> None:
    """A loss on the readings of a batch of rollouts has the derivative that differences say."""
    controls = 0.3 * np.random.default_rng(0).normal(size=(3, 8, 2))

    def loss(mass) -> jax.Array:
        system = sp.Simulator(sp.replace(model, {"bodies.mass": mass}), dt=0.02)

        def observed(control):
            return sp.observe(sp.rollout)(system, system.init(*STATE), control)[1]["sensor.imu_1"]

        readings = jax.vmap(observed)(controls)
        assert readings.shape == (3, 8, 3)
        return jnp.mean(readings**2)

    mass, way = jnp.asarray(model.bodies.mass), jnp.array([0.3, -0.7])
    slope = jax.jit(jax.value_and_grad(loss))
    ahead, behind = (slope(mass + step * way)[0] for step in (1e-5, -1e-5))
    np.testing.assert_allclose(slope(mass)[1] @ way, (ahead - behind) / 2e-5, rtol=1e-6)


def test_without_sensors_a_step_pays_nothing(model: Model) -> None:
    def steps(model: Model) -> int:
        system = sp.Simulator(model)
        return len(jax.make_jaxpr(system.step)(system.init(), CONTROL).eqns)

    bare = dataclasses.replace(model, sensors=())
    assert steps(bare) < steps(model)
    call = jax.make_jaxpr(lambda q: dynamics.measure(bare, q, q, q, q, q))(jnp.zeros(2))
    assert not call.eqns


def test_readings_that_nobody_looks_at_are_not_computed(model: Model) -> None:
    bare = dataclasses.replace(model, sensors=())

    def operations(robot: Model) -> float:
        system = sp.Simulator(robot)
        return jax.jit(sp.Simulator.step).lower(system, system.init(), CONTROL).compile().cost_analysis()["flops"]

    assert operations(model) == operations(bare)

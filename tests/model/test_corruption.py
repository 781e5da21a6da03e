"""What imperfect sensors would have shown: bias, noise and delay, and their derivatives."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import supple as sp
from supple.model.errors import ModelError
from supple.model.imperfection import Imperfection
from supple.model.sensors import FrameOrientation, Gyro
from supple.spatial.rotation import quaternion_difference, quaternion_exponential

TIME = np.linspace(0.0, 2.0, 201)
SIGNAL = np.stack([np.sin(3 * TIME), np.cos(2 * TIME), TIME**2], axis=1)
TURNS = np.stack([np.sin(TIME), 0.5 * TIME, 0.3 * np.cos(TIME)], axis=1)
KEY = jax.random.key(0)


def gyro(**flaws: np.ndarray | float) -> Gyro:
    return Gyro(name="gyro", frame="trunk", imperfection=Imperfection(**flaws))


def compass(**flaws: np.ndarray | float) -> FrameOrientation:
    return FrameOrientation(name="compass", frame="trunk", imperfection=Imperfection(**flaws))


def quaternions() -> np.ndarray:
    """A turning frame, whose quaternion changes sign once, as sensors' may."""
    signs = np.where(TIME < 1, 1.0, -1.0)[:, None]
    return signs * np.asarray(quaternion_exponential(jnp.asarray(TURNS)))


def test_a_perfect_sensor_shows_the_truth() -> None:
    perfect = Gyro(name="gyro", frame="trunk")
    np.testing.assert_array_equal(sp.corrupt(perfect, TIME, SIGNAL, KEY), SIGNAL)
    np.testing.assert_array_equal(sp.corrupt(gyro(noise=np.ones(3)), TIME, SIGNAL), SIGNAL)  # no key, no noise


def test_bias_is_added() -> None:
    bias = np.array([0.1, -0.2, 0.3])
    np.testing.assert_allclose(sp.corrupt(gyro(bias=bias), TIME, SIGNAL), SIGNAL + bias, rtol=1e-15)


def test_noise_is_normal_and_white() -> None:
    time, sigma = np.arange(20_000.0), np.array([0.1, 0.0, 2.0])
    noise = np.asarray(sp.corrupt(gyro(noise=sigma), time, np.zeros((len(time), 3)), KEY))
    np.testing.assert_allclose(noise.std(axis=0), sigma, rtol=0.02)
    np.testing.assert_allclose(noise.mean(axis=0), 0.0, atol=0.02 * 2)
    loud = noise[:, [0, 2]] / sigma[[0, 2]]
    assert np.abs(np.mean(loud[1:] * loud[:-1], axis=0)).max() < 0.03  # from sample to sample
    assert abs(np.mean(loud[:, 0] * loud[:, 1])) < 0.03
    np.testing.assert_allclose(np.mean(loud**4, axis=0), 3.0, rtol=0.1)
    other = sp.corrupt(gyro(noise=sigma), time, np.zeros((len(time), 3)), jax.random.key(1))
    assert np.abs(other - noise).max() > 0.1


@pytest.mark.parametrize("samples", [0.0, 1.0, 3.0, 2.5])
def test_delay_shows_the_past(samples: float) -> None:
    step = TIME[1] - TIME[0]
    late = np.asarray(sp.corrupt(gyro(delay=samples * step), TIME, SIGNAL))
    whole = int(np.ceil(samples))
    np.testing.assert_allclose(late[:whole], np.tile(SIGNAL[0], (whole, 1)), atol=3 * step)
    before, after = SIGNAL[: len(SIGNAL) - whole], SIGNAL[whole - int(samples) : len(SIGNAL) - int(samples)]
    share = whole - samples
    np.testing.assert_allclose(late[whole:], before + share * (after - before), atol=1e-12)


def test_orientations_are_delayed_biased_and_noisy_as_rotations() -> None:
    bias, truth = np.array([0.02, -0.03, 0.01]), quaternions()
    biased = np.asarray(sp.corrupt(compass(bias=bias), TIME, truth))
    np.testing.assert_allclose(quaternion_difference(biased, truth), np.tile(bias, (len(TIME), 1)), atol=1e-12)
    late = np.asarray(sp.corrupt(compass(delay=0.005), TIME, truth))  # half a sample, also where the sign changes
    between = np.asarray(quaternion_exponential(jnp.asarray(0.5 * (TURNS[1:] + TURNS[:-1]))))
    assert np.abs(np.asarray(quaternion_difference(late[1:], between))).max() < 1e-4
    noisy = np.asarray(sp.corrupt(compass(noise=np.full(3, 0.01)), TIME, truth, KEY))
    for values in (biased, late, noisy):
        np.testing.assert_allclose(np.linalg.norm(values, axis=1), 1.0, rtol=1e-12)
    errors = np.asarray(quaternion_difference(noisy, truth))
    np.testing.assert_allclose(errors.std(axis=0), 0.01, rtol=0.2)


@pytest.mark.parametrize(("make", "readings"), [(gyro, SIGNAL), (compass, quaternions())], ids=["gyro", "compass"])
def test_derivatives_equal_finite_differences(make, readings: np.ndarray) -> None:
    """By bias, noise (for fixed draws), delay and readings; a delay between samples is away from kinks."""
    rng = np.random.default_rng(1)
    weights = jnp.asarray(rng.normal(size=(20, readings.shape[1])))

    def shown(arguments):
        bias, noise, delay, readings = arguments
        return jnp.vdot(weights, sp.corrupt(make(bias=bias, noise=noise, delay=delay), TIME[:20], readings, KEY))

    bias, noise = jnp.array([0.1, -0.2, 0.3]), jnp.array([0.01, 0.02, 0.03])
    arguments = (bias, noise, jnp.asarray(0.0237), jnp.asarray(readings[:20]))
    evaluate = jax.jit(shown)
    reverse = jax.jit(jax.grad(shown))(arguments)
    for place in range(4):
        way = [jnp.asarray(rng.normal(size=x.shape)) * (i == place) for i, x in enumerate(arguments)]
        ahead, behind = (
            evaluate(tuple(x + s * dx for x, dx in zip(arguments, way, strict=True))) for s in (1e-6, -1e-6)
        )
        along = sum(jnp.vdot(x, dx) for x, dx in zip(reverse, way, strict=True))
        np.testing.assert_allclose(along, (ahead - behind) / 2e-6, rtol=1e-6, atol=1e-8)


def test_flaws_can_be_fitted() -> None:
    """Bias and delay of a recording are found by descent."""
    truth = gyro(bias=np.array([0.1, -0.2, 0.3]), delay=0.0537)
    recorded = sp.corrupt(truth, TIME, SIGNAL)

    def loss(sensor: Gyro):
        return jnp.mean((sp.corrupt(sensor, TIME, SIGNAL) - recorded) ** 2)

    sensor = jax.tree.map(jnp.asarray, gyro(bias=np.zeros(3), delay=0.02))
    slope = jax.jit(jax.grad(loss))
    for _ in range(300):
        sensor = jax.tree.map(lambda leaf, by: leaf - 0.1 * by, sensor, slope(sensor))
    np.testing.assert_allclose(sensor.imperfection.bias, truth.imperfection.bias, atol=1e-4)
    np.testing.assert_allclose(sensor.imperfection.delay, 0.0537, atol=1e-4)


def test_times_must_fit_the_readings() -> None:
    with pytest.raises(ModelError, match="there are 201 readings, but 5 times"):
        sp.corrupt(gyro(delay=0.1), TIME[:5], SIGNAL)

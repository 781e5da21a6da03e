"""Put sensors' imperfections into sequences of ideal readings."""

import jax
import jax.numpy as jnp
from jaxtyping import Float, PRNGKeyArray

from supple.model.errors import ModelError
from supple.model.sensor import OrientationSensor, Sensor
from supple.spatial.arrays import Array
from supple.spatial.rotation import integrate_quaternion
from supple.spatial.vector import dot


def corrupt(
    sensor: Sensor,
    time: Float[Array, " times"],
    readings: Float[Array, "steps values"],
    key: PRNGKeyArray | None = None,
) -> Float[Array, "steps values"]:
    """What a sensor would have shown, from its ideal readings at increasing times (s): delayed, biased, noisy.

    Differentiable in readings, bias, noise (for fixed draws) and delay. Without a key there is no noise, as one wants
    it when a recording is fitted: bias and delay then say what the mean reading would be.
    """
    if len(time) != len(readings):
        raise ModelError(f"sensor {sensor.name!r}: there are {len(readings)} readings, but {len(time)} times")
    flaws = sensor.imperfection
    if flaws is None:
        return jnp.asarray(readings)
    turning = isinstance(sensor, OrientationSensor)
    if flaws.delay is not None:
        readings = delay_orientations(time, readings, flaws.delay) if turning else delay(time, readings, flaws.delay)
    error = jnp.zeros((len(time), 3 if turning else readings.shape[1]), jnp.result_type(readings))
    if flaws.bias is not None:
        error = error + flaws.bias
    if flaws.noise is not None and key is not None:
        error = error + flaws.noise * jax.random.normal(key, error.shape, error.dtype)
    return integrate_quaternion(readings, error) if turning else readings + error


def delay(
    time: Float[Array, " steps"], readings: Float[Array, "steps values"], by: Float[Array, ""] | float
) -> Float[Array, "steps values"]:
    """Readings of `by` seconds ago, interpolated linearly; before the first one, the first one.

    The derivative with respect to the delay is the negative slope of the segment in which the past falls.
    """
    past = jnp.asarray(time) - by
    return jax.vmap(lambda column: jnp.interp(past, time, column), in_axes=1, out_axes=1)(jnp.asarray(readings))


def delay_orientations(
    time: Float[Array, " steps"], readings: Float[Array, "steps 4"], by: Float[Array, ""] | float
) -> Float[Array, "steps 4"]:
    """`delay` of unit quaternions: of successive ones that lie on the same side, normalised after interpolation."""
    quaternions = jnp.asarray(readings)
    jumps = jnp.where(dot(quaternions[1:], quaternions[:-1]) < 0, -1.0, 1.0).astype(quaternions.dtype)
    sides = jnp.concatenate([jnp.ones(1, quaternions.dtype), jnp.cumprod(jumps)])
    late = delay(time, sides[:, None] * quaternions, by)
    return late / jnp.sqrt(dot(late, late))[:, None]

"""How real sensors depart from ideal ones: delay, bias and noise."""

import equinox as eqx
from jaxtyping import Float

from supple.spatial.arrays import Array


class Imperfection(eqx.Module):
    """reading(t) = ideal(t − delay) + bias + noise ε, with ε drawn from the normal distribution for each sample.

    None is nothing. Everything is a leaf, so that it can be fitted; see `supple.model.corruption.corrupt`.
    """

    bias: Float[Array, " values"] | None = None  # in the sensor's unit
    noise: Float[Array, " values"] | None = None  # standard deviation, in the sensor's unit
    delay: Float[Array, ""] | float | None = None  # s

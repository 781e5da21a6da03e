"""Distributions of single numbers, and what becomes of a number that is drawn."""

import abc
import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float, PRNGKeyArray, UInt32

from supple.model.errors import ModelError
from supple.spatial.arrays import Array

Key = PRNGKeyArray | UInt32[jax.Array, "2"]
Number = float | int


class Distribution(eqx.Module):
    """Independent random numbers."""

    @abc.abstractmethod
    def sample(self, key: Key, shape: tuple[int, ...]) -> Float[Array, "..."]:
        """Numbers in an array of that shape."""


class Uniform(Distribution):
    """Every number from `low` to `high` is as likely."""

    low: Number
    high: Number

    def __check_init__(self) -> None:
        _check_order("Uniform", self.low, self.high)

    def sample(self, key: Key, shape: tuple[int, ...]) -> Float[Array, "..."]:
        """Numbers in an array of that shape."""
        return jax.random.uniform(key, shape, minval=self.low, maxval=self.high)


class LogUniform(Distribution):
    """Every ratio is as likely: the logarithm is uniform from log `low` to log `high`, both positive."""

    low: Number
    high: Number

    def __check_init__(self) -> None:
        _check_order("LogUniform", self.low, self.high)
        if self.low <= 0:
            raise ModelError(f"LogUniform({self.low:g}, {self.high:g}): both must be positive")

    def sample(self, key: Key, shape: tuple[int, ...]) -> Float[Array, "..."]:
        """Numbers in an array of that shape."""
        return jnp.exp(jax.random.uniform(key, shape, minval=np.log(self.low), maxval=np.log(self.high)))


class Normal(Distribution):
    """The bell curve, with `mean` and standard deviation `deviation`."""

    mean: Number
    deviation: Number

    def __check_init__(self) -> None:
        _check_numbers("Normal", self.mean, self.deviation)
        if self.deviation < 0:
            raise ModelError(
                f"Normal({self.mean:g}, {self.deviation:g}): the second is a deviation, which is not negative"
            )

    def sample(self, key: Key, shape: tuple[int, ...]) -> Float[Array, "..."]:
        """Numbers in an array of that shape."""
        return self.mean + self.deviation * jax.random.normal(key, shape)


class Change(eqx.Module):
    """What a random draw does to the rows of a leaf."""

    distribution: eqx.AbstractVar[Distribution]

    def __check_init__(self) -> None:
        if not isinstance(self.distribution, Distribution):
            kind, given = type(self).__name__, self.distribution
            raise ModelError(f"{kind}({given!r:.60}): write a distribution, such as {kind}(sp.Uniform(0.8, 1.2))")

    @abc.abstractmethod
    def apply(self, key: Key, rows: Float[Array, "..."], lead: int) -> Float[Array, "..."]:
        """The changed rows; their first `lead` axes count copies and parts."""


class Scale(Change):
    """Multiply each part's numbers by one draw: a body's whole inertia, a vector's length."""

    distribution: Distribution

    def apply(self, key: Key, rows: Float[Array, "..."], lead: int) -> Float[Array, "..."]:
        """The changed rows; their first `lead` axes count copies and parts."""
        return rows * self.distribution.sample(key, (*rows.shape[:lead], *[1] * (rows.ndim - lead)))


class Add(Change):
    """Add a draw of its own to each number, in the unit of the leaf."""

    distribution: Distribution

    def apply(self, key: Key, rows: Float[Array, "..."], lead: int) -> Float[Array, "..."]:
        """The changed rows; their first `lead` axes count copies and parts."""
        del lead
        return rows + self.distribution.sample(key, rows.shape)


class Draw(Change):
    """Put a draw of its own in place of each number, in the unit of the leaf."""

    distribution: Distribution

    def apply(self, key: Key, rows: Float[Array, "..."], lead: int) -> Float[Array, "..."]:
        """The changed rows; their first `lead` axes count copies and parts."""
        del lead
        return self.distribution.sample(key, rows.shape)


def _check_order(name: str, low: Number, high: Number) -> None:
    _check_numbers(name, low, high)
    if low > high:
        raise ModelError(f"{name}({low:g}, {high:g}): a range from {low:g} to {high:g} is empty; swap the numbers")


def _check_numbers(name: str, first: Number, second: Number) -> None:
    for value in (first, second):
        try:
            finite = math.isfinite(value)
        except (TypeError, ValueError):
            finite = False
        if not finite:
            raise ModelError(f"{name}({first!r}, {second!r}): both must be finite numbers, and {value!r} is none")

"""Sensors of a body together with all that hang on it; the body "world" is the whole robot.

Not finite where all of these are massless.
"""

from typing import ClassVar

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.model.imperfection import Imperfection
from supple.model.lookup import WORLD, find_body, find_subtree
from supple.model.model import Model
from supple.model.sensor import Instant, SubtreeSensor
from supple.spatial import symmetric
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, apply_transpose, cross


class SubtreeCenterOfMass(SubtreeSensor):
    """The common centre of mass, in the world. MuJoCo's `subtreecom`."""

    name: str = eqx.field(static=True)
    body: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "m"

    def read(self, model: Model, instant: Instant) -> Float[Array, "3"]:
        """c = Σ mᵢ cᵢ / Σ mᵢ."""
        held = _held(model, self.body)
        return _average(model, held, _centers(model, instant, held))


class SubtreeLinearVelocity(SubtreeSensor):
    """The velocity of the common centre of mass, in world axes. MuJoCo's `subtreelinvel`."""

    name: str = eqx.field(static=True)
    body: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "m/s"

    def read(self, model: Model, instant: Instant) -> Float[Array, "3"]:
        """ċ."""
        held = _held(model, self.body)
        return _average(model, held, _center_velocities(model, instant, held))


class SubtreeAngularMomentum(SubtreeSensor):
    """Angular momentum about the common centre of mass, in world axes. MuJoCo's `subtreeangmom`."""

    name: str = eqx.field(static=True)
    body: str = eqx.field(static=True)
    imperfection: Imperfection | None = None
    unit: ClassVar[str] = "kg m²/s"

    def read(self, model: Model, instant: Instant) -> Float[Array, "3"]:
        """Σ (cᵢ − c) × mᵢ (ċᵢ − ċ) + Rᵢ Iᵢ Rᵢᵀ ωᵢ."""
        held = _held(model, self.body)
        centers, velocities = _centers(model, instant, held), _center_velocities(model, instant, held)
        arms = centers - _average(model, held, centers)
        orbit = cross(arms, velocities - _average(model, held, velocities))
        rotation, inertia = instant.frames.rotation[held], symmetric.unpack(jnp.asarray(model.bodies.inertia)[held])
        spin = apply(rotation, apply(inertia, apply_transpose(rotation, instant.frames.velocity[held, :3])))
        return jnp.sum(jnp.asarray(model.bodies.mass)[held, None] * orbit + spin, axis=0)


def _held(model: Model, body: str) -> np.ndarray:
    return find_subtree(model, WORLD if body == "world" else find_body(model, body))


def _arms(model: Model, instant: Instant, held: np.ndarray) -> Float[Array, "held 3"]:
    """From the bodies' origins to their centres of mass, in world axes."""
    return apply(instant.frames.rotation[held], jnp.asarray(model.bodies.center_of_mass)[held])


def _centers(model: Model, instant: Instant, held: np.ndarray) -> Float[Array, "held 3"]:
    return instant.frames.position[held] + _arms(model, instant, held)


def _center_velocities(model: Model, instant: Instant, held: np.ndarray) -> Float[Array, "held 3"]:
    velocity = instant.frames.velocity[held]
    return velocity[:, 3:] + cross(velocity[:, :3], _arms(model, instant, held))


def _average(model: Model, held: np.ndarray, values: Float[Array, "held 3"]) -> Float[Array, "3"]:
    """The mean, weighed by mass."""
    mass = jnp.asarray(model.bodies.mass)[held]
    return jnp.sum(mass[:, None] * values, axis=0) / jnp.sum(mass)

"""Measurement: what a model's sensors read."""

from collections.abc import Iterator

import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.actuation import actuator_output
from supple.dynamics.frames import attach_frames
from supple.dynamics.joints import place_links
from supple.dynamics.links import articulate
from supple.dynamics.transmission import actuator_moments
from supple.dynamics.world import link_accelerations, link_velocities, place_in_world
from supple.model.errors import ModelError
from supple.model.model import Model
from supple.model.naming import named
from supple.model.sensor import Drives, Instant, MovingFrames, Sensor, mark_name
from supple.spatial import symmetric
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, apply_transpose, cross


def measure(
    model: Model,
    q: Float[Array, " nq"],
    v: Float[Array, " nv"],
    acceleration: Float[Array, " nv"],
    actuation: Float[Array, " nv"],
    control: Float[Array, " nu"] | None = None,
    activation: Float[Array, " na"] | None = None,
    dt: Float[Array, ""] | float | None = None,
    wrenches: Float[Array, "bodies 6"] | None = None,
) -> dict[str, Float[Array, "..."]]:
    """The ideal reading of each of the model's sensors, by its name; each is marked as `sensor.NAME`.

    `actuation` is the generalised force of the actuators. Control, activation and `dt` are those of `actuator_output`,
    and needed by sensors of an actuator's force only. `wrenches` act on the bodies from outside, as in
    `external_force`. A mark's name is the sensor's in lower case, with an underscore for whatever is neither letter nor
    digit.
    """
    if not model.sensors:
        return {}
    instant = capture(model, q, v, acceleration, actuation, control, activation, dt, wrenches)
    return {
        sensor.name: named(mark, sensor.read(model, instant), unit=sensor.unit)
        for mark, sensor in _marks(model.sensors)
    }


def capture(
    model: Model,
    q: Float[Array, " nq"],
    v: Float[Array, " nv"],
    acceleration: Float[Array, " nv"],
    actuation: Float[Array, " nv"],
    control: Float[Array, " nu"] | None = None,
    activation: Float[Array, " na"] | None = None,
    dt: Float[Array, ""] | float | None = None,
    wrenches: Float[Array, "bodies 6"] | None = None,
) -> Instant:
    """All that sensors can see, in O(n); the arguments are those of `measure`."""
    links = articulate(model)
    pose = place_links(model, links, q)
    world = place_in_world(links, pose)
    velocities = link_velocities(links, pose, world, v)
    accelerations = link_accelerations(links, pose, world, velocities, v, acceleration)
    attached = attach_frames(model, links.topology)
    poses = attached.poses(world)
    frames = MovingFrames(
        rotation=poses.rotation,
        position=poses.position,
        velocity=attached.velocities(world, velocities),
        acceleration=attached.accelerations(world, velocities, accelerations),
    )
    demand = _demand(model, frames)
    demand = demand if wrenches is None else demand - wrenches
    drives = _drives(model, q, v, control, activation, dt)
    return Instant(q, v, acceleration, actuation, drives, frames, demand)


def _drives(
    model: Model,
    q: Float[Array, " nq"],
    v: Float[Array, " nv"],
    control: Float[Array, " nu"] | None,
    activation: Float[Array, " na"] | None,
    dt: Float[Array, ""] | float | None,
) -> Drives:
    moments = actuator_moments(model)
    force = None if control is None else actuator_output(model, q, v, control, activation, dt)
    return Drives(moments.lengths(q), moments.velocities(v), force)


def _demand(model: Model, frames: MovingFrames) -> Float[Array, "bodies 6"]:
    """The wrench that moves each body as it moves, against gravity, about its origin.

    f = m (c̈ − g) and n = r × f + I α + ω × I ω, with r from the origin to the centre of mass c.
    """
    bodies, count = model.bodies, len(model.bodies.names)
    rotation, velocity, acceleration = frames.rotation[:count], frames.velocity[:count], frames.acceleration[:count]
    omega, alpha = velocity[:, :3], acceleration[:, :3]
    arm = apply(rotation, bodies.center_of_mass)
    center = acceleration[:, 3:] + cross(alpha, arm) + cross(omega, cross(omega, arm))
    force = jnp.asarray(bodies.mass)[:, None] * (center - model.gravity)
    inertia = symmetric.unpack(bodies.inertia)
    own_omega, own_alpha = apply_transpose(rotation, omega), apply_transpose(rotation, alpha)
    spin = apply(inertia, own_alpha) + cross(own_omega, apply(inertia, own_omega))
    return jnp.concatenate([cross(arm, force) + apply(rotation, spin), force], axis=-1)


def _marks(sensors: tuple[Sensor, ...]) -> Iterator[tuple[str, Sensor]]:
    """Sensors with the names of their marks; `ModelError` if two would be the same."""
    marked: dict[str, str] = {}
    for sensor in sensors:
        mark = mark_name(sensor.name)
        if mark in marked:
            both = f"{marked[mark]!r} and {sensor.name!r}"
            raise ModelError(f"sensors {both} would both be marked {mark!r}; rename one of them")
        marked[mark] = sensor.name
        yield mark, sensor

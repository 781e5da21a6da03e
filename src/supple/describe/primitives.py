"""Solids of uniform density: their mass, centre and inertia in a body's frame.

Of each, give `mass` (kg) or `density` (kg/m³); `position` is that of its centre in the body's frame (m), and
`rotation` is R_body_solid.
"""

import math
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from supple.describe.frames import snap
from supple.describe.inertial import MASSLESS, Inertial
from supple.describe.numbers import check_numbers
from supple.model.errors import ModelError
from supple.spatial.arrays import Array
from supple.spatial.symmetric import pack

Vector = Sequence[float]
Rotation = Sequence[Sequence[float]]

ORIGIN = (0.0, 0.0, 0.0)
IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def box(
    size: Vector,
    *,
    mass: float | None = None,
    density: float | None = None,
    position: Vector = ORIGIN,
    rotation: Rotation = IDENTITY,
) -> Inertial:
    """A box with edges of lengths `size` (m) along its axes."""
    check_numbers("box: size", size, 3)
    _check_lengths("box", *size)
    x, y, z = size
    gyration = ((y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12)
    return _solid("box", _mass("box", x * y * z, mass, density), gyration, position, rotation)


def sphere(
    radius: float, *, mass: float | None = None, density: float | None = None, position: Vector = ORIGIN
) -> Inertial:
    """A ball of `radius` (m)."""
    _check_lengths("sphere", radius)
    volume = 4 / 3 * math.pi * radius**3
    return _solid("sphere", _mass("sphere", volume, mass, density), (0.4 * radius**2,) * 3, position, IDENTITY)


def cylinder(
    radius: float,
    length: float,
    *,
    mass: float | None = None,
    density: float | None = None,
    position: Vector = ORIGIN,
    rotation: Rotation = IDENTITY,
) -> Inertial:
    """A cylinder of `radius` and `length` (m) along its z axis."""
    _check_lengths("cylinder", radius, length)
    across = (3 * radius**2 + length**2) / 12
    whole = _mass("cylinder", math.pi * radius**2 * length, mass, density)
    return _solid("cylinder", whole, (across, across, radius**2 / 2), position, rotation)


def capsule(
    radius: float,
    length: float,
    *,
    mass: float | None = None,
    density: float | None = None,
    position: Vector = ORIGIN,
    rotation: Rotation = IDENTITY,
) -> Inertial:
    """A cylinder of `radius` and `length` (m) along its z axis, with a half ball at each end."""
    _check_lengths("capsule", radius, length)
    r, h = radius, length
    whole = _mass("capsule", math.pi * r * r * (h + 4 / 3 * r), mass, density)
    tube = h / (h + 4 / 3 * r)  # share of the mass
    ends = 0.4 * r * r + h * h / 4 + 3 / 8 * h * r  # of half balls, about the capsule's centre
    across = tube * (3 * r * r + h * h) / 12 + (1 - tube) * ends
    along = tube * r * r / 2 + (1 - tube) * 0.4 * r * r
    return _solid("capsule", whole, (across, across, along), position, rotation)


def rod(
    start: Vector, end: Vector, radius: float, *, mass: float | None = None, density: float | None = None
) -> Inertial:
    """A cylinder between two points of the body's frame (m)."""
    check_numbers("rod: start", start, 3)
    check_numbers("rod: end", end, 3)
    a, b = np.array(start, dtype=np.float64), np.array(end, dtype=np.float64)
    length = float(np.linalg.norm(b - a))
    if length == 0:
        raise ModelError(f"rod: start and end are the same point {tuple(start)}")
    rotation = _rotation_to((b - a) / length)
    return cylinder(
        radius, length, mass=mass, density=density, position=((a + b) / 2).tolist(), rotation=rotation.tolist()
    )


def combine(parts: Sequence[Inertial]) -> Inertial:
    """The inertial of several solids that are one body: Σ, moved to the common centre (Steiner)."""
    mass = sum(part.mass for part in parts)
    if mass == 0:
        return MASSLESS
    if len(parts) == 1:
        return parts[0]  # free of round-off
    center = np.sum([part.mass * part.center_of_mass for part in parts], axis=0) / mass
    inertia = np.zeros(6)
    for part in parts:
        r = part.center_of_mass - center
        inertia += part.inertia + part.mass * np.array(pack((r @ r) * np.eye(3) - np.outer(r, r)))
    return Inertial(mass, center, inertia)


def _check_lengths(solid: str, *lengths: float) -> None:
    for length in lengths:
        check_numbers(f"{solid}: a length", length)
        if length < 0:
            raise ModelError(f"{solid}: its lengths must be positive, and {length:g} is not")


def _mass(solid: str, volume: float, mass: float | None, density: float | None) -> float:
    if (mass is None) == (density is None):
        raise ModelError(f"{solid}: give either its mass or its density")
    for field, value in (("mass", mass), ("density", density)):
        if value is not None:
            check_numbers(f"{solid}: {field}", value)
    return mass if mass is not None else (density or 0.0) * volume


def _solid(name: str, mass: float, gyration: Vector, position: Vector, rotation: Rotation) -> Inertial:
    """From the principal moments per mass (m²), along the solid's axes."""
    check_numbers(f"{name}: position", position, 3)
    check_numbers(f"{name}: rotation", rotation, 3, 3)
    if min(gyration) <= 0:
        raise ModelError(f"{name}: its lengths must be positive")
    R = np.array(rotation, dtype=np.float64)
    matrix = R @ np.diag(mass * np.array(gyration)) @ R.T
    return Inertial(float(mass), np.array(position, dtype=np.float64), pack(matrix))


def _rotation_to(direction: Float[Array, "3"]) -> Float[Array, "3 3"]:
    """A rotation that turns z, or −z if that is nearer, onto a direction: a rod has no front and back."""
    z = snap(direction if direction[2] >= 0 else -direction)
    if z[2] == 1.0:
        return np.eye(3)
    cross = np.array([[0, 0, z[0]], [0, 0, z[1]], [-z[0], -z[1], 0]])  # of e_z × direction
    return snap(np.eye(3) + cross + cross @ cross / (1 + z[2]))

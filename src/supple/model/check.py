"""Physical checks of a model: can a robot of these numbers exist, and does it have an acceleration?"""

from collections.abc import Iterator

import jax
import numpy as np

from supple.model.batch import batch_size
from supple.model.check_forces import find_impossible_forces
from supple.model.composite import joint_inertias, unpack_inertia
from supple.model.consistency import find_inconsistent
from supple.model.errors import ModelError
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.model.paths import find_places

_TOLERANCE = 1e-6  # relative: the round-off of files with six digits, and of float32
_RADIUS = 1e-6  # m: moments of inertia of a radius of gyration below it are round-off of zero


def check(model: Model) -> None:
    """Raise `ModelError` listing everything that is physically impossible or inconsistent in a model.

    Each body's inertia about its centre of mass must be that of some distribution of its mass, which is not negative:
    eigenvalues 0 ≤ I₁ ≤ I₂ ≤ I₃ ≤ I₁ + I₂. Rotations must be orthonormal and axes of unit length, and every joint
    must carry inertia or have armature, or the mass matrix is singular. Ranges must not be inverted, and what takes
    energy out (damping, friction, a medium) must not be negative, nor sensors' noise and delay. Call it outside of
    `jit`.
    """
    if (size := batch_size(model)) is not None:
        raise ModelError(f"{model.name}: this is a batch of {size}; check one of them, as sp.pick(model, 0)")
    wrong = find_inconsistent(model) or find_nonfinite(model) or find_impossible(model)
    if wrong:
        raise ModelError(f"{model.name}: " + "; ".join(wrong))


def find_nonfinite(model: Model) -> tuple[str, ...]:
    """A sentence for each leaf that has NaN or, other than ranges, infinite entries."""
    return tuple(_nonfinite(model))


def find_impossible(model: Model) -> tuple[str, ...]:
    """A sentence for each finding of `check` in a model whose leaves are finite."""
    return (*_bodies(model), *_frames(model), *_joints(model), *find_impossible_forces(model), *_sensors(model))


def _nonfinite(model: Model) -> Iterator[str]:
    for place, leaf in zip(find_places(model), jax.tree.leaves(model), strict=True):
        values = np.atleast_1d(np.asarray(leaf))
        wrong = np.isnan(values) if place.field.endswith("range") else ~np.isfinite(values)  # a range may be endless
        rows = np.argwhere(wrong)
        if rows.size:
            names = getattr(place.owner, "names", None)
            part = f" of {names[rows[0][0]]!r}" if names else ""
            yield f"{place.path}{part} is {values[tuple(rows[0])]}"


def _bodies(model: Model) -> Iterator[str]:
    masses = np.asarray(model.bodies.mass)
    for i, name in enumerate(model.bodies.names):
        if masses[i] < 0:
            yield f"body {name!r}: mass {masses[i]:g} kg is negative"
        moments = np.linalg.eigvalsh(unpack_inertia(np.asarray(model.bodies.inertia[i])))
        slack = _TOLERANCE * np.abs(moments).sum() + abs(masses[i]) * _RADIUS**2
        moments[np.abs(moments) < slack] = 0.0
        values = ", ".join(f"{moment:.3g}" for moment in moments)
        if moments[0] < 0:
            yield f"body {name!r}: its principal moments of inertia ({values} kg m²) are not all positive"
        elif moments[2] > moments[0] + moments[1] + slack:
            yield f"body {name!r}: its greatest moment of inertia exceeds the sum of the others ({values} kg m²)"
        if masses[i] == 0 and moments[2] > 0:
            yield f"body {name!r}: it has inertia but no mass"


def _frames(model: Model) -> Iterator[str]:
    for part, frames in (("body", model.bodies), ("site", model.sites)):
        if frames is None:
            continue
        for name, R in zip(frames.names, np.asarray(frames.rotation), strict=True):
            if np.abs(R @ R.T - np.eye(3)).max() > _TOLERANCE or np.linalg.det(R) < 0:
                yield f"{part} {name!r}: its rotation is not a rotation (orthonormal, determinant 1)"
    for name, kind, axis in zip(model.joints.names, model.joints.kinds, np.asarray(model.joints.axis), strict=True):
        length = float(np.linalg.norm(axis))
        if kind in {JointKind.HINGE, JointKind.SLIDE} and abs(length - 1) > _TOLERANCE:
            yield f"joint {name!r}: its axis has length {length:g}, not 1"


def _joints(model: Model) -> Iterator[str]:
    """Joints that accelerate without bound: nothing heavy hangs on them, at home, and they have no armature."""
    inertias, scales = joint_inertias(model.bodies, model.joints)
    for name, armature, inertia, scale in zip(
        model.joints.names, np.asarray(model.joints.armature), inertias, scales, strict=True
    ):
        if armature < 0:
            yield f"joint {name!r}: armature {armature:g} is negative"
        if inertia + armature <= _TOLERANCE**2 * scale:
            yield f"joint {name!r}: nothing with inertia hangs on it and it has no armature (singular mass matrix)"


def _sensors(model: Model) -> Iterator[str]:
    for sensor in model.sensors:
        flaws = sensor.imperfection
        for word, value in (("noise", flaws and flaws.noise), ("delay", flaws and flaws.delay)):
            if value is not None and (np.asarray(value) < 0).any():
                yield f"sensor {sensor.name!r}: its {word} is negative"

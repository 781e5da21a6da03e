"""Physical checks of a model: can a robot of these numbers exist, and does it have an acceleration?"""

from collections.abc import Iterator

import jax
import numpy as np
from jaxtyping import Float

from supple.model.errors import ModelError
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.spatial.arrays import Array

_TOLERANCE = 1e-6  # relative: the round-off of files with six digits, and of float32
_RADIUS = 1e-6  # m: moments of inertia of a radius of gyration below it are round-off of zero


def check(model: Model) -> None:
    """Raise `ModelError` listing everything that is physically impossible or inconsistent in a model.

    Each body's inertia about its centre of mass must be that of some distribution of its mass, which is not
    negative: eigenvalues 0 ≤ I₁ ≤ I₂ ≤ I₃ ≤ I₁ + I₂. Rotations must be orthonormal and axes of unit length, and
    every joint must carry inertia or have armature, or the mass matrix is singular. Call it outside of `jit`.
    """
    wrong = find_nonfinite(model) or find_impossible(model)
    if wrong:
        raise ModelError(f"{model.name}: " + "; ".join(wrong))


def find_nonfinite(model: Model) -> tuple[str, ...]:
    """A sentence for each leaf that has NaN or, other than ranges, infinite entries."""
    return tuple(_nonfinite(model))


def find_impossible(model: Model) -> tuple[str, ...]:
    """A sentence for each finding of `check` in a model whose leaves are finite."""
    return (*_bodies(model), *_frames(model), *_joints(model))


def _nonfinite(model: Model) -> Iterator[str]:
    for path, leaf in jax.tree_util.tree_leaves_with_path(model):
        values = np.asarray(leaf)
        name = jax.tree_util.keystr(path).lstrip(".")
        wrong = np.isnan(values) if name.endswith("range") else ~np.isfinite(values)  # a range may be endless
        rows = np.argwhere(wrong)
        if not rows.size:
            continue
        group, _, _ = name.partition(".")
        names = getattr(getattr(model, group), "names", None)
        part = f" of {names[rows[0][0]]!r}" if names else ""
        yield f"{name}{part} is {values[tuple(rows[0])]}"


def _bodies(model: Model) -> Iterator[str]:
    masses = np.asarray(model.bodies.mass)
    for i, name in enumerate(model.bodies.names):
        if masses[i] < 0:
            yield f"body {name!r}: mass {masses[i]:g} kg is negative"
        moments = np.linalg.eigvalsh(_full(np.asarray(model.bodies.inertia[i])))
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
    for name, R in zip(model.bodies.names, np.asarray(model.bodies.rotation), strict=True):
        if np.abs(R @ R.T - np.eye(3)).max() > _TOLERANCE or np.linalg.det(R) < 0:
            yield f"body {name!r}: its rotation is not a rotation (orthonormal, determinant 1)"
    for name, kind, axis in zip(model.joints.names, model.joints.kinds, np.asarray(model.joints.axis), strict=True):
        length = float(np.linalg.norm(axis))
        if kind in {JointKind.HINGE, JointKind.SLIDE} and abs(length - 1) > _TOLERANCE:
            yield f"joint {name!r}: its axis has length {length:g}, not 1"


def _joints(model: Model) -> Iterator[str]:
    """Joints that accelerate without bound: nothing heavy hangs on them, at home, and they have no armature."""
    masses, firsts, seconds = _composites(model)
    for i, (name, kind, body) in enumerate(
        zip(model.joints.names, model.joints.kinds, model.joints.bodies, strict=True)
    ):
        armature = float(model.joints.armature[i])
        if armature < 0:
            yield f"joint {name!r}: armature {armature:g} is negative"
        mass = masses[body]
        anchor = np.asarray(model.joints.position[i])
        axis = np.asarray(model.joints.axis[i])
        scale = _TOLERANCE**2 * np.trace(seconds[body])
        about_anchor = _moved(mass, firsts[body], seconds[body], anchor)
        if kind is JointKind.HINGE:
            least = axis @ about_anchor @ axis
        elif kind is JointKind.SLIDE:
            least, scale = mass, 0.0
        else:
            least = np.linalg.eigvalsh(about_anchor)[0]
        if kind is JointKind.FREE and mass + armature <= 0:
            least = -armature
        if least + armature <= scale:
            yield f"joint {name!r}: nothing with inertia hangs on it and it has no armature (singular mass matrix)"


def _composites(model: Model) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mass, first moment m c (kg m) and inertia about the origin of each body with all that hangs on it, at home."""
    bodies = model.bodies
    masses = np.array(bodies.mass, dtype=np.float64)
    centers = np.asarray(bodies.center_of_mass, dtype=np.float64)
    firsts = masses[:, None] * centers
    seconds = np.array([_full(inertia) for inertia in np.asarray(bodies.inertia)]).reshape(-1, 3, 3)
    seconds += np.array([m * _point(c) for m, c in zip(masses, centers, strict=True)]).reshape(-1, 3, 3)
    for i in reversed(range(len(bodies.parents))):
        parent, R, p = bodies.parents[i], np.asarray(bodies.rotation[i]), np.asarray(bodies.position[i])
        if parent < 0:
            continue
        first = R @ firsts[i]
        second = _moved(masses[i], first, R @ seconds[i] @ R.T, -p)
        masses[parent] += masses[i]
        firsts[parent] += first + masses[i] * p
        seconds[parent] += second
    return masses, firsts, seconds


def _moved(
    mass: float | np.floating, first: Float[Array, "3"], second: Float[Array, "3 3"], point: Float[Array, "3"]
) -> Float[Array, "3 3"]:
    """The inertia about `point` of a body with the first moment and inertia given about the origin."""
    cross = 2 * (first @ point) * np.eye(3) - np.outer(first, point) - np.outer(point, first)
    return second - cross + mass * _point(point)


def _point(r: Float[Array, "3"]) -> Float[Array, "3 3"]:
    """The inertia of a unit mass at r about the origin: |r|² 1 − r rᵀ."""
    return (r @ r) * np.eye(3) - np.outer(r, r)


def _full(inertia: Float[Array, "6"]) -> Float[Array, "3 3"]:
    xx, xy, xz, yy, yz, zz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

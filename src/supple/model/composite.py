"""What hangs on each joint of a robot that stands as it was described."""

import numpy as np
from jaxtyping import Float

from supple.model.joint import JointKind
from supple.model.model import Bodies, Joints


def joint_inertias(bodies: Bodies, joints: Joints) -> tuple[Float[np.ndarray, " joints"], Float[np.ndarray, " joints"]]:
    """The inertia that each joint moves if all others are locked, kg m² or kg, and the scale of its round-off.

    Without armature; for balls and free joints the least over all axes. Call it outside of `jit`.
    """
    masses, firsts, seconds = _composites(bodies)
    least, scale = np.zeros(len(joints.kinds)), np.zeros(len(joints.kinds))
    for i, (kind, body) in enumerate(zip(joints.kinds, joints.bodies, strict=True)):
        axis, anchor = np.asarray(joints.axis[i]), np.asarray(joints.position[i])
        about_anchor = _moved(masses[body], firsts[body], seconds[body], anchor)
        scale[i] = np.trace(seconds[body])
        if kind is JointKind.HINGE:
            least[i] = axis @ about_anchor @ axis
        elif kind is JointKind.SLIDE:
            least[i], scale[i] = masses[body], 0.0
        else:
            least[i] = np.linalg.eigvalsh(about_anchor)[0]
        if kind is JointKind.FREE and masses[body] <= 0:
            least[i] = masses[body]
    return least, scale


def unpack_inertia(inertia: Float[np.ndarray, "6"]) -> Float[np.ndarray, "3 3"]:
    """The full matrix of a body's inertia, in float64."""
    xx, xy, xz, yy, yz, zz = np.asarray(inertia, dtype=np.float64)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _composites(bodies: Bodies) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mass, first moment m c (kg m) and inertia about the origin of each body with all that hangs on it, at home."""
    masses = np.array(bodies.mass, dtype=np.float64)
    centers = np.asarray(bodies.center_of_mass, dtype=np.float64)
    firsts = masses[:, None] * centers
    seconds = np.array([unpack_inertia(inertia) for inertia in np.asarray(bodies.inertia)]).reshape(-1, 3, 3)
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


def _moved(mass: float, first: np.ndarray, second: np.ndarray, point: np.ndarray) -> Float[np.ndarray, "3 3"]:
    """The inertia about `point` of a body with the first moment and inertia given about the origin."""
    cross = 2 * (first @ point) * np.eye(3) - np.outer(first, point) - np.outer(point, first)
    return second - cross + mass * _point(point)


def _point(r: np.ndarray) -> Float[np.ndarray, "3 3"]:
    """The inertia of a unit mass at r about the origin: |r|² 1 − r rᵀ."""
    return (r @ r) * np.eye(3) - np.outer(r, r)

"""Exact numbers for frames: quaternions to matrices, and values next to 0 or ±1 made exact."""

from collections.abc import Sequence

import mujoco
import numpy as np
from jaxtyping import Float

from supple.spatial.arrays import Array

SNAP = 1e-14  # the round-off of a quaternion's matrix is below it, digits that a file means are above


def snap(values: Float[Array, "..."]) -> Float[Array, "..."]:
    """Make values within 1e-14 of 0, 1 or -1 exact, so that the compiler's folding sees them."""
    values = np.array(values, dtype=np.float64)
    for target in (0.0, 1.0, -1.0):
        values[np.abs(values - target) <= SNAP] = target
    return values


def snap_zeros(values: Float[Array, "..."], scale: float = 1.0) -> Float[Array, "..."]:
    """Make values within 1e-14 of 0, relative to `scale`, exact zeros (lengths and inertias)."""
    values = np.array(values, dtype=np.float64)
    values[np.abs(values) <= SNAP * scale] = 0.0
    return values


def matrix_from_quaternion(quaternion: Float[Array, "4"]) -> Float[Array, "3 3"]:
    """The rotation matrix of a quaternion (w, x, y, z), snapped."""
    quaternion = np.asarray(quaternion, dtype=np.float64)
    matrix = np.empty(9)
    mujoco.mju_quat2Mat(matrix, quaternion / np.linalg.norm(quaternion))
    return snap(matrix.reshape(3, 3))


def unit_axis(axis: Float[Array, "3"]) -> Float[Array, "3"]:
    """The axis at unit length, snapped."""
    axis = np.asarray(axis, dtype=np.float64)
    return snap(axis / np.linalg.norm(axis))


def quaternion_from_matrix(matrix: Sequence[Sequence[float]] | Float[Array, "3 3"]) -> Float[Array, "4"]:
    """The quaternion (w, x, y, z), w ≥ 0, of a rotation matrix, snapped."""
    quaternion = np.empty(4)
    mujoco.mju_mat2Quat(quaternion, np.array(matrix, dtype=np.float64).ravel())
    return snap(quaternion if quaternion[0] >= 0 else -quaternion)

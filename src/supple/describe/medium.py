"""The medium of a compiled model."""

import mujoco
import numpy as np
from jaxtyping import Float

from supple.describe.frames import matrix_from_quaternion, snap
from supple.describe.parts import has_passive_forces
from supple.model.composite import unpack_inertia
from supple.model.medium import Medium
from supple.model.model import Bodies

_ROUND_OFF = 1e-14  # of entries of an inertia that is diagonal, relative to its trace


def read_medium(compiled: mujoco.MjModel, bodies: Bodies) -> Medium | None:
    """The fluid of the file's options, or None if it has neither density nor viscosity."""
    option = compiled.opt
    if not has_passive_forces(compiled) or (option.density == 0 and option.viscosity == 0):
        return None
    axes = [_box_axes(inertia, compiled.body_iquat[i + 1]) for i, inertia in enumerate(bodies.inertia)]
    return Medium(
        density=np.array(option.density, dtype=np.float64),
        viscosity=np.array(option.viscosity, dtype=np.float64),
        wind=np.array(option.wind, dtype=np.float64),
        axes=np.array(axes).reshape(-1, 3, 3),
    )


def _box_axes(inertia: Float[np.ndarray, "6"], quaternion: Float[np.ndarray, "4"]) -> Float[np.ndarray, "3 3"]:
    """R_body_box: the compiler's inertial frame if the inertia is diagonal there; else principal axes, in its order."""
    R = np.asarray(matrix_from_quaternion(quaternion))
    matrix = R.T @ unpack_inertia(inertia) @ R
    if np.abs(matrix - np.diag(np.diag(matrix))).max() <= _ROUND_OFF * np.abs(np.trace(matrix)):
        return R
    values, vectors, turn = np.zeros(3), np.zeros(9), np.zeros(4)
    mujoco.mju_eig3(values, vectors, turn, matrix.ravel())
    return np.asarray(snap(R @ vectors.reshape(3, 3)))

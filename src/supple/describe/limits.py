"""Springs and dampers of joint limits, from MuJoCo's time constants."""

import dataclasses

import mujoco
import numpy as np
from jaxtyping import Float

from supple.model.composite import joint_inertias
from supple.model.model import Bodies, Joints

FRICTION_SPEED = 0.05  # rad/s or m/s: slow against a robot's motion, fast enough for steps of a millisecond
_REFERENCE = (0.02, 1.0)  # MuJoCo's default solref: time constant (s), damping ratio
_WIDTH = 1e-3  # MuJoCo's default solimp, of which this is the width


def stiffen_limits(bodies: Bodies, joints: Joints, compiled: mujoco.MjModel | None = None) -> Joints:
    """Joints with limits that give about as MuJoCo's do: k = m / (T ζ)² and d = 2 m / T over the width w.

    (T, ζ) are `solref` and w is from `solimp` of the compiled model, or MuJoCo's defaults. m is what the joint moves
    at home, if all others are locked.
    """
    n = len(joints.names)
    references = np.tile(_REFERENCE, (n, 1)) if compiled is None else np.array(compiled.jnt_solref)
    width = np.full(n, _WIDTH) if compiled is None else np.maximum(compiled.jnt_solimp[:, 2], _WIDTH)
    inertia = np.maximum(joint_inertias(bodies, joints)[0], 0.0) + joints.armature
    stiffness, damping = _per_inertia(references)
    return dataclasses.replace(
        joints, limit_stiffness=inertia * stiffness, limit_damping=inertia * damping, limit_width=width
    )


def _per_inertia(references: Float[np.ndarray, "joints 2"]) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness (1/s²) and damping (1/s) per inertia; where negative, `solref` has these themselves."""
    first, second = references.T
    direct = first < 0
    constant, ratio = np.where(direct, 1.0, np.maximum(first, 1e-15)), np.where(direct, 1.0, np.maximum(second, 1e-15))
    return np.where(direct, -first, 1.0 / (constant * ratio) ** 2), np.where(direct, -second, 2.0 / constant)

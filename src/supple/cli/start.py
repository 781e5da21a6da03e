"""The state in which a simulation starts, from the words of a command line."""

import numpy as np

from supple.cli.errors import UsageError
from supple.model.joint import JointKind
from supple.model.model import Model


def start_state(model: Model, q: str | None, v: str | None, seed: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and velocities: those given, else random ones of the seed, else home and rest."""
    if q is not None:
        q_start = _parse_coordinates(model, q)
    elif seed is not None:
        q_start = _draw_coordinates(model, seed)
    else:
        q_start = np.array(model.home, dtype=float)
    v_start = np.zeros(model.nv) if v is None else _parse_numbers("--v", v, model.nv, "velocities")
    return q_start, v_start


def _parse_coordinates(model: Model, text: str) -> np.ndarray:
    """The coordinates of `--q`; quaternions must have length one to a per cent, and get it exactly."""
    q = _parse_numbers("--q", text, model.nq, "coordinates")
    joints = model.joints
    for name, kind, start in zip(joints.names, joints.kinds, joints.q_starts, strict=True):
        if kind not in {JointKind.BALL, JointKind.FREE}:
            continue
        end = start + kind.nq
        length = np.linalg.norm(q[end - 4 : end])
        if abs(length - 1) > 0.01:
            raise UsageError(f"--q: the quaternion (w, x, y, z) of joint '{name}' has length {length:g}, not 1")
        q[end - 4 : end] /= length
    return q


def _parse_numbers(option: str, text: str, size: int, meaning: str) -> np.ndarray:
    """Numbers separated by commas or spaces; there must be `size` of them, all finite."""
    try:
        values = np.array([float(word) for word in text.replace(",", " ").split()])
    except ValueError as error:
        raise UsageError(f"{option} '{text}': {error}; write numbers separated by commas") from error
    if values.size != size:
        raise UsageError(f"{option} has {values.size} numbers, but this robot has {size} {meaning}")
    if not np.all(np.isfinite(values)):
        raise UsageError(f"{option} '{text}' holds a value that is not finite")
    return values


def _draw_coordinates(model: Model, seed: int) -> np.ndarray:
    """Joints anywhere in their range, or in half a turn or 0.1 m either way; a floating base at home."""
    random = np.random.default_rng(seed)
    q = np.array(model.home, dtype=float)
    joints = model.joints
    for i, (kind, start) in enumerate(zip(joints.kinds, joints.q_starts, strict=True)):
        if kind is JointKind.BALL:
            quaternion = random.normal(size=4)
            q[start : start + 4] = quaternion / np.linalg.norm(quaternion)
        elif kind is not JointKind.FREE:
            reach = np.pi / 2 if kind is JointKind.HINGE else 0.1
            low, high = joints.range[i] if joints.limited[i] else (q[start] - reach, q[start] + reach)
            q[start] = random.uniform(low, high)
    return q

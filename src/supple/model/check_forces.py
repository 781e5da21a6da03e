"""Checks of what pushes a robot: actuators, friction, limits, tendons, the medium."""

from collections.abc import Iterator, Sequence

import numpy as np

from supple.model.actuators import ActivationKind
from supple.model.model import Model
from supple.spatial.arrays import Array

_FILTERS = (ActivationKind.FILTER, ActivationKind.FILTER_EXACT)


def find_impossible_forces(model: Model) -> Iterator[str]:
    """A sentence for each inverted range, and for each number that would feed energy in or divide by zero."""
    joints, actuators, tendons, medium = model.joints, model.actuators, model.tendons, model.medium
    limited = np.array(joints.limited, dtype=bool)
    for field in ("damping", "friction_loss"):
        yield from _below("joint", joints.names, getattr(joints, field), field, allow_zero=True)
    yield from _below(
        "joint", joints.names, joints.friction_speed, "friction_speed", np.asarray(joints.friction_loss) != 0
    )
    yield from _inverted("joint", joints.names, joints.range, "range", limited & ~_balls(model))
    yield from _inverted("joint", joints.names, joints.force_range, "force_range", joints.force_limited)
    for field in ("limit_stiffness", "limit_damping"):
        yield from _below("joint", joints.names, getattr(joints, field), field, limited, allow_zero=True)
    yield from _below("joint", joints.names, joints.limit_width, "limit_width", limited)
    for part in ("control", "force", "activation"):
        field, flags = f"{part}_range", getattr(actuators, f"{part}_limited")
        yield from _inverted("actuator", actuators.names, getattr(actuators, field), field, flags)
    filtered = [kind in _FILTERS for kind in actuators.dynamics]
    yield from _below("actuator", actuators.names, actuators.time_constant, "time_constant", filtered)
    if tendons is not None:
        yield from _below("tendon", tendons.names, tendons.damping, "damping", allow_zero=True)
        yield from _inverted("tendon", tendons.names, tendons.rest_range, "rest_range")
    if medium is not None:
        for field in ("density", "viscosity"):
            yield from _below("medium", ("fluid",), getattr(medium, field), field, allow_zero=True)


def _below(
    part: str,
    names: Sequence[str],
    values: Array,
    field: str,
    where: Sequence[bool] | np.ndarray | None = None,
    *,
    allow_zero: bool = False,
) -> Iterator[str]:
    """Values that are negative, or zero where that is not allowed either."""
    flags = [True] * len(names) if where is None else where
    for name, value, flag in zip(names, np.atleast_1d(values), flags, strict=True):
        if flag and (value < 0 or (value == 0 and not allow_zero)):
            yield f"{part} {name!r}: {field} {value:g} is {'negative' if value < 0 else 'zero'}"


def _inverted(
    part: str, names: Sequence[str], ranges: Array, field: str, where: Sequence[bool] | np.ndarray | None = None
) -> Iterator[str]:
    flags = [True] * len(names) if where is None else where
    for name, (low, high), flag in zip(names, np.asarray(ranges), flags, strict=True):
        if flag and low > high:
            yield f"{part} {name!r}: {field} from {low:g} to {high:g} is empty"


def _balls(model: Model) -> np.ndarray:
    """Which joints are neither hinges nor slides: only the second number of their range counts."""
    return np.array([kind.nv > 1 for kind in model.joints.kinds], dtype=bool)

"""Actuators of robots that are built in Python."""

import dataclasses
from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

from supple.model.actuators import NO_PART, ActivationKind, Actuators
from supple.spatial.arrays import Array

Numbers = Sequence[float]


@dataclasses.dataclass(frozen=True)
class Drive:
    """An actuator on a joint; the fields are those of `Actuators`, a range of None being endless."""

    gear: Numbers = (1.0,)
    gain: Numbers = (1.0,)
    bias: Numbers = (0.0,)
    dynamics: ActivationKind = ActivationKind.NONE
    time_constant: float = 1.0
    control_range: Numbers | None = None
    force_range: Numbers | None = None
    activation_range: Numbers | None = None
    activation_early: bool = False


def make_actuators(drives: Sequence[tuple[str, int, Drive]]) -> Actuators:
    """The actuators of drives, each with its name and the index of its joint."""
    names, joints, parts = zip(*drives, strict=True) if drives else ((), (), ())

    def rows(field: str, width: int) -> Float[Array, "drives width"]:
        values = [list(getattr(part, field) or ()) for part in parts]
        padded = [row + [0.0] * (width - len(row)) for row in values]
        return np.array(padded, dtype=np.float64).reshape(-1, width)

    def given(field: str) -> tuple[bool, ...]:
        return tuple(getattr(part, field) is not None for part in parts)

    return Actuators(
        gear=rows("gear", 6),
        gain=rows("gain", 3),
        bias=rows("bias", 3),
        control_range=rows("control_range", 2),
        force_range=rows("force_range", 2),
        activation_range=rows("activation_range", 2),
        time_constant=np.array([part.time_constant for part in parts], dtype=np.float64),
        names=tuple(names),
        joints=tuple(joints),
        tendons=(NO_PART,) * len(parts),
        dynamics=tuple(part.dynamics for part in parts),
        control_limited=given("control_range"),
        force_limited=given("force_range"),
        activation_limited=given("activation_range"),
        activation_early=tuple(part.activation_early for part in parts),
        circular=(False,) * len(parts),
    )

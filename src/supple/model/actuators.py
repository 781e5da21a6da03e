"""Actuators: what turns controls into forces."""

import enum

import equinox as eqx
from jaxtyping import Float

from supple.spatial.arrays import Array

NO_PART = -1  # the joint of an actuator that pulls a tendon, and the tendon of one that drives a joint


class ActivationKind(enum.Enum):
    """How an actuator's activation a follows its control u, with the time constant T.

    | kind         | rate            | over a step h                          |
    |--------------|-----------------|----------------------------------------|
    | none         | no activation: the control itself acts                   |
    | integrator   | ȧ = u           | a + h u                                |
    | filter       | ȧ = (u − a) / T | a + h (u − a) / T, stable for h < 2 T  |
    | filter_exact | ȧ = (u − a) / T | a + (1 − exp(−h / T)) (u − a)          |
    """

    NONE = "none"
    INTEGRATOR = "integrator"
    FILTER = "filter"
    FILTER_EXACT = "filter_exact"


class Actuators(eqx.Module):
    """Affine actuators, MuJoCo's: each has one control, and drives one joint or pulls one tendon.

    With the transmission's length l (gear times the coordinate of a hinge or slide, times a tendon's length, or gear
    · the rotation vector of a ball), and the control or activation u, the force along the transmission is

        f = gain · (1, l, l̇) u + bias · (1, l, l̇),

    clamped to `force_range`; the gear carries it to the joint.
    """

    gear: Float[Array, "actuators 6"]  # first entry for hinge, slide and tendon, 3 for ball, 6 for free
    gain: Float[Array, "actuators 3"]  # of the control or activation: constant, per length, per velocity
    bias: Float[Array, "actuators 3"]  # without control: constant, per length, per velocity
    control_range: Float[Array, "actuators 2"]  # meaningful where `control_limited`
    force_range: Float[Array, "actuators 2"]  # along the transmission; meaningful where `force_limited`
    activation_range: Float[Array, "actuators 2"]  # meaningful where `activation_limited`
    time_constant: Float[Array, " actuators"]  # of filters, s

    names: tuple[str, ...] = eqx.field(static=True)
    joints: tuple[int, ...] = eqx.field(static=True)  # the joint that is driven, or NO_PART
    tendons: tuple[int, ...] = eqx.field(static=True)  # the tendon that is pulled, or NO_PART
    dynamics: tuple[ActivationKind, ...] = eqx.field(static=True)
    control_limited: tuple[bool, ...] = eqx.field(static=True)
    force_limited: tuple[bool, ...] = eqx.field(static=True)
    activation_limited: tuple[bool, ...] = eqx.field(static=True)
    activation_early: tuple[bool, ...] = eqx.field(static=True)  # the next activation acts, not the present one
    circular: tuple[bool, ...] = eqx.field(static=True)  # an angle is asked of a ball: the nearest one that is the same

    @property
    def stateful(self) -> tuple[int, ...]:
        """The actuators that have an activation, in the order of the activations."""
        return tuple(i for i, kind in enumerate(self.dynamics) if kind is not ActivationKind.NONE)

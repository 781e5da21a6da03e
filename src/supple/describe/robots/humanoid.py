"""A robot of human size."""

from supple.describe.builder import RobotBuilder
from supple.describe.primitives import Vector, box, rod, sphere
from supple.model.joint import JointKind
from supple.model.model import Model

_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
_THIGH, _SHANK, _ANKLE = 0.42, 0.42, 0.08  # m; the last is its height above the ground
_UPPER_ARM, _FOREARM = 0.30, 0.27  # m
_HIP = (0.09, -0.06)  # to the side of the pelvis' centre, and above it, m
_SHOULDER = (0.20, 0.42)  # to the side of the waist, and above it, m
_WAIST = 0.08  # above the pelvis' centre, m


def humanoid() -> Model:
    """A floating robot of 1.75 m and 70 kg with 23 motors: six in each leg, four in each arm, three in the waist.

    At q = 0 it stands upright with hanging arms; x is forward, y to the left. Hips, waist and shoulders have several
    hinges in one place. A knee bends backwards with positive angles, an elbow forwards with negative ones.
    """
    builder = RobotBuilder("humanoid")
    height = -_HIP[1] + _THIGH + _SHANK + _ANKLE
    builder.body("pelvis", position=(0.0, 0.0, height), solids=[box((0.16, 0.28, 0.16), mass=10.4)])
    builder.joint("floating_base", "pelvis", JointKind.FREE)
    trunk = box((0.20, 0.30, 0.46), mass=24.0, position=(0.0, 0.0, 0.23))
    head = sphere(0.11, mass=5.0, position=(0.0, 0.0, 0.58))
    builder.body("torso", "pelvis", position=(0.0, 0.0, _WAIST), solids=[trunk, head])
    _add_hinges(
        builder, "waist", "torso", (("turn", _Z, -0.8, 0.8), ("bend", _Y, -0.4, 1.2), ("lean", _X, -0.5, 0.5)), 120.0
    )
    for side, sign in (("left", 1.0), ("right", -1.0)):
        _add_leg(builder, side, sign)
        _add_arm(builder, side, sign)
    return builder.build()


def _add_leg(builder: RobotBuilder, side: str, sign: float) -> None:
    thigh, shank, foot = (f"{side}_{part}" for part in ("thigh", "shank", "foot"))
    bone = rod((0.0, 0.0, 0.0), (0.0, 0.0, -_THIGH), radius=0.07, mass=7.5)
    builder.body(thigh, "pelvis", position=(0.0, sign * _HIP[0], _HIP[1]), solids=[bone])
    turn, spread = _mirrored(sign, -0.4, 0.6), _mirrored(sign, -0.4, 0.7)
    hip = (("turn", _Z, *turn), ("spread", _X, *spread), ("swing", _Y, -2.0, 0.5))
    _add_hinges(builder, f"{side}_hip", thigh, hip, 150.0)
    bone = rod((0.0, 0.0, 0.0), (0.0, 0.0, -_SHANK), radius=0.045, mass=3.2)
    builder.body(shank, thigh, position=(0.0, 0.0, -_THIGH), solids=[bone])
    _add_hinges(builder, f"{side}_knee", shank, (("", _Y, 0.0, 2.5),), 150.0)
    sole = box((0.25, 0.09, 0.05), mass=1.0, position=(0.06, 0.0, 0.025 - _ANKLE))
    builder.body(foot, shank, position=(0.0, 0.0, -_SHANK), solids=[sole])
    _add_hinges(builder, f"{side}_ankle", foot, (("swing", _Y, -0.6, 0.8), ("roll", _X, -0.4, 0.4)), 70.0)


def _add_arm(builder: RobotBuilder, side: str, sign: float) -> None:
    upper, lower = f"{side}_upper_arm", f"{side}_forearm"
    bone = rod((0.0, 0.0, 0.0), (0.0, 0.0, -_UPPER_ARM), radius=0.045, mass=2.0)
    builder.body(upper, "torso", position=(0.0, sign * _SHOULDER[0], _SHOULDER[1]), solids=[bone])
    spread, turn = _mirrored(sign, -0.2, 2.5), _mirrored(sign, -1.2, 1.2)
    shoulder = (("swing", _Y, -3.0, 1.0), ("spread", _X, *spread), ("turn", _Z, *turn))
    _add_hinges(builder, f"{side}_shoulder", upper, shoulder, 60.0)
    bone = rod((0.0, 0.0, 0.0), (0.0, 0.0, -_FOREARM), radius=0.035, mass=1.2)
    hand = sphere(0.045, mass=0.4, position=(0.0, 0.0, -_FOREARM - 0.04))
    builder.body(lower, upper, position=(0.0, 0.0, -_UPPER_ARM), solids=[bone, hand])
    _add_hinges(builder, f"{side}_elbow", lower, (("", _Y, -2.5, 0.0),), 40.0)


def _mirrored(sign: float, inner: float, outer: float) -> tuple[float, float]:
    """Limits of an angle that grows outwards on the left, and inwards on the right."""
    return (inner, outer) if sign > 0 else (-outer, -inner)


def _add_hinges(
    builder: RobotBuilder, name: str, body: str, hinges: tuple[tuple[str, Vector, float, float], ...], torque: float
) -> None:
    """Hinges in one place, each with a motor; damping and rotor inertia grow with its torque."""
    for word, axis, low, high in hinges:
        joint = f"{name}_{word}" if word else name
        builder.joint(joint, body, axis=axis, armature=1e-4 * torque, damping=0.01 * torque, limits=(low, high))
        builder.motor(joint, joint, limits=(-torque, torque))

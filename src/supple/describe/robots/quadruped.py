"""A four-legged robot."""

from supple.describe.builder import RobotBuilder
from supple.describe.primitives import box, cylinder, rod, sphere
from supple.model.joint import JointKind
from supple.model.model import Model

_TRUNK = (0.38, 0.20, 0.10)  # size of the box, m
_HIP_FORWARD, _HIP_SIDE = 0.19, 0.05  # of the abduction axis, from the trunk's centre, m
_OFFSET = 0.085  # from the abduction axis to the leg's plane, m
_THIGH = _SHANK = 0.21  # m


def quadruped() -> Model:
    """A floating dog of 12 kg with 12 motors: hip abduction (about x), hip and knee (about y) of each leg.

    At q = 0 the legs are stretched straight down; the trunk starts 0.45 m above the ground. x is forward,
    y to the left. The motors give at most 30 N m and have rotor inertia. It stands with hips at 0.8 and knees
    at −1.6 rad.
    """
    builder = RobotBuilder("quadruped")
    builder.body("trunk", position=(0.0, 0.0, 0.45), solids=[box(_TRUNK, mass=6.0)])
    builder.joint("floating_base", "trunk", JointKind.FREE)
    for leg, forward, side in (
        ("front_left", 1.0, 1.0),
        ("front_right", 1.0, -1.0),
        ("hind_left", -1.0, 1.0),
        ("hind_right", -1.0, -1.0),
    ):
        _add_leg(builder, leg, forward, side)
    return builder.build()


def _add_leg(builder: RobotBuilder, leg: str, forward: float, side: float) -> None:
    """A hip with the motors of abduction and hip, a thigh with the knee's motor, a shank with a foot."""
    motors = cylinder(0.045, 0.05, mass=0.60, rotation=((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)))
    builder.body(f"{leg}_hip", "trunk", position=(forward * _HIP_FORWARD, side * _HIP_SIDE, 0.0), solids=[motors])
    thigh = rod((0.0, 0.0, 0.0), (0.0, 0.0, -_THIGH), radius=0.03, mass=0.70)
    builder.body(f"{leg}_thigh", f"{leg}_hip", position=(0.0, side * _OFFSET, 0.0), solids=[thigh])
    shank = rod((0.0, 0.0, 0.0), (0.0, 0.0, -_SHANK), radius=0.012, mass=0.15)
    foot = sphere(0.02, mass=0.05, position=(0.0, 0.0, -_SHANK))
    builder.body(f"{leg}_shank", f"{leg}_thigh", position=(0.0, 0.0, -_THIGH), solids=[shank, foot])
    for joint, body, axis, limits in (
        ("abduction", "hip", (1.0, 0.0, 0.0), (-0.8, 0.8)),
        ("hip", "thigh", (0.0, 1.0, 0.0), (-1.0, 2.6)),
        ("knee", "shank", (0.0, 1.0, 0.0), (-2.7, 0.0)),
    ):
        name = f"{leg}_{joint}"
        builder.joint(name, f"{leg}_{body}", axis=axis, armature=0.004, damping=0.05, limits=limits)
        builder.motor(name, name, limits=(-30.0, 30.0))

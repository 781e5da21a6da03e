"""An arm on a pedestal."""

from supple.describe.builder import RobotBuilder
from supple.describe.primitives import Vector, box, cylinder
from supple.model.model import Model

_Z, _Y = (0.0, 0.0, 1.0), (0.0, 1.0, 0.0)
# joint, link, axis, length (m), radius (m), mass (kg), limits (rad), torque (N m), rotor inertia (kg m²), damping
_LINKS: tuple[tuple[str, str, Vector, float, float, float, float, float, float, float], ...] = (
    ("shoulder_turn", "shoulder", _Z, 0.16, 0.070, 3.4, 2.9, 120.0, 0.30, 0.8),
    ("shoulder_lift", "upper_arm", _Y, 0.20, 0.060, 3.0, 1.9, 120.0, 0.30, 0.8),
    ("arm_roll", "arm_half", _Z, 0.20, 0.055, 2.6, 2.9, 80.0, 0.20, 0.6),
    ("elbow", "forearm", _Y, 0.18, 0.050, 2.0, 2.4, 80.0, 0.20, 0.6),
    ("forearm_roll", "forearm_half", _Z, 0.18, 0.045, 1.6, 2.9, 40.0, 0.08, 0.3),
    ("wrist", "hand", _Y, 0.08, 0.040, 0.9, 2.0, 25.0, 0.05, 0.2),
    ("hand_turn", "flange", _Z, 0.06, 0.035, 0.4, 3.0, 15.0, 0.02, 0.1),
)
_PEDESTAL = 0.20  # m


def arm() -> Model:
    """An arm of seven hinges, turning and bending by turns, that stands straight up at q = 0: 1.26 m and 23.9 kg.

    Its base is fixed. The motors give at most 15 N m (hand) to 120 N m (shoulder), enough to hold the arm stretched
    out sideways; rotor inertia is as felt behind the gears.
    """
    builder = RobotBuilder("arm")
    builder.body("pedestal", solids=[box((0.24, 0.24, _PEDESTAL), mass=10.0, position=(0.0, 0.0, _PEDESTAL / 2))])
    parent, height = "pedestal", _PEDESTAL
    for joint, link, axis, length, radius, mass, limit, torque, armature, damping in _LINKS:
        solid = cylinder(radius, length, mass=mass, position=(0.0, 0.0, length / 2))
        builder.body(link, parent, position=(0.0, 0.0, height), solids=[solid])
        builder.joint(joint, link, axis=axis, armature=armature, damping=damping, limits=(-limit, limit))
        builder.motor(joint, joint, limits=(-torque, torque))
        parent, height = link, length
    return builder.build()

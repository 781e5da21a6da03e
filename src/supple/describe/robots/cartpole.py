"""A pole on a cart."""

from supple.describe.builder import RobotBuilder
from supple.describe.primitives import box, rod
from supple.model.joint import JointKind
from supple.model.model import Model

_POLE = 0.6  # m


def cartpole() -> Model:
    """A pole of 0.6 m and 0.15 kg that stands up, at q = 0, from the hinge on a cart of 1 kg.

    The cart slides along x on a rail of 3 m, moved by a motor of at most 15 N; the hinge turns about y and has none.
    """
    builder = RobotBuilder("cartpole")
    builder.body("cart", solids=[box((0.20, 0.12, 0.08), mass=1.0)])
    builder.joint("slide", "cart", JointKind.SLIDE, axis=(1.0, 0.0, 0.0), damping=0.1, limits=(-1.5, 1.5))
    builder.body("pole", "cart", solids=[rod((0.0, 0.0, 0.0), (0.0, 0.0, _POLE), radius=0.01, mass=0.15)])
    builder.joint("hinge", "pole", axis=(0.0, 1.0, 0.0), damping=0.001)
    builder.motor("push", "slide", limits=(-15.0, 15.0))
    return builder.build()

"""Joint kinds: how many coordinates and degrees of freedom a joint has."""

import enum


class JointKind(enum.Enum):
    """The kinds of joint, with MuJoCo's coordinates.

    | kind  | position                          | velocity                              |
    |-------|-----------------------------------|---------------------------------------|
    | hinge | angle, rad                        | rad/s about the axis                  |
    | slide | displacement, m                   | m/s along the axis                    |
    | ball  | quaternion (w, x, y, z)           | angular, in the child body's frame    |
    | free  | world position, then quaternion   | linear in the world, angular in body  |
    """

    HINGE = "hinge"
    SLIDE = "slide"
    BALL = "ball"
    FREE = "free"

    @property
    def nq(self) -> int:
        """Number of position coordinates."""
        return {"hinge": 1, "slide": 1, "ball": 4, "free": 7}[self.value]

    @property
    def nv(self) -> int:
        """Number of degrees of freedom."""
        return {"hinge": 1, "slide": 1, "ball": 3, "free": 6}[self.value]

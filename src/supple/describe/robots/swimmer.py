"""A chain that swims."""

import dataclasses

import numpy as np

from supple.describe.builder import RobotBuilder
from supple.describe.primitives import cylinder
from supple.describe.robots.arguments import read_count
from supple.model.joint import JointKind
from supple.model.medium import Medium
from supple.model.model import Model

_LENGTH, _RADIUS = 0.25, 0.025  # of a link, m
_ALONG_X = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))
_WATER = 1000.0  # kg/m³, of the links as well: they neither sink nor rise
_OIL = 0.05  # Pa s: fifty times water's viscosity


def swimmer(links: int = 3) -> Model:
    """A chain of rods of 0.25 m and 0.49 kg in the horizontal plane of a viscous fluid as dense as they are.

    The first link slides along x and y and turns about z without a motor; each other one hangs on a hinge about z with
    a motor of at most 1 N m. At q = 0 the chain is stretched along −x behind the first link, whose joints are at
    its front end.
    """
    links = read_count("swimmer: links", links, least=2)  # or nothing would move it
    builder = RobotBuilder("swimmer", gravity=(0.0, 0.0, 0.0))
    parent, position = "world", (0.0, 0.0, 0.0)
    for i in range(links):
        body, center = f"link_{i}", (-_LENGTH / 2, 0.0, 0.0)
        solid = cylinder(_RADIUS, _LENGTH, density=_WATER, position=center, rotation=_ALONG_X)
        builder.body(body, parent, position=position, solids=[solid])
        if i == 0:
            builder.joint("slide_x", body, JointKind.SLIDE, axis=(1.0, 0.0, 0.0))
            builder.joint("slide_y", body, JointKind.SLIDE, axis=(0.0, 1.0, 0.0))
            builder.joint("turn", body)
        else:
            builder.joint(f"hinge_{i}", body, damping=0.005, armature=1e-4, limits=(-1.75, 1.75))
            builder.motor(f"hinge_{i}", f"hinge_{i}", limits=(-1.0, 1.0))
        parent, position = body, (-_LENGTH, 0.0, 0.0)
    fluid = Medium(
        density=np.array(_WATER),
        viscosity=np.array(_OIL),
        wind=np.zeros(3),
        axes=np.repeat(np.eye(3)[None], links, axis=0),
    )
    return dataclasses.replace(builder.build(), medium=fluid)

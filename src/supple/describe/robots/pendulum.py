"""Pendulums: chains of rods."""

from collections.abc import Sequence

import numpy as np

from supple.describe.builder import RobotBuilder
from supple.describe.primitives import rod
from supple.describe.robots.arguments import read_count, read_positive
from supple.model.errors import ModelError
from supple.model.model import Model

_SLENDERNESS = 40  # length over radius of a pendulum's rods


def pendulum(links: int = 2, length: float = 1.0, mass: float = 1.0) -> Model:
    """A chain of uniform rods, each of `length` (m) and `mass` (kg), that hangs along −z at q = 0.

    Its hinges turn about y, without friction, each with a motor of gear 1.
    """
    links = read_count("pendulum: links", links, least=1)
    return _chain("pendulum", [length] * links, [mass] * links)


def double_pendulum(lengths: Sequence[float] = (1.0, 1.0), masses: Sequence[float] = (1.0, 1.0)) -> Model:
    """Two uniform rods with lengths (m) and masses (kg) of their own; otherwise like `pendulum`."""
    for what, values in (("lengths", lengths), ("masses", masses)):
        if np.shape(values) != (2,):
            raise ModelError(f"double_pendulum: {what}={values!r:.60}, but it has two, such as (1.0, 0.5)")
    return _chain("double_pendulum", lengths, masses)


def _chain(name: str, lengths: Sequence[float], masses: Sequence[float]) -> Model:
    builder = RobotBuilder(name)
    parent, position = "world", (0.0, 0.0, 0.0)
    for i in range(len(lengths)):
        length = read_positive(f"{name}: length", lengths[i])
        mass = read_positive(f"{name}: mass", masses[i])
        body, end = f"link_{i}", (0.0, 0.0, -length)
        solid = rod((0.0, 0.0, 0.0), end, radius=length / _SLENDERNESS, mass=mass)
        builder.body(body, parent, position=position, solids=[solid])
        builder.joint(f"hinge_{i}", body, axis=(0.0, 1.0, 0.0))
        builder.motor(f"hinge_{i}", f"hinge_{i}")
        parent, position = body, end
    return builder.build()

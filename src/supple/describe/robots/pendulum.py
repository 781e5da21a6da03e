"""Pendulums: chains of rods."""

from collections.abc import Sequence

from supple.describe.builder import RobotBuilder
from supple.describe.primitives import rod
from supple.model.errors import ModelError
from supple.model.model import Model

_SLENDERNESS = 40  # length over radius of a pendulum's rods


def pendulum(links: int = 2, length: float = 1.0, mass: float = 1.0) -> Model:
    """A chain of uniform rods, each of `length` (m) and `mass` (kg), that hangs along −z at q = 0.

    Its hinges turn about y, without friction, each with a motor of gear 1.
    """
    if links < 1:
        raise ModelError(f"pendulum: links={links}, but it needs at least one")
    return _chain("pendulum", [length] * links, [mass] * links)


def double_pendulum(lengths: Sequence[float] = (1.0, 1.0), masses: Sequence[float] = (1.0, 1.0)) -> Model:
    """Two uniform rods with lengths (m) and masses (kg) of their own; otherwise like `pendulum`."""
    if len(lengths) != 2 or len(masses) != 2:
        raise ModelError(f"double_pendulum: it has two lengths and two masses, not {len(lengths)} and {len(masses)}")
    return _chain("double_pendulum", lengths, masses)


def _chain(name: str, lengths: Sequence[float], masses: Sequence[float]) -> Model:
    builder = RobotBuilder(name)
    parent, position = "world", (0.0, 0.0, 0.0)
    for i, (length, mass) in enumerate(zip(lengths, masses, strict=True)):
        body, end = f"link_{i}", (0.0, 0.0, -float(length))
        solid = rod((0.0, 0.0, 0.0), end, radius=length / _SLENDERNESS, mass=mass)
        builder.body(body, parent, position=position, solids=[solid])
        builder.joint(f"hinge_{i}", body, axis=(0.0, 1.0, 0.0))
        builder.motor(f"hinge_{i}", f"hinge_{i}")
        parent, position = body, end
    return builder.build()

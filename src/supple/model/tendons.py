"""Tendons that couple joints."""

import equinox as eqx
from jaxtyping import Float

from supple.spatial.arrays import Array


class Tendons(eqx.Module):
    """Fixed tendons: of length l = Σ cᵢ qᵢ over hinges and slides.

    A tendon's spring is slack while the length is within `rest_range`.
    """

    coefficient: Float[Array, "tendons most"]  # of each joint in `joints`; then zeros
    stiffness: Float[Array, " tendons"]
    damping: Float[Array, " tendons"]
    rest_range: Float[Array, "tendons 2"]

    names: tuple[str, ...] = eqx.field(static=True)
    joints: tuple[tuple[int, ...], ...] = eqx.field(static=True)

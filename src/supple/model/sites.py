"""Sites: named frames that are fixed to bodies."""

import equinox as eqx
from jaxtyping import Float

from supple.spatial.arrays import Array


class Sites(eqx.Module):
    """Frames without mass, on bodies or in the world (the body -1): where sensors sit, tools end, and so on."""

    position: Float[Array, "sites 3"]  # origin in the body's frame, m
    rotation: Float[Array, "sites 3 3"]  # R_body_site

    names: tuple[str, ...] = eqx.field(static=True)
    bodies: tuple[int, ...] = eqx.field(static=True)

"""The medium in which a robot moves."""

import equinox as eqx
from jaxtyping import Float

from supple.spatial.arrays import Array


class Medium(eqx.Module):
    """A fluid that fills the world and resists each body as if it were a box of the body's inertia.

    The box's axes are kept apart from the inertia, whose eigenvectors have no derivative where moments are equal; its
    edges follow the inertia, to first order exactly.
    """

    density: Float[Array, ""]  # kg/m³
    viscosity: Float[Array, ""]  # Pa s
    wind: Float[Array, "3"]  # velocity of the fluid in the world, m/s
    axes: Float[Array, "bodies 3 3"]  # R_body_box: each body's principal axes of inertia

"""Symmetric 3×3 matrices, stored as their six distinct entries (xx, xy, xz, yy, yz, zz).

Storing them so halves the arithmetic of every inertia: a product that is known to be symmetric is
computed once per distinct entry.
"""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.spatial.arrays import Array
from supple.spatial.vector import multiply

# Indices of 32 bits: JAX 0.10.2 confuses an array of 64-bit ones that it meets first without and then with x64.
ROWS = np.array([0, 0, 0, 1, 1, 2], np.int32)
COLUMNS = np.array([0, 1, 2, 1, 2, 2], np.int32)
IDENTITY = np.array([1.0, 0.0, 0.0, 1.0, 0.0, 1.0])
_FULL = np.array([0, 1, 2, 1, 3, 4, 2, 4, 5], np.int32)


def unpack(symmetric: Float[Array, "*n 6"]) -> Float[Array, "*n 3 3"]:
    """The full matrix."""
    return jnp.asarray(symmetric)[..., _FULL].reshape(*symmetric.shape[:-1], 3, 3)


def pack(matrix: Float[Array, "*n 3 3"]) -> Float[Array, "*n 6"]:
    """The upper triangle of a matrix that is symmetric."""
    return matrix[..., ROWS, COLUMNS]


def outer(a: Float[Array, "*n 3"], b: Float[Array, "*n 3"]) -> Float[Array, "*n 6"]:
    """a bᵀ of vectors for which it is symmetric, such as parallel ones."""
    return jnp.asarray(a)[..., ROWS] * jnp.asarray(b)[..., COLUMNS]


def rotate(rotation: Float[Array, "*n 3 3"], symmetric: Float[Array, "*n 6"]) -> Float[Array, "*n 6"]:
    """R A Rᵀ."""
    half = multiply(rotation, unpack(symmetric))
    return jnp.sum(half[..., ROWS, :] * rotation[..., COLUMNS, :], axis=-1)


def trace_complement(products: Float[Array, "*n 6"]) -> Float[Array, "*n 6"]:
    """tr(A) 1 − A: turns second moments ∫ r rᵀ into an inertia."""
    xx, xy, xz, yy, yz, zz = jnp.moveaxis(products, -1, 0)
    return jnp.stack([yy + zz, -xy, -xz, xx + zz, -yz, xx + yy], axis=-1)


def second_moments(inertia: Float[Array, "*n 6"]) -> Float[Array, "*n 6"]:
    """tr(I)/2 1 − I: the second moments ∫ r rᵀ of an inertia; undoes `trace_complement`."""
    xx, xy, xz, yy, yz, zz = jnp.moveaxis(inertia, -1, 0)
    half_trace = 0.5 * (xx + yy + zz)
    return jnp.stack([half_trace - xx, -xy, -xz, half_trace - yy, -yz, half_trace - zz], axis=-1)


def point_inertia(moment: Float[Array, "*n 3"], offset: Float[Array, "*n 3"]) -> Float[Array, "*n 6"]:
    """(m·r) 1 − m rᵀ for parallel m (mass times offset) and r: the inertia of a point mass at r, about the origin."""
    return trace_complement(outer(moment, offset))


def shift_inertia(
    moment: Float[Array, "*n 3"], shifted: Float[Array, "*n 3"], offset: Float[Array, "*n 3"]
) -> Float[Array, "*n 6"]:
    """What an inertia gains when its origin moves by −p: the second moments gain p hᵀ + h' pᵀ.

    h is the first moment before, and h' = h + m p after.
    """
    p, h, h_new = jnp.asarray(offset), jnp.asarray(moment), jnp.asarray(shifted)
    return trace_complement(p[..., ROWS] * h[..., COLUMNS] + h_new[..., ROWS] * p[..., COLUMNS])


def inverse(symmetric: Float[Array, "*n 6"]) -> Float[Array, "*n 6"]:
    """A⁻¹ by cofactors."""
    xx, xy, xz, yy, yz, zz = jnp.moveaxis(symmetric, -1, 0)
    first = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy]
    determinant = xx * first[0] + xy * first[1] + xz * first[2]
    cofactors = jnp.stack([*first, xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy], axis=-1)
    return cofactors / determinant[..., None]

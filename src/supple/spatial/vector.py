"""Products of 3-vectors and 3×3 matrices, batched over leading axes.

Written as multiply-and-sum rather than matrix products: XLA fuses these on a CPU, where a library call
per tiny matrix would cost more than the arithmetic.
"""

import jax.numpy as jnp
from jaxtyping import Float

from supple.spatial.arrays import Array


def _cycle(vector: Float[Array, "*#n 3"]) -> Float[Array, "*#n 3"]:
    """(x, y, z) → (y, z, x)."""
    return jnp.concatenate([vector[..., 1:], vector[..., :1]], axis=-1)


def cross(a: Float[Array, "*#n 3"], b: Float[Array, "*#n 3"]) -> Float[Array, "*#n 3"]:
    """The vector product a × b."""
    return _cycle(a * _cycle(b) - _cycle(a) * b)


def dot(a: Float[Array, "*#n k"], b: Float[Array, "*#n k"]) -> Float[Array, "*#n"]:
    """The scalar product a · b."""
    return jnp.sum(a * b, axis=-1)


def skew(a: Float[Array, "*#n 3"]) -> Float[Array, "*#n 3 3"]:
    """The matrix [a]× with [a]× b = a × b."""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    zero = jnp.zeros_like(x)
    return jnp.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(*x.shape, 3, 3)


def apply(matrix: Float[Array, "*#n i j"], vector: Float[Array, "*#n j"]) -> Float[Array, "*#n i"]:
    """The product M x."""
    return jnp.sum(matrix * vector[..., None, :], axis=-1)


def apply_transpose(matrix: Float[Array, "*#n i j"], vector: Float[Array, "*#n i"]) -> Float[Array, "*#n j"]:
    """The product Mᵀ x."""
    return jnp.sum(matrix * vector[..., :, None], axis=-2)


def multiply(a: Float[Array, "*#n i j"], b: Float[Array, "*#n j k"]) -> Float[Array, "*#n i k"]:
    """The product A B."""
    return jnp.sum(a[..., :, :, None] * b[..., None, :, :], axis=-2)


def multiply_transpose(a: Float[Array, "*#n i j"], b: Float[Array, "*#n k j"]) -> Float[Array, "*#n i k"]:
    """The product A Bᵀ."""
    return jnp.sum(a[..., :, None, :] * b[..., None, :, :], axis=-1)

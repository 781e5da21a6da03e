"""From rotation matrices back to quaternions."""

import jax.numpy as jnp
from jaxtyping import Float

from supple.spatial.arrays import Array
from supple.spatial.vector import dot


def to_quaternion(rotation: Float[Array, "*n 3 3"]) -> Float[Array, "*n 4"]:
    """The unit quaternion (w, x, y, z), w ≥ 0, of a rotation matrix.

    Each of 4 w q, 4 x q, 4 y q and 4 z q is linear in the matrix; the one with the largest factor is normalised, so
    that nothing is ever divided by a small number (Shepperd 1978). At half a turn the sign jumps, and with it the
    derivative: that of the side taken is returned.
    """
    R = jnp.asarray(rotation)
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    wx, wy, wz = R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]
    xy, xz, yz = R[..., 0, 1] + R[..., 1, 0], R[..., 0, 2] + R[..., 2, 0], R[..., 1, 2] + R[..., 2, 1]
    rows = [
        [1 + xx + yy + zz, wx, wy, wz],
        [wx, 1 + xx - yy - zz, xy, xz],
        [wy, xy, 1 - xx + yy - zz, yz],
        [wz, xz, yz, 1 - xx - yy + zz],
    ]
    multiples = jnp.stack([jnp.stack(row, axis=-1) for row in rows], axis=-2)
    largest = jnp.argmax(jnp.diagonal(multiples, axis1=-2, axis2=-1), axis=-1)
    chosen = jnp.take_along_axis(multiples, largest[..., None, None], axis=-2)[..., 0, :]
    quaternion = chosen / jnp.sqrt(dot(chosen, chosen))[..., None]
    return jnp.where(quaternion[..., :1] < 0, -quaternion, quaternion)

"""Rotations: matrices from axes and quaternions, and motion on the quaternions' manifold."""

import jax.numpy as jnp
from jaxtyping import Float

from supple.spatial.arrays import Array
from supple.spatial.vector import cross, dot, skew


def about_axis(axis: Float[Array, "*n 3"], angle: Float[Array, "*n"]) -> Float[Array, "*n 3 3"]:
    """Rotation by an angle (rad) about a unit axis: R = a aᵀ + cos φ (1 − a aᵀ) + sin φ [a]×.

    Written this way, zeros and ones of an axis along a coordinate leave cos φ and sin φ bare.
    """
    parallel = axis[..., :, None] * axis[..., None, :]
    cosine, sine = jnp.cos(angle)[..., None, None], jnp.sin(angle)[..., None, None]
    return parallel + cosine * (jnp.eye(3) - parallel) + sine * skew(axis)


def from_quaternion(quaternion: Float[Array, "*n 4"]) -> Float[Array, "*n 3 3"]:
    """R_parent_child of a quaternion (w, x, y, z) of any length but zero: scaling it changes nothing."""
    w, x, y, z = jnp.moveaxis(jnp.asarray(quaternion), -1, 0)
    scale = 2.0 / dot(quaternion, quaternion)
    sx, sy, sz = scale * x, scale * y, scale * z
    wx, wy, wz = w * sx, w * sy, w * sz
    xx, xy, xz = x * sx, x * sy, x * sz
    yy, yz, zz = y * sy, y * sz, z * sz
    rows = [1.0 - (yy + zz), xy - wz, xz + wy, xy + wz, 1.0 - (xx + zz), yz - wx, xz - wy, yz + wx, 1.0 - (xx + yy)]
    return jnp.stack(rows, axis=-1).reshape(*w.shape, 3, 3)


def multiply_quaternions(a: Float[Array, "*n 4"], b: Float[Array, "*n 4"]) -> Float[Array, "*n 4"]:
    """The product of two quaternions: first b, then a."""
    aw, ax, ay, az = jnp.moveaxis(jnp.asarray(a), -1, 0)
    bw, bx, by, bz = jnp.moveaxis(jnp.asarray(b), -1, 0)
    return jnp.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def quaternion_exponential(rotation_vector: Float[Array, "*n 3"]) -> Float[Array, "*n 4"]:
    """The quaternion of a rotation vector (axis times angle, rad): (cos φ/2, r sin(φ/2)/φ).

    Below φ² = 1e-8 the series 1 − φ²/8 and 1/2 − φ²/48 take over (their next terms vanish in float64), so that value
    and derivatives are right at zero, where the closed form is 0/0.
    """
    squared = dot(rotation_vector, rotation_vector)
    small = squared < 1e-8
    angle = jnp.sqrt(jnp.where(small, 1.0, squared))
    real = jnp.where(small, 1.0 - squared / 8.0, jnp.cos(0.5 * angle))
    factor = jnp.where(small, 0.5 - squared / 48.0, jnp.sin(0.5 * angle) / angle)
    return jnp.concatenate([real[..., None], factor[..., None] * rotation_vector], axis=-1)


def integrate_quaternion(
    quaternion: Float[Array, "*n 4"], rotation_vector: Float[Array, "*n 3"]
) -> Float[Array, "*n 4"]:
    """The unit quaternion after a further rotation, given in the child's frame: q exp(r) / |q|."""
    moved = multiply_quaternions(quaternion, quaternion_exponential(rotation_vector))
    return moved / jnp.sqrt(dot(moved, moved))[..., None]


def quaternion_logarithm(quaternion: Float[Array, "*n 4"]) -> Float[Array, "*n 3"]:
    """The rotation vector (axis times angle, rad) of the shorter way: 2 atan2(|u|, w) u/|u| with u = (x, y, z), w ≥ 0.

    For |u|² < 1e-8 the series (2/w)(1 − |u|²/3w²) takes over, as in `quaternion_exponential`. At half a
    turn the direction jumps, and with it the derivative: that of the side taken is returned.
    """
    quaternion = jnp.where(quaternion[..., :1] < 0, -quaternion, quaternion)
    w, u = quaternion[..., 0], quaternion[..., 1:]
    squared = dot(u, u)
    small = squared < 1e-8
    sine = jnp.sqrt(jnp.where(small, 1.0, squared))
    safe_w = jnp.where(small, w, 1.0)
    series = 2.0 / safe_w * (1.0 - squared / (3.0 * safe_w * safe_w))
    factor = jnp.where(small, series, 2.0 * jnp.arctan2(sine, w) / sine)
    return factor[..., None] * u


def quaternion_difference(a: Float[Array, "*n 4"], b: Float[Array, "*n 4"]) -> Float[Array, "*n 3"]:
    """The rotation vector, in a's frame, that turns b into a: log(b⁻¹ a)."""
    conjugate = b * jnp.array([1.0, -1.0, -1.0, -1.0], dtype=jnp.result_type(b))
    return quaternion_logarithm(multiply_quaternions(conjugate, a))


def rotation_vector_rate(
    rotation_vector: Float[Array, "*n 3"], angular_velocity: Float[Array, "*n 3"]
) -> Float[Array, "*n 3"]:
    """How fast the rotation vector r (rad) of a frame changes that turns with ω (rad/s), given in that frame.

    ṙ = ω + ½ r × ω + c r × (r × ω), c = 1/φ² − cot(φ/2)/2φ with φ = |r| < 2π: the inverse of the right Jacobian of
    the exponential (Chirikjian 2011, section 10.8). Below φ² = 1e-4 the series c = 1/12 + φ²/720 takes over.
    """
    squared = dot(rotation_vector, rotation_vector)
    small = squared < 1e-4
    angle = jnp.sqrt(jnp.where(small, 1.0, squared))
    closed = (1.0 - 0.5 * angle / jnp.tan(0.5 * angle)) / (angle * angle)
    factor = jnp.where(small, 1.0 / 12.0 + squared / 720.0, closed)
    turned = cross(rotation_vector, angular_velocity)
    return angular_velocity + 0.5 * turned + factor[..., None] * cross(rotation_vector, turned)

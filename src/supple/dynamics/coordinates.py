"""Coordinates and their tangents: moving along a velocity, and the way between configurations."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.dynamics.arguments import checked
from supple.dynamics.topology import Group, topology
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.spatial.rotation import integrate_quaternion, quaternion_difference


@checked
def move(model: Model, q: Float[Array, " nq"], displacement: Float[Array, " nv"]) -> Float[Array, " nq"]:
    """The configuration after a displacement in the tangent space (a velocity times a time); quaternions stay unit.

    MuJoCo's `mj_integratePos`.
    """
    groups = topology(model).groups

    def moved(group: Group) -> Array:
        here, by = q[group.q], displacement[group.v]
        match group.kind:
            case JointKind.HINGE | JointKind.SLIDE:
                return here + by
            case JointKind.BALL:
                return integrate_quaternion(here, by)
            case JointKind.FREE:
                return jnp.concatenate([here[:, :3] + by[:, :3], integrate_quaternion(here[:, 3:], by[:, 3:])], axis=-1)

    return _scatter([(group.q, moved(group)) for group in groups]) if groups else jnp.asarray(q)


@checked
def difference(model: Model, q: Float[Array, " nq"], origin: Float[Array, " nq"]) -> Float[Array, " nv"]:
    """The displacement, in the tangent space, from `origin` to q: the inverse of `move`, by the shorter way."""
    groups = topology(model).groups

    def way(group: Group) -> Array:
        here, start = q[group.q], origin[group.q]
        match group.kind:
            case JointKind.HINGE | JointKind.SLIDE:
                return here - start
            case JointKind.BALL:
                return quaternion_difference(here, start)
            case JointKind.FREE:
                turn = quaternion_difference(here[:, 3:], start[:, 3:])
                return jnp.concatenate([here[:, :3] - start[:, :3], turn], axis=-1)

    return _scatter([(group.v, way(group)) for group in groups]) if groups else jnp.asarray(q)


def _scatter(parts: list[tuple[np.ndarray, Array]]) -> Array:
    """Values of the kinds, put at their indices."""
    values = jnp.concatenate([jnp.reshape(part, -1) for _, part in parts])
    return values[np.argsort(np.concatenate([index.reshape(-1) for index, _ in parts]))]

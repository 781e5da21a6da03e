"""Joint limits, as springs and dampers that act beyond them."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.dynamics.topology import Group, topology
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.spatial.rotation import quaternion_logarithm
from supple.spatial.vector import dot


def limit_force(model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """Pushes joints back that are beyond their `range`: −(k s(p) + d c(p) ṗ), with p the way beyond.

    s and c are zero inside. Over the width w, with x = p/w, they are w x²/2 and 3x² − 2x³, and beyond it p − w/2 and
    1: so the force is continuous with its first derivatives, and away from limits force and derivatives are zero. k,
    d, w are `limit_stiffness`, `limit_damping`, `limit_width`. The damper acts on the way out too, where it can hold
    back. A ball's limit is the angle by which it is turned, `range[1]`, whatever the axis. (MuJoCo makes limits
    constraints, which are not part of its `qfrc_passive`.)
    """
    force = jnp.zeros_like(v)
    for group in topology(model).groups:
        chosen = np.array([model.joints.limited[joint] for joint in group.joints], dtype=bool)
        if group.kind is JointKind.FREE or not chosen.any():
            continue
        act = _push_ball if group.kind is JointKind.BALL else _push_scalar
        limited = Group(group.kind, group.joints[chosen], group.q[chosen], group.v[chosen])
        force = force.at[limited.v].add(act(model, limited, q, v))
    return force


def _push_scalar(model: Model, group: Group, q: Float[Array, " nq"], v: Float[Array, " nv"]) -> Float[Array, "n 1"]:
    """The forces of hinges' and slides' two limits."""
    limits = jnp.asarray(model.joints.range)[group.joints]
    here, rate = q[group.q[:, 0]], v[group.v[:, 0]]
    above = _resist(model, group, here - limits[:, 1], rate)
    return (_resist(model, group, limits[:, 0] - here, -rate) - above)[:, None]


def _push_ball(model: Model, group: Group, q: Float[Array, " nq"], v: Float[Array, " nv"]) -> Float[Array, "n 3"]:
    """The torques that turn balls back, along the axis by which they are turned."""
    turn = quaternion_logarithm(q[group.q])
    squared = dot(turn, turn)
    turned = squared > 0.0
    angle = jnp.sqrt(jnp.where(turned, squared, 1.0))
    axis = jnp.where(turned[:, None], turn / angle[:, None], 0.0)
    limit = jnp.asarray(model.joints.range)[group.joints, 1]
    beyond = jnp.where(turned, angle, 0.0) - limit
    return -_resist(model, group, beyond, dot(axis, v[group.v]))[:, None] * axis


def _resist(model: Model, group: Group, beyond: Float[Array, " n"], rate: Float[Array, " n"]) -> Float[Array, " n"]:
    """k s(p) + d c(p) ṗ."""
    joints = model.joints
    stiffness, damping, width = (
        jnp.asarray(leaf)[group.joints] for leaf in (joints.limit_stiffness, joints.limit_damping, joints.limit_width)
    )
    beyond = jnp.maximum(beyond, 0.0)  # first, so that a limit at infinity has finite derivatives
    onset = jnp.minimum(beyond / width, 1.0)
    return stiffness * onset * (beyond - 0.5 * width * onset) + damping * onset * onset * (3.0 - 2.0 * onset) * rate

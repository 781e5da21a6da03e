"""Dry friction in joints."""

import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.topology import topology
from supple.model.model import Model
from supple.spatial.arrays import Array


def friction_loss_force(model: Model, v: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """−f tanh(v / vₛ): Coulomb friction of size f = `friction_loss`, made smooth over vₛ = `friction_speed`.

    Coulomb's law has no derivative at rest. Here the force at rest is that of a damper f / vₛ: a joint that should
    stick creeps, by vₛ t / f under a small load t. Where vₛ is small an explicit integrator needs steps below 2 m vₛ
    / f for a joint of inertia m. (MuJoCo makes this friction a constraint, which is not part of its `qfrc_passive`.)
    """
    joints, joint = model.joints, topology(model).dof_joints
    return -jnp.asarray(joints.friction_loss)[joint] * jnp.tanh(v / jnp.asarray(joints.friction_speed)[joint])

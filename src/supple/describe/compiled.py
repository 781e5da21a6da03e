"""From MuJoCo's compiled arrays to a model."""

from collections.abc import Mapping

import mujoco
import numpy as np

from supple.describe.actuators import added_to_joints
from supple.describe.frames import matrix_from_quaternion, snap, unit_axis
from supple.describe.inertial import Inertial, compiled_inertial
from supple.describe.limits import FRICTION_SPEED
from supple.describe.parts import flags, has_passive_forces, part_names
from supple.model.joint import JointKind
from supple.model.model import Bodies, Joints

KINDS = {
    int(mujoco.mjtJoint.mjJNT_HINGE): JointKind.HINGE,
    int(mujoco.mjtJoint.mjJNT_SLIDE): JointKind.SLIDE,
    int(mujoco.mjtJoint.mjJNT_BALL): JointKind.BALL,
    int(mujoco.mjtJoint.mjJNT_FREE): JointKind.FREE,
}
_SCALAR = (JointKind.HINGE, JointKind.SLIDE)


def read_bodies(compiled: mujoco.MjModel, raw: Mapping[int, Inertial]) -> Bodies:
    """The bodies without the world; `raw` inertials, by MuJoCo's index, go before the compiled ones."""
    ids = range(1, compiled.nbody)
    inertials = [raw[i] if i in raw else compiled_inertial(compiled, i) for i in ids]
    compensated = has_passive_forces(compiled) and compiled.body_gravcomp[1:].any()
    return Bodies(
        position=snap(compiled.body_pos[1:]),
        rotation=np.array([matrix_from_quaternion(compiled.body_quat[i]) for i in ids]).reshape(-1, 3, 3),
        mass=np.array([inertial.mass for inertial in inertials]),
        center_of_mass=np.array([inertial.center_of_mass for inertial in inertials]).reshape(-1, 3),
        inertia=np.array([inertial.inertia for inertial in inertials]).reshape(-1, 6),
        gravity_compensation=np.array(compiled.body_gravcomp[1:]) if compensated else None,
        names=part_names("body", [compiled.body(i).name for i in ids]),
        parents=tuple(int(parent) - 1 for parent in compiled.body_parentid[1:]),
    )


def read_joints(compiled: mujoco.MjModel) -> Joints:
    """The joints in the order of their degrees of freedom, as the option's flags leave them.

    Actuators' own armature and damping are the joint's. The springs of limits are `stiffen_limits`' to make.
    """
    kinds = tuple(KINDS[int(kind)] for kind in compiled.jnt_type)
    scalar = np.array([kind in _SCALAR for kind in kinds], dtype=bool)
    dofs, coordinates = compiled.jnt_dofadr, compiled.jnt_qposadr
    on = flags(compiled)
    limited = compiled.jnt_limited.astype(bool) & on("LIMIT")
    return Joints(
        axis=np.array([unit_axis(axis) for axis in compiled.jnt_axis]).reshape(-1, 3),
        position=snap(compiled.jnt_pos),
        reference=np.where(scalar, compiled.qpos0[coordinates], 0.0),
        armature=(compiled.dof_armature + added_to_joints(compiled, "armature"))[dofs],
        damping=(compiled.dof_damping + added_to_joints(compiled, "damping"))[dofs] * on("DAMPER"),
        stiffness=compiled.jnt_stiffness * on("SPRING"),
        rest=np.where(scalar, compiled.qpos_spring[coordinates], 0.0),
        friction_loss=compiled.dof_frictionloss[dofs] * on("FRICTIONLOSS"),
        friction_speed=np.full(len(kinds), FRICTION_SPEED),
        range=np.array(compiled.jnt_range),
        limit_stiffness=np.zeros(len(kinds)),
        limit_damping=np.zeros(len(kinds)),
        limit_width=np.ones(len(kinds)),
        force_range=np.array(compiled.jnt_actfrcrange),
        names=part_names("joint", [compiled.joint(i).name for i in range(compiled.njnt)]),
        kinds=kinds,
        bodies=tuple(int(body) - 1 for body in compiled.jnt_bodyid),
        limited=tuple(bool(flag) for flag in limited),
        force_limited=tuple(bool(flag) for flag in compiled.jnt_actfrclimited.astype(bool) & scalar),
    )


def read_gravity(compiled: mujoco.MjModel) -> np.ndarray:
    """Gravity in the world, zero where a flag turns it off, m/s²."""
    return compiled.opt.gravity * flags(compiled)("GRAVITY")


def read_name(compiled: mujoco.MjModel) -> str:
    """The robot's name, the first of MuJoCo's packed names."""
    return compiled.names.split(b"\0", 1)[0].decode()

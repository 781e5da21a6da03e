"""From MuJoCo's compiled arrays to a model."""

from collections.abc import Callable, Mapping, Sequence

import mujoco
import numpy as np

from supple.describe.frames import matrix_from_quaternion, snap, unit_axis
from supple.describe.inertial import Inertial, compiled_inertial
from supple.model.joint import JointKind
from supple.model.model import Actuators, Bodies, Joints

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
    return Bodies(
        position=snap(compiled.body_pos[1:]),
        rotation=np.array([matrix_from_quaternion(compiled.body_quat[i]) for i in ids]).reshape(-1, 3, 3),
        mass=np.array([inertial.mass for inertial in inertials]),
        center_of_mass=np.array([inertial.center_of_mass for inertial in inertials]).reshape(-1, 3),
        inertia=np.array([inertial.inertia for inertial in inertials]).reshape(-1, 6),
        gravity_compensation=np.array(compiled.body_gravcomp[1:]),
        names=part_names("body", [compiled.body(i).name for i in ids]),
        parents=tuple(int(parent) - 1 for parent in compiled.body_parentid[1:]),
    )


def read_joints(compiled: mujoco.MjModel) -> Joints:
    """The joints in the order of their degrees of freedom, as the option's flags leave them."""
    kinds = tuple(KINDS[int(kind)] for kind in compiled.jnt_type)
    scalar = np.array([kind in _SCALAR for kind in kinds], dtype=bool)
    dofs, coordinates = compiled.jnt_dofadr, compiled.jnt_qposadr
    on = flags(compiled)
    limited = compiled.jnt_limited.astype(bool) & on("LIMIT")
    return Joints(
        axis=np.array([unit_axis(axis) for axis in compiled.jnt_axis]).reshape(-1, 3),
        position=snap(compiled.jnt_pos),
        reference=np.where(scalar, compiled.qpos0[coordinates], 0.0),
        armature=np.array(compiled.dof_armature[dofs]),
        damping=compiled.dof_damping[dofs] * on("DAMPER"),
        stiffness=compiled.jnt_stiffness * on("SPRING"),
        rest=np.where(scalar, compiled.qpos_spring[coordinates], 0.0),
        friction_loss=compiled.dof_frictionloss[dofs] * on("FRICTIONLOSS"),
        range=np.array(compiled.jnt_range),
        names=part_names("joint", [compiled.joint(i).name for i in range(compiled.njnt)]),
        kinds=kinds,
        bodies=tuple(int(body) - 1 for body in compiled.jnt_bodyid),
        limited=tuple(bool(flag) for flag in limited),
    )


def read_actuators(compiled: mujoco.MjModel, motors: Sequence[int]) -> Actuators:
    """The actuators with the given indices, which are motors on hinges and slides."""
    index = np.array(motors, dtype=int)
    limited = compiled.actuator_ctrllimited[index].astype(bool) & flags(compiled)("CLAMPCTRL")
    return Actuators(
        gear=np.array(compiled.actuator_gear[index, 0]),
        control_range=np.array(compiled.actuator_ctrlrange[index]),
        names=part_names("actuator", [compiled.actuator(i).name for i in motors]),
        joints=tuple(int(joint) for joint in compiled.actuator_trnid[index, 0]),
        control_limited=tuple(bool(flag) for flag in limited),
    )


def drive_every_joint(joints: Joints) -> Actuators:
    """One motor of gear 1 per hinge and slide, named like its joint and not clamped."""
    driven = tuple(i for i, kind in enumerate(joints.kinds) if kind in _SCALAR)
    return Actuators(
        gear=np.ones(len(driven)),
        control_range=np.zeros((len(driven), 2)),
        names=tuple(joints.names[i] for i in driven),
        joints=driven,
        control_limited=(False,) * len(driven),
    )


def read_gravity(compiled: mujoco.MjModel) -> np.ndarray:
    """Gravity in the world, zero where a flag turns it off, m/s²."""
    return compiled.opt.gravity * flags(compiled)("GRAVITY")


def flags(compiled: mujoco.MjModel) -> Callable[[str], bool]:
    """A function that tells whether MuJoCo's option flag of that name is on."""
    constraint = bool(compiled.opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT))

    def is_on(name: str) -> bool:
        if constraint and name in {"LIMIT", "FRICTIONLOSS", "EQUALITY"}:
            return False
        return not compiled.opt.disableflags & int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}"))

    return is_on


def part_names(part: str, names: Sequence[str]) -> tuple[str, ...]:
    """The names, with `part_index` for those that have none."""
    taken = set(names)

    def invent(index: int) -> str:
        name = f"{part}_{index}"
        while name in taken:
            name += "_"
        return name

    return tuple(name or invent(index) for index, name in enumerate(names))


def read_name(compiled: mujoco.MjModel) -> str:
    """The robot's name, the first of MuJoCo's packed names."""
    return compiled.names.split(b"\0", 1)[0].decode()

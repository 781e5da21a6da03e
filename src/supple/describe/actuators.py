"""From MuJoCo's compiled actuators and tendons to a model's; and which of them a model can express."""

from collections.abc import Iterator

import mujoco
import numpy as np

from supple.describe.parts import flags, part_names
from supple.model.actuators import NO_PART, ActivationKind, Actuators
from supple.model.joint import JointKind
from supple.model.model import Joints
from supple.model.tendons import Tendons

_JOINT = (int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT))
_TENDON = int(mujoco.mjtTrn.mjTRN_TENDON)
_FIXED = int(mujoco.mjtTendon.mjTENDON_FIXED)
_AFFINE_GAINS = (int(mujoco.mjtGain.mjGAIN_FIXED), int(mujoco.mjtGain.mjGAIN_AFFINE))
_AFFINE_BIASES = (int(mujoco.mjtBias.mjBIAS_NONE), int(mujoco.mjtBias.mjBIAS_AFFINE))
_SCALAR = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
_DYNAMICS = {
    int(mujoco.mjtDyn.mjDYN_NONE): ActivationKind.NONE,
    int(mujoco.mjtDyn.mjDYN_INTEGRATOR): ActivationKind.INTEGRATOR,
    int(mujoco.mjtDyn.mjDYN_FILTER): ActivationKind.FILTER,
    int(mujoco.mjtDyn.mjDYN_FILTEREXACT): ActivationKind.FILTER_EXACT,
}


def why_unsupported(compiled: mujoco.MjModel, i: int) -> str | None:
    """What an actuator has that a model cannot express, so that it must be left out; or None."""
    return next(_troubles(compiled, i), None)


def is_actuation_on(compiled: mujoco.MjModel, actuator: int) -> bool:
    """Whether the option's flags leave an actuator working."""
    group = int(compiled.actuator_group[actuator])
    disabled = 0 <= group < 31 and bool(compiled.opt.disableactuator & (1 << group))
    return flags(compiled)("ACTUATION") and not disabled


def kept_actuators(compiled: mujoco.MjModel) -> list[int]:
    """The actuators that a model can express."""
    return [i for i in range(compiled.nactuator) if why_unsupported(compiled, i) is None]


def kept_tendons(compiled: mujoco.MjModel) -> list[int]:
    """The fixed tendons that do something: pulled by an actuator, or springs or dampers."""
    on = flags(compiled)
    pulled = {
        int(compiled.actuator_trnid[i, 0]) for i in kept_actuators(compiled) if compiled.actuator_trntype[i] == _TENDON
    }
    return [
        i
        for i in range(compiled.ntendon)
        if compiled.tendon_type[i] == _FIXED
        and (
            i in pulled
            or (on("SPRING") and compiled.tendon_stiffness[i] != 0)
            or (on("DAMPER") and compiled.tendon_damping[i] != 0)
        )
    ]


def read_tendons(compiled: mujoco.MjModel) -> Tendons | None:
    """The tendons that do something, or None if none does."""
    kept = kept_tendons(compiled)
    if not kept:
        return None
    on, index = flags(compiled), np.array(kept)
    wraps = [slice(compiled.tendon_adr[i], compiled.tendon_adr[i] + compiled.tendon_num[i]) for i in kept]
    most = max(compiled.tendon_num[i] for i in kept)
    coefficient = np.zeros((len(kept), most))
    for row, wrap in zip(coefficient, wraps, strict=True):
        row[: wrap.stop - wrap.start] = compiled.wrap_prm[wrap]
    return Tendons(
        coefficient=coefficient,
        stiffness=compiled.tendon_stiffness[index] * on("SPRING"),
        damping=compiled.tendon_damping[index] * on("DAMPER"),
        rest_range=np.array(compiled.tendon_lengthspring[index]),
        names=part_names("tendon", [compiled.tendon(i).name for i in kept]),
        joints=tuple(tuple(int(joint) for joint in compiled.wrap_objid[wrap]) for wrap in wraps),
    )


def read_actuators(compiled: mujoco.MjModel) -> Actuators:
    """The actuators that a model can express, as the option's flags leave them."""
    kept, tendons = kept_actuators(compiled), kept_tendons(compiled)
    index = np.array(kept, dtype=int)
    controls, outputs = compiled.actuator_ctrladr[index], compiled.actuator_outadr[index]
    affine = compiled.actuator_gaintype[index] == int(mujoco.mjtGain.mjGAIN_AFFINE)
    biased = compiled.actuator_biastype[index] == int(mujoco.mjtBias.mjBIAS_AFFINE)
    pulls = compiled.actuator_trntype[index] == _TENDON
    targets = [int(target) for target in compiled.actuator_trnid[index, 0]]
    return Actuators(
        gear=np.array(compiled.actuator_gear[outputs]),
        gain=np.where(affine[:, None] | np.array([True, False, False]), compiled.actuator_gainprm[index, :3], 0.0),
        bias=np.where(biased[:, None], compiled.actuator_biasprm[index, :3], 0.0),
        control_range=np.array(compiled.actuator_ctrlrange[controls]),
        force_range=np.array(compiled.actuator_forcerange[index]),
        activation_range=np.array(compiled.actuator_actrange[index]),
        time_constant=np.array(compiled.actuator_dynprm[index, 0]),
        names=part_names("actuator", [compiled.actuator(i).name for i in kept]),
        joints=tuple(NO_PART if pull else joint for joint, pull in zip(targets, pulls, strict=True)),
        tendons=tuple(tendons.index(tendon) if pull else NO_PART for tendon, pull in zip(targets, pulls, strict=True)),
        dynamics=tuple(_DYNAMICS[int(kind)] for kind in compiled.actuator_dyntype[index]),
        control_limited=_flags(compiled.actuator_ctrllimited[controls].astype(bool) & flags(compiled)("CLAMPCTRL")),
        force_limited=_flags(compiled.actuator_forcelimited[index]),
        activation_limited=_flags(compiled.actuator_actlimited[index]),
        activation_early=_flags(compiled.actuator_actearly[index]),
        circular=tuple(_is_circular(compiled, i) for i in kept),
    )


def drive_every_joint(joints: Joints) -> Actuators:
    """One motor of gear 1 per hinge and slide, named like its joint and not clamped."""
    driven = tuple(i for i, kind in enumerate(joints.kinds) if kind in (JointKind.HINGE, JointKind.SLIDE))
    n, no, first = len(driven), (False,) * len(driven), np.eye(1, 6)
    return Actuators(
        gear=np.repeat(first, n, axis=0),
        gain=np.repeat(first[:, :3], n, axis=0),
        bias=np.zeros((n, 3)),
        control_range=np.zeros((n, 2)),
        force_range=np.zeros((n, 2)),
        activation_range=np.zeros((n, 2)),
        time_constant=np.ones(n),
        names=tuple(joints.names[i] for i in driven),
        joints=driven,
        tendons=(NO_PART,) * n,
        dynamics=(ActivationKind.NONE,) * n,
        control_limited=no,
        force_limited=no,
        activation_limited=no,
        activation_early=no,
        circular=no,
    )


def added_to_joints(compiled: mujoco.MjModel, field: str) -> np.ndarray:
    """Damping or armature that actuators reflect on the joints that they drive, times the gear squared: (nv,)."""
    added = np.zeros(compiled.nv)
    for i in range(compiled.nactuator):
        joint = int(compiled.actuator_trnid[i, 0])
        if compiled.actuator_trntype[i] in _JOINT and compiled.jnt_type[joint] in _SCALAR:
            gear = compiled.actuator_gear[compiled.actuator_outadr[i], 0]
            added[compiled.jnt_dofadr[joint]] += gear**2 * getattr(compiled, f"actuator_{field}")[i]
    return added


def reflects_on_joint(compiled: mujoco.MjModel, actuator: int) -> bool:
    """Whether `added_to_joints` takes account of an actuator."""
    joint = int(compiled.actuator_trnid[actuator, 0])
    return compiled.actuator_trntype[actuator] in _JOINT and compiled.jnt_type[joint] in _SCALAR


def _troubles(compiled: mujoco.MjModel, i: int) -> Iterator[str]:
    if not is_actuation_on(compiled, i):
        yield "switched off by the option's flags"
    if compiled.actuator_plugin[i] >= 0:
        yield "made by a plugin"
    if trouble := _transmission_trouble(compiled, i):
        yield trouble
    if compiled.actuator_dyntype[i] not in _DYNAMICS:
        yield _kind(mujoco.mjtDyn, int(compiled.actuator_dyntype[i]), "dyntype")
    if compiled.actuator_gaintype[i] not in _AFFINE_GAINS:
        yield _kind(mujoco.mjtGain, int(compiled.actuator_gaintype[i]), "gaintype")
    if compiled.actuator_biastype[i] not in _AFFINE_BIASES:
        yield _kind(mujoco.mjtBias, int(compiled.actuator_biastype[i]), "biastype")
    if max(compiled.actuator_ctrlnum[i], compiled.actuator_outnum[i], compiled.actuator_actnum[i], 1) > 1:
        yield "several inputs, outputs or activations"


def _transmission_trouble(compiled: mujoco.MjModel, i: int) -> str | None:
    kind, target = int(compiled.actuator_trntype[i]), int(compiled.actuator_trnid[i, 0])
    if kind == int(mujoco.mjtTrn.mjTRN_JOINTINPARENT) and compiled.jnt_type[target] not in _SCALAR:
        return "acts on a ball or free joint in its parent's frame"
    if kind == _TENDON:
        return None if compiled.tendon_type[target] == _FIXED else "pulls a spatial tendon"
    return None if kind in _JOINT else _kind(mujoco.mjtTrn, kind, "transmission")


def _is_circular(compiled: mujoco.MjModel, i: int) -> bool:
    """Whether the control asks for an angle of a ball joint, which MuJoCo takes modulo whole turns."""
    return bool(
        compiled.actuator_trntype[i] in _JOINT
        and compiled.jnt_type[compiled.actuator_trnid[i, 0]] == int(mujoco.mjtJoint.mjJNT_BALL)
        and compiled.actuator_gaintype[i] == int(mujoco.mjtGain.mjGAIN_FIXED)
        and compiled.actuator_biastype[i] == int(mujoco.mjtBias.mjBIAS_AFFINE)
        and compiled.actuator_dyntype[i] in (int(mujoco.mjtDyn.mjDYN_NONE), int(mujoco.mjtDyn.mjDYN_INTEGRATOR))
        and compiled.actuator_gainprm[i, 0] == -compiled.actuator_biasprm[i, 1]
    )


def _kind(enumeration: type, value: int, attribute: str) -> str:
    name = enumeration(value).name
    return f"{attribute} {name.partition('_')[2].lower()!r}"


def _flags(values: np.ndarray) -> tuple[bool, ...]:
    return tuple(bool(value) for value in values)

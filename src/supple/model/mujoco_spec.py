"""A model as MuJoCo's editable specification, part by part."""

import mujoco
import numpy as np
from jaxtyping import Float

from supple.model.actuators import ActivationKind, Actuators
from supple.model.composite import joint_inertias, unpack_inertia
from supple.model.joint import JointKind
from supple.model.model import Bodies, Joints, Model
from supple.model.tendons import Tendons
from supple.spatial.arrays import Array

_KINDS = {
    JointKind.HINGE: mujoco.mjtJoint.mjJNT_HINGE,
    JointKind.SLIDE: mujoco.mjtJoint.mjJNT_SLIDE,
    JointKind.BALL: mujoco.mjtJoint.mjJNT_BALL,
    JointKind.FREE: mujoco.mjtJoint.mjJNT_FREE,
}
_DYNAMICS = {
    ActivationKind.NONE: mujoco.mjtDyn.mjDYN_NONE,
    ActivationKind.INTEGRATOR: mujoco.mjtDyn.mjDYN_INTEGRATOR,
    ActivationKind.FILTER: mujoco.mjtDyn.mjDYN_FILTER,
    ActivationKind.FILTER_EXACT: mujoco.mjtDyn.mjDYN_FILTEREXACT,
}
WORLD_NAME = "world"  # MuJoCo's name for what is no body here


def make_spec(model: Model) -> mujoco.MjSpec:
    """The specification of a model's parts, all of which have a unit sphere's inertia for the moment.

    MuJoCo's compiler refuses many inertias; `supple.model.mujoco_model` puts the true ones into its result.
    """
    spec = mujoco.MjSpec()
    spec.modelname = model.name
    spec.compiler.degree = False
    spec.compiler.fusestatic = False
    spec.option.gravity = np.asarray(model.gravity)
    if model.medium is not None:
        spec.option.density = float(model.medium.density)
        spec.option.viscosity = float(model.medium.viscosity)
        spec.option.wind = np.asarray(model.medium.wind)
    bodies = _add_bodies(spec, model)
    _add_joints(bodies, model.bodies, model.joints)
    if model.tendons is not None:
        _add_tendons(spec, model.tendons, model.joints.names)
    _add_actuators(spec, model)
    return spec


def inertial_frames(model: Model) -> list[tuple[Float[np.ndarray, "3 3"], Float[np.ndarray, "3"]]]:
    """R_body_inertial and the moments of inertia along its axes, of each body.

    The axes are those of the medium's box, where there is a medium; else the body's, if its inertia is diagonal in
    them; else principal axes.
    """
    frames = []
    for i, packed in enumerate(np.asarray(model.bodies.inertia, dtype=np.float64)):
        matrix = unpack_inertia(packed)
        if model.medium is not None:
            R = np.asarray(model.medium.axes[i], dtype=np.float64)
        elif not packed[[1, 2, 4]].any():
            R = np.eye(3)
        else:
            R = np.linalg.eigh(matrix)[1]
            R = R * np.sign(np.linalg.det(R))
        frames.append((R, np.diag(R.T @ matrix @ R)))
    return frames


def body_names(bodies: Bodies) -> list[str]:
    """The names, but for a body that is called like MuJoCo's world."""
    taken = set(bodies.names)
    alias = WORLD_NAME
    while alias in taken:
        alias += "_"
    return [alias if name == WORLD_NAME else name for name in bodies.names]


def _add_bodies(spec: mujoco.MjSpec, model: Model) -> list[mujoco.MjsBody]:
    bodies, added = model.bodies, []
    compensation = bodies.gravity_compensation
    frames = inertial_frames(model)
    for i, name in enumerate(body_names(bodies)):
        parent = spec.worldbody if bodies.parents[i] < 0 else added[bodies.parents[i]]
        body = parent.add_body(
            name=name,
            pos=np.asarray(bodies.position[i]),
            quat=to_quaternion(bodies.rotation[i]),
            ipos=np.asarray(bodies.center_of_mass[i]),
            iquat=to_quaternion(frames[i][0]),
            gravcomp=0.0 if compensation is None else float(compensation[i]),
        )
        body.explicitinertial = True
        body.mass, body.inertia = 1.0, np.ones(3)
        added.append(body)
    return added


def _add_joints(added: list[mujoco.MjsBody], bodies: Bodies, joints: Joints) -> None:
    references = _limit_references(bodies, joints)
    for i, (name, kind) in enumerate(zip(joints.names, joints.kinds, strict=True)):
        joint = added[joints.bodies[i]].add_joint(name=name, type=_KINDS[kind])
        joint.axis, joint.pos = np.asarray(joints.axis[i]), np.asarray(joints.position[i])
        joint.ref, joint.springref = float(joints.reference[i]), float(joints.rest[i])
        joint.armature, joint.frictionloss = float(joints.armature[i]), float(joints.friction_loss[i])
        joint.damping = [float(joints.damping[i]), 0.0, 0.0]
        joint.stiffness = [float(joints.stiffness[i]), 0.0, 0.0]
        joint.range, joint.limited = np.asarray(joints.range[i]), joints.limited[i]
        joint.actfrcrange, joint.actfrclimited = np.asarray(joints.force_range[i]), joints.force_limited[i]
        joint.solref_limit = references[i]
        joint.solimp_limit[2] = float(joints.limit_width[i])


def _limit_references(bodies: Bodies, joints: Joints) -> Float[np.ndarray, "joints 2"]:
    """MuJoCo's `solref` of limits: time constant T = 2 m / d and damping ratio ζ = √(m / k) / T, where there are such.

    m is what the joint moves with all others locked. A joint without inertia keeps MuJoCo's default.
    """
    inertia = np.maximum(joint_inertias(bodies, joints)[0], 0.0) + np.asarray(joints.armature)
    references = np.tile([0.02, 1.0], (len(joints.names), 1))
    for i, (m, k, d) in enumerate(zip(inertia, joints.limit_stiffness, joints.limit_damping, strict=True)):
        if m > 0 and k > 0 and d > 0:
            constant = 2 * m / d
            references[i] = constant, np.sqrt(m / k) / constant
        elif m > 0:
            references[i] = -k / m, -d / m
    return references


def _add_tendons(spec: mujoco.MjSpec, tendons: Tendons, joint_names: tuple[str, ...]) -> None:
    for i, name in enumerate(tendons.names):
        tendon = spec.add_tendon(name=name)
        tendon.stiffness = [float(tendons.stiffness[i]), 0.0, 0.0]
        tendon.damping = [float(tendons.damping[i]), 0.0, 0.0]
        for joint, coefficient in zip(tendons.joints[i], tendons.coefficient[i], strict=False):
            tendon.wrap_joint(joint_names[joint], float(coefficient))


def _add_actuators(spec: mujoco.MjSpec, model: Model) -> None:
    actuators = model.actuators
    for i, name in enumerate(actuators.names):
        actuator = spec.add_actuator(name=name)
        if actuators.joints[i] >= 0:
            actuator.trntype, actuator.target = mujoco.mjtTrn.mjTRN_JOINT, model.joints.names[actuators.joints[i]]
        elif model.tendons is not None:
            actuator.trntype, actuator.target = mujoco.mjtTrn.mjTRN_TENDON, model.tendons.names[actuators.tendons[i]]
        actuator.gear = np.asarray(actuators.gear[i])
        _set_force(actuator, actuators, i)
        actuator.dyntype = _DYNAMICS[actuators.dynamics[i]]
        actuator.dynprm[0] = float(actuators.time_constant[i])
        actuator.actearly = actuators.activation_early[i]
        for field, limited, values in (
            ("ctrl", actuators.control_limited, actuators.control_range),
            ("force", actuators.force_limited, actuators.force_range),
            ("act", actuators.activation_limited, actuators.activation_range),
        ):
            setattr(actuator, f"{field}limited", limited[i])
            setattr(actuator, f"{field}range", np.asarray(values[i]))


def _set_force(actuator: mujoco.MjsActuator, actuators: Actuators, i: int) -> None:
    """Gain and bias, affine only where they need to be."""
    gain, bias = np.asarray(actuators.gain[i]), np.asarray(actuators.bias[i])
    actuator.gaintype = mujoco.mjtGain.mjGAIN_AFFINE if gain[1:].any() else mujoco.mjtGain.mjGAIN_FIXED
    actuator.biastype = mujoco.mjtBias.mjBIAS_AFFINE if bias.any() else mujoco.mjtBias.mjBIAS_NONE
    actuator.gainprm[:3], actuator.biasprm[:3] = gain, bias


def to_quaternion(rotation: Float[Array, "3 3"]) -> Float[np.ndarray, "4"]:
    """The quaternion (w, x, y, z) of a rotation matrix, by MuJoCo."""
    quaternion = np.empty(4)
    mujoco.mju_mat2Quat(quaternion, np.array(rotation, dtype=np.float64).ravel())
    return quaternion

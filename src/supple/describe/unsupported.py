"""What a compiled MuJoCo model has that changes the motion and that a Supple model cannot express yet."""

from collections.abc import Callable, Iterator

import mujoco
import numpy as np

from supple.describe.compiled import KINDS, flags
from supple.describe.finding import Finding

Place = Callable[[str, int], str]  # (part, MuJoCo's index) -> "joint 'knee' (line 12)"


def find_unsupported(compiled: mujoco.MjModel, place: Place) -> list[Finding]:
    """A finding for everything that is not honoured; `place` names a part for the reader."""
    texts = [
        *_options(compiled),
        *_joints(compiled, place),
        *_tendons(compiled, place),
        *_equalities(compiled, place),
        *_bodies(compiled, place),
        *_actuators(compiled, place),
    ]
    return [Finding(text) for text in texts]


def is_motor(compiled: mujoco.MjModel, actuator: int) -> bool:
    """Whether an actuator's force is its control, on one hinge or slide."""
    transmissions = (int(mujoco.mjtTrn.mjTRN_JOINT), int(mujoco.mjtTrn.mjTRN_JOINTINPARENT))
    return bool(
        compiled.actuator_trntype[actuator] in transmissions  # enumerations never equal numpy's integers
        and KINDS[int(compiled.jnt_type[compiled.actuator_trnid[actuator, 0]])].nv == 1
        and compiled.actuator_gaintype[actuator] == int(mujoco.mjtGain.mjGAIN_FIXED)
        and compiled.actuator_gainprm[actuator, 0] == 1.0
        and compiled.actuator_biastype[actuator] == int(mujoco.mjtBias.mjBIAS_NONE)
        and compiled.actuator_dyntype[actuator] == int(mujoco.mjtDyn.mjDYN_NONE)
        and compiled.actuator_plugin[actuator] < 0
    )


def is_actuation_on(compiled: mujoco.MjModel, actuator: int) -> bool:
    """Whether the option's flags leave an actuator working."""
    group = int(compiled.actuator_group[actuator])
    disabled = 0 <= group < 31 and bool(compiled.opt.disableactuator & (1 << group))
    return flags(compiled)("ACTUATION") and not disabled


def _options(compiled: mujoco.MjModel) -> Iterator[str]:
    for name in ("density", "viscosity"):
        if value := getattr(compiled.opt, name):
            yield f"fluid {name} {value:g} is ignored: the robot moves in a vacuum"
    if compiled.opt.enableflags & int(mujoco.mjtEnableBit.mjENBL_SLEEP):
        yield "the flag 'sleep' is ignored: bodies do not fall asleep"
    if compiled.nflex:
        yield f"{compiled.nflex} flexible object(s) are ignored: bodies are rigid"


def _joints(compiled: mujoco.MjModel, place: Place) -> Iterator[str]:
    on = flags(compiled)
    for i in range(compiled.njnt):
        dof = compiled.jnt_dofadr[i]
        dofs = slice(dof, dof + KINDS[int(compiled.jnt_type[i])].nv)
        ignored = []
        if on("SPRING") and np.any(compiled.jnt_stiffnesspoly[i]):
            ignored.append("stiffness of higher order")
        if on("DAMPER") and np.any(compiled.dof_dampingpoly[dofs]):
            ignored.append("damping of higher order")
        if on("SPRING") and compiled.jnt_springyield[i] and compiled.jnt_stiffness[i]:
            ignored.append("springyield")
        if compiled.jnt_actfrclimited[i]:
            ignored.append("actuatorfrcrange")
        ignored += [
            f"{name} that differs between its degrees of freedom (the first one's is used)"
            for name in ("armature", "damping", "frictionloss")
            if np.ptp(getattr(compiled, f"dof_{name}")[dofs]) > 0
        ]
        if ignored:
            yield f"{place('joint', i)}: {', '.join(ignored)} ignored"


def _tendons(compiled: mujoco.MjModel, place: Place) -> Iterator[str]:
    on = flags(compiled)
    for i in range(compiled.ntendon):
        acts = {
            "stiffness": on("SPRING") and (compiled.tendon_stiffness[i] or np.any(compiled.tendon_stiffnesspoly[i])),
            "damping": on("DAMPER") and (compiled.tendon_damping[i] or np.any(compiled.tendon_dampingpoly[i])),
            "limits": on("LIMIT") and compiled.tendon_limited[i],
            "frictionloss": on("FRICTIONLOSS") and compiled.tendon_frictionloss[i],
            "armature": compiled.tendon_armature[i],
        }
        if ignored := [name for name, value in acts.items() if value]:
            yield f"{place('tendon', i)}: {', '.join(ignored)} ignored"


def _equalities(compiled: mujoco.MjModel, place: Place) -> Iterator[str]:
    for i in range(compiled.neq):
        if compiled.eq_active0[i] and flags(compiled)("EQUALITY"):
            kind = mujoco.mjtEq(int(compiled.eq_type[i])).name.removeprefix("mjEQ_").lower()
            yield f"{place('equality', i)}: the {kind} constraint is ignored"


def _bodies(compiled: mujoco.MjModel, place: Place) -> Iterator[str]:
    for i in range(1, compiled.nbody):
        if compiled.body_plugin[i] >= 0:
            yield f"{place('body', i)}: the plugin is ignored"


def _actuators(compiled: mujoco.MjModel, place: Place) -> Iterator[str]:
    for i in range(compiled.nactuator):
        if not is_actuation_on(compiled, i):
            yield f"{place('actuator', i)}: switched off by the option's flags, so it is left out"
        elif not is_motor(compiled, i):
            yield f"{place('actuator', i)}: not a motor on a hinge or slide, so it is left out"
        else:
            extras = {
                "forcerange": compiled.actuator_forcelimited[i],
                "delay": compiled.actuator_delay[i],
                "damping": compiled.actuator_damping[i] or np.any(compiled.actuator_dampingpoly[i]),
                "armature": compiled.actuator_armature[i],
            }
            if ignored := [name for name, value in extras.items() if value]:
                yield f"{place('actuator', i)}: {', '.join(ignored)} ignored"

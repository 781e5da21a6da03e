"""What a compiled MuJoCo model has that changes the motion and that a Supple model cannot express yet."""

from collections.abc import Callable, Iterator

import mujoco
import numpy as np

from supple.describe.actuators import reflects_on_joint, why_unsupported
from supple.describe.compiled import KINDS
from supple.describe.finding import Finding
from supple.describe.parts import flags, has_passive_forces

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


def _options(compiled: mujoco.MjModel) -> Iterator[str]:
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
        if on("LIMIT") and compiled.jnt_limited[i] and compiled.jnt_margin[i]:
            ignored.append("margin of the limits")
        if (
            compiled.jnt_actgravcomp[i]
            and compiled.flg_gravcomp
            and (compiled.jnt_actfrclimited[i] or not on("ACTUATION"))
        ):
            ignored.append("actuatorgravcomp (gravity compensation counts as passive)")
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
        spatial = compiled.tendon_type[i] != int(mujoco.mjtTendon.mjTENDON_FIXED)
        acts = {
            "stiffness": spatial and on("SPRING") and compiled.tendon_stiffness[i],
            "stiffness of higher order": on("SPRING") and np.any(compiled.tendon_stiffnesspoly[i]),
            "springyield": on("SPRING") and compiled.tendon_springyield[i] and compiled.tendon_stiffness[i],
            "damping": spatial and on("DAMPER") and compiled.tendon_damping[i],
            "damping of higher order": on("DAMPER") and np.any(compiled.tendon_dampingpoly[i]),
            "limits": on("LIMIT") and compiled.tendon_limited[i],
            "frictionloss": on("FRICTIONLOSS") and compiled.tendon_frictionloss[i],
            "armature": compiled.tendon_armature[i],
            "actuatorfrcrange": compiled.tendon_actfrclimited[i],
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
    if not has_passive_forces(compiled) or (compiled.opt.density == 0 and compiled.opt.viscosity == 0):
        return
    shaped = {int(compiled.geom_bodyid[i]) for i in range(compiled.ngeom) if compiled.geom_fluid[i, 0] > 0}
    for i in sorted(shaped - {0}):
        yield f"{place('body', i)}: fluidshape is ignored, the fluid meets a box of the body's inertia"


def _actuators(compiled: mujoco.MjModel, place: Place) -> Iterator[str]:
    for i in range(compiled.nactuator):
        on_joint = reflects_on_joint(compiled, i)
        extras = {
            "delay": compiled.actuator_delay[i],
            "damping": compiled.actuator_damping[i] and not on_joint,
            "damping of higher order": np.any(compiled.actuator_dampingpoly[i]),
            "armature": compiled.actuator_armature[i] and not on_joint,
        }
        if reason := why_unsupported(compiled, i):
            yield f"{place('actuator', i)}: {reason}, so it is left out"
        elif ignored := [name for name, value in extras.items() if value]:
            yield f"{place('actuator', i)}: {', '.join(ignored)} ignored"

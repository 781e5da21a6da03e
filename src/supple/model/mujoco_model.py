"""A model as MuJoCo's own, with every number as it is."""

import contextlib
from collections.abc import Iterator

import jax
import mujoco
import numpy as np
from jax.core import Tracer

from supple.model.batch import batch_size
from supple.model.check import find_nonfinite
from supple.model.consistency import find_inconsistent
from supple.model.errors import ModelError
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.model.mujoco_sensors import add_sensors, add_sites
from supple.model.mujoco_spec import body_names, inertial_frames, make_spec

DEEPEST = 1000  # levels of bodies; the compiler stops at 1022, having tried for a while


def compile_model(model: Model) -> mujoco.MjModel:
    """The `mujoco.MjModel` of a model, which `supple.load` reads back with every leaf equal to round-off.

    Inertias that MuJoCo's compiler would refuse are put in after it has run. What MuJoCo has no word for is left out:
    the smoothing of dry friction, and `home` where it differs from the joints' references, which becomes a keyframe
    called home. There are no shapes: neither collisions nor anything to see.
    """
    if any(isinstance(leaf, Tracer) for leaf in jax.tree.leaves(model)):
        raise ModelError(f"{model.name}: it is being traced; make an MjModel outside of jit, grad and vmap")
    if (size := batch_size(model)) is not None:
        raise ModelError(
            f"{model.name}: this is a batch of {size}; make an MjModel of one, as of supple.pick(model, 0)"
        )
    if wrong := find_inconsistent(model) or find_nonfinite(model) or _too_deep(model):
        raise ModelError(f"{model.name}: " + "; ".join(wrong))
    spec = make_spec(model)
    if model.sites is not None:
        add_sites(spec, model, model.sites)
    add_sensors(spec, model)
    if not np.array_equal(_reference(model), model.home):
        spec.add_key(name="home", qpos=np.asarray(model.home))
    with _quiet():
        try:
            compiled = spec.compile()
        except ValueError as error:
            raise ModelError(f"{model.name}: MuJoCo refuses it: {' '.join(str(error).split())}") from error
        names = [compiled.body(i).name for i in range(1, compiled.nbody)]
        if names != body_names(model.bodies):
            raise ModelError(f"{model.name}: its bodies are not in depth-first order, as MuJoCo's must be: {names} are")
        _put_numbers(compiled, model)
    return compiled


def _too_deep(model: Model) -> tuple[str, ...]:
    levels: list[int] = []
    for parent in model.bodies.parents:
        levels.append(1 if parent < 0 else levels[parent] + 1)
    deepest = max(levels, default=0)
    return () if deepest <= DEEPEST else (f"it is {deepest} levels deep, and MuJoCo's compiler takes {DEEPEST}",)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep MuJoCo from telling the terminal, and a file, of singular inertia: that is `Model.check`'s to say."""
    previous = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda _message: None)
    try:
        yield
    finally:
        mujoco.set_mju_user_warning(previous)


def _put_numbers(compiled: mujoco.MjModel, model: Model) -> None:
    """Replace placeholders and what the compiler derives from other numbers than ours."""
    frames = inertial_frames(model)
    compiled.body_mass[1:] = model.bodies.mass
    compiled.body_inertia[1:] = np.array([moments for _, moments in frames]).reshape(-1, 3)
    reference = _reference(model)
    compiled.qpos0[:] = reference
    for kind, start in zip(model.joints.kinds, model.joints.q_starts, strict=True):
        if kind is JointKind.FREE:
            compiled.qpos_spring[start : start + 7] = reference[start : start + 7]
    mujoco.mj_setConst(compiled, mujoco.MjData(compiled))
    if model.tendons is not None:
        compiled.tendon_lengthspring[:] = model.tendons.rest_range


def _reference(model: Model) -> np.ndarray:
    """MuJoCo's `qpos0`: home for free joints, the identity for balls, and for the others where the frames are given."""
    q = np.array(model.home, dtype=np.float64)
    for i, (kind, start) in enumerate(zip(model.joints.kinds, model.joints.q_starts, strict=True)):
        if kind is JointKind.BALL:
            q[start : start + 4] = 1.0, 0.0, 0.0, 0.0
        elif kind is not JointKind.FREE:
            q[start] = model.joints.reference[i]
    return q

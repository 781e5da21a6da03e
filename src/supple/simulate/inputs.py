"""Reading what a simulator is fed: vectors of the right size, without NaN."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jaxtyping import Float

from supple.dynamics.topology import topology
from supple.model.batch import batch_size
from supple.model.check import find_nonfinite
from supple.model.consistency import find_inconsistent
from supple.model.errors import ModelError, StateError
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.model.state import State
from supple.model.system import System
from supple.spatial.arrays import Array

_SHORTEST = 1e-6  # of a quaternion's four numbers; below, its direction is round-off


def read_start(model: Model, q: Any, v: Any) -> tuple[Float[Array, " nq"], Float[Array, " nv"]]:
    """Coordinates of any array-like kind in JAX's default precision; quaternions must not vanish."""
    _check_model(model)
    dtype = jnp.result_type(float)
    q = _read("q", q, _owners(model, "nq"), dtype)
    v = _read("v", v, _owners(model, "nv"), dtype)
    _check_quaternions(model, q)
    return q, v


def read_inputs(model: Model, state: State, control: Any) -> tuple[State, Float[Array, " nu"]]:
    """A step's state and control, of the state's precision; what is being traced is checked in size only."""
    _check_model(model)
    _check_state(state)
    dtype = jnp.result_type(state.v) if _is_floating(state.v) else jnp.result_type(float)
    q = _read("state.q", state.q, _owners(model, "nq"), dtype)
    v = _read("state.v", state.v, _owners(model, "nv"), dtype)
    _check_quaternions(model, q)
    actuators = [f"actuator {name!r}" for name in model.actuators.names]
    memory = state.memory
    if model.na:
        memory = _read("state.memory", memory, [actuators[i] for i in model.actuators.stateful], dtype)
    control = _read("control", control, actuators, dtype)
    return State(q, v, state.time, memory), control


def read_controls(system: Any, state: Any, controls: Any) -> Float[Array, "steps nu"]:
    """A rollout's controls; what each step sees is traced, so that NaN in them or in the state is looked for here."""
    if not isinstance(system, System):
        raise StateError(f"{system!r:.60} is no system; write one, such as sp.Simulator(model).")
    _check_state(state)
    for path, leaf in jax.tree_util.tree_leaves_with_path(state):
        if jnp.issubdtype(getattr(leaf, "dtype", type(leaf)), jnp.inexact):
            _check_finite(f"state{jax.tree_util.keystr(path)}", leaf)
    try:
        array = jnp.asarray(controls)
    except (TypeError, ValueError):
        array = None
    if array is None or array.ndim != 2 or np.iscomplexobj(array):
        what = f"is {controls!r:.60}" if array is None else f"has shape {array.shape}"
        raise StateError(f"controls {what}; write an array of numbers of shape (steps, nu).")
    _check_finite("controls", array)
    return array


def _check_model(model: Any) -> None:
    """Refuse what is no model, a batch of models, and one that was changed into none that can be."""
    if not isinstance(model, Model):
        raise ModelError(f"{model!r:.60} is no model; write one, such as sp.load('robot.urdf') or sp.robots.arm()")
    if (size := batch_size(model)) is not None:
        advice = "batch init and step with jax.vmap and sp.batch_axes, or take one by sp.pick"
        raise ModelError(f"{model.name}: this is a batch of {size} models; {advice}")
    wrong = find_inconsistent(model)
    if not wrong and not any(isinstance(leaf, Tracer) for leaf in jax.tree.leaves(model)):
        wrong = find_nonfinite(model)
    if wrong:
        raise ModelError(f"{model.name}: " + "; ".join(wrong))


def _check_state(state: Any) -> None:
    if not isinstance(state, State):
        raise StateError(f"state is {state!r:.60}; write a State, such as system.init() returns.")
    if np.shape(state.time) != ():
        raise StateError(
            f"state.time has shape {np.shape(state.time)}, but it is one number; batch outside, with vmap."
        )
    _check_finite("state.time", state.time)


def _is_floating(values: Any) -> bool:
    return jnp.issubdtype(getattr(values, "dtype", int), jnp.floating)


def _read(name: str, values: Any, owners: Sequence[str], dtype: Any) -> Array:
    """A vector with a number for each owner."""
    try:
        if np.iscomplexobj(values):
            raise TypeError
        # a copy of numpy's memory, which its owner (MjData, say) may overwrite before JAX has read it
        array = jnp.array(values, dtype=dtype, copy=not isinstance(values, jax.Array))
    except (TypeError, ValueError):
        raise StateError(f"{name} is {values!r:.60}; write an array of {len(owners)} numbers.") from None
    if array.shape != (len(owners),):
        raise StateError(
            f"{name} has shape {array.shape}, but this model needs ({len(owners)},){_advice(array, owners)}."
        )
    _check_finite(name, array, owners)
    return array


def _check_finite(name: str, values: Any, owners: Sequence[str] = ()) -> None:
    """Refuse NaN and infinity in what is not being traced; `owners` are those of the numbers of a vector."""
    if isinstance(values, Tracer) or np.isfinite(values).all():
        return
    place = tuple(int(i) for i in np.argwhere(~np.isfinite(np.asarray(values)))[0])
    index = f"[{', '.join(map(str, place))}]" if place else ""
    owner = f", of {owners[place[0]]}," if owners else ""
    raise StateError(f"{name}{index}{owner} is {np.asarray(values)[place]}: every number must be finite.")


def _advice(array: Array, owners: Sequence[str]) -> str:
    return "; batch outside, with jax.vmap" if array.shape[1:] == (len(owners),) else ""


def _owners(model: Model, freedoms: str) -> list[str]:
    """The joint of each number of q ("nq") or v ("nv")."""
    joints = model.joints
    return [
        f"joint {name!r}"
        for name, kind in zip(joints.names, joints.kinds, strict=True)
        for _ in range(getattr(kind, freedoms))
    ]


def _check_quaternions(model: Model, q: Float[Array, " nq"]) -> None:
    if isinstance(q, Tracer):
        return
    for group in topology(model).groups:
        if group.kind not in (JointKind.BALL, JointKind.FREE):
            continue
        for joint, index in zip(group.joints, group.q[:, -4:], strict=True):
            if np.linalg.norm(np.asarray(q)[index]) < _SHORTEST:
                name = model.joints.names[joint]
                where = f"q[{index[0]}:{index[-1] + 1}], of joint {name!r},"
                raise StateError(f"{where} is a quaternion of length zero; without a turn it is 1, 0, 0, 0.")

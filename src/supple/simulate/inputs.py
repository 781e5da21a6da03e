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
from supple.model.errors import ModelError, StateError, UnsupportedError
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


def check_simulator(model: Any, dt: Any) -> None:
    """Refuse to simulate what is no model, or in time steps that are no positive number; what is traced may be one."""
    _check_is_model(model)
    if isinstance(dt, Tracer):
        return
    if not (np.shape(dt) == () and _holds_numbers(dt) and np.isfinite(dt) and dt > 0):
        raise UnsupportedError(f"dt={dt!r:.60}: a time step is a positive number of seconds.")


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
    if not model.na and jax.tree.leaves(memory):
        raise StateError(f"state.memory is {memory!r:.60}, but this model has none; start from system.init().")
    if model.na:
        memory = _read("state.memory", memory, [actuators[i] for i in model.actuators.stateful], dtype)
    return State(q, v, state.time, memory), read_control(model, control, dtype)


def read_control(model: Model, control: Any, dtype: Any) -> Float[Array, " nu"]:
    """The controls of one step, in a precision."""
    return _read("control", control, [f"actuator {name!r}" for name in model.actuators.names], dtype)


def read_rollout(system: Any, state: Any, controls: Any) -> tuple[State, Float[Array, "steps nu"]]:
    """A rollout's start and controls; what each step sees is traced, so that NaN in them is looked for here.

    The start gets the precision of the states that follow, which is that of the system's most precise number.
    """
    check_contract(system, state)
    for path, leaf in jax.tree_util.tree_leaves_with_path(state):
        if not isinstance(leaf, jax.Array) and not _holds_numbers(leaf):
            raise StateError(f"state{jax.tree_util.keystr(path)} is {leaf!r:.60}; write an array of numbers.")
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
    dtype = jnp.result_type(jnp.float32, *(leaf for leaf in jax.tree.leaves((system, state)) if _is_floating(leaf)))
    q, v, time = (  # what is no array yet is for the system to refuse
        jnp.asarray(part, dtype) if isinstance(part, jax.Array | np.ndarray | float | int) else part
        for part in (state.q, state.v, state.time)
    )
    return State(q, v, time, state.memory), array


def check_contract(system: Any, state: Any) -> None:
    """Refuse what is no system, or no state."""
    if not isinstance(system, System):
        raise StateError(f"{system!r:.60} is no system; write one, such as sp.Simulator(model).")
    _check_state(state)


def _check_model(model: Any) -> None:
    """Refuse what is no model, a batch of models, and one that was changed into none that can be."""
    _check_is_model(model)
    if (size := batch_size(model)) is not None:
        advice = "batch init and step with jax.vmap and sp.batch_axes, or take one by sp.pick"
        raise ModelError(f"{model.name}: this is a batch of {size} models; {advice}")
    wrong = find_inconsistent(model)
    if not wrong and not any(isinstance(leaf, Tracer) for leaf in jax.tree.leaves(model)):
        wrong = find_nonfinite(model)
    if wrong:
        raise ModelError(f"{model.name}: " + "; ".join(wrong))


def _check_is_model(model: Any) -> None:
    if not isinstance(model, Model):
        raise ModelError(f"{model!r:.60} is no model; write one, such as sp.load('robot.urdf') or sp.robots.arm()")


def _check_state(state: Any) -> None:
    if not isinstance(state, State):
        raise StateError(f"state is {state!r:.60}; write a State, such as system.init() returns.")
    if not _holds_numbers(state.time):
        raise StateError(f"state.time is {state.time!r:.60}; write a number of seconds.")
    if np.shape(state.time) != ():
        raise StateError(
            f"state.time has shape {np.shape(state.time)}, but it is one number; batch outside, with vmap."
        )
    _check_finite("state.time", state.time)


def _is_floating(values: Any) -> bool:
    return jnp.issubdtype(getattr(values, "dtype", int), jnp.floating)


def _holds_numbers(values: Any) -> bool:
    """Whether values are real numbers: neither words nor complex."""
    dtype = jnp.result_type(values) if isinstance(values, jax.Array) else np.asarray(values).dtype
    return any(jnp.issubdtype(dtype, kind) for kind in (jnp.floating, jnp.integer, jnp.bool_))


def _read(name: str, values: Any, owners: Sequence[str], dtype: Any) -> Array:
    """A vector with a number for each owner."""
    try:
        if not _holds_numbers(values):
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

"""Reading what a simulator is fed: vectors of the right size, without NaN."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jaxtyping import Float

from supple.dynamics.topology import topology
from supple.model.errors import StateError
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.model.state import State
from supple.spatial.arrays import Array

_SHORTEST = 1e-6  # of a quaternion's four numbers; below, its direction is round-off


def read_start(model: Model, q: Any, v: Any) -> tuple[Float[Array, " nq"], Float[Array, " nv"]]:
    """Coordinates of any array-like kind in JAX's default precision; quaternions must not vanish."""
    dtype = jnp.result_type(float)
    q = _read("q", q, _owners(model, "nq"), dtype)
    v = _read("v", v, _owners(model, "nv"), dtype)
    if _is_concrete(q):
        _check_quaternions(model, np.asarray(q))
    return q, v


def read_inputs(model: Model, state: State, control: Any) -> tuple[State, Float[Array, " nu"]]:
    """A step's state and control, of the state's precision; what is being traced is checked in size only."""
    dtype = jnp.result_type(state.v)
    q = _read("state.q", state.q, _owners(model, "nq"), dtype)
    v = _read("state.v", state.v, _owners(model, "nv"), dtype)
    control = _read("control", control, [f"actuator {name!r}" for name in model.actuators.names], dtype)
    return State(q, v, state.time, state.memory), control


def _read(name: str, values: Any, owners: Sequence[str], dtype: Any) -> Array:
    """A vector with a number for each owner."""
    try:
        # a copy of numpy's memory, which its owner (MjData, say) may overwrite before JAX has read it
        array = jnp.array(values, dtype=dtype, copy=not isinstance(values, jax.Array))
    except (TypeError, ValueError):
        raise StateError(f"{name} is {values!r:.60}; write an array of {len(owners)} numbers.") from None
    if array.shape != (len(owners),):
        raise StateError(
            f"{name} has shape {array.shape}, but this model needs ({len(owners)},){_advice(array, owners)}."
        )
    if _is_concrete(array) and not (finite := np.isfinite(array)).all():
        first = int(np.argmin(finite))
        raise StateError(f"{name}[{first}], of {owners[first]}, is {array[first]}: every number must be finite.")
    return array


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


def _check_quaternions(model: Model, q: np.ndarray) -> None:
    for group in topology(model).groups:
        if group.kind not in (JointKind.BALL, JointKind.FREE):
            continue
        for joint, index in zip(group.joints, group.q[:, -4:], strict=True):
            if np.linalg.norm(q[index]) < _SHORTEST:
                name = model.joints.names[joint]
                raise StateError(f"q[{index[0]}:{index[-1] + 1}], of joint {name!r}, is a quaternion of length zero.")


def _is_concrete(array: Array) -> bool:
    return not isinstance(array, Tracer)

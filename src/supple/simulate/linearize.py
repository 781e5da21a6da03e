"""Linearisation: how the next state depends on the present one and on the control."""

from typing import Any

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from jaxtyping import Float

from supple import dynamics
from supple.model.errors import StateError
from supple.model.model import Model
from supple.model.state import State
from supple.model.system import System
from supple.simulate.inputs import check_contract, read_control
from supple.spatial.arrays import Array


def linearize(
    system: System, state: State, control: Float[Array, " nu"]
) -> tuple[Float[Array, "n n"], Float[Array, "n nu"]]:
    """The matrices A and B of δx' = A δx + B δu, for one step of a system from a state under a control.

    The n = 2 nv + m numbers of δx are a displacement of q in its tangent space (nv), a change of v (nv), and one of the
    m numbers in `state.memory`; so A is square also for robots with quaternions. SI units. By forward
    differentiation, for any integrator; each of the n + nu directions costs about as much as a step. MuJoCo's
    `mjd_transitionFD`, without finite differences. The system must have a `model`.
    """
    check_contract(system, state)
    model = _model_of(system)
    memory, restore = ravel_pytree(state.memory)
    control = read_control(model, control, jnp.result_type(state.v))
    after = system.step(state, control)

    def result(change: Float[Array, " n"], control: Float[Array, " nu"]) -> Float[Array, " n"]:
        along_q, along_v, along_memory = jnp.split(change, [model.nv, 2 * model.nv])
        q = dynamics.move(model, state.q, along_q)
        end = system.step(State(q, state.v + along_v, state.time, restore(memory + along_memory)), control)
        return jnp.concatenate([dynamics.difference(model, end.q, after.q), end.v, ravel_pytree(end.memory)[0]])

    still = jnp.zeros(2 * model.nv + memory.size, control.dtype)
    return jax.jacfwd(result, argnums=(0, 1))(still, control)


def _model_of(system: Any) -> Model:
    model = getattr(system, "model", None)
    if not isinstance(model, Model):
        raise StateError(f"{type(system).__name__} has no `model`, whose joints tell the tangent space of its states.")
    return model

"""Actuation: what actuators make of controls, and the state that some of them have."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.dynamics.arguments import checked
from supple.dynamics.topology import topology
from supple.dynamics.transmission import actuator_moments
from supple.model.actuators import ActivationKind
from supple.model.errors import ModelError
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.spatial.vector import dot


@checked
def actuator_force(
    model: Model,
    q: Float[Array, " nq"],
    v: Float[Array, " nv"],
    control: Float[Array, " nu"],
    activation: Float[Array, " na"] | None = None,
    dt: Float[Array, ""] | float | None = None,
) -> Float[Array, " nv"]:
    """Generalised force of all actuators: MuJoCo's `qfrc_actuator`.

    Each actuator's `actuator_output`, carried to the joints by its moment arms; then, where a joint says so, their
    sum is clamped to its `force_range`. Outside of a range the derivative of a clamp is zero; at its ends, one half.

    `activation` is needed if the model has activations (`model.na`); `dt`, the length of the step (s), only if some
    actuator uses its next activation (`activation_early`).
    """
    force = actuator_moments(model).forces(actuator_output(model, q, v, control, activation, dt))
    joint = topology(model).dof_joints
    flags = tuple(model.joints.force_limited[i] for i in joint)
    return _clamp(force, jnp.asarray(model.joints.force_range)[joint], flags)


@checked
def actuator_output(
    model: Model,
    q: Float[Array, " nq"],
    v: Float[Array, " nv"],
    control: Float[Array, " nu"],
    activation: Float[Array, " na"] | None = None,
    dt: Float[Array, ""] | float | None = None,
) -> Float[Array, " nu"]:
    """Force of each actuator along its transmission, N or N m: MuJoCo's `actuator_force`.

    f = gain · (1, l, l̇) u + bias · (1, l, l̇) with the control, or the activation where there is one, for u; clamped
    to `force_range`, with the derivative that `actuator_force` states. A `circular` actuator takes, of all u that
    differ by whole turns, the one nearest to l; where that jumps, so does the force, and the derivative is that of
    the side taken.
    """
    actuators, moments = model.actuators, actuator_moments(model)
    signal = _signal(model, control, activation, dt)
    length, velocity = moments.lengths(q), moments.velocities(v)
    if any(actuators.circular):
        signal = _nearest_turn(model, signal, length)
    gain, bias = jnp.asarray(actuators.gain), jnp.asarray(actuators.bias)
    along = jnp.stack([jnp.ones_like(length), length, velocity], axis=-1)
    force = dot(gain, along) * signal + dot(bias, along)
    return _clamp(force, jnp.asarray(actuators.force_range), actuators.force_limited)


@checked
def activation_rate(model: Model, control: Float[Array, " nu"], activation: Float[Array, " na"]) -> Float[Array, " na"]:
    """ȧ of the actuators that have an activation, by their `ActivationKind`: MuJoCo's `act_dot`."""
    actuators = model.actuators
    index = np.array(actuators.stateful, dtype=int)
    control = clamp_control(model, control)[index]
    integrates = np.array([actuators.dynamics[i] is ActivationKind.INTEGRATOR for i in index], dtype=bool)
    constant = jnp.where(integrates, 1.0, jnp.asarray(actuators.time_constant)[index])
    return jnp.where(integrates, control, (control - activation) / constant)


@checked
def advance_activation(
    model: Model,
    activation: Float[Array, " na"],
    rate: Float[Array, " na"],
    dt: Float[Array, ""] | float,
) -> Float[Array, " na"]:
    """The activation after `dt` seconds: a + h ȧ, or a + T (1 − exp(−h / T)) ȧ for an exact filter; then clamped.

    MuJoCo's `mj_nextActivation`, save that the activation of a `circular` integrator is not brought back to the
    nearest turn, which changes no force.
    """
    actuators = model.actuators
    index = np.array(actuators.stateful, dtype=int)
    exact = np.array([actuators.dynamics[i] is ActivationKind.FILTER_EXACT for i in index], dtype=bool)
    constant = jnp.where(exact, jnp.asarray(actuators.time_constant)[index], 1.0)
    span = jnp.where(exact, -constant * jnp.expm1(-dt / constant), dt)
    flags = tuple(actuators.activation_limited[i] for i in index)
    return _clamp(activation + span * rate, jnp.asarray(actuators.activation_range)[index], flags)


def clamp_control(model: Model, control: Float[Array, " nu"]) -> Float[Array, " nu"]:
    """The control that acts: clamped where the actuator says so."""
    return _clamp(control, jnp.asarray(model.actuators.control_range), model.actuators.control_limited)


def _signal(
    model: Model,
    control: Float[Array, " nu"],
    activation: Float[Array, " na"] | None,
    dt: Float[Array, ""] | float | None,
) -> Float[Array, " nu"]:
    """What acts: the control, or where there is one the activation, or the next one."""
    actuators = model.actuators
    index = np.array(actuators.stateful, dtype=int)
    signal = jnp.asarray(clamp_control(model, control))
    if not index.size:
        return signal
    if activation is None:
        names = ", ".join(repr(actuators.names[i]) for i in index[:3])
        raise ModelError(f"{model.name} has {model.na} activations ({names} …): pass the activation to actuator_force")
    early = np.array([actuators.activation_early[i] for i in index], dtype=bool)
    if early.any():
        if dt is None:
            name = actuators.names[index[early][0]]
            raise ModelError(f"actuator {name!r} of {model.name} uses its next activation: pass dt to actuator_force")
        following = advance_activation(model, activation, activation_rate(model, control, activation), dt)
        activation = jnp.where(early, following, activation)
    return signal.at[index].set(activation)


def _nearest_turn(model: Model, signal: Float[Array, " nu"], length: Float[Array, " nu"]) -> Float[Array, " nu"]:
    """The angles that are whole turns from `signal` and nearest to `length`; a turn is 2π |gear|."""
    index, signal = np.flatnonzero(model.actuators.circular), jnp.asarray(signal)
    axis = jnp.asarray(model.actuators.gear)[index, :3]
    turn = 2.0 * jnp.pi * jnp.sqrt(dot(axis, axis))
    turns = jnp.round((signal[index] - length[index]) / turn)
    return signal.at[index].add(-turn * turns)


def _clamp(values: Float[Array, " n"], ranges: Float[Array, "n 2"], flags: tuple[bool, ...]) -> Float[Array, " n"]:
    """Values clamped to their ranges where flagged, at no cost where nothing is."""
    limited = np.array(flags, dtype=bool)
    if not limited.any():
        return values
    return jnp.where(limited, jnp.clip(values, ranges[:, 0], ranges[:, 1]), values)

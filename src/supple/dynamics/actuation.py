"""Actuation: what motors make of controls."""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.model.model import Model
from supple.spatial.arrays import Array


def actuator_force(model: Model, control: Float[Array, " nu"]) -> Float[Array, " nv"]:
    """Generalised force of the motors: gear times control, which is clamped where the actuator says so.

    Outside of its range a control has the derivative zero; at its ends, one half.
    """
    actuators = model.actuators
    limited = np.array(actuators.control_limited, dtype=bool)
    low, high = jnp.asarray(actuators.control_range)[:, 0], jnp.asarray(actuators.control_range)[:, 1]
    effective = jnp.where(limited, jnp.clip(control, low, high), control) if limited.any() else control
    starts = model.joints.v_starts
    dofs = np.array([starts[joint] for joint in actuators.joints], dtype=int)
    return jnp.zeros_like(effective, shape=model.nv).at[dofs].add(actuators.gear * effective)

"""The state of a system."""

import equinox as eqx
from jaxtyping import Float, PyTree

from supple.spatial.arrays import Array


class State(eqx.Module):
    """What a system knows at an instant; MuJoCo's `qpos`, `qvel` and `time`.

    `memory` belongs to the system (actuator activations, a solver's warm start, a network's
    history) and is opaque to everyone else.
    """

    q: Float[Array, " nq"]
    v: Float[Array, " nv"]
    time: Float[Array, ""]
    memory: PyTree = ()

"""Transmissions: what actuators and tendons pull on, and how far and how fast it has moved.

Every transmission here is a constant linear map of the tangent space: an actuator's length is l = m · x, its velocity
l̇ = m · v, and its force f acts as m f. The moment arms m are the gear's entries on the degrees of freedom of the
joint, or the gear times the coefficients of a tendon; x holds the coordinates of hinges and slides, the rotation
vectors of balls, and zero for free joints, as MuJoCo defines these lengths.
"""

import dataclasses
import functools

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.dynamics.topology import INDEX, topology
from supple.model.actuators import NO_PART
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.spatial.rotation import quaternion_logarithm

_GEARED = {JointKind.HINGE: 1, JointKind.SLIDE: 1, JointKind.BALL: 3, JointKind.FREE: 6}


@dataclasses.dataclass(frozen=True, eq=False)
class Wiring:
    """Which entries of a map from degrees of freedom to rows (actuators, or tendons) are not zero."""

    rows: np.ndarray  # (entries,)
    dofs: np.ndarray  # (entries,)
    gears: np.ndarray  # (entries,) column of the gear
    tendons: np.ndarray  # (entries,) or NO_PART
    terms: np.ndarray  # (entries,) column of the tendon's coefficients
    turns_balls: bool  # whether the rotation vector of a ball is needed


class Moments:
    """The moment arms of a model's actuators, or of its tendons."""

    def __init__(self, model: Model, wiring: Wiring, values: Float[Array, " entries"], rows: int):
        self._model, self._wiring, self._values, self._rows = model, wiring, values, rows

    def lengths(self, q: Float[Array, " nq"]) -> Float[Array, " rows"]:
        """l = m · x(q)."""
        return self._gather(_tangent(self._model, q, turns_balls=self._wiring.turns_balls))

    def velocities(self, v: Float[Array, " nv"]) -> Float[Array, " rows"]:
        """l̇ = m · v."""
        return self._gather(v)

    def forces(self, forces: Float[Array, " rows"]) -> Float[Array, " nv"]:
        """mᵀ f: the generalised force of forces along the rows."""
        wiring = self._wiring
        return jnp.zeros(self._model.nv, forces.dtype).at[wiring.dofs].add(self._values * forces[wiring.rows])

    def _gather(self, tangent: Float[Array, " nv"]) -> Float[Array, " rows"]:
        wiring = self._wiring
        return jnp.zeros(self._rows, tangent.dtype).at[wiring.rows].add(self._values * tangent[wiring.dofs])


def actuator_moments(model: Model) -> Moments:
    """Moment arms of the actuators: gear, times coefficient where a tendon is pulled."""
    actuators, tendons = model.actuators, model.tendons
    pulled = () if tendons is None else tendons.joints
    wiring = _wire(model.joints.kinds, actuators.joints, actuators.tendons, pulled)
    values = jnp.asarray(actuators.gear)[wiring.rows, wiring.gears]
    if tendons is not None:
        coefficients = jnp.asarray(tendons.coefficient)[wiring.tendons, wiring.terms]
        values = values * jnp.where(wiring.tendons == NO_PART, 1.0, coefficients)
    return Moments(model, wiring, values, model.nu)


def tendon_moments(model: Model) -> Moments:
    """Moment arms of the tendons: their coefficients. The model must have some."""
    tendons = model.tendons
    assert tendons is not None
    count = len(tendons.joints)
    wiring = _wire(model.joints.kinds, (NO_PART,) * count, tuple(range(count)), tendons.joints)
    return Moments(model, wiring, jnp.asarray(tendons.coefficient)[wiring.tendons, wiring.terms], count)


@functools.lru_cache(maxsize=256)
def _wire(
    kinds: tuple[JointKind, ...],
    joints: tuple[int, ...],
    tendons: tuple[int, ...],
    tendon_joints: tuple[tuple[int, ...], ...],
) -> Wiring:
    starts = np.cumsum([0, *(kind.nv for kind in kinds)])
    entries = []
    for row, (joint, tendon) in enumerate(zip(joints, tendons, strict=True)):
        if joint != NO_PART:
            entries += [(row, starts[joint] + k, k, NO_PART, 0) for k in range(_GEARED[kinds[joint]])]
        else:
            entries += [(row, starts[other], 0, tendon, term) for term, other in enumerate(tendon_joints[tendon])]
    turns_balls = any(joint != NO_PART and kinds[joint] is JointKind.BALL for joint in joints)
    rows, dofs, gears, wired_tendons, terms = np.array(entries, dtype=INDEX).reshape(-1, 5).T
    return Wiring(rows, dofs, gears, wired_tendons, terms, turns_balls)


def _tangent(model: Model, q: Float[Array, " nq"], *, turns_balls: bool) -> Float[Array, " nv"]:
    """The coordinates x; those of balls stay zero unless they are needed."""
    tangent = jnp.zeros(model.nv, q.dtype)
    for group in topology(model).groups:
        if group.kind in (JointKind.HINGE, JointKind.SLIDE):
            tangent = tangent.at[group.v[:, 0]].set(q[group.q[:, 0]])
        elif group.kind is JointKind.BALL and turns_balls:
            tangent = tangent.at[group.v].set(quaternion_logarithm(q[group.q]))
    return tangent

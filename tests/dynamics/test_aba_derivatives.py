"""Derivatives of forward dynamics against Pinocchio's analytic ones."""

import jax
import numpy as np
import pytest
from robots import robot_data, urdf

from supple import dynamics
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.testing import PinocchioMap, random_configuration

ROBOTS = [
    ("talos_data/robots/talos_reduced.urdf", "floating"),
    ("panda_description/urdf/panda.urdf", "fixed"),
    ("a1_description/urdf/a1.urdf", "floating"),
]
STATES = 100


@pytest.mark.parametrize(("path", "base"), ROBOTS, ids=[path.split("/")[-1] for path, _ in ROBOTS])
def test_derivatives_equal_pinocchios(path: str, base: str) -> None:
    import pinocchio as pin

    model = urdf(path, base)
    root = [pin.JointModelFreeFlyer()] if base == "floating" else []
    peer = pin.buildModelFromUrdf(str(robot_data() / path), *root)
    data, coordinates = peer.createData(), PinocchioMap(model, peer)
    rng = np.random.default_rng(2)
    ours = jax.jit(derivatives)
    for _ in range(STATES):
        q, (v, a) = random_configuration(model, rng), rng.normal(size=(2, model.nv))
        state = coordinates.q(q), coordinates.v(q, v)
        torque = pin.rnea(peer, data, *state, coordinates.acceleration(q, v, a))
        force = coordinates.force_from(q, torque)
        pin.computeABADerivatives(peer, data, *state, torque)
        inverse = np.triu(data.Minv) + np.triu(data.Minv, 1).T
        theirs = data.ddq_dq.copy(), data.ddq_dv.copy(), inverse
        a_pin = pin.aba(peer, data, *state, torque)
        expected = coordinates.acceleration_derivatives_from(q, v, force, a_pin, theirs)
        for got, matrix in zip(ours(model, q, v, force), expected, strict=True):
            assert np.linalg.norm(got - matrix) <= 1e-8 * np.linalg.norm(matrix)


def derivatives(model: Model, q: Array, v: Array, force: Array) -> tuple[Array, Array, Array]:
    """∂aba/∂(q, v, τ), by the tangent space of q."""

    def accelerate(shift: Array, v: Array, force: Array) -> Array:
        return dynamics.aba(model, dynamics.move(model, q, shift), v, force)

    return jax.jacrev(accelerate, argnums=(0, 1, 2))(np.zeros(model.nv), v, force)

"""Linearisation against differences of MuJoCo's steps, and what it refuses."""

import jax
import mujoco
import numpy as np
import pytest
from compilation import QUICKLY
from mujoco_forces import random_states
from mujoco_steps import INTEGRATORS, as_state, configure, load_pair, mujoco_steps
from robots import mostly_full

import supple as sp
from supple.model.errors import StateError

DT, EPSILON, TOLERANCE = 0.01, 1e-4, 1e-10


@pytest.mark.parametrize("name", mostly_full(tuple(INTEGRATORS), {"semi_implicit_euler"}))
def test_matrices_equal_differences_of_mujocos_steps(name: str) -> None:
    """On free, ball and hinge joints and an activation."""
    model, peer = load_pair("tumbler")
    q, v, control, activation = (values[0] for values in random_states(model, count=2))
    system = sp.Simulator(model, dt=DT, integrator=INTEGRATORS[name][0])

    def linearize(q, v, control, activation):
        return sp.linearize(system, as_state(model, q, v, activation), control)

    found = jax.jit(linearize, compiler_options=QUICKLY)(q, v, control, activation)
    expected = mujoco_matrices(configure(peer, name, DT), q, v, control, activation)
    for got, matrix in zip(found, expected, strict=True):
        assert got.shape == matrix.shape
        assert np.abs(got - matrix).max() <= TOLERANCE * np.abs(matrix).max()


def mujoco_matrices(
    peer: mujoco.MjModel, q: np.ndarray, v: np.ndarray, control: np.ndarray, activation: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """A and B by central differences of fourth order."""

    def step(change: np.ndarray) -> np.ndarray:
        along_q, along_v, along_activation, along_control = np.split(change, np.cumsum([peer.nv, peer.nv, peer.na]))
        here = q.copy()
        mujoco.mj_integratePos(peer, here, along_q, 1.0)
        rows = mujoco_steps(peer, here, v + along_v, activation + along_activation, (control + along_control)[None])
        way = np.zeros(peer.nv)
        mujoco.mj_differentiatePos(peer, way, 1.0, after, rows[0][0])
        return np.concatenate([way, rows[1][0], rows[2][0]])

    after = mujoco_steps(peer, q, v, activation, control[None])[0][0]
    rows = EPSILON * np.eye(2 * peer.nv + peer.na + peer.nu)
    differences = [8.0 * (step(by) - step(-by)) - (step(2.0 * by) - step(-2.0 * by)) for by in rows]
    matrix = np.array(differences).T / (12.0 * EPSILON)
    return matrix[:, : -peer.nu], matrix[:, -peer.nu :]


def test_a_system_without_a_model_is_refused() -> None:
    class Still(sp.System):
        def init(self, q=None, v=None):
            return sp.State(np.zeros(1), np.zeros(1), np.zeros(()))

        def step(self, state, control):
            return state

    with pytest.raises(StateError, match="Still has no `model`"):
        sp.linearize(Still(), Still().init(), np.zeros(1))

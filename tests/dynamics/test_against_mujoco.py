"""RNEA, mass matrix, forward dynamics, kinematics against MuJoCo on gymnasium's robots and a scene with every joint."""

import jax
import mujoco
import numpy as np
import pytest
from comparison import assert_matrices_close, assert_vectors_close
from robots import MJCFS, every_joint_xml, mjcf, mostly_full
from test_against_pinocchio import evaluate

import supple as sp
from supple.testing import random_configuration

STATES = 100


@pytest.mark.parametrize("name", mostly_full(("every joint", *MJCFS), {"every joint", "gymnasium/ant"}))
def test_dynamics_equal_mujocos(name: str) -> None:
    source = every_joint_xml() if name == "every joint" else str(mjcf(name))
    peer = (mujoco.MjModel.from_xml_string if name == "every joint" else mujoco.MjModel.from_xml_path)(source)
    peer.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    model, data = sp.load(peer), mujoco.MjData(peer)
    rng = np.random.default_rng(1)
    q = np.array([random_configuration(model, rng) for _ in range(STATES)])
    v, a = rng.normal(size=(2, STATES, model.nv))
    names = ("rnea", "bias", "crba", "position", "rotation", "energy")
    expected: dict[str, list[np.ndarray]] = {name: [] for name in names}
    for q_i, v_i, a_i in zip(q, v, a, strict=True):
        data.qpos[:], data.qvel[:] = q_i, v_i
        mujoco.mj_forward(peer, data)
        matrix = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(peer, data, matrix)
        expected["crba"].append(matrix)
        expected["rnea"].append(matrix @ a_i + data.qfrc_bias)
        expected["bias"].append(data.qfrc_bias.copy())
        expected["energy"].append(data.energy.copy())
        expected["position"].append(data.xpos[1:].copy())
        expected["rotation"].append(data.xmat[1:].reshape(-1, 3, 3).copy())
    torque, bias, energy = (np.array(expected[name]) for name in ("rnea", "bias", "energy"))
    got = jax.jit(jax.vmap(evaluate, in_axes=(None, 0, 0, 0, 0)))(model, q, v, a, torque)
    assert_vectors_close(model, got["rnea"], torque)
    assert_vectors_close(model, got["bias"], bias, scaled_by=torque)
    assert np.abs(got["energy"] - energy).max() <= 1e-10 * np.abs(energy).max()
    assert_matrices_close(model, got["crba"], np.array(expected["crba"]))
    assert_vectors_close(model, got["aba"], a)
    np.testing.assert_allclose(got["position"], expected["position"], atol=1e-12)
    np.testing.assert_allclose(got["rotation"], expected["rotation"], atol=1e-12)

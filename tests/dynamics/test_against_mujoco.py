"""RNEA, mass matrix, forward dynamics, kinematics against MuJoCo on gymnasium's robots and a scene with every joint."""

import jax
import mujoco
import numpy as np
import pytest
from comparison import assert_matrices_close, assert_vectors_close
from robots import every_joint_xml, gymnasium_assets
from test_against_pinocchio import evaluate

import supple as sp
from supple.testing import random_configuration

STATES = 50
NAMES = [
    "ant",
    "half_cheetah",
    "hopper",
    "humanoid",
    "inverted_double_pendulum",
    "pusher_v5",
    "reacher",
    "swimmer",
    "walker2d",
]


def xml_of(name: str) -> str:
    return every_joint_xml() if name == "every joint" else (gymnasium_assets() / f"{name}.xml").read_text()


@pytest.mark.parametrize("name", ["every joint", "humanoid", "ant", "inverted_double_pendulum"])
def test_dynamics_equal_mujocos(name: str) -> None:
    check_against_mujoco(name)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_dynamics_equal_mujocos_on_every_robot(name: str) -> None:
    check_against_mujoco(name)


def check_against_mujoco(name: str) -> None:
    peer = mujoco.MjModel.from_xml_string(xml_of(name))
    model, data = sp.load(peer), mujoco.MjData(peer)
    rng = np.random.default_rng(1)
    q = np.array([random_configuration(model, rng) for _ in range(STATES)])
    v, a = rng.normal(size=(2, STATES, model.nv))
    expected: dict[str, list[np.ndarray]] = {"rnea": [], "crba": [], "position": [], "rotation": []}
    for q_i, v_i, a_i in zip(q, v, a, strict=True):
        data.qpos[:], data.qvel[:] = q_i, v_i
        mujoco.mj_forward(peer, data)
        matrix = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(peer, data, matrix)
        expected["crba"].append(matrix)
        expected["rnea"].append(matrix @ a_i + data.qfrc_bias)
        expected["position"].append(data.xpos[1:].copy())
        expected["rotation"].append(data.xmat[1:].reshape(-1, 3, 3).copy())
    torque = np.array(expected["rnea"])
    got = jax.jit(jax.vmap(evaluate, in_axes=(None, 0, 0, 0, 0)))(model, q, v, a, torque)
    assert_vectors_close(model, got["rnea"], torque)
    assert_matrices_close(model, got["crba"], np.array(expected["crba"]))
    assert_vectors_close(model, got["aba"], a, tolerance=1e-9)
    np.testing.assert_allclose(got["position"], expected["position"], atol=1e-12)
    np.testing.assert_allclose(got["rotation"], expected["rotation"], atol=1e-12)

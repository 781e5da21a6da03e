"""RNEA, mass matrix and forward dynamics against Pinocchio on real robots."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from comparison import assert_matrices_close, assert_vectors_close
from robots import robot_data, urdf

from supple import dynamics
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.testing import PinocchioMap, random_configuration

STATES = 100

CORE = [
    ("talos_data/robots/talos_reduced.urdf", "floating"),
    ("panda_description/urdf/panda.urdf", "fixed"),
    ("a1_description/urdf/a1.urdf", "floating"),
    ("double_pendulum_description/urdf/double_pendulum_continuous.urdf", "fixed"),
    ("tiago_description/robots/tiago_dual.urdf", "fixed"),
    ("iris_description/robots/iris.urdf", "floating"),
]
MORE = [
    ("alex_description/urdf/alex_nub_hands.urdf", "floating"),
    ("alexander_description/urdf/alexander_v1.lowerBodyOnly.urdf", "floating"),
    ("allegro_hand_description/urdf/allegro_left_hand.urdf", "fixed"),
    ("anymal_b_simple_description/robots/anymal-kinova.urdf", "floating"),
    ("anymal_c_simple_description/urdf/anymal.urdf", "floating"),
    ("asr_twodof_description/urdf/TwoDofs.urdf", "fixed"),
    ("b1_description/urdf/b1-z1.urdf", "floating"),
    ("baxter_description/urdf/baxter.urdf", "fixed"),
    ("bolt_description/robots/bolt.urdf", "floating"),
    ("borinot_description/urdf/borinot_flying_arm_2.urdf", "floating"),
    ("centauro_description/urdf/centauro.urdf", "floating"),
    ("finger_edu_description/robots/finger_edu.urdf", "fixed"),
    ("g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf", "floating"),
    ("go1_description/urdf/go1.urdf", "floating"),
    ("go2_description/urdf/go2.urdf", "fixed"),
    ("hextilt_description/urdf/hextilt_flying_arm_5.urdf", "floating"),
    ("human_description/robots/human.urdf", "floating"),
    ("hyq_description/robots/hyq_no_sensors.urdf", "floating"),
    ("icub_description/robots/icub_reduced.urdf", "floating"),
    ("kinova_description/robots/kinova.urdf", "fixed"),
    ("laikago_description/urdf/laikago.urdf", "floating"),
    ("pr2_description/urdf/pr2.urdf", "fixed"),
    ("quadruped_description/urdf/quadruped.urdf", "floating"),
    ("romeo_description/urdf/romeo_small.urdf", "floating"),
    ("simple_humanoid_description/urdf/simple_humanoid.urdf", "floating"),
    ("so_arm_description/urdf/so100.urdf", "fixed"),
    ("solo_description/robots/solo12.urdf", "floating"),
    ("talos_data/robots/talos_full_v2.urdf", "fixed"),
    ("tiago_pro_description/robots/tiago_pro.urdf", "fixed"),
    ("ur_description/urdf/ur10_robot.urdf", "fixed"),
    ("xarm_description/urdf/xarm7.urdf", "floating"),
    ("z1_description/urdf/z1.urdf", "fixed"),
]


@pytest.mark.parametrize(("path", "base"), CORE, ids=[path.split("/")[-1] for path, _ in CORE])
def test_dynamics_equal_pinocchios(path: str, base: str) -> None:
    check_against_pinocchio(path, base)


@pytest.mark.full
@pytest.mark.parametrize(("path", "base"), MORE, ids=[path.split("/")[-1] for path, _ in MORE])
def test_dynamics_equal_pinocchios_on_more_robots(path: str, base: str) -> None:
    check_against_pinocchio(path, base)


def check_against_pinocchio(path: str, base: str) -> None:
    import pinocchio as pin

    model = urdf(path, base)
    root = [pin.JointModelFreeFlyer()] if base == "floating" else []
    peer = pin.buildModelFromUrdf(str(robot_data() / path), *root)
    data, coordinates = peer.createData(), PinocchioMap(model, peer)
    rng = np.random.default_rng(0)
    q = np.array([random_configuration(model, rng) for _ in range(STATES)])
    v, a = rng.normal(size=(2, STATES, model.nv))
    expected = {"rnea": [], "aba": [], "bias": [], "energy": [], "crba": [], "rotation": [], "position": []}
    moving = {1 if k is JointKind.FREE else peer.getJointId(n): n for n, k in zip(*names_and_kinds(model), strict=True)}
    for q_i, v_i, a_i in zip(q, v, a, strict=True):
        state = coordinates.q(q_i), coordinates.v(q_i, v_i)
        torque = pin.rnea(peer, data, *state, coordinates.acceleration(q_i, v_i, a_i))
        expected["rnea"].append(coordinates.force_from(q_i, torque))
        expected["aba"].append(coordinates.acceleration_from(q_i, v_i, pin.aba(peer, data, *state, torque)))
        still = coordinates.acceleration(q_i, v_i, np.zeros(model.nv))
        expected["bias"].append(coordinates.force_from(q_i, pin.rnea(peer, data, *state, still)))
        energies = pin.computePotentialEnergy(peer, data, state[0]), pin.computeKineticEnergy(peer, data, *state)
        expected["energy"].append(energies)
        upper = np.triu(pin.crba(peer, data, state[0]))
        expected["crba"].append(coordinates.mass_matrix_from(q_i, upper + np.triu(upper, 1).T))
        pin.forwardKinematics(peer, data, state[0])
        expected["rotation"].append([data.oMi[i].rotation.copy() for i in moving])
        expected["position"].append([data.oMi[i].translation.copy() for i in moving])
    expected = {name: np.array(values) for name, values in expected.items()}
    got = jax.jit(jax.vmap(evaluate, in_axes=(None, 0, 0, 0, 0)))(model, q, v, a, expected["rnea"])
    assert_vectors_close(model, got["rnea"], expected["rnea"])
    assert_vectors_close(model, got["aba"], expected["aba"])
    assert_vectors_close(model, got["bias"], expected["bias"], scaled_by=expected["rnea"])
    energies = np.asarray(got["energy"]) - expected["energy"]
    energies[:, 0] -= energies[0, 0]  # Pinocchio leaves out what never moves
    assert np.abs(energies).max() <= 1e-10 * np.abs(expected["energy"]).max()
    assert_matrices_close(model, got["crba"], expected["crba"])
    bodies = np.array(model.joints.bodies)
    np.testing.assert_allclose(np.array(got["rotation"])[:, bodies], expected["rotation"], atol=1e-12)
    np.testing.assert_allclose(np.array(got["position"])[:, bodies], expected["position"], atol=1e-11)


def names_and_kinds(model: Model) -> tuple[tuple[str, ...], tuple[JointKind, ...]]:
    return model.joints.names, model.joints.kinds


def evaluate(model: Model, q: Array, v: Array, a: Array, tau: Array) -> dict:
    poses = dynamics.forward_kinematics(model, q)
    return {
        "rnea": dynamics.rnea(model, q, v, a),
        "aba": dynamics.aba(model, q, v, tau),
        "bias": dynamics.bias_force(model, q, v),
        "energy": jnp.stack([dynamics.potential_energy(model, q), dynamics.kinetic_energy(model, q, v)]),
        "crba": dynamics.crba(model, q),
        "rotation": poses.rotation,
        "position": poses.position,
    }

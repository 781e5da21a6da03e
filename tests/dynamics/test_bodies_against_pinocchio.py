"""Jacobians, body motion and centroidal quantities against Pinocchio's, on real robots."""

import jax
import numpy as np
import pytest
from robots import robot_data, urdf

from supple import dynamics
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.testing import PinocchioMap, random_configuration

STATES = 100
TOLERANCE = 1e-9
CORE = [("talos_data/robots/talos_reduced.urdf", "floating"), ("panda_description/urdf/panda.urdf", "fixed")]
MORE = [
    ("a1_description/urdf/a1.urdf", "floating"),
    ("anymal_c_simple_description/urdf/anymal.urdf", "floating"),
    ("baxter_description/urdf/baxter.urdf", "fixed"),
    ("borinot_description/urdf/borinot_flying_arm_2.urdf", "floating"),
    ("g1_description/urdf/g1_29dof_with_hand_rev_1_0.urdf", "floating"),
    ("go2_description/urdf/go2.urdf", "fixed"),
    ("icub_description/robots/icub_reduced.urdf", "floating"),
    ("kinova_description/robots/kinova.urdf", "fixed"),
    ("laikago_description/urdf/laikago.urdf", "floating"),
    ("pr2_description/urdf/pr2.urdf", "fixed"),
    ("tiago_description/robots/tiago_dual.urdf", "fixed"),
    ("ur_description/urdf/ur10_robot.urdf", "fixed"),
]


def evaluate(model: Model, q: Array, v: Array, a: Array) -> dict[str, Array]:
    return {
        "jacobians": dynamics.body_jacobians(model, q),
        "rate": dynamics.body_jacobian_rate(model, q, v, model.joints.bodies[-1]),
        "velocities": dynamics.body_velocities(model, q, v),
        "accelerations": dynamics.body_accelerations(model, q, v, a),
        "center": dynamics.center_of_mass(model, q),
        "momentum": dynamics.centroidal_momentum(model, q, v),
        "momentum_matrix": dynamics.centroidal_momentum_matrix(model, q),
    }


@pytest.mark.parametrize(("path", "base"), CORE, ids=[path.split("/")[-1] for path, _ in CORE])
def test_bodies_equal_pinocchios(path: str, base: str) -> None:
    check_against_pinocchio(path, base)


@pytest.mark.full
@pytest.mark.parametrize(("path", "base"), MORE, ids=[path.split("/")[-1] for path, _ in MORE])
def test_bodies_equal_pinocchios_on_more_robots(path: str, base: str) -> None:
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
    joints = list(zip(model.joints.names, model.joints.kinds, strict=True))
    moving = [1 if kind is JointKind.FREE else peer.getJointId(name) for name, kind in joints]
    expected = {"jacobians": [], "rate": [], "velocities": [], "accelerations": [], "momentum": [], "matrix": []}
    centers = []
    for q_i, v_i, a_i in zip(q, v, a, strict=True):
        P = coordinates.velocity_matrix(q_i)
        state = coordinates.q(q_i), P @ v_i
        pin.forwardKinematics(peer, data, *state, coordinates.acceleration(q_i, v_i, a_i))
        pin.computeJointJacobians(peer, data, state[0])
        pin.ccrba(peer, data, *state)
        expected["matrix"].append(angular_first(data.Ag @ P))
        expected["momentum"].append(angular_first(data.hg.vector))
        centers.append(pin.centerOfMass(peer, data, state[0]).copy())
        frame = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        expected["jacobians"].append([angular_first(pin.getJointJacobian(peer, data, j, frame) @ P) for j in moving])
        expected["velocities"].append([angular_first(pin.getVelocity(peer, data, j, frame).vector) for j in moving])
        expected["accelerations"].append(
            [angular_first(pin.getClassicalAcceleration(peer, data, j, frame).vector) for j in moving]
        )
        pin.computeJointJacobiansTimeVariation(peer, data, *state)
        rate = pin.getJointJacobianTimeVariation(peer, data, moving[-1], frame)
        # d(J P)/dt v = J̇ P v + J Ṗ v, and the map's drift is Ṗ v
        drift = pin.getJointJacobian(peer, data, moving[-1], frame) @ coordinates.acceleration_drift(q_i, v_i)
        expected["rate"].append(angular_first(rate @ P @ v_i + drift))
    got = {k: np.asarray(x) for k, x in jax.jit(jax.vmap(evaluate, in_axes=(None, 0, 0, 0)))(model, q, v, a).items()}

    bodies = np.array(model.joints.bodies)
    for name in ("jacobians", "velocities", "accelerations"):
        for row, body in enumerate(bodies):
            assert_parts_close(got[name][:, body], np.array(expected[name])[:, row])
    assert_parts_close(np.einsum("nij,nj->ni", got["rate"], v), np.array(expected["rate"]))

    moved = np.array(centers)
    fixed = float(dynamics.total_mass(model)) - pin.computeTotalMass(peer)  # Pinocchio leaves out what never moves
    if fixed == pytest.approx(0.0, abs=1e-12):
        assert_close(got["center"], moved)
        assert_parts_close(got["momentum"], np.array(expected["momentum"]))
        assert_parts_close(got["momentum_matrix"], np.array(expected["matrix"]))
    else:
        arm = moved - got["center"]  # about another point, angular momentum gains arm × linear momentum
        matrix = np.array(expected["matrix"])
        matrix[:, :3] += np.cross(arm[:, :, None], matrix[:, 3:], axis=1)
        assert_parts_close(got["momentum_matrix"], matrix)
        assert_parts_close(got["momentum"], np.einsum("nij,nj->ni", matrix, v))


def angular_first(rows: np.ndarray) -> np.ndarray:
    return np.concatenate([rows[3:], rows[:3]])


def assert_parts_close(got: np.ndarray, expected: np.ndarray) -> None:
    assert_close(got[:, :3], expected[:, :3])
    assert_close(got[:, 3:], expected[:, 3:])


def assert_close(got: np.ndarray, expected: np.ndarray) -> None:
    error, scale = (np.linalg.norm(x.reshape(len(x), -1), axis=1).max() for x in (got - expected, expected))
    assert error <= TOLERANCE * scale, f"{error / scale:g}"

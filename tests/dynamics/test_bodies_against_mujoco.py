"""Jacobians, body motion, momenta, wrenches and the sparse factor against MuJoCo's, on scenes with every joint."""

from typing import Any, NamedTuple

import jax
import mujoco
import numpy as np
import pytest
from robots import MJCFS, every_joint_xml, mjcf, mostly_full

import supple as sp
from supple import dynamics
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.testing import random_configuration

STATES = 100
TOLERANCE = 1e-9
ROUND_OFF = 1e-5  # SI units: below this scale a block is one that should be zero
POINT = np.array([0.1, -0.2, 0.3])


class Case(NamedTuple):
    model: Model
    peer: mujoco.MjModel
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    wrenches: np.ndarray
    got: dict[str, np.ndarray]

    def states(self) -> Any:
        """MuJoCo's data at each state (the same object), with the accelerations set."""
        data = mujoco.MjData(self.peer)
        for q, v, a in zip(self.q, self.v, self.a, strict=True):
            data.qpos, data.qvel = q, v
            mujoco.mj_forward(self.peer, data)
            data.qacc = a
            mujoco.mj_rnePostConstraint(self.peer, data)
            mujoco.mj_subtreeVel(self.peer, data)
            yield data

    @property
    def bodies(self) -> range:
        return range(1, self.peer.nbody)


def evaluate(model: Model, q: Array, v: Array, a: Array, wrenches: Array) -> dict[str, Array]:
    body = model.bodies.names[-1]
    factor = dynamics.mass_factor(model, q)
    return {
        "jacobians": dynamics.body_jacobians(model, q),
        "jacobian": dynamics.body_jacobian(model, q, body, POINT),
        "jacobian_rate": dynamics.body_jacobian_rate(model, q, v, body, POINT),
        "velocities": dynamics.body_velocities(model, q, v),
        "accelerations": dynamics.body_accelerations(model, q, v, a),
        "center": dynamics.center_of_mass(model, q),
        "center_velocity": dynamics.center_of_mass_velocity(model, q, v),
        "momentum": dynamics.centroidal_momentum(model, q, v),
        "momentum_matrix": dynamics.centroidal_momentum_matrix(model, q),
        "external": dynamics.external_force(model, q, wrenches),
        "solution": factor.solve(a),
        "halves": factor.solve_half(dynamics.body_jacobian(model, q, body).T),
        "lower": factor.lower(),
        "diagonal": factor.diagonal,
    }


def make_case(robot: str) -> Case:
    source = every_joint_xml() if robot == "every_joint" else str(mjcf(robot))
    model = sp.load(source)
    spec = mujoco.MjSpec.from_string(source) if robot == "every_joint" else mujoco.MjSpec.from_file(source)
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    rng = np.random.default_rng(0)
    q = np.array([random_configuration(model, rng) for _ in range(STATES)])
    v, a = rng.normal(size=(2, STATES, model.nv))
    v[0] = 0.0
    wrenches = rng.normal(size=(STATES, len(model.bodies.names), 6))
    got = jax.jit(jax.vmap(evaluate, in_axes=(None, 0, 0, 0, 0)))(model, q, v, a, wrenches)
    return Case(model, spec.compile(), q, v, a, wrenches, {name: np.asarray(value) for name, value in got.items()})


def assert_close(got: np.ndarray, expected: Any) -> None:
    """Blocks, all axes but the first (states), to the tolerance of their norm's largest over the states."""
    expected = np.array(expected)
    assert got.shape == expected.shape
    error, scale = (np.linalg.norm(x.reshape(len(x), -1), axis=1).max() for x in (got - expected, expected))
    assert error <= TOLERANCE * max(scale, ROUND_OFF), f"{error:g} of {scale:g}"


def stack(angular: np.ndarray, linear: np.ndarray) -> np.ndarray:
    return np.concatenate([angular, linear])


def body_jacobian(peer: mujoco.MjModel, data: mujoco.MjData, body: int) -> np.ndarray:
    linear, angular = np.zeros((2, 3, peer.nv))
    mujoco.mj_jacBody(peer, data, linear, angular, body)
    return stack(angular, linear)


@pytest.mark.filterwarnings("ignore:compiler attribute 'settotalmass'")  # MuJoCo's, about two robots' files
@pytest.mark.parametrize("robot", mostly_full(("every_joint", *MJCFS), {"every_joint", "gymnasium/humanoid"}))
def test_bodies_equal_mujocos(robot: str) -> None:
    case = make_case(robot)
    check_jacobians_of_all_bodies(case)
    check_jacobian_of_a_point_and_its_rate(case)
    check_velocities_and_accelerations(case)
    check_center_of_mass_and_momentum(case)
    check_external_wrenches(case)
    check_sparse_factor(case)


def check_jacobians_of_all_bodies(c: Case) -> None:
    expected = np.array([[body_jacobian(c.peer, data, body) for body in c.bodies] for data in c.states()])
    for body in range(expected.shape[1]):
        assert_close(c.got["jacobians"][:, body, :3], expected[:, body, :3])
        assert_close(c.got["jacobians"][:, body, 3:], expected[:, body, 3:])


def check_jacobian_of_a_point_and_its_rate(c: Case) -> None:
    jacobians, rates = [], []
    body = c.bodies[-1]
    for data in c.states():
        point = data.xpos[body] + data.xmat[body].reshape(3, 3) @ POINT
        for function, results in ((mujoco.mj_jac, jacobians), (mujoco.mj_jacDot, rates)):
            linear, angular = np.zeros((2, 3, c.peer.nv))
            function(c.peer, data, linear, angular, point, body)
            results.append(stack(angular, linear))
    for rows in (slice(0, 3), slice(3, 6)):
        assert_close(c.got["jacobian"][:, rows], np.array(jacobians)[:, rows])
        assert_close(c.got["jacobian_rate"][:, rows], np.array(rates)[:, rows])


def check_velocities_and_accelerations(c: Case) -> None:
    velocities, accelerations = np.zeros((2, STATES, len(c.bodies), 6))
    gravity = np.concatenate([np.zeros(3), c.model.gravity])  # zero where an option's flag disables it
    for i, data in enumerate(c.states()):
        for row, body in enumerate(c.bodies):
            place = (mujoco.mjtObj.mjOBJ_XBODY, body)
            mujoco.mj_objectVelocity(c.peer, data, *place, velocities[i, row], 0)
            mujoco.mj_objectAcceleration(c.peer, data, *place, accelerations[i, row], 0)
    for row in range(len(c.bodies)):
        for part in (slice(0, 3), slice(3, 6)):
            assert_close(c.got["velocities"][:, row, part], velocities[:, row, part])
            expected = accelerations[:, row, part]  # MuJoCo's world accelerates against gravity
            assert_close(c.got["accelerations"][:, row, part] - gravity[part], expected)


def check_center_of_mass_and_momentum(c: Case) -> None:
    centers, rates, angular, matrices = [], [], [], []
    for data in c.states():
        matrix = np.zeros((3, c.peer.nv))
        mujoco.mj_angmomMat(c.peer, data, matrix, 0)
        centers.append(data.subtree_com[0].copy())
        rates.append(data.subtree_linvel[0].copy())
        angular.append(data.subtree_angmom[0].copy())
        matrices.append(matrix)
    mass = float(dynamics.total_mass(c.model))
    np.testing.assert_allclose(mass, c.peer.body_subtreemass[0], rtol=1e-14)
    assert_close(c.got["center"], centers)
    assert_close(c.got["center_velocity"], rates)
    assert_close(c.got["momentum"][:, :3], angular)
    assert_close(c.got["momentum"][:, 3:], mass * np.array(rates))
    assert_close(c.got["momentum_matrix"][:, :3], matrices)
    assert_close(np.einsum("nij,nj->ni", c.got["momentum_matrix"], c.v)[:, 3:], c.got["momentum"][:, 3:])


def check_external_wrenches(c: Case) -> None:
    expected = np.zeros((STATES, c.peer.nv))
    for force, wrenches, data in zip(expected, c.wrenches, c.states(), strict=True):
        for body, wrench in zip(c.bodies, wrenches, strict=True):
            mujoco.mj_applyFT(c.peer, data, wrench[3:], wrench[:3], data.xpos[body], body, force)
    assert_close(c.got["external"], expected)


def check_sparse_factor(c: Case) -> None:
    solutions, lowers, diagonals, halves = [], [], [], []
    for data, a in zip(c.states(), c.a, strict=True):
        solution, half = np.zeros((1, c.peer.nv)), np.zeros((6, c.peer.nv))
        mujoco.mj_solveM(c.peer, data, solution, a[None])
        jacobian = body_jacobian(c.peer, data, c.bodies[-1])
        mujoco.mj_solveM2(c.peer, data, half, np.ascontiguousarray(jacobian), np.sqrt(data.qLDiagInv))
        lower = np.eye(c.peer.nv)
        for row in range(c.peer.nv):
            start, length = c.peer.M_rowadr[row], c.peer.M_rownnz[row]
            lower[row, c.peer.M_colind[start : start + length - 1]] = data.qLD[start : start + length - 1]
        solutions.append(solution[0])
        lowers.append(lower)
        diagonals.append(1.0 / data.qLDiagInv)
        halves.append(half.T)
    assert_close(c.got["solution"], solutions)
    assert_close(c.got["lower"], lowers)
    for dof in range(c.peer.nv):
        assert_close(c.got["diagonal"][:, dof], np.array(diagonals)[:, dof])
    assert_close(c.got["halves"], halves)

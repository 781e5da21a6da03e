"""Comparison with other libraries: Supple's coordinates and forces in Pinocchio's conventions.

| quantity             | Supple (and MuJoCo)                | Pinocchio                               |
|----------------------|------------------------------------|-----------------------------------------|
| joint order          | of the file                        | by name, depth first                    |
| continuous hinge     | angle                              | (cos, sin)                              |
| quaternion           | w, x, y, z                         | x, y, z, w                              |
| free joint, velocity | linear in the world, angular in body | both in the body                      |
| its acceleration     | derivative of that velocity        | spatial: lacks ω × v                    |
"""

from typing import Any

import numpy as np
from jaxtyping import Float

from supple.model.errors import ModelError
from supple.model.joint import JointKind
from supple.model.model import Model

Configuration = Float[np.ndarray, " nq"]
Vector = Float[np.ndarray, " nv"]
Matrix = Float[np.ndarray, "nv nv"]


class PinocchioMap:
    """Translates between a model and a `pinocchio.Model` of the same robot; joints are matched by name.

    A free joint is Pinocchio's joint 1. With the velocity map v_pin = P(q) v, forces map by Pᵀ and the mass
    matrix by Pᵀ M P.
    """

    def __init__(self, model: Model, pinocchio_model: Any):
        self.model, self.pinocchio = model, pinocchio_model
        self._joints = []
        for name, kind, q, v in zip(
            model.joints.names, model.joints.kinds, model.joints.q_starts, model.joints.v_starts, strict=True
        ):
            index = 1 if kind is JointKind.FREE else pinocchio_model.getJointId(name)
            if index >= pinocchio_model.njoints:
                raise ModelError(
                    f"joint {name!r} is not in the Pinocchio model, which has {list(pinocchio_model.names)}."
                )
            self._joints.append((kind, q, v, pinocchio_model.joints[index]))

    def q(self, q: Configuration) -> Float[np.ndarray, " nq_pin"]:
        """A configuration, in Pinocchio's coordinates."""
        result = np.zeros(self.pinocchio.nq)
        for kind, start, _, joint in self._joints:
            here = q[start : start + kind.nq]
            if kind is JointKind.FREE:
                here = np.concatenate([here[:3], here[4:], here[3:4]])
            elif kind is JointKind.BALL:
                here = np.concatenate([here[1:], here[:1]])
            elif joint.nq == 2:
                here = np.array([np.cos(here[0]), np.sin(here[0])])
            result[joint.idx_q : joint.idx_q + joint.nq] = here
        return result

    def velocity_matrix(self, q: Configuration) -> Matrix:
        """P(q) with v_pin = P v."""
        matrix = np.zeros((self.pinocchio.nv, self.model.nv))
        for kind, q_start, v_start, joint in self._joints:
            block = np.eye(kind.nv)
            if kind is JointKind.FREE:
                block[:3, :3] = _rotation(q[q_start + 3 : q_start + 7]).T
            matrix[joint.idx_v : joint.idx_v + joint.nv, v_start : v_start + kind.nv] = block
        return matrix

    def v(self, q: Configuration, v: Vector) -> Vector:
        """A velocity, in Pinocchio's coordinates."""
        return self.velocity_matrix(q) @ v

    def acceleration(self, q: Configuration, v: Vector, a: Vector) -> Vector:
        """An acceleration, in Pinocchio's coordinates: P a, less ω × v for the linear part of a free joint."""
        result = self.velocity_matrix(q) @ a
        result += self.acceleration_drift(q, v)
        return result

    def acceleration_drift(self, q: Configuration, v: Vector) -> Vector:
        """What Pinocchio's acceleration has where ours is zero: Ṗ v."""
        result = np.zeros(self.pinocchio.nv)
        for kind, q_start, v_start, joint in self._joints:
            if kind is JointKind.FREE:
                linear = _rotation(q[q_start + 3 : q_start + 7]).T @ v[v_start : v_start + 3]
                result[joint.idx_v : joint.idx_v + 3] = -np.cross(v[v_start + 3 : v_start + 6], linear)
        return result

    def acceleration_from(self, q: Configuration, v: Vector, a: Vector) -> Vector:
        """Pinocchio's acceleration, in our coordinates."""
        return np.linalg.solve(self.velocity_matrix(q), a - self.acceleration_drift(q, v))

    def force(self, q: Configuration, force: Vector) -> Vector:
        """A generalised force, in Pinocchio's coordinates: P⁻ᵀ f."""
        return np.linalg.solve(self.velocity_matrix(q).T, force)

    def force_from(self, q: Configuration, force: Vector) -> Vector:
        """Pinocchio's generalised force, in our coordinates: Pᵀ f."""
        return self.velocity_matrix(q).T @ force

    def mass_matrix_from(self, q: Configuration, matrix: Matrix) -> Matrix:
        """Pinocchio's mass matrix, in our coordinates: Pᵀ M P."""
        P = self.velocity_matrix(q)
        return P.T @ matrix @ P

    def acceleration_derivatives_from(
        self, q: Configuration, v: Vector, force: Vector, a: Vector, derivatives: tuple[Matrix, Matrix, Matrix]
    ) -> tuple[Matrix, Matrix, Matrix]:
        """Pinocchio's ∂a/∂(q, v, τ) at our (q, v, τ), in our coordinates; a is Pinocchio's acceleration.

        A turn δθ of a free joint, with our v and τ held, turns Pinocchio's: δv_pin = [R⊤v]× δθ, δτ_pin = [R⊤f]× δθ;
        and our linear acceleration R (a_pin + ω × R⊤v) turns with it.
        """
        by_q, by_v, by_force = derivatives
        P = self.velocity_matrix(q)
        turn_v, turn_force, turn_a = (np.zeros(P.shape) for _ in range(3))
        drift_by_v = np.zeros(P.shape)  # of ω × R⊤v, by Pinocchio's v
        for kind, q_start, v_start, joint in self._joints:
            if kind is JointKind.FREE:
                R = _rotation(q[q_start + 3 : q_start + 7])
                rows, turn = slice(joint.idx_v, joint.idx_v + 3), slice(v_start + 3, v_start + 6)
                linear, omega = R.T @ v[v_start : v_start + 3], v[turn]
                turn_v[rows, turn] = _skew(linear)
                turn_force[rows, turn] = _skew(R.T @ force[v_start : v_start + 3])
                turn_a[rows, turn] = -_skew(a[rows] + np.cross(omega, linear))
                drift_by_v[rows, rows] = _skew(omega)
                drift_by_v[rows, joint.idx_v + 3 : joint.idx_v + 6] = -_skew(linear)
        by_moving_v = by_v + drift_by_v
        ours_by_q = by_q @ P + by_moving_v @ turn_v + by_force @ turn_force + turn_a
        back = np.linalg.inv(P)
        return back @ ours_by_q, back @ by_moving_v @ P, back @ by_force @ back.T


def random_configuration(model: Model, rng: np.random.Generator, spread: float = 1.0) -> Configuration:
    """A configuration with hinges and slides around `home`, and uniformly distributed quaternions."""
    q = np.array(model.home, dtype=float)
    for kind, start in zip(model.joints.kinds, model.joints.q_starts, strict=True):
        if kind in (JointKind.HINGE, JointKind.SLIDE):
            q[start] += spread * rng.normal()
            continue
        if kind is JointKind.FREE:
            q[start : start + 3] += spread * rng.normal(size=3)
        quaternion = rng.normal(size=4)
        q[start + kind.nq - 4 : start + kind.nq] = quaternion / np.linalg.norm(quaternion)
    return q


def _rotation(quaternion: Float[np.ndarray, "4"]) -> Float[np.ndarray, "3 3"]:
    w, x, y, z = quaternion / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _skew(a: Float[np.ndarray, "3"]) -> Float[np.ndarray, "3 3"]:
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])

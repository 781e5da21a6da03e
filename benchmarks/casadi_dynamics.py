"""Forward dynamics and its reverse gradient as CasADi functions: the peer whose generated C sets the pace.

A careful articulated-body algorithm, written here from a model's numbers: in link frames, inertias as symmetric 3×3
blocks of which each entry is computed once, every number of the robot a constant that CasADi folds. Accelerations are
those of points rather than spatial ones, so that linear velocities are never needed; what a hinge along a coordinate
axis makes zero is zero. Reference: Featherstone 2008, chapter 7. Robots of hinges and free joints.
"""

from collections.abc import Callable
from dataclasses import dataclass

import casadi as ca
import numpy as np

import supple as sp
from supple.model.joint import JointKind

WORLD = -1


@dataclass(frozen=True)
class Inertia:
    """What a link and all beyond it oppose to a push: [n; f] = [[A, B], [Bᵀ, C]] [α; a], with A and C symmetric."""

    A: ca.SX
    B: ca.SX
    C: ca.SX

    def __add__(self, other: "Inertia") -> "Inertia":
        return Inertia(self.A + other.A, self.B + other.B, self.C + other.C)

    def carried(self, R: ca.SX, p: ca.SX) -> "Inertia":
        """The same about the parent's origin, in its frame."""
        P, rotated = ca.skew(p), R @ self.B @ R.T
        C = rotate(R, self.C)
        B = rotated + P @ C
        A = symmetric(lambda i, j: ca.mtimes(P[i, :], rotated[j, :].T) - ca.mtimes(B[i, :], P[:, j]))
        return Inertia(rotate(R, self.A) + A, B, C)


class Link:
    """The quantities of one link, in its frame; `fused` gives every link one joint."""

    def __init__(self, model: sp.Model, index: int, q: ca.SX) -> None:
        bodies, joints = model.bodies, model.joints
        self.parent = bodies.parents[index]
        self.armature = float(joints.armature[index])
        self.axis = ca.DM(joints.axis[index])
        self.is_free = joints.kinds[index] is JointKind.FREE
        if not self.is_free and joints.kinds[index] is not JointKind.HINGE:
            raise NotImplementedError(f"{joints.names[index]} is a {joints.kinds[index].value}, not a hinge or free")
        start, first = joints.q_starts[index], joints.v_starts[index]
        self.dofs = slice(first, first + joints.kinds[index].nv)
        if self.is_free:
            self.R, self.p = quaternion_matrix(q[start + 3 : start + 7]), ca.SX(q[start : start + 3])
        else:
            turn = about_axis(self.axis, q[start] - float(joints.reference[index]))
            self.R, self.p = ca.SX(ca.DM(bodies.rotation[index])) @ turn, ca.SX(ca.DM(bodies.position[index]))
        mass, center = float(bodies.mass[index]), bodies.center_of_mass[index]
        xx, xy, xz, yy, yz, zz = bodies.inertia[index]
        about_center = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        about_origin = about_center + mass * (center @ center * np.eye(3) - np.outer(center, center))
        self.moment = ca.SX(ca.DM(mass * center))
        self.inertia = Inertia(ca.SX(ca.DM(about_origin)), ca.skew(self.moment), ca.SX(mass * ca.DM.eye(3)))


def forward_function(model: sp.Model) -> ca.Function:
    """(q, v, τ) → (q̈,)."""
    q, v, tau = (ca.SX.sym(name, size) for name, size in (("q", model.nq), ("v", model.nv), ("tau", model.nv)))
    return ca.Function("forward", [q, v, tau], [ca.cse(acceleration(model, q, v, tau))])


def gradient_function(model: sp.Model) -> ca.Function:
    """(q, v, τ, w) → (∂(w·q̈)/∂q, ∂/∂v, ∂/∂τ, q̈), by reverse differentiation."""
    q, v, tau = (ca.SX.sym(name, size) for name, size in (("q", model.nq), ("v", model.nv), ("tau", model.nv)))
    weights = ca.SX.sym("weights", model.nv)
    rates = acceleration(model, q, v, tau)
    slope = ca.gradient(ca.dot(weights, rates), ca.vertcat(q, v, tau))
    outputs = ca.cse([*ca.vertsplit(slope, [0, model.nq, model.nq + model.nv, model.nq + 2 * model.nv]), rates])
    return ca.Function("gradient", [q, v, tau, weights], outputs)


def acceleration(model: sp.Model, q: ca.SX, v: ca.SX, tau: ca.SX) -> ca.SX:
    """The articulated-body algorithm; `model` is fused."""
    links = [Link(model, index, q) for index in range(len(model.joints.kinds))]
    spins, curls = velocities(links, v)
    felt = [link.inertia for link in links]
    torques = [ca.cross(spin, link.inertia.A @ spin) for link, spin in zip(links, spins, strict=True)]
    forces = [ca.cross(spin, ca.cross(spin, link.moment)) for link, spin in zip(links, spins, strict=True)]
    yields = {}
    for i, link in reversed(list(enumerate(links))):
        if link.is_free:
            continue
        yields[i], remaining, torque, force = articulate(link, felt[i], torques[i], forces[i], curls[i], tau[link.dofs])
        if link.parent != WORLD:
            force = link.R @ force
            felt[link.parent] += remaining.carried(link.R, link.p)
            torques[link.parent] += link.R @ torque + ca.cross(link.p, force)
            forces[link.parent] += force

    gravity = ca.SX(ca.DM(model.gravity))
    result, alphas, accelerations = ca.SX(model.nv, 1), {WORLD: ca.SX.zeros(3)}, {WORLD: -gravity}
    for i, link in enumerate(links):
        if link.is_free:
            push = ca.vertcat(tau[link.dofs][3:] - torques[i], link.R.T @ tau[link.dofs][:3] - forces[i])
            rate = solve(matrix(felt[i], link.armature), push)
            alphas[i], accelerations[i] = rate[:3], rate[3:]
            result[link.dofs] = ca.vertcat(link.R @ accelerations[i] + gravity, alphas[i])
            continue
        alpha = link.R.T @ alphas[link.parent] + curls[i][0]
        a = link.R.T @ (accelerations[link.parent] + ca.cross(alphas[link.parent], link.p)) + curls[i][1]
        take, torque, force = yields[i]
        rate = take - ca.dot(torque, alpha) - ca.dot(force, a)
        alphas[i], accelerations[i] = alpha + link.axis * rate, a
        result[link.dofs] = rate
    return result


def velocities(links: list[Link], v: ca.SX) -> tuple[list[ca.SX], list[tuple[ca.SX, ca.SX]]]:
    """Angular velocities, and the accelerations (angular, linear) that links have by their velocities alone."""
    spins, curls = [], []
    for link in links:
        above = ca.SX.zeros(3) if link.parent == WORLD else spins[link.parent]
        if link.is_free:
            spins.append(v[link.dofs][3:])
            curls.append((ca.SX.zeros(3), ca.SX.zeros(3)))
            continue
        turn = link.axis * v[link.dofs]
        spins.append(link.R.T @ above + turn)
        curls.append((ca.cross(spins[-1], turn), link.R.T @ ca.cross(above, ca.cross(above, link.p))))
    return spins, curls


def articulate(
    link: Link, felt: Inertia, torque: ca.SX, force: ca.SX, curl: tuple[ca.SX, ca.SX], tau: ca.SX
) -> tuple[tuple[ca.SX, ca.SX, ca.SX], Inertia, ca.SX, ca.SX]:
    """What a hinge yields (D⁻¹ u, D⁻¹ U), the inertia I − U D⁻¹ Uᵀ and the force that it passes on."""
    U, V = felt.A @ link.axis, felt.B.T @ link.axis
    inverse = 1.0 / (ca.dot(link.axis, U) + link.armature)
    G, H = inverse * U, inverse * V
    take = inverse * (tau - ca.dot(link.axis, torque))
    along = {i for i in range(3) if abs(float(link.axis[i])) == 1.0 and link.armature == 0.0}

    def unless_yielding(entry: ca.SX, *rows: int) -> ca.SX:
        """Nothing is left of the inertia about the hinge's axis."""
        return ca.SX(0) if along & set(rows) else entry

    B = [[unless_yielding(felt.B[i, j] - U[i] * H[j], i) for j in range(3)] for i in range(3)]
    remaining = Inertia(
        symmetric(lambda i, j: unless_yielding(felt.A[i, j] - U[i] * G[j], i, j)),
        ca.vertcat(*(ca.horzcat(*row) for row in B)),
        symmetric(lambda i, j: felt.C[i, j] - V[i] * H[j]),
    )
    alpha, a = curl
    torque = torque + U * take + remaining.A @ alpha + remaining.B @ a
    force = force + V * take + remaining.B.T @ alpha + remaining.C @ a
    return (take, G, H), remaining, torque, force


def about_axis(axis: ca.DM, angle: ca.SX) -> ca.SX:
    """R = a aᵀ + cos φ (1 − a aᵀ) + sin φ [a]×."""
    parallel = axis @ axis.T
    return parallel + ca.cos(angle) * (ca.DM.eye(3) - parallel) + ca.sin(angle) * ca.skew(axis)


def quaternion_matrix(quaternion: ca.SX) -> ca.SX:
    """The rotation of a quaternion (w, x, y, z) of any length."""
    w, u = quaternion[0], quaternion[1:]
    scale = 2.0 / ca.dot(quaternion, quaternion)
    s = scale * u
    ss = symmetric(lambda i, j: u[i] * s[j])
    return (1.0 - ca.trace(ss)) * ca.SX.eye(3) + ss + ca.skew(w * s)


def rotate(R: ca.SX, A: ca.SX) -> ca.SX:
    """R A Rᵀ of a symmetric matrix."""
    half = R @ A
    return symmetric(lambda i, j: ca.mtimes(half[i, :], R[j, :].T))


def symmetric(entry: Callable[[int, int], ca.SX]) -> ca.SX:
    """A symmetric 3×3 matrix, of its entries on and above the diagonal."""
    upper = {(i, j): entry(i, j) for i in range(3) for j in range(i, 3)}
    return ca.vertcat(*(ca.horzcat(*(upper[min(i, j), max(i, j)] for j in range(3))) for i in range(3)))


def matrix(inertia: Inertia, armature: float) -> ca.SX:
    """[[A, B], [Bᵀ, C]], with the rotor's inertia on the diagonal."""
    whole = ca.vertcat(ca.horzcat(inertia.A, inertia.B), ca.horzcat(inertia.B.T, inertia.C))
    return whole + armature * ca.SX.eye(6)


def solve(M: ca.SX, b: ca.SX) -> ca.SX:
    """M⁻¹ b of a symmetric matrix, through M = L D Lᵀ."""
    n, inverse, x = M.shape[0], {}, [b[i] for i in range(M.shape[0])]
    rows = {(i, j): M[i, j] for i in range(n) for j in range(i + 1)}  # L D below the diagonal, then D on it
    L = {}
    for j in range(n):
        inverse[j] = 1.0 / rows[j, j]
        for i in range(j + 1, n):
            L[i, j] = rows[i, j] * inverse[j]
            for k in range(j + 1, i + 1):
                rows[i, k] -= L[i, j] * rows[k, j]
            x[i] -= L[i, j] * x[j]
    x = [x[j] * inverse[j] for j in range(n)]
    for j in reversed(range(n)):
        for i in range(j):
            x[i] -= L[j, i] * x[j]
    return ca.vertcat(*x)

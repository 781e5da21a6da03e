"""Forward dynamics: the articulated-body algorithm, split at the bias force.

    q̈ = M(q)⁻¹ (τ − c(q, v))

The bias c comes from Newton-Euler; M⁻¹ is applied by an articulated-body factorisation in O(n), which depends on the configuration
only. The solve is a `jax.lax.custom_linear_solve`, whose derivative is that of the equation it solves,

    δq̈ = M⁻¹ (δτ − δc − δM q̈),

so neither direction of differentiation passes through the factorisation: a reverse gradient costs one more solve with the
same factors and the reverse of two Newton-Euler sweeps. Reference: Featherstone 2008, chapter 7; the derivative by the implicit
function theorem as in Carpentier and Mansard 2018.
"""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.joints import Pose, in_dof_order, place_links
from supple.dynamics.links import Links, articulate
from supple.dynamics.rnea import mass_product, newton_euler
from supple.dynamics.topology import Level
from supple.dynamics.traverse import ByKind, inward, outward
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.spatial import symmetric
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, apply_transpose, cross, dot, multiply, multiply_transpose, skew


def aba(model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"], tau: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """Acceleration under a generalised force: q̈ = M(q)⁻¹ (τ − c(q, v)).

    Passive forces (springs, damping) are not part of it: add them to τ. SI units. Where the mass matrix is singular
    (a massless tip without armature, see `model.check()`) the result is not finite.
    """
    links = articulate(model)
    pose = place_links(links, q)
    return solve_mass(links, pose, tau - newton_euler(links, pose, model.gravity, v))


def solve_mass(links: Links, pose: Pose, force: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """M⁻¹ f, differentiable in everything in both directions."""
    factors = factorise(*jax.tree.map(jax.lax.stop_gradient, (links, pose)))
    return jax.lax.custom_linear_solve(
        lambda a: mass_product(links, pose, a), force, lambda _, b: factors.solve(b), symmetric=True
    )


class ArticulatedInertia(eqx.Module):
    """The inertia that a link and all beyond it oppose to a push: [n; f] = [[A, B], [Bᵀ, C]] [α; a]."""

    A: Float[Array, "links 6"]
    B: Float[Array, "links 3 3"]
    C: Float[Array, "links 6"]

    def __add__(self, other: "ArticulatedInertia") -> "ArticulatedInertia":
        return ArticulatedInertia(self.A + other.A, self.B + other.B, self.C + other.C)

    def __getitem__(self, rows: slice) -> "ArticulatedInertia":
        return ArticulatedInertia(self.A[rows], self.B[rows], self.C[rows])

    def times_axis(self, kind: JointKind, axis: Float[Array, "links 3"]) -> tuple[Array, Array]:
        """The wrench of a unit acceleration about (hinge) or along (slide) an axis."""
        if kind is JointKind.HINGE:
            return apply(symmetric.unpack(self.A), axis), apply_transpose(self.B, axis)
        return apply(self.B, axis), apply(symmetric.unpack(self.C), axis)

    def carried_to_parent(self, pose: Pose) -> "ArticulatedInertia":
        """The same inertia about the parent's origin, in its frame: rotate, then with P = [p]×
        C' = C, B' = B + P C, A' = A + P Bᵀ − B' P."""
        rotated_B = multiply_transpose(multiply(pose.rotation, self.B), pose.rotation)
        C = symmetric.rotate(pose.rotation, self.C)
        P = skew(pose.position)
        B = rotated_B + multiply(P, symmetric.unpack(C))
        i, j = symmetric.ROWS, symmetric.COLUMNS
        lever = dot(P[:, i, :], rotated_B[:, j, :]) - dot(B[:, i, :], jnp.swapaxes(P, 1, 2)[:, j, :])
        return ArticulatedInertia(symmetric.rotate(pose.rotation, self.A) + lever, B, C)


class AxisFactor(eqx.Module):
    """Factor of a hinge or slide: the wrench U of a unit acceleration, and U/D with the inertia D felt at the joint."""

    torque: Float[Array, "links 3"]  # U/D
    force: Float[Array, "links 3"]
    inverse: Float[Array, " links"]  # 1/D


class BallFactor(eqx.Module):
    """Factor of a ball joint: D⁻¹ of the inertia felt at the joint, and U D⁻¹."""

    torque: Float[Array, "links 3 3"]
    force: Float[Array, "links 3 3"]
    inverse: Float[Array, "links 3 3"]


class FreeFactor(eqx.Module):
    """Factor of a free joint: the lower Cholesky factor of its articulated inertia."""

    cholesky: Float[Array, "links 6 6"]


class MassFactors(eqx.Module):
    """The mass matrix, factorised along the tree."""

    links: Links
    pose: Pose
    by_kind: ByKind

    def solve(self, force: Float[Array, " nv"]) -> Float[Array, " nv"]:
        """M⁻¹ f: inward, the force that each joint cannot take up; outward, accelerations."""
        links, pose = self.links, self.pose
        forces = ByKind({group.kind.value: force[group.v] for group in links.topology.groups})
        columns = (pose.rotation, pose.position, links.axis, self.by_kind, forces)
        zero = jnp.zeros_like(force, shape=3)
        rates = inward(links.topology, _push, (zero, zero), columns)
        columns = (pose.rotation, pose.position, links.axis, self.by_kind, rates)
        accelerations = outward(links.topology, _accelerate, (zero, zero), columns)
        return in_dof_order(links, lambda group: accelerations.values[group.kind.value])


def factorise(links: Links, pose: Pose) -> MassFactors:
    """Inward over the tree: what each joint feels of its link and all beyond, and what it passes on.

    A joint that yields with inertia D = Sᵀ I S + armature under the wrench U = I S passes on I − U D⁻¹ Uᵀ.
    """
    own = ArticulatedInertia(links.inertia, skew(links.moment), links.mass[:, None] * jnp.array([1.0, 0, 0, 1, 0, 1]))
    zero = jax.tree.map(lambda x: jnp.zeros_like(x, shape=x.shape[1:]), own)

    def step(level: Level, below: ArticulatedInertia, rows: Any) -> Any:
        own, pose, axis, armature = rows
        felt = own + below
        factors, passed = {}, []
        for span in level.spans:
            rows = slice(span.start, span.stop)
            factors[span.kind.value], remaining = _yield(span.kind, felt[rows], axis[rows], armature[rows])
            passed.append(remaining)
        remaining = jax.tree.map(lambda *xs: jnp.concatenate(xs) if len(xs) > 1 else xs[0], *passed)
        return remaining.carried_to_parent(pose), ByKind(factors)

    by_kind = inward(links.topology, step, zero, (own, pose, links.axis, links.armature))
    return MassFactors(links, pose, by_kind)


def _yield(kind: JointKind, felt: ArticulatedInertia, axis: Array, armature: Array) -> tuple[Any, ArticulatedInertia]:
    """The factor of joints of one kind, and the articulated inertia that remains beyond them."""
    match kind:
        case JointKind.HINGE | JointKind.SLIDE:
            torque, force = felt.times_axis(kind, axis)
            inverse = 1.0 / (dot(axis, torque if kind is JointKind.HINGE else force) + armature)
            factor = AxisFactor(torque * inverse[:, None], force * inverse[:, None], inverse)
            A = felt.A - symmetric.outer(torque, factor.torque)
            B = felt.B - torque[:, :, None] * factor.force[:, None, :]
            return factor, ArticulatedInertia(A, B, felt.C - symmetric.outer(force, factor.force))
        case JointKind.BALL:
            inverse = symmetric.unpack(symmetric.inverse(felt.A + armature[:, None] * symmetric.IDENTITY))
            full_A = symmetric.unpack(felt.A)
            factor = BallFactor(multiply(full_A, inverse), multiply(jnp.swapaxes(felt.B, 1, 2), inverse), inverse)
            A = felt.A - symmetric.pack(multiply(factor.torque, full_A))
            C = felt.C - symmetric.pack(multiply(factor.force, felt.B))
            return factor, ArticulatedInertia(A, felt.B - multiply(factor.torque, felt.B), C)
        case JointKind.FREE:
            upper = jnp.concatenate([symmetric.unpack(felt.A), felt.B], axis=2)
            lower = jnp.concatenate([jnp.swapaxes(felt.B, 1, 2), symmetric.unpack(felt.C)], axis=2)
            whole = jnp.concatenate([upper, lower], axis=1) + armature[:, None, None] * jnp.eye(6)
            return FreeFactor(jax.lax.linalg.cholesky(whole, symmetrize_input=False)), felt


def _push(level: Level, below: Any, rows: Any) -> Any:
    """What a link's joint cannot take up of the force on it is passed to its parent; returns D⁻¹ u for each joint."""
    rotation, position, axis, factors, forces = rows
    torque, force = below
    rates, torques, pushes = {}, [], []
    for span in level.spans:
        kind = span.kind.value
        part = slice(span.start, span.stop)
        rate, n, f = _resist(span.kind, factors.values[kind], forces.values[kind], torque[part], force[part], axis[part], rotation[part])
        rates[kind] = rate
        torques.append(n)
        pushes.append(f)
    torque, force = apply(rotation, jnp.concatenate(torques)), apply(rotation, jnp.concatenate(pushes))
    return (torque + cross(position, force), force), ByKind(rates)


def _resist(
    kind: JointKind, factor: Any, force: Array, n: Array, f: Array, axis: Array, R_parent_link: Array
) -> tuple[Array, Array, Array]:
    """Joint acceleration D⁻¹ u of links held by their parents, and the wrench that their joints pass on."""
    match kind:
        case JointKind.HINGE | JointKind.SLIDE:
            u = force[:, 0] - dot(axis, n if kind is JointKind.HINGE else f)
            return u[:, None] * factor.inverse[:, None], n + factor.torque * u[:, None], f + factor.force * u[:, None]
        case JointKind.BALL:
            u = force - n
            return apply(factor.inverse, u), n + apply(factor.torque, u), f + apply(factor.force, u)
        case JointKind.FREE:
            u = jnp.concatenate([force[:, 3:] - n, apply_transpose(R_parent_link, force[:, :3]) - f], axis=-1)
            half = jax.lax.linalg.triangular_solve(factor.cholesky, u[..., None], left_side=True, lower=True)
            rate = jax.lax.linalg.triangular_solve(factor.cholesky, half, left_side=True, lower=True, transpose_a=True)
            return rate[..., 0], n, f


def _accelerate(level: Level, above: Any, rows: Any) -> Any:
    """A joint's acceleration D⁻¹ u − (U D⁻¹)ᵀ a', where its link would accelerate with a' if the joint were locked."""
    alpha_above, a_above = above
    rotation, position, axis, factors, rates = rows
    alpha = apply_transpose(rotation, alpha_above)
    linear = apply_transpose(rotation, a_above + cross(alpha_above, position))
    accelerations, alphas, linears = {}, [], []
    for span in level.spans:
        part = slice(span.start, span.stop)
        kind = span.kind.value
        acceleration, alpha_out, linear_out = _release(
            span.kind, factors.values[kind], rates.values[kind], alpha[part], linear[part], axis[part], rotation[part]
        )
        accelerations[kind] = acceleration
        alphas.append(alpha_out)
        linears.append(linear_out)
    return (jnp.concatenate(alphas), jnp.concatenate(linears)), ByKind(accelerations)


def _release(
    kind: JointKind, factor: Any, rate: Array, alpha: Array, a: Array, axis: Array, R_parent_link: Array
) -> tuple[Array, Array, Array]:
    """Joint acceleration, and the links' acceleration with it."""
    match kind:
        case JointKind.HINGE | JointKind.SLIDE:
            acceleration = rate - (dot(factor.torque, alpha) + dot(factor.force, a))[:, None]
            moved = axis * acceleration
            return (acceleration, alpha + moved, a) if kind is JointKind.HINGE else (acceleration, alpha, a + moved)
        case JointKind.BALL:
            acceleration = rate - apply_transpose(factor.torque, alpha) - apply_transpose(factor.force, a)
            return acceleration, alpha + acceleration, a
        case JointKind.FREE:
            return jnp.concatenate([apply(R_parent_link, rate[:, 3:]), rate[:, :3]], axis=-1), rate[:, :3], rate[:, 3:]

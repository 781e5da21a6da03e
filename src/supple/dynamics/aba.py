"""Forward dynamics: the articulated-body algorithm, split at the bias force.

    q̈ = M(q)⁻¹ (τ − c(q, v))

The bias c comes from Newton-Euler; M⁻¹ is applied by an articulated-body factorisation in O(n), which depends on the
configuration only. The solve is a `jax.lax.custom_linear_solve`, whose derivative is that of the equation it solves,

    δq̈ = M⁻¹ (δτ − δc − δM q̈),

so neither direction of differentiation passes through the factorisation: a reverse gradient costs one more solve with
the same factors and the reverse of two Newton-Euler sweeps. Reference: Featherstone 2008, chapter 7; the derivative
by the implicit function theorem as in Carpentier and Mansard 2018.
"""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.arguments import checked
from supple.dynamics.joints import Pose, free_force, in_dof_order, place_links, slot_rates
from supple.dynamics.links import Inertia, Links, articulate
from supple.dynamics.rnea import join_roots, mass_product, newton_euler
from supple.dynamics.traverse import inward, outward
from supple.model.model import Model
from supple.spatial import symmetric
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, apply_transpose, cross, dot, multiply, multiply_transpose, skew


@checked
def aba(model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"], tau: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """Acceleration under a generalised force: q̈ = M(q)⁻¹ (τ − c(q, v)).

    Passive forces (springs, damping) are not part of it: add them to τ. SI units. Where the mass matrix is singular
    (a massless tip without armature, see `model.check()`) the result is not finite.
    """
    links = articulate(model)
    pose = place_links(model, links, q)
    return solve_mass(links, pose, tau - newton_euler(links, pose, model.gravity, v))


def solve_mass(links: Links, pose: Pose, force: Float[Array, " nv"]) -> Float[Array, " nv"]:
    """M⁻¹ f, differentiable in everything in both directions."""
    factors = MassFactors(*jax.tree.map(jax.lax.stop_gradient, (links, pose)))
    return jax.lax.custom_linear_solve(
        lambda a: mass_product(links, pose, a), force, lambda _, b: factors.solve(b), symmetric=True
    )


class ArticulatedInertia(eqx.Module):
    """The inertia that a link and all beyond it oppose to a push: [n; f] = [[A, B], [Bᵀ, C]] [α; a]."""

    A: Float[Array, "*links 6"]
    B: Float[Array, "*links 3 3"]
    C: Float[Array, "*links 6"]

    @classmethod
    def of(cls, inertia: Inertia) -> "ArticulatedInertia":
        """That of a single rigid link: A = I, B = [h]×, C = m 1."""
        identity = symmetric.IDENTITY.astype(inertia.mass.dtype)
        return cls(inertia.inertia, skew(inertia.moment), inertia.mass[..., None] * identity)

    def __add__(self, other: "ArticulatedInertia") -> "ArticulatedInertia":
        return ArticulatedInertia(self.A + other.A, self.B + other.B, self.C + other.C)

    def times(
        self, angular: Array, linear: Array | None
    ) -> tuple[Float[Array, "links n 3"], Float[Array, "links n 3"]]:
        """Wrenches that n motions demand."""
        A, C = symmetric.unpack(self.A), symmetric.unpack(self.C)
        torque, force = multiply(angular, A), multiply(angular, self.B)
        if linear is None:
            return torque, force
        return torque + multiply_transpose(linear, self.B), force + multiply(linear, C)

    def carried_to_parent(
        self, rotation: Float[Array, "links 3 3"], position: Float[Array, "links 3"]
    ) -> "ArticulatedInertia":
        """The same inertia about the parent's origin, in its frame.

        Rotated, and then, with P = [p]×, C' = C, B' = B + P C, A' = A + P Bᵀ − B' P.
        """
        rotated_B = multiply_transpose(multiply(rotation, self.B), rotation)
        C = symmetric.rotate(rotation, self.C)
        P = skew(position)
        B = rotated_B + multiply(P, symmetric.unpack(C))
        i, j = symmetric.ROWS, symmetric.COLUMNS
        lever = dot(P[:, i, :], rotated_B[:, j, :]) - dot(B[:, i, :], jnp.swapaxes(P, 1, 2)[:, j, :])
        return ArticulatedInertia(symmetric.rotate(rotation, self.A) + lever, B, C)

    def matrix(self) -> Float[Array, "links 6 6"]:
        """[[A, B], [Bᵀ, C]]."""
        A, C = symmetric.unpack(self.A), symmetric.unpack(self.C)
        return jnp.concatenate(
            [jnp.concatenate([A, self.B], axis=2), jnp.concatenate([jnp.swapaxes(self.B, 1, 2), C], axis=2)], axis=1
        )


class JointFactor(eqx.Module):
    """What a joint yields to: D⁻¹ for the inertia D that it feels, and D⁻¹ U for the wrench U of unit accelerations."""

    torque: Float[Array, "*slots n 3"]
    force: Float[Array, "*slots n 3"]
    inverse: Float[Array, "*slots n n"]


class MassFactors(eqx.Module):
    """The mass matrix, factorised along the tree.

    Inward, a joint that feels the articulated inertia I yields with D = Sᵀ I S + armature under U = I S, and
    passes on I − U D⁻¹ Uᵀ.
    """

    links: Links
    pose: Pose
    factors: JointFactor
    free_cholesky: Float[Array, "free 6 6"]

    def __init__(self, links: Links, pose: Pose):
        def step(below: ArticulatedInertia, rows: Any) -> Any:
            own, angular, linear, armature, rotation, position = rows
            felt = own + below
            factor, remaining = _yield(felt, angular, linear, armature)
            return remaining.carried_to_parent(rotation, position), factor

        own = ArticulatedInertia.of(links.inertia)
        zero = jax.tree.map(lambda x: jnp.zeros(x.shape[2:], x.dtype), own)
        columns = (own, links.angular, links.linear, links.armature, pose.rotation, pose.position)
        roots, self.factors = inward(links.topology, step, zero, columns)
        free = len(links.topology.free)
        whole = ArticulatedInertia.of(links.free_inertia) + jax.tree.map(lambda x: x[:free], roots)
        armature = links.free_armature[:, None, None] * jnp.eye(6)
        self.free_cholesky = jax.lax.linalg.cholesky(whole.matrix() + armature, symmetrize_input=False)
        self.links, self.pose = links, pose

    def solve(self, force: Float[Array, " nv"]) -> Float[Array, " nv"]:
        """M⁻¹ f: inward, the force that a joint and those beyond cannot take up; outward, accelerations."""
        links, pose = self.links, self.pose
        zero = jnp.zeros(3, force.dtype)
        columns = (slot_rates(links, force), links.angular, links.linear, self.factors, pose.rotation, pose.position)
        roots, yields = inward(links.topology, _push, (zero, zero), columns)
        free = self._solve_free(force, roots)
        columns = (yields, links.angular, links.linear, self.factors, pose.rotation, pose.position)
        accelerations = outward(links.topology, _accelerate, join_roots(links, free, (zero, zero)), columns)
        return in_dof_order(links, accelerations, free_force(pose, *free))

    def _solve_free(self, force: Float[Array, " nv"], roots: tuple[Array, Array]) -> tuple[Array, Array]:
        """Angular and linear acceleration of the free links, in their frames."""
        tree = self.links.topology
        push = force[tree.free_v]
        free = len(tree.free)
        torque = push[:, 3:] - roots[0][:free]
        linear = apply_transpose(self.pose.free_rotation, push[:, :3]) - roots[1][:free]
        wrench = jnp.concatenate([torque, linear], axis=-1)[..., None]
        half = jax.lax.linalg.triangular_solve(self.free_cholesky, wrench, left_side=True, lower=True)
        rate = jax.lax.linalg.triangular_solve(self.free_cholesky, half, left_side=True, lower=True, transpose_a=True)
        return rate[:, :3, 0], rate[:, 3:, 0]


def _yield(
    felt: ArticulatedInertia, angular: Array, linear: Array | None, armature: Array
) -> tuple[JointFactor, ArticulatedInertia]:
    """The factor of a level's joints, and the articulated inertia that remains beyond them."""
    torque, force = felt.times(angular, linear)
    resisted = multiply_transpose(angular, torque)
    resisted = resisted if linear is None else resisted + multiply_transpose(linear, force)
    inverse = _inverse(resisted + armature[:, :, None] * jnp.eye(armature.shape[1]))
    factor = JointFactor(multiply(inverse, torque), multiply(inverse, force), inverse)
    i, j = symmetric.ROWS, symmetric.COLUMNS
    remaining = ArticulatedInertia(
        felt.A - jnp.sum(torque[..., i] * factor.torque[..., j], axis=1),
        felt.B - jnp.sum(torque[..., :, None] * factor.force[..., None, :], axis=1),
        felt.C - jnp.sum(force[..., i] * factor.force[..., j], axis=1),
    )
    return factor, remaining


def _inverse(matrix: Float[Array, "links n n"]) -> Float[Array, "links n n"]:
    """Inverses of symmetric matrices of one or three rows."""
    return 1.0 / matrix if matrix.shape[-1] == 1 else symmetric.unpack(symmetric.inverse(symmetric.pack(matrix)))


def _push(below: Any, rows: Any) -> Any:
    """With u = f − Sᵀ p the joint takes up D⁻¹ u, and passes on p + U D⁻¹ u."""
    taken, angular, linear, factor, rotation, position = rows
    torque, force = below
    u = taken - apply(angular, torque)
    u = u if linear is None else u - apply(linear, force)
    torque = torque + apply_transpose(factor.torque, u)
    force = apply(rotation, force + apply_transpose(factor.force, u))
    return (apply(rotation, torque) + cross(position, force), force), apply(factor.inverse, u)


def _accelerate(above: Any, rows: Any) -> Any:
    """A joint's acceleration D⁻¹ u − (D⁻¹ U)ᵀ a, where its link would accelerate with a if the joint were locked."""
    yielded, angular, linear, factor, rotation, position = rows
    alpha = apply_transpose(rotation, above[0])
    a = apply_transpose(rotation, above[1] + cross(above[0], position))
    acceleration = yielded - apply(factor.torque, alpha) - apply(factor.force, a)
    alpha = alpha + apply_transpose(angular, acceleration)
    a = a if linear is None else a + apply_transpose(linear, acceleration)
    return (alpha, a), acceleration

"""Mass, its centre, and momentum, of all bodies together.

Momentum is that of the bodies; the rotors' armature, which acts in joint coordinates only, has none.
Reference: Orin, Goswami and Lee, Centroidal dynamics of a humanoid robot, 2013.
"""

import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.arguments import checked
from supple.dynamics.crba import composite_inertias
from supple.dynamics.joints import Pose, joint_axes, place_links
from supple.dynamics.kinematics import forward_kinematics
from supple.dynamics.links import Links, articulate
from supple.dynamics.rnea import resting_wrench
from supple.dynamics.world import link_velocities, place_in_world
from supple.model.model import Model
from supple.spatial import symmetric
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, apply_transpose, cross


def total_mass(model: Model) -> Float[Array, ""]:
    """Σ mᵢ over all bodies, kg; those that are fixed to the world count as well."""
    return jnp.sum(model.bodies.mass)


@checked
def center_of_mass(model: Model, q: Float[Array, " nq"]) -> Float[Array, "3"]:
    """c = Σ mᵢ cᵢ / Σ mᵢ over all bodies, in the world, m: MuJoCo's `subtree_com` of the world.

    Not finite for a robot without mass.
    """
    poses = forward_kinematics(model, q)
    return _weigh(model, poses.position + apply(poses.rotation, model.bodies.center_of_mass))


@checked
def center_of_mass_velocity(model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"]) -> Float[Array, "3"]:
    """ċ, in the world, m/s: linear momentum over mass. MuJoCo's `subtree_linvel` of the world."""
    return momentum(model, q, v)[3:] / total_mass(model)


@checked
def momentum(
    model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"], point: Float[Array, "3"] | None = None
) -> Float[Array, "6"]:
    """Angular momentum about a point of the world (default: its origin), kg m²/s, then linear momentum, kg m/s.

    In world axes, [Σ (xᵢ − x) × mᵢ ẋᵢ + Iᵢ ωᵢ; Σ mᵢ ẋᵢ]. Both are conserved by a free robot on which no force acts.
    """
    links = articulate(model)
    pose = place_links(model, links, q)
    return _momentum(links, pose, v, jnp.zeros(3, q.dtype) if point is None else point)


@checked
def centroidal_momentum(model: Model, q: Float[Array, " nq"], v: Float[Array, " nv"]) -> Float[Array, "6"]:
    """`momentum` about the centre of mass: angular, then linear.

    MuJoCo's `subtree_angmom` of the world; Pinocchio's `hg`, which has the linear part first.
    """
    return momentum(model, q, v, center_of_mass(model, q))


@checked
def centroidal_momentum_matrix(model: Model, q: Float[Array, " nq"]) -> Float[Array, "6 nv"]:
    """A(q) with `centroidal_momentum` = A v, in O(n): the composite inertia beyond each joint, times the joint's axis.

    MuJoCo's `mj_angmomMat` are its first three rows; Pinocchio's `Ag` has the linear rows first.
    """
    links = articulate(model)
    pose = place_links(model, links, q)
    world = place_in_world(links, pose)
    tree = links.topology
    cells = tree.cells[tree.dof_joints]
    composite = composite_inertias(links, pose)
    beyond = type(composite)(composite.mass[cells], composite.moment[cells], composite.inertia[cells])
    angular, linear = resting_wrench(beyond, *joint_axes(links, pose))
    rotation, arm = world.rotation[cells], world.position[cells] - center_of_mass(model, q)
    linear = apply(rotation, linear)
    return jnp.concatenate([apply(rotation, angular) + cross(arm, linear), linear], axis=-1).T


def _momentum(links: Links, pose: Pose, v: Float[Array, " nv"], point: Float[Array, "3"]) -> Float[Array, "6"]:
    """Each link has [I ω + h × ẋ; m ẋ + ω × h] about its origin, in its frame; add them up about the point."""
    world = place_in_world(links, pose)
    motion = link_velocities(links, pose, world, v)
    rotation, position = world.rotation[:-1], world.position[:-1]
    mass, moment, inertia = (
        jnp.concatenate([free, slots.reshape(-1, *free.shape[1:])])
        for free, slots in (
            (links.free_inertia.mass, links.inertia.mass),
            (links.free_inertia.moment, links.inertia.moment),
            (links.free_inertia.inertia, links.inertia.inertia),
        )
    )
    omega, velocity = motion.angular[:-1], motion.linear[:-1]
    moment = apply(rotation, moment)
    spin = apply(rotation, apply(symmetric.unpack(inertia), apply_transpose(rotation, omega)))
    linear = mass[:, None] * velocity + cross(omega, moment)
    angular = spin + cross(moment, velocity) + cross(position - point, linear)
    return jnp.concatenate([jnp.sum(angular, axis=0), jnp.sum(linear, axis=0)])


def _weigh(model: Model, points: Float[Array, "bodies 3"]) -> Float[Array, "3"]:
    mass = jnp.asarray(model.bodies.mass)
    return jnp.sum(mass[:, None] * points, axis=0) / jnp.sum(mass)

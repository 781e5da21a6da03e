"""The mass matrix: the composite-rigid-body algorithm."""

import dataclasses
import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.dynamics.joints import Pose, joint_axes, place_links
from supple.dynamics.links import Links, articulate
from supple.dynamics.topology import WORLD, Level, Topology
from supple.dynamics.traverse import DEEP, inward
from supple.model.model import Model
from supple.spatial import symmetric
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, cross, dot


def crba(model: Model, q: Float[Array, " nq"]) -> Float[Array, "nv nv"]:
    """Mass matrix M(q), armature included; symmetric, kg m² and kg.

    Column d is the force that a unit acceleration of degree of freedom d demands: the composite inertia
    beyond its joint gives a wrench F = Iᶜ S_d, which is carried down to the root; at each joint on the way, M = Sᵀ F.
    Reference: Walker and Orin 1982; Featherstone 2008, section 6.2.
    """
    links = articulate(model)
    return mass_matrix(links, place_links(links, q))


def mass_matrix(links: Links, pose: Pose) -> Float[Array, "nv nv"]:
    """Mass matrix of placed links; see `crba`."""
    tree = links.topology
    angular, linear = joint_axes(links, pose.rotation)
    mass, moment, inertia = composite_inertias(links, pose)
    own = tree.dof_links
    torque = apply(symmetric.unpack(inertia)[own], angular) + cross(moment[own], linear)
    force = mass[own, None] * linear + cross(angular, moment[own])

    walk = _descent(tree)
    carry = _carry_in_loop if len(tree.levels) > DEEP else _carry
    entries = carry(walk, pose, angular, linear, torque, force)
    matrix = jnp.zeros((tree.nv, tree.nv), entries.dtype).at[walk.rows, walk.columns].set(entries)
    matrix = matrix.at[walk.columns, walk.rows].set(entries)
    return matrix + jnp.diag(links.armature[own])


def composite_inertias(links: Links, pose: Pose) -> tuple[Float[Array, " links"], Float[Array, "links 3"], Float[Array, "links 6"]]:
    """Mass, first moment and inertia, about its origin, of each link with all beyond it.

    Carried to the parent, h' = R h + m p, and I' = R I Rᵀ + tr(K) 1 − K with K = p (Rh)ᵀ + h' pᵀ.
    """

    def step(_: Level, below: Any, rows: Any) -> Any:
        rotation, position, mass, moment, inertia = rows
        mass, moment, inertia = mass + below[0], moment + below[1], inertia + below[2]
        turned = apply(rotation, moment)
        carried = turned + mass[:, None] * position
        inertia_above = symmetric.rotate(rotation, inertia) + symmetric.shift_inertia(turned, carried, position)
        return (mass, carried, inertia_above), (mass, moment, inertia)

    own = (links.mass, links.moment, links.inertia)
    zero = jax.tree.map(lambda x: jnp.zeros_like(x, shape=x.shape[1:]), own)
    return inward(links.topology, step, zero, (pose.rotation, pose.position, *own))


@dataclasses.dataclass(frozen=True, eq=False)
class _Descent:
    """The way of each column's wrench to its root, one joint a step."""

    places: np.ndarray  # (steps, nv) the link at which each degree of freedom's wrench is, or WORLD
    meets: np.ndarray  # (steps, nv, most) degrees of freedom of that link; −1 where there are fewer or the entry is known by symmetry
    rows: np.ndarray  # (entries,) of the matrix, in the order in which `meets` lists them
    columns: np.ndarray


@functools.lru_cache(maxsize=256)
def _descent(tree: Topology) -> _Descent:
    own = [np.flatnonzero(tree.dof_links == link) for link in range(tree.size)]
    most = max((len(dofs) for dofs in own), default=0)
    places, meets = [], []
    place = tree.dof_links
    while (place != WORLD).any():
        places.append(place)
        met = np.full((tree.nv, most), -1)
        for column, link in enumerate(place):
            dofs = own[link] if link != WORLD else np.array([], dtype=int)
            dofs = dofs[dofs <= column] if not meets else dofs
            met[column, : len(dofs)] = dofs
        meets.append(met)
        place = np.where(place == WORLD, WORLD, tree.parents[place])
    all_meets = np.array(meets)
    _, columns, _ = np.nonzero(all_meets >= 0)
    return _Descent(np.array(places), all_meets, all_meets[all_meets >= 0], columns)


def _carry(walk: _Descent, pose: Pose, angular: Array, linear: Array, torque: Array, force: Array) -> Array:
    """Matrix entries, step by step, over the columns that are still on their way."""
    entries = []
    for place, meet in zip(walk.places, walk.meets, strict=True):
        (moving,) = np.nonzero(place != WORLD)
        column, _ = np.nonzero(meet >= 0)
        row = meet[meet >= 0]
        entries.append(dot(angular[row], torque[column]) + dot(linear[row], force[column]))
        torque, force = _to_parent(pose, place[moving], torque, force, moving)
    return jnp.concatenate(entries)


def _to_parent(pose: Pose, links: np.ndarray, torque: Array, force: Array, moving: np.ndarray) -> tuple[Array, Array]:
    turned_force = apply(pose.rotation[links], force[moving])
    turned_torque = apply(pose.rotation[links], torque[moving]) + cross(pose.position[links], turned_force)
    return torque.at[moving].set(turned_torque), force.at[moving].set(turned_force)


def _carry_in_loop(walk: _Descent, pose: Pose, angular: Array, linear: Array, torque: Array, force: Array) -> Array:
    """The same for a deep tree, as one compiled loop in which columns that have arrived idle."""
    every = np.arange(len(torque))

    def step(wrench: Any, here: Any) -> Any:
        torque, force = wrench
        place, meet = here
        met = jnp.sum(angular[meet] * torque[:, None], axis=-1) + jnp.sum(linear[meet] * force[:, None], axis=-1)
        return _to_parent(pose, place, torque, force, every), met

    _, met = jax.lax.scan(step, (torque, force), (jnp.asarray(walk.places), jnp.asarray(walk.meets)))
    return met[walk.meets >= 0]

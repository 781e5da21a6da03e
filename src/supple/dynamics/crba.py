"""The mass matrix: the composite-rigid-body algorithm."""

import dataclasses
import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.dynamics.arguments import checked
from supple.dynamics.joints import Pose, joint_axes, place_links
from supple.dynamics.links import Inertia, Links, articulate
from supple.dynamics.rnea import resting_wrench
from supple.dynamics.topology import INDEX, NOWHERE, Topology
from supple.dynamics.traverse import inward
from supple.model.model import Model
from supple.spatial import symmetric
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, cross, dot


@checked
def crba(model: Model, q: Float[Array, " nq"]) -> Float[Array, "nv nv"]:
    """Mass matrix M(q), armature included; symmetric, kg m² and kg.

    Column d is the force that a unit acceleration of degree of freedom d demands: the composite inertia
    beyond its joint gives a wrench F = Iᶜ S_d, which is carried down to the root; at each joint on the way, M = Sᵀ F.
    Reference: Walker and Orin 1982; Featherstone 2008, section 6.2.
    """
    links = articulate(model)
    return mass_matrix(model, links, place_links(model, links, q))


def mass_matrix(model: Model, links: Links, pose: Pose) -> Float[Array, "nv nv"]:
    """Mass matrix of placed links; see `crba`."""
    tree = links.topology
    descent = _descent(tree)
    angular, linear = joint_axes(links, pose)
    own = descent.places[0] if len(descent.places) else np.zeros(0, dtype=INDEX)
    rotation, position = _cells(pose.free_rotation, pose.rotation), _cells(pose.free_position, pose.position)
    composite = jax.tree.map(lambda x: x[own], composite_inertias(links, pose))

    def step(wrench: Any, here: Any) -> Any:
        torque, force = wrench
        place, meet = here
        met = dot(angular[meet], torque[:, None]) + dot(linear[meet], force[:, None])
        force = apply(rotation[place], force)
        return (apply(rotation[place], torque) + cross(position[place], force), force), met

    _, met = jax.lax.scan(step, resting_wrench(composite, angular, linear), (descent.places, descent.meets))
    entries = met.reshape(-1)[descent.entries]
    matrix = jnp.zeros((tree.nv, tree.nv), entries.dtype).at[descent.rows, descent.columns].set(entries)
    matrix = matrix.at[descent.columns, descent.rows].set(entries)
    return matrix + jnp.diag(jnp.asarray(model.joints.armature)[tree.dof_joints])


def composite_inertias(links: Links, pose: Pose) -> Inertia:
    """Mass, first moment and inertia, about its origin, of each cell's link with all beyond it.

    Carried to the parent, h' = R h + m p, and I' = R I Rᵀ + tr(K) 1 − K with K = p (Rh)ᵀ + h' pᵀ.
    """

    def step(below: Inertia, rows: Any) -> Any:
        rotation, position, own = rows
        whole = _add(own, below)
        turned = apply(rotation, whole.moment)
        moment = turned + whole.mass[:, None] * position
        inertia = symmetric.rotate(rotation, whole.inertia) + symmetric.shift_inertia(turned, moment, position)
        return Inertia(whole.mass, moment, inertia), whole

    own = links.inertia
    zero = jax.tree.map(lambda x: jnp.zeros(x.shape[2:], x.dtype), own)
    roots, slots = inward(links.topology, step, zero, (pose.rotation, pose.position, own))
    free = _add(links.free_inertia, jax.tree.map(lambda x: x[: len(links.topology.free)], roots))
    return jax.tree.map(_cells, free, slots)


def _add(a: Inertia, b: Inertia) -> Inertia:
    return jax.tree.map(jnp.add, a, b)


def _cells(free: Float[Array, "free *n"], slots: Float[Array, "depth width *n"]) -> Float[Array, "cells *n"]:
    return jnp.concatenate([free, slots.reshape(-1, *free.shape[1:])])


@dataclasses.dataclass(frozen=True, eq=False)
class _Descent:
    """The way of each column's wrench to its root, one joint a step; columns that have arrived idle in cell 0."""

    places: np.ndarray  # (steps, nv) the cell in which each degree of freedom's wrench is
    meets: np.ndarray  # (steps, nv, most) degrees of freedom of that cell's joint
    entries: np.ndarray  # (entries,) positions in `meets`, flat, that give an entry of the matrix
    rows: np.ndarray  # (entries,) of the matrix
    columns: np.ndarray


@functools.lru_cache(maxsize=256)
def _descent(tree: Topology) -> _Descent:
    own_cells = tree.cells[tree.dof_joints]
    dofs = [np.flatnonzero(own_cells == cell) for cell in range(len(tree.cell_parents))]
    most = max(map(len, dofs), default=1)
    meetings = np.array([list(d) + [NOWHERE] * (most - len(d)) for d in [*dofs, []]])  # a last row for NOWHERE
    above = np.append(tree.cell_parents, NOWHERE)
    places, meets = [], []
    place = own_cells
    while (place != NOWHERE).any():
        places.append(place)
        meets.append(meetings[place])
        place = above[place]
    if not places:
        return _Descent(np.zeros((0, 0), INDEX), np.zeros((0, 0, 1), INDEX), *(np.zeros(0, INDEX) for _ in range(3)))
    all_meets = np.array(meets)
    columns = np.broadcast_to(np.arange(tree.nv)[:, None], all_meets.shape)
    lower = (all_meets != NOWHERE) & (all_meets <= columns) | (all_meets != NOWHERE) & (np.arange(len(places)) > 0)[
        :, None, None
    ]
    entries = np.flatnonzero(lower)
    return _Descent(
        places=np.maximum(places, 0).astype(INDEX),
        meets=np.maximum(all_meets, 0).astype(INDEX),
        entries=entries.astype(INDEX),
        rows=all_meets.ravel()[entries].astype(INDEX),
        columns=columns.ravel()[entries].astype(INDEX),
    )

"""The mass matrix, factorised without fill-in: M = Lᵀ D L.

A degree of freedom shares inertia with its ancestors and descendants only. Eliminated from the tips inward, M keeps
this sparsity: a row of the unit lower triangular L has entries at the ancestors of its degree of freedom alone. So each
row is stored by the *depth* of the ancestors, which are the same for all that lie beyond them, and all degrees of
freedom of one depth are eliminated at once: O(n d²) for depth d.

For one solution M⁻¹ f, `solve_mass` is cheaper (O(n)), and its derivative does not pass through a factorisation; this
one serves many right-hand sides, and algorithms that need L and D themselves.
Reference: Featherstone 2005, Efficient factorization of the joint-space inertia matrix for branched kinematic trees;
2008, section 6.5. The same numbers as MuJoCo's `qLD`.
"""

import functools
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.dynamics.arguments import checked
from supple.dynamics.crba import mass_matrix
from supple.dynamics.joints import place_links
from supple.dynamics.links import articulate
from supple.dynamics.topology import INDEX, NOWHERE, Topology
from supple.model.model import Model
from supple.spatial.arrays import Array


class MassFactor(eqx.Module):
    """M = Lᵀ D L, with L unit lower triangular and D diagonal; made by `mass_factor`."""

    rows: Float[Array, "nv depth"]  # entries of L − 1 in each row, by the depth of the ancestor
    diagonal: Float[Array, " nv"]  # D
    topology: Topology = eqx.field(static=True)

    def solve(self, force: Float[Array, "nv *n"]) -> Float[Array, "nv *n"]:
        """M⁻¹ f, for one or many right-hand sides (columns)."""
        columns = force.reshape(len(self.diagonal), -1)
        solution = self._solve_lower(self._solve_upper(columns) / self.diagonal[:, None])
        return solution.reshape(force.shape)

    def solve_half(self, force: Float[Array, "nv *n"]) -> Float[Array, "nv *n"]:
        """D^(−½) L⁻ᵀ f, of which |·|² = fᵀ M⁻¹ f: for J M⁻¹ Jᵀ without a solution per row. MuJoCo's `mj_solveM2`."""
        columns = force.reshape(len(self.diagonal), -1)
        return (self._solve_upper(columns) / jnp.sqrt(self.diagonal)[:, None]).reshape(force.shape)

    def lower(self) -> Float[Array, "nv nv"]:
        """L as a full matrix."""
        order, nv = _elimination(self.topology), self.topology.nv
        row, depth = np.nonzero(order.ancestors[:nv] != nv)
        below = jnp.zeros((nv, nv), self.rows.dtype).at[row, order.ancestors[row, depth]].set(self.rows[row, depth])
        return below + jnp.eye(nv, dtype=below.dtype)

    def _solve_upper(self, columns: Float[Array, "nv n"]) -> Float[Array, "nv n"]:
        """L⁻ᵀ b: from the tips, each degree of freedom takes its share off its ancestors."""
        order, rows = _elimination(self.topology), _with_spare(self.rows)

        def step(x: jax.Array, level: Any) -> tuple[jax.Array, None]:
            share = rows[level][:, :, None] * x[level][:, None, :]
            return x.at[order.above(level)].add(-share), None

        return jax.lax.scan(step, _with_spare(columns), order.levels, reverse=True)[0][:-1]

    def _solve_lower(self, columns: Float[Array, "nv n"]) -> Float[Array, "nv n"]:
        """L⁻¹ b: from the roots, each degree of freedom loses its share of its ancestors."""
        order, rows = _elimination(self.topology), _with_spare(self.rows)

        def step(x: jax.Array, level: Any) -> tuple[jax.Array, None]:
            share = jnp.sum(rows[level][:, :, None] * x[order.above(level)], axis=1)
            return x.at[level].add(-share), None

        return jax.lax.scan(step, _with_spare(columns), order.levels)[0][:-1]


@checked
def mass_factor(model: Model, q: Float[Array, " nq"]) -> MassFactor:
    """The factors of the mass matrix at configuration q, armature included.

    Where M is singular (see `model.check()`) they are not finite.
    """
    links = articulate(model)
    tree = links.topology
    order, nv = _elimination(tree), tree.nv
    matrix = mass_matrix(model, links, place_links(model, links, q))
    present = order.ancestors != nv
    entries = jnp.where(present, jnp.pad(matrix, ((0, 1), (0, 1)))[np.arange(nv + 1)[:, None], order.ancestors], 0.0)
    diagonal = jnp.append(jnp.diagonal(matrix), 1.0)  # a last row for nobody

    def step(carry: Any, level: Any) -> tuple[Any, None]:
        rows, diagonal = carry
        own, above = jnp.where(jnp.asarray(present)[level], rows[level], 0.0), order.above(level)
        scaled = own / diagonal[level][:, None]
        rows = rows.at[above].add(-scaled[:, :, None] * own[:, None, :])
        return (rows.at[level].set(scaled), diagonal.at[above].add(-scaled * own)), None

    (rows, diagonal), _ = jax.lax.scan(step, (entries, diagonal), order.levels, reverse=True)
    return MassFactor(jnp.where(present, rows, 0.0)[:-1], diagonal[:-1], tree)


class _Elimination(NamedTuple):
    """Degrees of freedom by depth, each with its ancestors; nv stands for nobody."""

    levels: np.ndarray  # (depths, most) degrees of freedom of each depth
    ancestors: np.ndarray  # (nv + 1, depths) by depth; a last row for nobody

    def above(self, level: Array) -> Array:
        """The ancestors of a level's degrees of freedom."""
        return jnp.asarray(self.ancestors)[level]


@functools.lru_cache(maxsize=256)
def _elimination(tree: Topology) -> _Elimination:
    nv, cells = tree.nv, tree.cells[tree.dof_joints]
    dofs = [np.flatnonzero(cells == cell) for cell in range(len(tree.cell_parents))]
    above: list[list[int]] = [[] for _ in range(nv)]
    reach: list[list[int]] = []  # the degrees of freedom that move each cell
    for cell, parent in enumerate(tree.cell_parents):  # parents stand before their children
        reach.append(list(reach[parent]) if parent != NOWHERE else [])
        for dof in dofs[cell]:
            above[dof] = list(reach[cell])
            reach[cell].append(int(dof))
    depths = [len(ancestors) for ancestors in above]
    levels = [[dof for dof in range(nv) if depths[dof] == depth] for depth in range(max(depths, default=-1) + 1)]
    most = max(map(len, levels), default=0)
    ancestors = np.full((nv + 1, len(levels)), nv, dtype=INDEX)
    for dof, own in enumerate(above):
        ancestors[dof, : len(own)] = own
    return _Elimination(
        np.array([level + [nv] * (most - len(level)) for level in levels], dtype=INDEX).reshape(-1, most), ancestors
    )


def _with_spare(values: Float[Array, "nv *n"]) -> Float[jax.Array, "rows *n"]:
    """A last row of zeros, for nobody."""
    return jnp.concatenate([values, jnp.zeros((1, *values.shape[1:]), values.dtype)])

"""Wrenches that act on bodies from outside."""

import jax.numpy as jnp
from jaxtyping import Float

from supple.dynamics.arguments import checked
from supple.dynamics.attached import attach_bodies
from supple.dynamics.joints import place_links
from supple.dynamics.links import articulate
from supple.dynamics.rnea import joint_force
from supple.dynamics.topology import NOWHERE
from supple.dynamics.world import place_in_world
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.spatial.vector import apply_transpose, cross


@checked
def external_force(model: Model, q: Float[Array, " nq"], wrenches: Float[Array, "bodies 6"]) -> Float[Array, " nv"]:
    """Generalised force of wrenches on bodies: τ = Σ Jᵢᵀ wᵢ, in O(n), without building a Jacobian.

    A wrench is a torque (N m), then a force (N), in world axes; the force acts at the body frame's origin. Add the
    result to the τ of `aba`. (MuJoCo's `xfrc_applied` has the force first, and it acts at the centre of mass.)
    """
    links = articulate(model)
    tree = links.topology
    pose = place_links(model, links, q)
    rotation = place_in_world(links, pose).rotation[tree.body_cells]
    torque, force = apply_transpose(rotation, wrenches[:, :3]), apply_transpose(rotation, wrenches[:, 3:])
    torque = torque + cross(attach_bodies(model, tree).position, force)

    moving, free = tree.body_cells != NOWHERE, len(tree.free)
    rows = jnp.concatenate([torque, force], axis=-1)[moving]
    cells = jnp.zeros((len(tree.cell_parents), 6), rows.dtype).at[tree.body_cells[moving]].add(rows)
    slots = cells[free:].reshape(*tree.slots.shape, 6)
    return joint_force(links, pose, (slots[..., :3], slots[..., 3:]), (cells[:free, :3], cells[:free, 3:]))

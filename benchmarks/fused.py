"""A robot with one body per joint: what moves together, put together, as every engine would have it."""

from dataclasses import replace

import equinox as eqx
import jax
import numpy as np

import supple as sp
from supple.dynamics.links import articulate
from supple.model.model import Bodies
from supple.spatial import symmetric


def fused(model: sp.Model) -> sp.Model:
    """The same robot without welded bodies, limits and dry friction, which peers would treat as constraints.

    Each body has one joint, in its origin. Its dynamics are those of `model`, in the same coordinates.
    """
    with jax.enable_x64(True):
        links = jax.tree.map(np.asarray, articulate(model))
        tree, free = links.topology, len(links.topology.free)
        mass, moment, inertia = (
            np.concatenate([getattr(links.free_inertia, name), flat(getattr(links.inertia, name))])[tree.cells]
            for name in ("mass", "moment", "inertia")
        )
        center = moment / mass[:, None]
        about_center = inertia - np.asarray(symmetric.point_inertia(moment, center))
    joints = model.joints
    owners = list(joints.bodies)
    rotation, position = model.bodies.rotation[owners], model.bodies.position[owners]
    seated = tree.cells >= free
    rotation[seated] = flat(links.rotation)[tree.cells[seated] - free]
    position[seated] = flat(links.position)[tree.cells[seated] - free]
    joint_of_cell = {cell: joint for joint, cell in enumerate(tree.cells.tolist())} | {-1: -1}
    bodies = Bodies(
        position=position,
        rotation=rotation,
        mass=mass,
        center_of_mass=center,
        inertia=about_center,
        gravity_compensation=None,
        names=joints.names,
        parents=tuple(joint_of_cell[cell] for cell in tree.cell_parents[tree.cells].tolist()),
    )
    unlimited = replace(
        joints,
        position=np.zeros_like(joints.position),
        friction_loss=np.zeros_like(joints.friction_loss),
        bodies=tuple(range(len(owners))),
        limited=(False,) * len(owners),
    )
    bare = eqx.tree_at(lambda m: (m.bodies, m.joints), model, (bodies, unlimited))
    return replace(bare, sites=None, sensors=())


def flat(slots: np.ndarray) -> np.ndarray:
    """(depth, width, …) → (slots, …)."""
    return slots.reshape(-1, *slots.shape[2:])

"""Links: a model's bodies fused into what moves together, in link order."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.dynamics.topology import WORLD, Topology, topology
from supple.model.model import Model
from supple.spatial import symmetric
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, multiply


class Links(eqx.Module):
    """Rigid links, one per joint, in link order (see `Topology`).

    A link's frame has its origin at its joint's anchor and the orientation of the body that the joint moves, after that joint.
    """

    rotation: Float[Array, "links 3 3"]  # R_parent_link at the joint's reference
    position: Float[Array, "links 3"]  # origin in the parent link's frame at the joint's reference, m
    axis: Float[Array, "links 3"]
    reference: Float[Array, " links"]
    armature: Float[Array, " links"]
    mass: Float[Array, " links"]
    moment: Float[Array, "links 3"]  # mass times centre of mass, kg m
    inertia: Float[Array, "links 6"]  # about the link's origin, kg m²
    topology: Topology = eqx.field(static=True)


class BodyPlacement(eqx.Module):
    """Where each body stands in its link's frame (in the world's, if it never moves)."""

    rotation: Float[Array, "bodies 3 3"]
    position: Float[Array, "bodies 3"]


def articulate(model: Model) -> Links:
    """Fuse a model's bodies into links: m = Σ mᵢ, h = Σ mᵢ cᵢ, I = Σ (R Iᵢ Rᵀ + mᵢ (cᵢ·cᵢ 1 − cᵢ cᵢᵀ))."""
    tree = topology(model)
    model = jax.tree.map(jnp.asarray, model)
    placement = place_bodies(model, tree)
    rotation, position = _place_joints(model, tree, placement)
    mass, moment, inertia = _fuse_inertias(model, tree, placement)
    joints = model.joints
    return Links(
        rotation=rotation,
        position=position,
        axis=joints.axis[tree.joints],
        reference=joints.reference[tree.joints],
        armature=joints.armature[tree.joints],
        mass=mass,
        moment=moment,
        inertia=inertia,
        topology=tree,
    )


def place_bodies(model: Model, tree: Topology) -> BodyPlacement:
    """Body frames in link frames: a moving body by its last joint's anchor, a welded one through its parent.

    Welded bodies are composed in batches of equal distance from a moving one.
    """
    bodies, anchors = model.bodies, jnp.asarray(model.joints.position)
    moving = [body for body, own in enumerate(tree.body_joints) if own]
    last = np.array([tree.body_joints[body][-1] for body in moving], dtype=int)
    identity = jnp.eye(3, dtype=anchors.dtype)[None]
    rotation, position = jnp.repeat(identity, 1 + len(moving), axis=0), jnp.concatenate([jnp.zeros_like(anchors, shape=(1, 3)), -anchors[last]])
    row = {WORLD: 0} | {body: 1 + i for i, body in enumerate(moving)}
    for batch in _weld_batches(bodies.parents, tree):
        above = np.array([row[bodies.parents[body]] for body in batch])
        row |= {body: len(row) + i for i, body in enumerate(batch)}
        own = np.array(batch)
        rotation, position = (
            jnp.concatenate([rotation, multiply(rotation[above], bodies.rotation[own])]),
            jnp.concatenate([position, position[above] + apply(rotation[above], bodies.position[own])]),
        )
    order = np.array([row[body] for body in range(len(bodies.parents))], dtype=int)
    return BodyPlacement(rotation[order], position[order])


def _weld_batches(parents: tuple[int, ...], tree: Topology) -> list[list[int]]:
    """Bodies without joints, by the number of welds between them and a moving body (or the world)."""
    welds: dict[int, int] = {WORLD: 0}
    batches: list[list[int]] = []
    for body, parent in enumerate(parents):
        welds[body] = 0 if tree.body_joints[body] else welds[parent] + 1
        if welds[body]:
            batches.extend([] for _ in range(welds[body] - len(batches)))
            batches[welds[body] - 1].append(body)
    return batches


def _place_joints(model: Model, tree: Topology, placement: BodyPlacement) -> tuple[Array, Array]:
    """Each joint's frame in the parent link's frame: through the parent body, or from the joint before on the same body."""
    bodies, anchors = model.bodies, jnp.asarray(model.joints.position)
    first = [own[0] for own in tree.body_joints if own]
    later = [joint for own in tree.body_joints for joint in own[1:]]
    before = np.array([own[i] for own in tree.body_joints for i in range(len(own) - 1)], dtype=int)
    moved = np.array([body for body, own in enumerate(tree.body_joints) if own], dtype=int)
    above = np.array([bodies.parents[body] for body in moved], dtype=int)

    # A row for the world stands last, where the index WORLD = -1 finds it.
    R_link_body = jnp.concatenate([placement.rotation, jnp.eye(3, dtype=anchors.dtype)[None]])[above]
    p_link_body = jnp.concatenate([placement.position, jnp.zeros_like(anchors, shape=(1, 3))])[above]
    rotation = multiply(R_link_body, bodies.rotation[moved])
    position = p_link_body + apply(R_link_body, bodies.position[moved]) + apply(rotation, anchors[np.array(first, dtype=int)])

    order = np.argsort(np.array(first + later, dtype=int))[tree.joints]
    later_rotation = jnp.broadcast_to(jnp.eye(3, dtype=anchors.dtype), (len(later), 3, 3))
    later_position = anchors[np.array(later, dtype=int)] - anchors[before]
    return (
        jnp.concatenate([rotation, later_rotation])[order],
        jnp.concatenate([position, later_position])[order],
    )


def _fuse_inertias(model: Model, tree: Topology, placement: BodyPlacement) -> tuple[Array, Array, Array]:
    bodies = model.bodies
    moving = np.array([body for body, own in enumerate(tree.body_joints) if own], dtype=int)
    welded = np.array([body for body, own in enumerate(tree.body_joints) if not own and tree.body_links[body] != WORLD], dtype=int)
    member = np.concatenate([moving, welded])
    R_link_body = placement.rotation[welded]
    center = placement.position[member] + jnp.concatenate(
        [bodies.center_of_mass[moving], apply(R_link_body, bodies.center_of_mass[welded])]
    )
    mass = bodies.mass[member]
    moment = mass[:, None] * center
    inertia = jnp.concatenate([bodies.inertia[moving], symmetric.rotate(R_link_body, bodies.inertia[welded])])
    inertia = inertia + symmetric.point_inertia(moment, center)

    def fuse(values: Array) -> Array:
        return jnp.zeros((tree.size, *values.shape[1:]), values.dtype).at[tree.body_links[member]].add(values)

    return fuse(mass), fuse(moment), fuse(inertia)

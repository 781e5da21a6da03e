"""Links: a model's bodies fused into what moves together, in link order."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.dynamics.topology import NOWHERE, Topology, topology
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.spatial import symmetric
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, multiply


class Inertia(eqx.Module):
    """Rigid inertias about their frames' origins."""

    mass: Float[Array, "*links"]  # kg
    moment: Float[Array, "*links 3"]  # mass times centre of mass, kg m
    inertia: Float[Array, "*links 6"]  # kg m²


class Links(eqx.Module):
    """Rigid links, one per joint, in the slots of `Topology`; those of free joints apart.

    A link's frame has its origin at its joint's anchor and the orientation of the body that the joint moves, after
    that joint.
    """

    rotation: Float[Array, "depth width 3 3"]  # R_parent_link at the joint's reference
    position: Float[Array, "depth width 3"]  # origin in the parent link's frame at the joint's reference, m
    angular: Float[Array, "depth width freedoms 3"]  # S, the link's motion under unit joint rates, in its own frame
    linear: Float[Array, "depth width freedoms 3"] | None  # none if no joint slides
    armature: Float[Array, "depth width freedoms"]  # one where there is no freedom, which keeps that finite
    inertia: Inertia
    free_inertia: Inertia
    free_armature: Float[Array, " free"]
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
    free_inertia, inertia = _fuse_inertias(model, tree, placement)
    angular, linear = _motion_axes(model, tree)
    armature = model.joints.armature[tree.slots][..., None]
    return Links(
        rotation=jnp.where((tree.slots == NOWHERE)[..., None, None], jnp.eye(3), rotation[tree.slots]),
        position=jnp.where((tree.slots == NOWHERE)[..., None], 0.0, position[tree.slots]),
        angular=angular,
        linear=linear if JointKind.SLIDE in tree.has else None,
        armature=jnp.where(tree.slot_v == NOWHERE, 1.0, armature),
        inertia=inertia,
        free_inertia=free_inertia,
        free_armature=model.joints.armature[tree.free],
        topology=tree,
    )


def _motion_axes(model: Model, tree: Topology) -> tuple[Array, Array]:
    """S of every slot: a hinge turns about its axis, a slide moves along it, a ball turns about the link's axes."""
    kinds = np.array([*(kind.value for kind in model.joints.kinds), ""])[tree.slots]
    axis = model.joints.axis[tree.slots][:, :, None]
    first = np.arange(tree.freedoms)[:, None] == 0
    hinge, slide, ball = (
        (kinds == kind.value)[:, :, None, None] for kind in (JointKind.HINGE, JointKind.SLIDE, JointKind.BALL)
    )
    angular = jnp.where(hinge & first, axis, jnp.where(ball, jnp.eye(tree.freedoms, 3, dtype=axis.dtype), 0.0))
    return angular, jnp.where(slide & first, axis, 0.0)


def place_bodies(model: Model, tree: Topology) -> BodyPlacement:
    """Body frames in link frames: a moving body by its last joint's anchor, a welded one through its parent.

    Welded bodies are composed in batches of equal distance from a moving one.
    """
    bodies, anchors = model.bodies, jnp.asarray(model.joints.position)
    moving = [body for body, own in enumerate(tree.body_joints) if own]
    last = np.array([tree.body_joints[body][-1] for body in moving], dtype=int)
    identity = jnp.eye(3, dtype=anchors.dtype)[None]
    rotation, position = (
        jnp.repeat(identity, 1 + len(moving), axis=0),
        jnp.concatenate([jnp.zeros_like(anchors, shape=(1, 3)), -anchors[last]]),
    )
    row = {NOWHERE: 0} | {body: 1 + i for i, body in enumerate(moving)}
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
    welds: dict[int, int] = {NOWHERE: 0}
    batches: list[list[int]] = []
    for body, parent in enumerate(parents):
        welds[body] = 0 if tree.body_joints[body] else welds[parent] + 1
        if welds[body]:
            batches.extend([] for _ in range(welds[body] - len(batches)))
            batches[welds[body] - 1].append(body)
    return batches


def _place_joints(model: Model, tree: Topology, placement: BodyPlacement) -> tuple[Array, Array]:
    """Each joint's frame in the parent link's: through the parent body, or from the joint before on the same body."""
    bodies, anchors = model.bodies, jnp.asarray(model.joints.position)
    first = [own[0] for own in tree.body_joints if own]
    later = [joint for own in tree.body_joints for joint in own[1:]]
    before = np.array([own[i] for own in tree.body_joints for i in range(len(own) - 1)], dtype=int)
    moved = np.array([body for body, own in enumerate(tree.body_joints) if own], dtype=int)
    above = np.array([bodies.parents[body] for body in moved], dtype=int)

    # A row for the world stands last, where the index NOWHERE = -1 finds it.
    R_link_body = jnp.concatenate([placement.rotation, jnp.eye(3, dtype=anchors.dtype)[None]])[above]
    p_link_body = jnp.concatenate([placement.position, jnp.zeros_like(anchors, shape=(1, 3))])[above]
    rotation = multiply(R_link_body, bodies.rotation[moved])
    position = (
        p_link_body + apply(R_link_body, bodies.position[moved]) + apply(rotation, anchors[np.array(first, dtype=int)])
    )

    later_rotation = jnp.broadcast_to(jnp.eye(3, dtype=anchors.dtype), (len(later), 3, 3))
    later_position = anchors[np.array(later, dtype=int)] - anchors[before]
    order = np.argsort(np.array(first + later, dtype=int))
    return (
        jnp.concatenate([rotation, later_rotation])[order],
        jnp.concatenate([position, later_position])[order],
    )


def _fuse_inertias(model: Model, tree: Topology, placement: BodyPlacement) -> tuple[Inertia, Inertia]:
    bodies = model.bodies
    moving = np.array([body for body, own in enumerate(tree.body_joints) if own], dtype=int)
    welded = np.array(
        [body for body, own in enumerate(tree.body_joints) if not own and tree.body_cells[body] != NOWHERE], dtype=int
    )
    member = np.concatenate([moving, welded])
    R_link_body = placement.rotation[welded]
    center = placement.position[member] + jnp.concatenate(
        [bodies.center_of_mass[moving], apply(R_link_body, bodies.center_of_mass[welded])]
    )
    mass = bodies.mass[member]
    moment = mass[:, None] * center
    inertia = jnp.concatenate([bodies.inertia[moving], symmetric.rotate(R_link_body, bodies.inertia[welded])])
    inertia = inertia + symmetric.point_inertia(moment, center)

    cells, free = len(tree.cell_parents), len(tree.free)

    def fuse(values: Array) -> tuple[Array, Array]:
        fused = jnp.zeros((cells, *values.shape[1:]), values.dtype).at[tree.body_cells[member]].add(values)
        return fused[:free], fused[free:].reshape(*tree.slots.shape, *values.shape[1:])

    free_parts, slot_parts = zip(*map(fuse, (mass, moment, inertia)), strict=True)
    return Inertia(*free_parts), Inertia(*slot_parts)

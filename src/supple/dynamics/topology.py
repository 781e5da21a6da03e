"""The static shape of the joint tree: who moves whom, level by level.

Every joint moves one *link*: the material between it and the next joints. A body with several joints yields several
links, the first ones massless; bodies without a joint belong to the link of their nearest moving ancestor.

Links of free joints move in the world; all others stand in a grid of *slots*, one row per level of the tree, padded
to the widest level. A walk over the tree is then one loop over levels, which compiles as fast for a long chain as for
a short one, and which the scalar compiler unrolls without a trace of the padding.
"""

import collections
import dataclasses
import functools

import numpy as np

from supple.model.joint import JointKind
from supple.model.model import Model

NOWHERE = -1  # the world as a parent, or no joint in a slot
INDEX = np.int32  # JAX 0.10 mistypes a 64-bit index array that it meets first without and then with 64-bit mode


@dataclasses.dataclass(frozen=True, eq=False)
class Group:
    """Joints of one kind, with the indices of their coordinates."""

    kind: JointKind
    joints: np.ndarray  # (n,)
    q: np.ndarray  # (n, nq) into q
    v: np.ndarray  # (n, nv) into v


@dataclasses.dataclass(frozen=True, eq=False)
class Topology:
    """The joint tree of a model; see the module's text.

    Before the first level stand its *roots*: the free links, then the world if anything is jointed to it. A *cell* is
    a link's place among all links: free ones first, then the slots, row by row.
    """

    groups: tuple[Group, ...]
    free: np.ndarray  # (free,) the free joints
    slots: np.ndarray  # (depth, width) joints, or NOWHERE
    parents: np.ndarray  # (depth, width) row of the parent in the level above; 0 where there is no joint
    roots: int  # rows before the first level
    slot_v: np.ndarray  # (depth, width, freedoms) into v, or NOWHERE
    cells: np.ndarray  # (joints,) the cell of each joint's link
    cell_parents: np.ndarray  # (cells,) or NOWHERE
    body_cells: np.ndarray  # (bodies,) the cell of the link that each body belongs to, or NOWHERE
    body_joints: tuple[tuple[int, ...], ...]  # the joints of each body, in order
    nv: int

    @property
    def has(self) -> frozenset[JointKind]:
        """The kinds of joint in the tree."""
        return frozenset(group.kind for group in self.groups)

    @property
    def freedoms(self) -> int:
        """Degrees of freedom for which a slot has room."""
        return self.slot_v.shape[-1]

    @property
    def free_v(self) -> np.ndarray:
        """(free, 6) indices into v of the free joints."""
        return next((group.v for group in self.groups if group.kind is JointKind.FREE), np.zeros((0, 6), dtype=INDEX))

    @property
    def dof_joints(self) -> np.ndarray:
        """(nv,) the joint of each degree of freedom."""
        joints = np.zeros(self.nv, dtype=INDEX)
        for group in self.groups:
            joints[group.v] = group.joints[:, None]
        return joints


def topology(model: Model) -> Topology:
    """The joint tree of a model, computed once for each structure."""
    return _topology(model.bodies.parents, model.joints.kinds, model.joints.bodies)


@functools.lru_cache(maxsize=256)
def _topology(parents: tuple[int, ...], kinds: tuple[JointKind, ...], joint_bodies: tuple[int, ...]) -> Topology:
    body_joints: list[list[int]] = [[] for _ in parents]
    for joint, body in enumerate(joint_bodies):
        body_joints[body].append(joint)
    carriers = _carriers(parents, body_joints)
    joint_parents = [NOWHERE] * len(kinds)
    for body, joints in enumerate(body_joints):
        above = carriers[parents[body]] if parents[body] != NOWHERE else NOWHERE
        for joint in joints:
            joint_parents[joint], above = above, joint

    free = [joint for joint, kind in enumerate(kinds) if kind is JointKind.FREE]
    levels = _levels(joint_parents, free)
    width = max(map(len, levels), default=1)
    slots = np.array([level + [NOWHERE] * (width - len(level)) for level in levels], dtype=INDEX).reshape(-1, width)
    cells = np.full(len(kinds) + 1, NOWHERE, dtype=INDEX)  # a last entry for NOWHERE itself
    cells[free] = np.arange(len(free))
    cells[slots[slots != NOWHERE]] = len(free) + np.flatnonzero(slots.ravel() != NOWHERE)
    cell_parents = np.full(len(free) + slots.size, NOWHERE, dtype=INDEX)
    cell_parents[cells[:-1]] = cells[joint_parents]
    groups = _groups(kinds)
    rows, roots = _rows(slots, joint_parents, free)
    return Topology(
        groups=groups,
        free=np.array(free, dtype=INDEX),
        slots=slots,
        parents=rows,
        roots=roots,
        slot_v=_slot_v(slots, groups),
        cells=cells[:-1],
        cell_parents=cell_parents,
        body_cells=cells[carriers],
        body_joints=tuple(map(tuple, body_joints)),
        nv=sum(kind.nv for kind in kinds),
    )


def _carriers(parents: tuple[int, ...], body_joints: list[list[int]]) -> list[int]:
    """The joint that carries each body: its own last one, or that of its nearest moving ancestor."""
    carriers: list[int] = []
    for parent, joints in zip(parents, body_joints, strict=True):
        carriers.append(joints[-1] if joints else (carriers[parent] if parent != NOWHERE else NOWHERE))
    return carriers


def _levels(joint_parents: list[int], free: list[int]) -> list[list[int]]:
    """Joints that are not free by their distance from the roots, siblings in the order of their parents."""
    children = collections.defaultdict(list)
    for joint, parent in enumerate(joint_parents):
        children[parent].append(joint)
    children[NOWHERE] = [joint for joint in children[NOWHERE] if joint not in set(free)]
    levels: list[list[int]] = []
    level = [*free, NOWHERE]
    while level := [child for joint in level for child in children[joint]]:
        levels.append(level)
    return levels


def _rows(slots: np.ndarray, joint_parents: list[int], free: list[int]) -> tuple[np.ndarray, int]:
    """The row of each slot's parent in the level above, and the number of roots."""
    grounded = any(joint_parents[joint] == NOWHERE for joint in slots[0] if joint != NOWHERE) if slots.size else False
    roots = [*free, *([NOWHERE] if grounded or not free else [])]
    rows = np.zeros_like(slots)
    above = roots
    for depth, level in enumerate(slots):
        place = {joint: row for row, joint in enumerate(above)}
        for column, joint in enumerate(level):
            if joint != NOWHERE:
                rows[depth, column] = place[joint_parents[joint]]
        above = list(level)
    return rows, len(roots)


def _groups(kinds: tuple[JointKind, ...]) -> tuple[Group, ...]:
    q_starts = np.cumsum([0, *(kind.nq for kind in kinds)])
    v_starts = np.cumsum([0, *(kind.nv for kind in kinds)])
    groups = []
    for kind in JointKind:
        joints = np.array([joint for joint, k in enumerate(kinds) if k is kind], dtype=INDEX)
        if joints.size:
            q = (q_starts[joints][:, None] + np.arange(kind.nq)).astype(INDEX)
            v = (v_starts[joints][:, None] + np.arange(kind.nv)).astype(INDEX)
            groups.append(Group(kind, joints, q, v))
    return tuple(groups)


def _slot_v(slots: np.ndarray, groups: tuple[Group, ...]) -> np.ndarray:
    seated = [group for group in groups if group.kind is not JointKind.FREE]
    freedoms = max((group.kind.nv for group in seated), default=1)
    dofs = {
        joint: list(v) + [NOWHERE] * (freedoms - len(v))
        for group in seated
        for joint, v in zip(group.joints, group.v, strict=True)
    }
    rows = [dofs.get(joint, [NOWHERE] * freedoms) for joint in slots.ravel()]
    return np.array(rows, dtype=INDEX).reshape(*slots.shape, freedoms)

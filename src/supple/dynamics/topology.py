"""The static shape of the joint tree: who moves whom, level by level.

Every joint moves one *link*: the material between it and the next joints. A body with several
joints yields several links, the first ones massless; bodies without a joint belong to the link of
their nearest moving ancestor. Links are ordered by depth and, within a level, by kind, so that a
level, and the links of one kind in it, are contiguous slices of every array.
"""

import dataclasses
import functools
import itertools

import numpy as np

from supple.model.joint import JointKind
from supple.model.model import Model

WORLD = -1


@dataclasses.dataclass(frozen=True, eq=False)
class Group:
    """Links of one kind: their positions in a level, or in the whole order, and their coordinates."""

    kind: JointKind
    links: np.ndarray  # positions in the link order
    q: np.ndarray  # (links, nq) indices into q
    v: np.ndarray  # (links, nv) indices into v


@dataclasses.dataclass(frozen=True)
class Span:
    """Links of one kind within a level: positions in the level, and the first one's position among all links of the kind."""

    kind: JointKind
    start: int
    stop: int
    first: int


@dataclasses.dataclass(frozen=True, eq=False)
class Level:
    """Links of one depth, a slice of the link order; `parents` are positions within the level above."""

    start: int
    stop: int
    parents: np.ndarray
    spans: tuple["Span", ...]

    @property
    def width(self) -> int:
        """Number of links."""
        return self.stop - self.start

    def continues(self, above: "Level") -> bool:
        """Whether this level is alike the one above, link for link, so that the two may share a loop's body."""
        alike = [(s.kind, s.start, s.stop) for s in self.spans] == [(s.kind, s.start, s.stop) for s in above.spans]
        return alike and np.array_equal(self.parents, np.arange(above.width))


@dataclasses.dataclass(frozen=True, eq=False)
class Topology:
    """The joint tree of a model; see the module's text."""

    joints: np.ndarray  # (links,) the joint that moves each link
    parents: np.ndarray  # (links,) position of the parent link, or WORLD
    depths: np.ndarray  # (links,) zero at the roots
    levels: tuple[Level, ...]
    groups: tuple[Group, ...]  # by kind, over the whole tree
    body_links: np.ndarray  # (bodies,) the link that each body belongs to, or WORLD
    body_joints: tuple[tuple[int, ...], ...]  # the joints of each body, in order
    dof_links: np.ndarray  # (nv,) the link that each degree of freedom moves
    nv: int

    @property
    def size(self) -> int:
        """Number of links."""
        return len(self.joints)


def topology(model: Model) -> Topology:
    """The joint tree of a model, computed once for each structure."""
    return _topology(model.bodies.parents, model.joints.kinds, model.joints.bodies)


@functools.lru_cache(maxsize=256)
def _topology(parents: tuple[int, ...], kinds: tuple[JointKind, ...], joint_bodies: tuple[int, ...]) -> Topology:
    body_joints = [[] for _ in parents]
    for joint, body in enumerate(joint_bodies):
        body_joints[body].append(joint)
    last_joint = _last_joints(parents, body_joints)
    joint_parents = [WORLD] * len(kinds)
    for body, joints in enumerate(body_joints):
        above = last_joint[parents[body]] if parents[body] >= 0 else WORLD
        for joint in joints:
            joint_parents[joint], above = above, joint

    depth = [0] * len(kinds)
    for joint, above in enumerate(joint_parents):
        depth[joint] = depth[above] + 1 if above >= 0 else 0
    rank = {kind: i for i, kind in enumerate(JointKind)}
    place: dict[int, int] = {WORLD: WORLD}
    order: list[int] = []
    for _, level in itertools.groupby(sorted(range(len(kinds)), key=depth.__getitem__), key=depth.__getitem__):
        for joint in sorted(level, key=lambda j: (rank[kinds[j]], place[joint_parents[j]])):
            place[joint] = len(order)
            order.append(joint)

    link_parents = np.array([place[joint_parents[joint]] for joint in order], dtype=int)
    link_depths = np.array([depth[joint] for joint in order], dtype=int)
    link_kinds = [kinds[joint] for joint in order]
    return Topology(
        joints=np.array(order, dtype=int),
        parents=link_parents,
        depths=link_depths,
        levels=_levels(link_parents, link_depths, link_kinds),
        groups=_groups(order, link_kinds, kinds),
        body_links=np.array([place[joint] for joint in last_joint], dtype=int),
        body_joints=tuple(map(tuple, body_joints)),
        dof_links=np.repeat([place[joint] for joint in range(len(kinds))], [kind.nv for kind in kinds]).astype(int),
        nv=sum(kind.nv for kind in kinds),
    )


def _last_joints(parents: tuple[int, ...], body_joints: list[list[int]]) -> list[int]:
    """The joint that carries each body: its own last one, or that of its nearest moving ancestor."""
    last: list[int] = []
    for parent, joints in zip(parents, body_joints, strict=True):
        last.append(joints[-1] if joints else (last[parent] if parent >= 0 else WORLD))
    return last


def _levels(parents: np.ndarray, depths: np.ndarray, kinds: list[JointKind]) -> tuple[Level, ...]:
    levels: list[Level] = []
    seen = dict.fromkeys(JointKind, 0)
    for depth in range(int(depths.max(initial=-1)) + 1):
        (members,) = np.nonzero(depths == depth)
        start, stop = int(members[0]), int(members[-1]) + 1
        above = levels[-1].start if levels else 0
        spans = []
        for kind, run in itertools.groupby(range(start, stop), key=kinds.__getitem__):
            first, count = next(run), 1 + len(list(run))
            spans.append(Span(kind, first - start, first - start + count, seen[kind]))
            seen[kind] += count
        levels.append(Level(start, stop, parents[start:stop] - above, tuple(spans)))
    return tuple(levels)


def _groups(order: list[int], link_kinds: list[JointKind], kinds: tuple[JointKind, ...]) -> tuple[Group, ...]:
    q_starts = list(itertools.accumulate((kind.nq for kind in kinds), initial=0))
    v_starts = list(itertools.accumulate((kind.nv for kind in kinds), initial=0))
    groups = []
    for kind in JointKind:
        links = np.array([i for i, k in enumerate(link_kinds) if k is kind], dtype=int)
        if links.size:
            joints = [order[i] for i in links]
            q = np.array([q_starts[j] for j in joints])[:, None] + np.arange(kind.nq)
            v = np.array([v_starts[j] for j in joints])[:, None] + np.arange(kind.nv)
            groups.append(Group(kind, links, q, v))
    return tuple(groups)

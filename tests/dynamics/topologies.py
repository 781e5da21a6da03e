"""Twelve robots of fixed structure, all of whose numbers can be drawn at random."""

import dataclasses
import functools
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

import supple as sp
from supple.model.joint import JointKind
from supple.model.model import Bodies, Joints, Model
from supple.testing import random_configuration

# Bodies as (parent, kinds of joints); a body with * has no mass. The world is -1.
TREES = {
    "single body": [(-1, "hinge")],
    "hinge chain": [(i - 1, "hinge") for i in range(5)],
    "slide chain": [(i - 1, "slide") for i in range(4)],
    "ball chain": [(i - 1, "ball") for i in range(4)],
    "free body": [(-1, "free")],
    "free tree": [(-1, "free"), (0, "hinge"), (1, "hinge"), (0, "ball"), (3, "slide")],
    "several joints per body": [(-1, "hinge slide hinge"), (0, "slide ball"), (1, "hinge hinge")],
    "several trees": [(-1, "free"), (0, "hinge"), (-1, "hinge"), (2, "ball"), (-1, "free")],
    "welded": [(-1, ""), (0, "hinge"), (1, "*"), (2, ""), (3, "* slide"), (4, ""), (2, "*"), (6, "hinge")],
    "wide star": [(-1, "free"), *[(0, "hinge")] * 12],
    "deep chain": [(i - 1, "hinge") for i in range(30)],
    "mixed": [(-1, "free"), (0, "hinge slide"), (1, "ball"), (0, "slide"), (-1, ""), (4, "hinge"), (5, "ball")],
}
FLOATING = ("free body", "free tree", "wide star")  # nothing is jointed to the world
_SOLID = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
_FORCES = """
  <tendon><fixed name="rope" stiffness="1" damping="1" springlength="-.1 .1">
    <joint joint="joint_1_0" coef="1"/><joint joint="joint_5_0" coef="1"/></fixed></tendon>
  <actuator><position joint="joint_1_0" kp="1" forcerange="-1 1"/><motor tendon="rope"/>
    <damper joint="joint_3_0" kv="1" ctrlrange="0 1"/><motor joint="joint_2_0" gear="1 1 1"/></actuator>"""


@functools.cache
def topology(name: str) -> Model:
    """A robot; "mixed" has gravity compensation, a fluid, a tendon and actuators besides."""
    tree, mixed = TREES[name], name == "mixed"

    def body(index: int) -> str:
        kinds = [kind for kind in tree[index][1].split() if kind != "*"]
        joints = "".join(
            f'<joint name="joint_{index}_{i}" type="{kind}" {_limits(kind, index + i)}/>'
            for i, kind in enumerate(kinds)
        )
        children = "".join(body(child) for child, (parent, _) in enumerate(tree) if parent == index)
        solid = "" if "*" in tree[index][1] else _SOLID
        lifted = 'gravcomp="1"' if mixed else ""
        return f'<body name="body_{index}" {lifted}>{joints}{solid}{children}</body>'

    roots = "".join(body(root) for root, (parent, _) in enumerate(tree) if parent == -1)
    option = '<option density="1" viscosity="1"/>' if mixed else ""
    text = f"<mujoco>{option}<worldbody>{roots}</worldbody>{_FORCES if mixed else ''}</mujoco>"
    return dataclasses.replace(sp.load(text), warnings=())


def _limits(kind: str, place: int) -> str:
    """Limits on every other joint but free ones."""
    return 'range="{} 1" limited="true"'.format(0 if kind == "ball" else -1) if place % 2 and kind != "free" else ""


class Case(NamedTuple):
    """A robot and what its dynamics depend on; wrenches are torques, then forces, on bodies, in world axes."""

    model: Model
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    force: np.ndarray
    control: np.ndarray
    wrenches: np.ndarray


def draw(structure: Model, seed: int) -> Case:
    """Random values for every leaf, as far as such a robot is possible, and a random state.

    The springs, dampers and armature of free joints are zero or the same in all directions, as their classes say; their
    dry friction, which is not the same in all directions, is zero.
    """
    rng = np.random.default_rng(seed)
    bodies, axes = _draw_bodies(structure.bodies, rng)
    model = dataclasses.replace(
        structure, bodies=bodies, joints=_draw_joints(structure.joints, rng), gravity=5.0 * rng.normal(size=3)
    )
    model = dataclasses.replace(model, home=random_configuration(model, rng))
    if model.medium is not None:
        density, viscosity = (np.array(x) for x in rng.uniform(0, 20, size=2))
        medium = dataclasses.replace(
            model.medium, density=density, viscosity=viscosity, wind=rng.normal(size=3), axes=axes
        )
        model = dataclasses.replace(model, medium=medium)
    if model.tendons is not None:
        tendons, (stiffness, damping) = model.tendons, rng.uniform(0, 3, size=(2, len(model.tendons.names)))
        tendons = dataclasses.replace(
            tendons,
            coefficient=rng.normal(size=tendons.coefficient.shape),
            stiffness=stiffness,
            damping=damping,
            rest_range=_ranges(rng, len(tendons.names)),
        )
        model = dataclasses.replace(model, tendons=tendons)
    actuators = {
        name: rng.normal(size=np.shape(getattr(model.actuators, name))) for name in ("gear", "gain", "bias")
    } | {name: _ranges(rng, model.nu) for name in ("control_range", "force_range")}
    model = dataclasses.replace(model, actuators=dataclasses.replace(model.actuators, **actuators))
    v, a, force = rng.normal(size=(3, model.nv))
    wrenches = rng.normal(size=(len(bodies.names), 6))
    return Case(model, random_configuration(model, rng), v, a, force, rng.normal(size=model.nu), wrenches)


def turn(case: Case, turning: Rotation) -> tuple[Case, np.ndarray]:
    """The case with the whole scene turned about the world's origin, and the matrix that turns velocities so.

    What is fixed to the world turns by its frame, what is free of it by its coordinates: position, quaternion, linear
    velocity.
    """
    model = case.model
    R = turning.as_matrix()
    roots = np.array(model.bodies.parents) == -1
    bodies = dataclasses.replace(
        model.bodies,
        position=np.where(roots[:, None], model.bodies.position @ R.T, model.bodies.position),
        rotation=np.where(roots[:, None, None], R @ model.bodies.rotation, model.bodies.rotation),
    )
    medium = model.medium and dataclasses.replace(model.medium, wind=R @ model.medium.wind)
    q, home, by = case.q.copy(), model.home.copy(), np.eye(model.nv)
    for kind, q_start, v_start in zip(model.joints.kinds, model.joints.q_starts, model.joints.v_starts, strict=True):
        if kind is JointKind.FREE:
            place, facing = slice(q_start, q_start + 3), slice(q_start + 3, q_start + 7)
            by[v_start : v_start + 3, v_start : v_start + 3] = R
            for here in (q, home):
                turned = turning * Rotation.from_quat(here[facing], scalar_first=True)
                here[place], here[facing] = R @ here[place], turned.as_quat(scalar_first=True)
    model = dataclasses.replace(model, bodies=bodies, gravity=R @ model.gravity, medium=medium, home=home)
    wrenches = (case.wrenches.reshape(-1, 2, 3) @ R.T).reshape(-1, 6)
    return Case(model, q, by @ case.v, by @ case.a, by @ case.force, case.control, wrenches), by


def _draw_bodies(bodies: Bodies, rng: np.random.Generator) -> tuple[Bodies, np.ndarray]:
    """Bodies whose mass spans a factor of 100, and their principal axes; where there is no mass it stays so."""
    count = len(bodies.names)
    mass = np.where(bodies.mass > 0, 10 ** rng.uniform(-1, 1, size=count), 0.0)
    spread = rng.uniform(0.05, 0.4, size=(count, 3)) ** 2  # mean squares of the mass's extent along its axes
    moments = mass[:, None] * (spread.sum(axis=1, keepdims=True) - spread)
    axes = _rotations(rng, count)
    inertia = axes @ (moments[:, :, None] * np.swapaxes(axes, 1, 2))
    drawn = dataclasses.replace(
        bodies,
        position=0.3 * rng.normal(size=(count, 3)),
        rotation=_rotations(rng, count),
        mass=mass,
        center_of_mass=0.2 * rng.normal(size=(count, 3)),
        inertia=inertia[:, [0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]],
        gravity_compensation=None if bodies.gravity_compensation is None else rng.uniform(0, 1.5, size=count),
    )
    return drawn, axes


def _draw_joints(joints: Joints, rng: np.random.Generator) -> Joints:
    count = len(joints.names)
    free = np.array([kind is JointKind.FREE for kind in joints.kinds], dtype=bool)
    axis = rng.normal(size=(count, 3))

    def uniform(high: float) -> np.ndarray:
        return rng.uniform(0, high, size=count)

    return dataclasses.replace(
        joints,
        axis=axis / np.linalg.norm(axis, axis=1, keepdims=True),
        position=0.2 * rng.normal(size=(count, 3)),
        reference=rng.normal(size=count),
        armature=uniform(0.2),
        damping=uniform(1.0),
        stiffness=uniform(3.0),
        rest=rng.normal(size=count),
        friction_loss=np.where(free, 0.0, uniform(1.0)),
        friction_speed=0.01 + uniform(0.5),
        range=_ranges(rng, count),
        limit_stiffness=uniform(100.0),
        limit_damping=uniform(5.0),
        limit_width=0.01 + uniform(0.3),
        force_range=_ranges(rng, count),
    )


def _ranges(rng: np.random.Generator, count: int) -> np.ndarray:
    return np.sort(rng.normal(size=(count, 2)), axis=1)


def _rotations(rng: np.random.Generator, count: int) -> np.ndarray:
    """Random rotation matrices."""
    matrices = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    return matrices * np.linalg.det(matrices)[:, None, None]

"""The base of a robot: fixed to the world, or floating."""

from typing import Literal

import mujoco

from supple.model.errors import DescriptionError

Base = Literal["fixed", "floating"]


def set_base(spec: mujoco.MjSpec, base: Base | None, label: str) -> None:
    """Give the robot's root body a free joint ("floating"), or take it away ("fixed"); None leaves it as written.

    Keyframes are dropped: they count coordinates, and nothing here uses them.
    """
    for key in spec.keys:
        spec.delete(key)
    free = [joint for joint in spec.joints if joint.type == mujoco.mjtJoint.mjJNT_FREE]
    if base == "floating" and not free:
        root = _root(spec, label)
        if root.joints:
            names = ", ".join(repr(joint.name) for joint in root.joints)
            raise DescriptionError(
                f"{label}: base='floating' needs a root body without joints, but {root.name!r} has {names};"
                " load it as written, or take these joints out of the file"
            )
        root.add_freejoint(name=_unused("root", {joint.name for joint in spec.joints}))
    elif base == "fixed" and free:
        if len(free) > 1:
            names = ", ".join(repr(joint.parent.name) for joint in free)
            raise DescriptionError(f"{label}: base='fixed' needs one floating body, but these float: {names}")
        spec.delete(free[0])


def check_base(compiled: mujoco.MjModel, base: Base | None) -> None:
    """An error if a compiled model does not have the wanted base: it cannot be changed any more."""
    floats = bool((compiled.jnt_type == int(mujoco.mjtJoint.mjJNT_FREE)).any())
    if base is not None and floats != (base == "floating"):
        has = "floating" if floats else "fixed"
        raise DescriptionError(f"the MjModel's base is {has} and compiled; for base={base!r} pass its MjSpec or XML")


def _root(spec: mujoco.MjSpec, label: str) -> mujoco.MjsBody:
    roots = [body for body in spec.worldbody.bodies if not body.mocap]
    moving = [body for body in roots if body.find_all(mujoco.mjtObj.mjOBJ_JOINT)] or roots
    if len(moving) != 1:
        names = ", ".join(repr(body.name) for body in moving) or "none"
        raise DescriptionError(f"{label}: base='floating' needs one root body, but the world carries {names}")
    return moving[0]


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name

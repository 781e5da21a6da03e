"""A model in words: plain values for machines, tables for people."""

from typing import Any

import numpy as np
from rich.table import Table

from supple.cli.output import console, number, table, vector
from supple.model.actuators import NO_PART
from supple.model.model import Model


def describe_model(model: Model) -> dict[str, Any]:
    """Everything that `supple show` knows, as plain values."""
    return {
        "name": model.name,
        "nq": model.nq,
        "nv": model.nv,
        "nu": model.nu,
        "mass": float(np.sum(model.bodies.mass)),
        "gravity": model.gravity,
        "home": model.home,
        "bodies": _bodies(model),
        "joints": _joints(model),
        "actuators": _actuators(model),
        "warnings": model.warnings,
    }


def _bodies(model: Model) -> list[dict[str, Any]]:
    bodies = model.bodies
    joints_of = [
        [name for name, body in zip(model.joints.names, model.joints.bodies, strict=True) if body == i]
        for i in range(len(bodies.names))
    ]
    return [
        {
            "name": name,
            "parent": None if parent < 0 else bodies.names[parent],
            "joints": joints_of[i],
            "mass": bodies.mass[i],
            "center_of_mass": bodies.center_of_mass[i],
            "inertia": bodies.inertia[i],
            "position": bodies.position[i],
            "rotation": bodies.rotation[i],
        }
        for i, (name, parent) in enumerate(zip(bodies.names, bodies.parents, strict=True))
    ]


def _joints(model: Model) -> list[dict[str, Any]]:
    joints = model.joints
    return [
        {
            "name": name,
            "kind": joints.kinds[i].value,
            "body": model.bodies.names[joints.bodies[i]],
            "q": joints.q_starts[i],
            "v": joints.v_starts[i],
            "axis": joints.axis[i],
            "position": joints.position[i],
            "range": joints.range[i] if joints.limited[i] else None,
            "armature": joints.armature[i],
            "damping": joints.damping[i],
            "stiffness": joints.stiffness[i],
            "rest": joints.rest[i],
            "friction_loss": joints.friction_loss[i],
        }
        for i, name in enumerate(joints.names)
    ]


def _actuators(model: Model) -> list[dict[str, Any]]:
    actuators = model.actuators
    return [
        {
            "name": name,
            **_target(model, i),
            "gear": actuators.gear[i, 0],
            "control_range": actuators.control_range[i] if actuators.control_limited[i] else None,
        }
        for i, name in enumerate(actuators.names)
    ]


def _target(model: Model, actuator: int) -> dict[str, str]:
    """The joint that an actuator drives, or the tendon that it pulls."""
    joint, tendon = model.actuators.joints[actuator], model.actuators.tendons[actuator]
    if model.tendons is not None and joint == NO_PART:
        return {"tendon": model.tendons.names[tendon]}
    return {"joint": model.joints.names[joint]}


def print_model(model: Model) -> None:
    """Print tables of the model's parts, and its warnings."""
    about = describe_model(model)
    out = console()
    out.print(model.name, style="bold")
    out.print(
        f"{len(about['bodies'])} bodies, {len(about['joints'])} joints, {model.nu} actuators; nq {model.nq}, "
        f"nv {model.nv}; total mass {number(about['mass'])} kg; gravity {vector(model.gravity)} m/s²"
    )
    for part in (_body_table(about["bodies"]), _joint_table(about["joints"]), _actuator_table(about["actuators"])):
        if part.row_count:
            out.print()
            out.print(part)
    if model.warnings:
        out.print()
    for warning in model.warnings:
        out.print(f"warning: {warning}", style="yellow")


def _body_table(bodies: list[dict[str, Any]]) -> Table:
    columns = ["name", "parent", "mass, kg", "centre of mass, m", "inertia xx yy zz, kg m²"]
    rows = [
        [
            body["name"],
            body["parent"] or "world",
            number(body["mass"]),
            vector(body["center_of_mass"]),
            vector(body["inertia"][[0, 3, 5]]),
        ]
        for body in bodies
    ]
    return table("bodies", columns, rows)


def _joint_table(joints: list[dict[str, Any]]) -> Table:
    columns = ["name", "kind", "body", "q", "v", "axis", "range", "damping", "armature"]
    rows = [
        [
            joint["name"],
            joint["kind"],
            joint["body"],
            str(joint["q"]),
            str(joint["v"]),
            vector(joint["axis"]) if joint["kind"] in {"hinge", "slide"} else "–",
            "–" if joint["range"] is None else vector(joint["range"]),
            number(joint["damping"]),
            number(joint["armature"]),
        ]
        for joint in joints
    ]
    return table("joints", columns, rows)


def _actuator_table(actuators: list[dict[str, Any]]) -> Table:
    rows = [
        [
            actuator["name"],
            actuator.get("joint") or actuator["tendon"],
            number(actuator["gear"]),
            "–" if actuator["control_range"] is None else vector(actuator["control_range"]),
        ]
        for actuator in actuators
    ]
    return table("actuators", ["name", "joint or tendon", "gear", "control range"], rows)

"""A model in words: plain values for machines, tables for people."""

from typing import Any

import numpy as np
from rich.table import Table

from supple.cli.output import console, number, table, vector
from supple.model.actuators import NO_PART
from supple.model.lookup import WORLD
from supple.model.model import Model
from supple.model.sensor import mark_name

_SUBJECTS = ("frame", "joint", "actuator", "body")  # what a sensor looks at
_FLAWS = ("bias", "noise", "delay")


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
        "sites": _sites(model),
        "sensors": _sensors(model),
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


def _sites(model: Model) -> list[dict[str, Any]]:
    sites = model.sites
    if sites is None:
        return []
    return [
        {
            "name": name,
            "body": None if sites.bodies[i] == WORLD else model.bodies.names[sites.bodies[i]],
            "position": sites.position[i],
            "rotation": sites.rotation[i],
        }
        for i, name in enumerate(sites.names)
    ]


def _sensors(model: Model) -> list[dict[str, Any]]:
    """What each sensor is and looks at, and how it departs from an ideal one."""
    return [
        {
            "name": sensor.name,
            "kind": type(sensor).__name__,
            **{
                field: value
                for field in (*_SUBJECTS, "axis", "reference")
                if (value := getattr(sensor, field, None)) is not None
            },
            "unit": sensor.unit,
            "quantity": mark_name(sensor.name),
            **{field: getattr(sensor.imperfection, field, None) for field in _FLAWS},
        }
        for sensor in model.sensors
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
    extras = "".join(f", {len(about[part])} {part}" for part in ("sites", "sensors") if about[part])
    out.print(
        f"{len(about['bodies'])} bodies, {len(about['joints'])} joints, {model.nu} actuators{extras}; nq {model.nq}, "
        f"nv {model.nv}; total mass {number(about['mass'])} kg; gravity {vector(model.gravity)} m/s²"
    )
    for part in (
        _body_table(about["bodies"]),
        _joint_table(about["joints"]),
        _actuator_table(about["actuators"]),
        _site_table(about["sites"]),
        _sensor_table(about["sensors"]),
    ):
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


def _site_table(sites: list[dict[str, Any]]) -> Table:
    rows = [[site["name"], site["body"] or "world", vector(site["position"])] for site in sites]
    return table("sites", ["name", "body", "position, m"], rows)


def _sensor_table(sensors: list[dict[str, Any]]) -> Table:
    rows = [
        [
            sensor["name"],
            sensor["kind"],
            next(sensor[field] for field in (*_SUBJECTS, "name") if field in sensor),
            sensor.get("reference", "–"),
            sensor["unit"] or "–",
            *("–" if sensor[field] is None else vector(np.ravel(sensor[field])) for field in _FLAWS),
        ]
        for sensor in sensors
    ]
    columns = ["name", "kind", "part", "relative to", "unit", "bias", "noise", "delay, s"]
    return table("sensors", columns, rows)

"""Load a robot: from URDF, MJCF, an XML string, or MuJoCo's own objects."""

import dataclasses
import os
import pathlib
from collections.abc import Hashable, Sequence
from typing import Literal

import mujoco
import numpy as np

from supple.describe import compiled as reader
from supple.describe.actuators import drive_every_joint, read_actuators, read_tendons
from supple.describe.base import Base
from supple.describe.contents import check_markup, check_utf8, read_content
from supple.describe.description import Description, describe_compiled, describe_spec, describe_urdf
from supple.describe.finding import raise_if_strict
from supple.describe.limits import stiffen_limits
from supple.describe.medium import read_medium
from supple.describe.mujoco_calls import read_file, read_text
from supple.describe.references import read_references
from supple.describe.sensors import add_sensors
from supple.describe.urdf import Urdf
from supple.describe.xml_tree import XmlTree
from supple.model.check import find_impossible, find_nonfinite
from supple.model.errors import DescriptionError, StorageError
from supple.model.model import Bodies, Joints, Model
from supple.model.save import SUFFIX, is_saved, restore_bytes

Source = str | os.PathLike[str] | mujoco.MjSpec | mujoco.MjModel


@np.errstate(over="ignore", invalid="ignore")  # numbers that overflow are refused by their name
def load(
    source: Source,
    *,
    base: Base | None = None,
    strict: bool = False,
    meshes: Literal["load", "skip"] = "load",
    mimic: Literal["ignore", "reduce"] = "ignore",
) -> Model:
    """The model of a robot that is described in a file, a string of XML, or one of MuJoCo's objects.

    A file that `supple.save` wrote is read back as it was; the options below do not apply to it.

    Args:
        source: Path of a URDF or MJCF file or of a saved model, XML text, `mujoco.MjSpec` or `mujoco.MjModel`.
        base: "floating" puts a free joint under the root body, "fixed" takes it away; None is as written,
            which is fixed for a URDF.
        strict: Raise `UnsupportedError` if something that changes the motion cannot be honoured. Otherwise it
            is listed in `Model.warnings`, with what is impossible in the file (see `Model.check`) and sensors
            that cannot be read.
        meshes: "skip" reads no mesh but those from which inertia is inferred.
        mimic: "ignore" lets a URDF's mimic joints move on their own; "reduce" refuses a robot that has some,
            as a model cannot express coupled joints yet.

    Numbers are the file's: inertias are not balanced, bounded or diagonalised. A link without an inertial is
    massless in a URDF; in an MJCF its inertia is inferred from its geoms. Each hinge and slide of a URDF gets
    a motor of gear 1, whose effort limit is recorded in `joints.force_range` but not enforced; an MJCF has the
    actuators, sites and sensors that it names.

    Reference: https://wiki.ros.org/urdf/XML and https://mujoco.readthedocs.io/en/stable/XMLreference.html
    """
    _check_choice("base", base, (None, "fixed", "floating"))
    _check_choice("strict", strict, (False, True))
    _check_choice("meshes", meshes, ("load", "skip"))
    _check_choice("mimic", mimic, ("ignore", "reduce"))
    if isinstance(source, mujoco.MjModel):
        description = describe_compiled(source, base)
    elif isinstance(source, mujoco.MjSpec):
        description = describe_spec(mujoco.MjSpec.copy(source), "MjSpec", [], base=base, meshes=meshes)
    elif isinstance(source, str) and (not source.strip() or source.lstrip().startswith("<")):
        description = _describe_xml(source, None, base, meshes, mimic)
    elif isinstance(source, str | os.PathLike):
        path = pathlib.Path(source)
        content = read_content(path)
        if is_saved(content) or path.suffix == SUFFIX:
            return _restore(content, path.name, is_plain=base is None and not strict and mimic == "ignore")
        description = _describe_xml(content, path, base, meshes, mimic)
    else:
        raise DescriptionError(f"cannot load {source!r:.60}; give a path, XML text, an MjSpec or an MjModel")
    return _build(description, strict=strict)


def _restore(content: bytes, label: str, *, is_plain: bool) -> Model:
    """A saved model, which was described without options."""
    if not is_plain:
        raise DescriptionError(f"{label}: a saved model is as it was saved: base, strict and mimic do not apply to it")
    model = restore_bytes(content, label)
    if not isinstance(model, Model):
        raise StorageError(f"{label}: holds a {type(model).__name__}, not a model; read it with supple.restore")
    if wrong := find_nonfinite(model):
        raise StorageError(f"{label}: " + "; ".join(wrong))
    return model


def _describe_xml(
    text: str | bytes, path: pathlib.Path | None, base: Base | None, meshes: str, mimic: str
) -> Description:
    """From XML, which is the content of `path` where there is one."""
    label = "XML string" if path is None else path.name
    check_markup(text, label)
    tree = XmlTree(text, label)
    if tree.root.tag == "robot":
        folder = pathlib.Path() if path is None else path.parent
        return describe_urdf(tree, folder, base=base, meshes=meshes, mimic=mimic)
    if tree.root.tag != "mujoco":
        raise tree.error(tree.root, f"the root element is <{tree.root.tag}>, not <robot> (URDF) or <mujoco> (MJCF)")
    check_utf8(text, label)
    trees = read_references(tree, path)
    spec, notes = read_text(str(text), label) if path is None else read_file(path, label)
    description = describe_spec(spec, label, trees, base=base, meshes=meshes)
    return dataclasses.replace(description, findings=(*notes, *description.findings))


def _check_choice(name: str, value: object, choices: Sequence[object]) -> None:
    if not isinstance(value, Hashable) or value not in choices:  # an array, say, is equal to nothing
        raise DescriptionError(f"{name}={value!r} is none of {', '.join(map(repr, choices))}")


def _build(description: Description, *, strict: bool) -> Model:
    """The model of a compiled description, with everything that was found on the way in its warnings."""
    raise_if_strict(description.findings, description.label, strict=strict)
    compiled, urdf = description.compiled, description.urdf
    bodies = reader.read_bodies(compiled, description.inertials)
    joints = reader.read_joints(compiled)
    if urdf is None:
        actuators = read_actuators(compiled)
    else:
        bodies, joints = _restore_urdf(bodies, joints, urdf)
        actuators = drive_every_joint(joints)
    model = Model(
        bodies=bodies,
        joints=joints,
        actuators=actuators,
        gravity=reader.read_gravity(compiled),
        home=np.array(compiled.qpos0),
        name=reader.read_name(compiled) or pathlib.PurePath(description.label).stem,
        tendons=read_tendons(compiled),
        medium=read_medium(compiled, bodies),
    )
    if wrong := find_nonfinite(model):
        raise DescriptionError(f"{description.label}: " + "; ".join(wrong))
    warnings = (*(finding.text for finding in description.findings), *find_impossible(model))
    model = dataclasses.replace(model, joints=stiffen_limits(bodies, joints, compiled), warnings=warnings)
    return add_sensors(model, compiled)


def _restore_urdf(bodies: Bodies, joints: Joints, urdf: Urdf) -> tuple[Bodies, Joints]:
    """Put back what MuJoCo's reader had to be spared or gets wrong: the name "world", and the limits."""
    names = tuple(urdf.aliases.get(name, name) for name in bodies.names)
    limits = [urdf.limits.get(name, (0.0, 0.0)) for name in joints.names]
    return dataclasses.replace(bodies, names=names), dataclasses.replace(
        joints,
        range=np.array(limits, dtype=np.float64).reshape(-1, 2),
        limited=tuple(lower < upper for lower, upper in limits),
    )

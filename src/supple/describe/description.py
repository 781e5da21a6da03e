"""A robot's description, compiled: what every kind of source becomes before it is a model."""

import dataclasses
import pathlib
from collections.abc import Mapping, Sequence

import mujoco
import numpy as np

from supple.describe.base import Base, check_base, set_base
from supple.describe.finding import Finding
from supple.describe.inertial import Inertial, RawInertials
from supple.describe.mjcf import drop_assets
from supple.describe.mujoco_calls import compile_spec, read_text
from supple.describe.places import CompiledPlaces, SpecPlaces
from supple.describe.unsupported import find_unsupported
from supple.describe.urdf import Urdf, prepare
from supple.describe.xml_tree import XmlTree


@dataclasses.dataclass(frozen=True)
class Description:
    """A compiled model, and beside it what the compiler does not hand on.

    `inertials` are the file's, by MuJoCo's body index; `urdf` is set if the robot comes from one.
    """

    compiled: mujoco.MjModel
    label: str
    findings: tuple[Finding, ...]
    inertials: Mapping[int, Inertial] = dataclasses.field(default_factory=dict)
    urdf: Urdf | None = None


def describe_compiled(compiled: mujoco.MjModel, base: Base | None) -> Description:
    """The description of a model that is compiled already."""
    check_base(compiled, base)
    return Description(compiled, "MjModel", tuple(find_unsupported(compiled, CompiledPlaces(compiled))))


def describe_spec(
    spec: mujoco.MjSpec, label: str, trees: Sequence[XmlTree], *, base: Base | None, meshes: str
) -> Description:
    """The description in a spec, which is changed; `trees` is its XML where there is one, for line numbers."""
    spec.compiler.fusestatic = False  # welded bodies stay, with leaves of their own
    set_base(spec, base, label)
    findings, fears = drop_assets(spec, meshes=meshes)
    raw = RawInertials(spec, missing_is_massless=False)
    compiled, notes = compile_spec(spec, label, fears)
    found = find_unsupported(compiled, SpecPlaces(spec, trees))
    return Description(compiled, label, (*findings, *found, *notes), raw.restore(compiled))


def describe_urdf(tree: XmlTree, folder: pathlib.Path, *, base: Base | None, meshes: str, mimic: str) -> Description:
    """The description in a URDF whose relative paths start at `folder`."""
    urdf = prepare(tree, folder, mimic=mimic, meshes=meshes)
    spec, notes = read_text(urdf.text, tree.label, urdf.lines)
    spec.compiler.fusestatic = False
    if urdf.removed_root is not None:
        _add_body(spec, read_text(urdf.removed_root, tree.label)[0].bodies[1])
    set_base(spec, base, tree.label)
    for joint in spec.joints:
        joint.actfrclimited = mujoco.mjtLimited.mjLIMITED_FALSE  # reported by `prepare`, for all joints at once
    raw = RawInertials(spec, missing_is_massless=True)
    compiled, compiler_notes = compile_spec(spec, tree.label)
    findings = (*urdf.findings, *notes, *compiler_notes)
    return Description(compiled, tree.label, findings, raw.restore(compiled), urdf)


def _add_body(spec: mujoco.MjSpec, source: mujoco.MjsBody) -> None:
    """Weld a copy of a body to the world."""
    body = spec.worldbody.add_body(name=source.name)
    for field in ("mass", "inertia", "fullinertia", "ipos", "iquat", "explicitinertial"):
        setattr(body, field, np.array(getattr(source, field)) if field != "explicitinertial" else True)

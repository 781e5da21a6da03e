"""URDF: text that MuJoCo reads without loss, and the facts that it would lose.

MuJoCo merges a link named "world" into its own world, drops the name of a repeated joint, accepts several
roots, turns `<mimic>` into an equality and refuses shapes that it cannot find. So a URDF is checked, stripped of
its shapes and mimics, and given to MuJoCo's reader; what was taken out is kept here.
"""

import collections
import dataclasses
import pathlib
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence

from supple.describe.finding import Finding
from supple.describe.packages import resolve
from supple.describe.xml_tree import OTHER_WAY, XmlTree
from supple.model.errors import DescriptionError, UnsupportedError
from supple.model.mujoco_model import DEEPEST
from supple.model.paths import suggest

READABLE_MESHES = (".stl", ".obj", ".msh")
_ALIAS = "link called world"  # no identifier, so no link has this name


@dataclasses.dataclass(frozen=True)
class Urdf:
    """A URDF that MuJoCo can read (`text`; `lines` are the true lines of its lines), and what it loses."""

    text: str
    lines: Sequence[int]
    aliases: dict[str, str]  # MuJoCo's body name -> the link's
    limits: dict[str, tuple[float, float]]  # of revolute and prismatic joints
    removed_root: str | None  # XML of a root link to which a floating joint is attached
    findings: tuple[Finding, ...]


def prepare(tree: XmlTree, folder: pathlib.Path, *, mimic: str, meshes: str) -> Urdf:
    """Check a URDF and make it ready for MuJoCo; `folder` is where its relative paths start."""
    root_link = _check_structure(tree)
    findings = [
        *_mimics(tree, mimic),
        *_limits_not_enforced(tree),
        *(_missing_meshes(tree, folder) if meshes == "load" else []),
    ]
    _check_axes(tree)
    limits, impossible = _limits(tree)
    removed_root = _check_floating_joints(tree, root_link)
    _strip(tree)
    if removed_root is None or root_link != "world":
        _rename_link(tree, "world", _ALIAS)
    if removed_root is not None:
        _rename_link(tree, root_link, "world")  # a free joint must hang from MuJoCo's world
    text, lines = tree.flatten()
    return Urdf(text, lines, {_ALIAS: "world"}, limits, removed_root, (*findings, *impossible))


def _check_structure(tree: XmlTree) -> str:
    """The name of the root link; an error if links and joints do not make a tree with unique names."""
    links, joints = tree.root.findall("link"), tree.root.findall("joint")
    _check_macros(tree)
    for part, elements in (("link", links), ("joint", joints)):
        counts = collections.Counter(element.get("name") for element in elements)
        for element in elements:
            if not element.get("name"):
                raise tree.error(element, f"a {part} has no name")
            if counts[element.get("name")] > 1:
                raise tree.error(element, f"{counts[element.get('name')]} {part}s are named {element.get('name')!r}")
    if not links:
        raise DescriptionError(f"{tree.label}: the robot has no links")
    names = [link.get("name", "") for link in links]
    children = _check_ends(tree, joints, names)
    roots = [name for name in names if name not in children]
    if len(roots) != 1:
        found = f"{len(roots)}: " + ", ".join(roots) if roots else "none: the joints make a loop"
        raise DescriptionError(f"{tree.label}: a robot has one link that is no joint's child, this one has {found}")
    _check_levels(tree, children, roots[0])
    return roots[0]


def _check_macros(tree: XmlTree) -> None:
    for element in tree.root.iter():
        macro = next((value for value in element.attrib.values() if "${" in value), None)
        if element.tag.startswith("xacro:") or macro:
            what = f"<{element.tag}>" if macro is None else repr(macro)
            raise tree.error(element, f"{what} is a macro; expand the file first: xacro FILE > robot.urdf")


def _check_ends(tree: XmlTree, joints: Sequence[ET.Element], links: Sequence[str]) -> dict[str, ET.Element]:
    """The joint above each link that has one; an error if a joint does not connect two links of the robot."""
    above: dict[str, ET.Element] = {}
    for joint in joints:
        for end in ("parent", "child"):
            link, name = _end(joint, end), joint.get("name")
            if link is None:
                raise tree.error(joint, f'joint {name!r} has no <{end} link="…"/>')
            if link not in links:
                raise tree.error(joint, f"joint {name!r}: its {end} link {link!r} is missing; {suggest(link, links)}")
        other = above.setdefault(_end(joint, "child") or "", joint)
        if other is not joint:
            message = f"link {_end(joint, 'child')!r} has multiple parents, by joints {other.get('name')!r} and"
            raise tree.error(joint, f"{message} {joint.get('name')!r}; take one out")
    return above


def _check_levels(tree: XmlTree, above: Mapping[str, ET.Element], root: str) -> None:
    """An error if joints make a loop beside the root, or a chain that is too long for MuJoCo's compiler."""
    levels = {root: 0}
    for link, joint in above.items():
        way: dict[str, ET.Element] = {}
        while link not in levels and link not in way:
            way[link] = above[link]  # noqa: PLR1733 — `link` has climbed
            link = _end(above[link], "parent") or ""  # noqa: PLW2901 — climbs
        if link in way:
            raise tree.error(joint, f"joint {joint.get('name')!r} hangs on a loop of joints, not on {root!r}")
        for name in reversed(way):
            levels[name] = levels[_end(way[name], "parent") or ""] + 1
            if levels[name] > DEEPEST:
                message = f"link {name!r} hangs on more than {DEEPEST} others, which MuJoCo cannot compile"
                raise tree.error(way[name], f"{message}; {OTHER_WAY}")


def _end(joint: ET.Element, end: str) -> str | None:
    element = joint.find(end)
    return None if element is None else element.get("link")


def _check_axes(tree: XmlTree) -> None:
    """An error for an axis of length zero, whose line MuJoCo does not tell."""
    for joint in tree.root.findall("joint"):
        axis = joint.find("axis")
        if axis is not None and joint.get("type") in {"revolute", "continuous", "prismatic", "planar"}:
            words = axis.get("xyz", "").split()
            if words and not any(word.strip("+-.0") for word in words):
                raise tree.error(
                    axis, f"the axis of joint {joint.get('name')!r} is zero; write a direction, such as 0 0 1"
                )


def _mimics(tree: XmlTree, mimic: str) -> list[Finding]:
    """A finding per joint that should follow another; an error if they are to be reduced."""
    findings, names = [], {joint.get("name") for joint in tree.root.findall("joint")}
    for joint in tree.root.findall("joint"):
        rule = joint.find("mimic")
        if rule is None or joint.get("type") not in {"revolute", "continuous", "prismatic"}:
            continue
        what = f"joint {joint.get('name')!r} (line {tree.line(joint)}) mimics {rule.get('joint')!r}"
        what += "" if rule.get("joint") in names else ", which is no joint"
        if mimic == "reduce":
            raise UnsupportedError(
                f"{tree.label}: {what}, and a model cannot express coupled joints yet; load with mimic='ignore'"
            )
        findings.append(Finding(f"{what}: ignored, it moves on its own"))
    return findings


def _limits(tree: XmlTree) -> tuple[dict[str, tuple[float, float]], list[Finding]]:
    """The file's position limits, taken out of it.

    MuJoCo drops them, some with a warning on the terminal, if one is not given or if they leave no room.
    """
    limits, empty = {}, []
    for joint in tree.root.findall("joint"):
        if joint.get("type") not in {"revolute", "prismatic"}:
            continue
        limit = joint.find("limit")
        try:
            lower, upper = (0.0 if limit is None else float(limit.get(end, "0")) for end in ("lower", "upper"))
        except ValueError as error:
            raise tree.error(joint, f"limit of joint {joint.get('name')!r}: {error}") from error
        limits[joint.get("name", "")] = (lower, upper)
        if lower >= upper:
            empty.append(f"{joint.get('name')!r} (line {tree.line(joint)})")
        if limit is not None:
            limit.attrib.pop("lower", None)
            limit.attrib.pop("upper", None)
    text = "no room between the limits of joint" + _list(empty) + ": taken as unlimited"
    return limits, [Finding(text, changes_motion=False)] if empty else []


def _limits_not_enforced(tree: XmlTree) -> list[Finding]:
    limited = [
        repr(joint.get("name"))
        for joint in tree.root.findall("joint")
        if joint.get("type") != "fixed"
        and (limit := joint.find("limit")) is not None
        and (limit.get("effort") is not None or limit.get("velocity") is not None)
    ]
    text = "effort and velocity limits are not enforced, on joint" + _list(limited)
    return [Finding(text, changes_motion=False)] if limited else []


def _missing_meshes(tree: XmlTree, folder: pathlib.Path) -> list[Finding]:
    """Collision shapes that cannot be read; visual ones have no effect."""
    unknown, missing = [], []
    for mesh in tree.root.iterfind("link/collision/geometry/mesh"):
        uri = mesh.get("filename", "")
        entry = f"{uri!r} (line {tree.line(mesh)})"
        if not uri.lower().endswith(READABLE_MESHES):
            unknown.append(entry)
        elif resolve(uri, folder) is None:
            missing.append(entry)
    found = []
    if unknown:
        text = f"skipped, not in a format that can be read ({', '.join(READABLE_MESHES)}): collision mesh"
        found.append(Finding(text + _list(unknown, "es"), changes_motion=False))
    if missing:
        found.append(Finding("skipped, file not found: collision mesh" + _list(missing, "es"), changes_motion=False))
    return found


def _list(entries: Sequence[str], plural: str = "s") -> str:
    """' a', or 's a, b, c and 4 more': what follows a noun."""
    shown = ", ".join(entries[:3]) + (f" and {len(entries) - 3} more" if len(entries) > 3 else "")
    return f"{plural if len(entries) > 1 else ''} {shown}"


def _check_floating_joints(tree: XmlTree, root_link: str) -> str | None:
    """The XML of the root link if a floating joint is attached to it, which makes it part of the world."""
    for joint in tree.root.findall("joint"):
        if joint.get("type") == "floating" and _end(joint, "parent") != root_link:
            message = f"joint {joint.get('name')!r} is floating but not attached to the root link {root_link!r}"
            raise UnsupportedError(f"{tree.label}, line {tree.line(joint)}: {message}; give it another type")
    if not any(joint.get("type") == "floating" for joint in tree.root.findall("joint")):
        return None
    link = next(link for link in tree.root.findall("link") if link.get("name") == root_link)
    bare = ET.Element("link", link.attrib)
    bare.extend(link.findall("inertial"))
    if root_link == "world":
        bare.set("name", _ALIAS)
    return f'<robot name="root">{ET.tostring(bare, encoding="unicode")}</robot>'


def _strip(tree: XmlTree) -> None:
    """Take out what is read here or has no effect on the motion."""
    for link in tree.root.findall("link"):
        for shape in link.findall("visual") + link.findall("collision"):
            link.remove(shape)
    for joint in tree.root.findall("joint"):
        for mimic in joint.findall("mimic"):
            joint.remove(mimic)
    for extra in [element for element in tree.root if element.tag not in {"link", "joint"}]:
        tree.root.remove(extra)


def _rename_link(tree: XmlTree, name: str, new: str) -> None:
    for link in tree.root.findall("link"):
        if link.get("name") == name:
            link.set("name", new)
    for joint in tree.root.findall("joint"):
        for end in joint.findall("parent") + joint.findall("child"):
            if end.get("link") == name:
                end.set("link", new)

"""URDF: the text that MuJoCo can read, and the facts that it would lose."""

import dataclasses
import xml.etree.ElementTree as ET

ALIAS = "supple root link"  # a root link named "world" would melt into MuJoCo's world


@dataclasses.dataclass(frozen=True)
class Urdf:
    """A URDF made ready for MuJoCo, with what it says beyond that."""

    text: str
    root: str


def prepare(text: str) -> Urdf:
    tree = ET.fromstring(text)
    children = {joint.find("child").get("link") for joint in tree.iter("joint") if joint.find("child") is not None}
    roots = [link.get("name") for link in tree.findall("link") if link.get("name") not in children]
    for link in tree.findall("link"):
        for shape in link.findall("visual") + link.findall("collision"):
            link.remove(shape)
        if link.get("name") == "world":
            link.set("name", ALIAS)
    for joint in tree.findall("joint"):
        for mimic in joint.findall("mimic"):
            joint.remove(mimic)
        for end in joint.findall("parent") + joint.findall("child"):
            if end.get("link") == "world":
                end.set("link", ALIAS)
    return Urdf(ET.tostring(tree, encoding="unicode"), roots[0])

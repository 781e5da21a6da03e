"""Where a part stands in its file, in words."""

from collections.abc import Sequence

import mujoco

from supple.describe.xml_tree import XmlTree


class CompiledPlaces:
    """Names the parts of a compiled model, whose lines are forgotten."""

    def __init__(self, compiled: mujoco.MjModel):
        self._objects = {
            "joint": compiled.joint,
            "body": compiled.body,
            "tendon": compiled.tendon,
            "equality": compiled.equality,
            "actuator": compiled.actuator,
        }

    def __call__(self, part: str, index: int) -> str:
        """`joint 'knee'`, or `joint 3` if it has no name."""
        name = self._objects[part](index).name
        return f"{part} {name!r}" if name else f"{part} {index}"


class SpecPlaces:
    """Names the parts of a compiled spec with the line on which the file has them."""

    def __init__(self, spec: mujoco.MjSpec, trees: Sequence[XmlTree]):
        self._elements = {
            "joint": spec.joints,
            "body": spec.bodies,
            "tendon": spec.tendons,
            "equality": spec.equalities,
            "actuator": spec.actuators,
        }
        self._trees = trees

    def __call__(self, part: str, index: int) -> str:
        """`joint 'knee' (line 12)`; a part of an included file with that file's name."""
        element = next(element for element in self._elements[part] if element.id == index)
        name = f"{part} {element.name!r}" if element.name else f"{part} {index}"
        return name + self._line(element.name, element.info)

    def _line(self, name: str, info: str) -> str:
        if info.startswith("line ") and info != "line 0":  # MuJoCo says 0 for included files
            return f" ({info})"
        for position, tree in enumerate(self._trees):
            line = tree.line_of(name) if name else None
            if line is not None:
                return f" (line {line})" if position == 0 else f" ({tree.label}, line {line})"
        return ""

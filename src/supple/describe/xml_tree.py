"""XML elements that know their line, and text in which every element has a line of its own."""

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from supple.model.errors import DescriptionError


class XmlTree:
    """A parsed XML document: its root element, and the line at which each element starts."""

    def __init__(self, text: str | bytes, label: str):
        builder = ET.TreeBuilder()
        lines: list[tuple[ET.Element, int]] = []
        parser = expat.ParserCreate("utf-8" if isinstance(text, str) else None)

        def start(tag: str, attributes: Mapping[str, str]) -> None:
            lines.append((builder.start(tag, dict(attributes)), parser.CurrentLineNumber))

        parser.StartElementHandler = start
        parser.EndElementHandler = builder.end
        parser.CharacterDataHandler = builder.data
        try:
            parser.Parse(text.encode() if isinstance(text, str) else text, True)
        except expat.ExpatError as error:
            raise DescriptionError(f"{label}: not well-formed XML: {error}") from error
        self.label = label
        self.root = builder.close()
        self._lines = {id(element): line for element, line in lines}
        self._refuse_nan()

    def line(self, element: ET.Element) -> int:
        """The line at which an element starts, from 1."""
        return self._lines[id(element)]

    def line_of(self, name: str) -> int | None:
        """The line of the first element with that `name`."""
        return next((self.line(element) for element in self.root.iter() if element.get("name") == name), None)

    def error(self, element: ET.Element, message: str) -> DescriptionError:
        """An error about an element."""
        return DescriptionError(f"{self.label}, line {self.line(element)}: {message}")

    def _refuse_nan(self) -> None:
        for element in self.root.iter():
            for key, value in element.items():
                if key != "name" and any(word.lower().lstrip("+-") == "nan" for word in value.split()):
                    raise self.error(element, f"{key}={value!r} of <{element.tag}> is not a number")

    def flatten(self) -> tuple[str, list[int]]:
        """The document with one tag per line, and the original line of each of these lines.

        A reader's "line 7" then means one element, whose true line is `lines[7 - 1]`.
        """
        text: list[str] = []
        lines: list[int] = []

        def write(element: ET.Element) -> None:
            attributes = "".join(f" {key}={quoteattr(value)}" for key, value in element.items())
            text.append(f"<{element.tag}{attributes}>")
            lines.append(self.line(element))
            for child in element:
                write(child)
            text.append(f"</{element.tag}>")
            lines.append(self.line(element))

        write(self.root)
        return "\n".join(text), lines

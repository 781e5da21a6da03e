"""XML elements that know their line, and text in which every element has a line of its own."""

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from supple.model.errors import DescriptionError

OTHER_WAY = "make longer chains with supple.describe.builder.RobotBuilder"
_DEEPEST = 500  # elements, the limit of MuJoCo's parser
_REASONS = {
    expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]: "the text ends before an element is complete",
    expat.errors.codes[expat.errors.XML_ERROR_INVALID_TOKEN]: "a character that cannot stand there, or is not UTF-8",
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN]: "the text ends within a tag",
}


class XmlTree:
    """A parsed XML document: its root element, and the line at which each element starts."""

    def __init__(self, text: str | bytes, label: str):
        self.label = label
        builder = ET.TreeBuilder()
        lines: list[tuple[ET.Element, int]] = []
        parser = expat.ParserCreate("utf-8" if isinstance(text, str) else None)

        def refuse_entity(name: str, *_: object) -> None:
            # MuJoCo does not expand entities, and some that refer to each other would fill the memory if we did
            message = f"the entity {name!r} is declared, and entities are not read; write its text where it is used"
            raise DescriptionError(f"{label}, line {parser.CurrentLineNumber}: {message}")

        depth = 0

        def start(tag: str, attributes: Mapping[str, str]) -> None:
            nonlocal depth
            depth += 1
            if depth > _DEEPEST:
                message = f"elements stand within each other more than {_DEEPEST} deep, which MuJoCo cannot read"
                raise DescriptionError(f"{label}, line {parser.CurrentLineNumber}: {message}; {OTHER_WAY}")
            lines.append((builder.start(tag, dict(attributes)), parser.CurrentLineNumber))

        def end(tag: str) -> None:
            nonlocal depth
            depth -= 1
            builder.end(tag)

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = builder.data
        parser.EntityDeclHandler = refuse_entity
        try:
            parser.Parse(text.encode() if isinstance(text, str) else text, True)
        except expat.ExpatError as error:
            reason = _REASONS.get(error.code) or expat.ErrorString(error.code)
            raise DescriptionError(f"{label}, line {error.lineno}: not well-formed XML: {reason}") from error
        except (LookupError, ValueError) as error:  # of the declared encoding
            raise DescriptionError(f"{label}: {error}; save it in UTF-8") from error
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

"""The files that an MJCF draws in: those that it includes, and the models that it attaches.

MuJoCo's reader follows a model that attaches itself until the stack overflows, and works for hours where a few lines
ask for millions of copies. So both are looked for before it reads.
"""

import dataclasses
import math
import pathlib
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence

from supple.describe.contents import check_markup, check_utf8, is_file, read_content
from supple.describe.xml_tree import XmlTree

_MOST_FILES = 1000
_MOST_COPIES = 50_000  # elements beyond those that are written; MuJoCo takes ten seconds for them


@dataclasses.dataclass(frozen=True)
class _Document:
    """A file on its way into a model."""

    tree: XmlTree
    folders: Sequence[pathlib.Path]  # where its paths start: its model's, then its own
    above: Sequence[pathlib.Path]  # the files that draw it in, and itself
    drawn: dict[ET.Element, "_Document"] = dataclasses.field(default_factory=dict)


def read_references(tree: XmlTree, path: pathlib.Path | None) -> list[XmlTree]:
    """An MJCF document and those that it draws in, directly or not; `DescriptionError` if they would have no end."""
    folder = pathlib.Path() if path is None else path.parent
    known = {} if path is None else {path.resolve(): tree}
    documents = [_Document(tree, [folder], list(known))]
    for document in documents:  # grows while it is read
        for element in document.tree.root.iter():
            found = _find(document, element)
            if found is None:
                continue
            target = found.resolve()
            if target in document.above:
                raise document.tree.error(element, f"{found.name!r} draws in itself; take out one of the references")
            if len(documents) == _MOST_FILES:
                raise tree.error(tree.root, f"it draws in more than {_MOST_FILES} files; merge some, or attach fewer")
            if target not in known:
                known[target] = _read(found)
            folders = [found.parent] if element.tag == "model" else [document.folders[0], found.parent]
            document.drawn[element] = _Document(known[target], folders, [*document.above, target])
            documents.append(document.drawn[element])
    trees = [tree, *(other for other in known.values() if other is not tree)]
    _check_copies(documents, written=sum(1 for tree in trees for _ in tree.root.iter()))
    return trees


def _find(document: _Document, element: ET.Element) -> pathlib.Path | None:
    """The file to which an element refers, where MuJoCo looks for it; None if it refers to none, or to a resource."""
    name = element.get("file")
    if element.tag not in {"include", "model"} or not name or ":" in name:
        return None
    for folder in document.folders:
        if is_file(folder / name):
            return folder / name
    raise document.tree.error(element, f"file {name!r} is not found in {str(document.folders[0].absolute())!r}")


def _read(path: pathlib.Path) -> XmlTree:
    content = read_content(path)
    check_markup(content, path.name)
    check_utf8(content, path.name)
    return XmlTree(content, path.name)


def _check_copies(documents: Sequence[_Document], written: int) -> None:
    """Refuse documents that ask for far more elements than they have; `documents` stand after those that draw them."""
    totals: dict[int, int] = {}
    for document in reversed(documents):
        drawn = {element: totals[id(other)] for element, other in document.drawn.items()}
        sizes: dict[ET.Element, int] = {}
        for element in reversed(list(document.tree.root.iter())):  # children before their parents
            inside = 1 + sum(sizes[child] for child in element)
            sizes[element] = inside * _repetitions(element) + _drawn_size(element, drawn)
            if sizes[element] > written + _MOST_COPIES:
                message = f"<{element.tag}> makes {sizes[element]:,} elements; ask for at most {_MOST_COPIES:,}"
                raise document.tree.error(element, message)
        totals[id(document)] = sizes[document.tree.root]


def _drawn_size(element: ET.Element, drawn: Mapping[ET.Element, int]) -> int:
    """Elements that an include or an attachment puts in an element's place."""
    if element.tag == "include":
        return drawn.get(element, 0)
    if element.tag == "attach":
        return max(
            (size for model, size in drawn.items() if model.get("name") in {None, element.get("model")}), default=0
        )
    return 0


def _repetitions(element: ET.Element) -> int:
    """How often an element's content is made; what is no number is for MuJoCo to refuse."""
    match element.tag:
        case "replicate" | "flexcomp":
            words = element.get("count", "").split()
        case "size":
            words = [value for key, value in element.items() if key == "nkey" or key.startswith("nuser_")]
        case _:
            words = []
    return math.prod(max(int(word), 1) for word in words if word.isdecimal())

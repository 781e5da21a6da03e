"""Finding a model's parts by name or index."""

import difflib
import operator

from supple.model.errors import ModelError
from supple.model.model import Model

WORLD = "world"
_LISTED = 12  # names in a message


def find_part(kind: str, part: str | int, names: tuple[str, ...]) -> int:
    """The index of a part that is given by its name or index; `ModelError` lists the names if there is no such part."""
    if isinstance(part, str):
        if part in names:
            return names.index(part)
        near = difflib.get_close_matches(part, names, n=_LISTED, cutoff=0.4) or list(names[:_LISTED])
        raise ModelError(f"there is no {kind} {part!r}; there are: {', '.join(near) or 'none'}")
    index = operator.index(part)
    if not 0 <= index < len(names):
        raise ModelError(f"there is no {kind} {index}; they are numbered from 0 to {len(names) - 1}")
    return index


def find_body(model: Model, body: str | int) -> int:
    """The index of a body in `model.bodies`."""
    return find_part("body", body, model.bodies.names)


def find_joint(model: Model, joint: str | int) -> int:
    """The index of a joint in `model.joints`."""
    return find_part("joint", joint, model.joints.names)

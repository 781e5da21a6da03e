"""Finding a model's parts by name or index."""

import operator

import numpy as np

from supple.model.errors import ModelError
from supple.model.model import Model
from supple.model.paths import suggest

WORLD = -1  # the index of the world among frames


def find_part(kind: str, part: str | int, names: tuple[str, ...]) -> int:
    """The index of a part that is given by its name or index; `ModelError` lists the names if there is no such part."""
    if isinstance(part, str):
        if part in names:
            return names.index(part)
        raise ModelError(f"there is no {kind} {part!r}; {suggest(part, names)}")
    try:
        index = operator.index(part)
    except TypeError:
        raise ModelError(f"{part!r} is no {kind}; write a name or an index") from None
    if not 0 <= index < len(names):
        raise ModelError(f"there is no {kind} {index}; they are numbered from 0 to {len(names) - 1}")
    return index


def find_body(model: Model, body: str | int) -> int:
    """The index of a body in `model.bodies`."""
    return find_part("body", body, model.bodies.names)


def find_joint(model: Model, joint: str | int) -> int:
    """The index of a joint in `model.joints`."""
    return find_part("joint", joint, model.joints.names)


def find_actuator(model: Model, actuator: str | int) -> int:
    """The index of an actuator in `model.actuators`."""
    return find_part("actuator", actuator, model.actuators.names)


def find_subtree(model: Model, body: int) -> np.ndarray:
    """The indices of a body and of all that hang on it; of all bodies, for the world."""
    held = {body}
    for child, parent in enumerate(model.bodies.parents):  # parents stand before their children
        if parent in held:
            held.add(child)
    return np.array(sorted(held - {WORLD}), dtype=int)


def find_frame(model: Model, name: str) -> int:
    """The index of a named frame: bodies come first, then sites; "world" is -1.

    Where a body and a site have the same name, "body:NAME" and "site:NAME" tell them apart.
    """
    bodies, sites = model.bodies.names, site_names(model)
    if not isinstance(name, str):
        raise ModelError(f"{name!r} is no frame; write the name of a body or site")
    found = [i for i, other in enumerate((*bodies, *sites)) if other == name]
    if len(found) > 1:
        raise ModelError(f"{name!r} is a body and a site; write 'body:{name}' or 'site:{name}'")
    if found:
        return found[0]
    kind, _, rest = name.partition(":")
    if kind == "body" and rest in bodies:
        return bodies.index(rest)
    if kind == "site" and rest in sites:
        return len(bodies) + sites.index(rest)
    if name in {"world", "body:world"}:
        return WORLD
    raise ModelError(f"there is no body or site {name!r}; {suggest(name, (*bodies, *sites))}")


def frame_body(model: Model, frame: int) -> int:
    """The body on which a frame sits, or -1."""
    bodies = len(model.bodies.names)
    return frame if frame < bodies or model.sites is None else model.sites.bodies[frame - bodies]


def site_names(model: Model) -> tuple[str, ...]:
    """The names of the sites, if there are any."""
    return () if model.sites is None else model.sites.names

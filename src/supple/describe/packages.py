"""Where a robot description's mesh files are: `package://` and its relatives."""

import os
import pathlib
import sysconfig
from collections.abc import Iterator
from urllib.parse import unquote

from supple.describe.contents import is_file

_SCHEMES = ("package://", "model://")


def resolve(uri: str, folder: pathlib.Path) -> pathlib.Path | None:
    """The file that a URDF's `filename` means, or None if there is no such file.

    `package://NAME/REST` (and `model://`) is looked for in this order: the parents of `folder` (that of the
    URDF), ROS_PACKAGE_PATH, AMENT_PREFIX_PATH, and this Python's own `share`, where packages from pip put
    robots. Any other path is relative to `folder`.
    """
    for scheme in _SCHEMES:
        if uri.startswith(scheme):
            package, _, rest = uri.removeprefix(scheme).partition("/")
            candidates = (root / unquote(rest) for root in _package_roots(package, folder))
            return next((path for path in candidates if is_file(path)), None)
    path = folder / unquote(uri.removeprefix("file://"))
    return path if is_file(path) else None


def _package_roots(package: str, folder: pathlib.Path) -> Iterator[pathlib.Path]:
    """Folders that may be the root of a package, most likely first."""
    for parent in (folder.absolute(), *folder.absolute().parents):
        if parent.name == package:
            yield parent
        yield parent / package
    for entry in _paths("ROS_PACKAGE_PATH"):
        yield entry if entry.name == package else entry / package
    for prefix in _paths("AMENT_PREFIX_PATH"):
        yield prefix / "share" / package
    python = sysconfig.get_paths()
    for share in (pathlib.Path(python["purelib"], "cmeel.prefix", "share"), pathlib.Path(python["data"], "share")):
        yield share / package


def _paths(variable: str) -> list[pathlib.Path]:
    return [pathlib.Path(entry) for entry in os.environ.get(variable, "").split(os.pathsep) if entry]

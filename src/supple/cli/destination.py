"""Where a command writes: looked at before the work, and whole or absent after it."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from supple.cli.errors import CommandError
from supple.model.files import open_atomically


def check_folder(folder: Path) -> None:
    """`CommandError` for a folder that cannot be written or made, before there is a result to lose."""
    try:
        above = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    except OSError as error:
        raise _refusal(folder, error.strerror) from error
    if not above.is_dir():
        raise _refusal(folder, f"{str(above)!r} is no folder")
    if not os.access(above, os.W_OK | os.X_OK):
        raise _refusal(folder, f"{str(above)!r} is not yours to write in")


@contextlib.contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """A binary file, in a folder that is made for it, that appears under its name only when it is complete."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open_atomically(path) as file:
            yield file
    except OSError as error:
        raise _refusal(path, error.strerror) from error


def _refusal(path: Path, reason: str | None) -> CommandError:
    return CommandError(f"cannot write {str(path)!r}: {reason}; name another folder with --out")

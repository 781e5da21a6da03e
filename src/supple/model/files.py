"""Writing files so that a reader sees the whole file or none."""

import contextlib
import os
import pathlib
import tempfile
from collections.abc import Iterator
from typing import IO


@contextlib.contextmanager
def open_atomically(path: pathlib.Path) -> Iterator[IO[bytes]]:
    """A binary file that appears under its name only when the block ends without an error, and is on the disk then.

    It is written under another name in the same folder, which is removed on failure.
    """
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        partial = pathlib.Path(file.name)
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            file.close()
            partial.chmod(0o666 & ~_umask())  # temporary files are born private
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)


def _umask() -> int:
    """The permissions that new files lack; it can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask

"""Reading whole files, and writing them so that a reader sees the whole file or none."""

import contextlib
import errno
import os
import pathlib
import stat
import tempfile
from collections.abc import Iterator
from typing import IO


def read_whole(path: pathlib.Path) -> bytes:
    """The bytes of a file or pipe; `OSError`, whose `strerror` says why, if they cannot be read."""
    _refuse_device(path)
    return path.read_bytes()


@contextlib.contextmanager
def open_atomically(path: pathlib.Path) -> Iterator[IO[bytes]]:
    """A binary file that appears under its name only when the block ends without an error, and is on the disk then.

    It is written under another name in the same folder, which is removed on failure. `OSError` if there cannot be such
    a file.
    """
    _refuse_device(path)
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "Is a directory")
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


def _refuse_device(path: pathlib.Path) -> None:
    """`OSError` for a device, which has no end, or which a file would replace; and for a name that no file can have."""
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        return
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error)) from error
    if stat.S_ISCHR(kind) or stat.S_ISBLK(kind):
        raise OSError(errno.EINVAL, "it is a device; name a file")


def _umask() -> int:
    """The permissions that new files lack; it can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask

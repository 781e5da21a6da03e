"""Machine code kept on disk, so that a program is compiled once per machine.

The folder is $SUPPLE_CACHE, or `supple` in $XDG_CACHE_HOME or ~/.cache; SUPPLE_CACHE=off keeps nothing. What
lies in it is run, so it is used only if it belongs to the user and nobody else can write to it.

An entry is one file: a line of JSON that describes the code, the code, and a checksum of both. Files appear
whole, under a name that is a fingerprint of program, processor and compiler; so processes need no lock.
"""

import contextlib
import dataclasses
import functools
import hashlib
import json
import os
import warnings
from pathlib import Path

import llvmlite

import supple
from supple.native.files import write_atomically
from supple.native.machine.image import Image
from supple.native.machine.target import Target

LARGEST = 512 * 2**20  # bytes of all entries; $SUPPLE_CACHE_BYTES says otherwise
SUFFIX = ".code"
CHECKSUM_BYTES = hashlib.sha256().digest_size


class CacheWarning(UserWarning):
    """Compiled code is not kept on disk."""


def entry_name(program: bytes, target: Target, variant: str) -> str:
    """The name of an entry: of a program's fingerprint, a processor, this compiler, and which function it is."""
    parts = (program.hex(), repr(target), _compiler(), variant)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


@functools.cache
def _compiler() -> str:
    """The version of this compiler: of every file of it, so that no entry outlives a change."""
    files = sorted(Path(__file__).parent.rglob("*.py"))
    content = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    return f"{supple.__version__} {llvmlite.__version__} {content}"


def fetch(name: str) -> Image | None:
    """The entry of a name, if it is there, whole and trustworthy."""
    folder = _folder()
    if folder is None:
        return None
    path = folder / (name + SUFFIX)
    try:
        content = path.read_bytes()
    except OSError:
        return None
    image = _unpack(content)
    if image is not None:
        with contextlib.suppress(OSError):
            os.utime(path)  # read just now: the last to be evicted
    return image


def keep(name: str, image: Image) -> None:
    """Write an entry; if that fails, warn once and go on."""
    folder = _folder()
    if folder is None:
        return
    try:
        write_atomically(folder / (name + SUFFIX), _pack(image))
        _evict(folder)
    except OSError as error:
        _warn_once(f"compiled code is not kept: cannot write to {folder}: {error.strerror}")


def _pack(image: Image) -> bytes:
    about = dataclasses.asdict(dataclasses.replace(image, code=b""))
    del about["code"]
    content = json.dumps(about).encode() + b"\n" + image.code
    return content + hashlib.sha256(content).digest()


def _unpack(content: bytes) -> Image | None:
    """The image, or None if the checksum says that something is wrong."""
    content, checksum = content[:-CHECKSUM_BYTES], content[-CHECKSUM_BYTES:]
    if hashlib.sha256(content).digest() != checksum:
        return None
    about, _, code = content.partition(b"\n")
    return Image(code=code, **json.loads(about))


def _evict(folder: Path) -> None:
    """Remove the entries that were not used for longest until the rest is small enough."""
    room = _largest()
    entries = []
    for path in folder.glob("*" + SUFFIX):
        with contextlib.suppress(FileNotFoundError):  # another process evicts, too
            about = path.stat()
            entries.append((about.st_mtime_ns, about.st_size, path))
    for _, size, path in sorted(entries, reverse=True):
        room -= size
        if room < 0:
            path.unlink(missing_ok=True)


def _largest() -> int:
    chosen = os.environ.get("SUPPLE_CACHE_BYTES", str(LARGEST))
    if not chosen.isdecimal():
        raise ValueError(f"SUPPLE_CACHE_BYTES is {chosen!r}; it must be a whole number of bytes")
    return int(chosen)


def _folder() -> Path | None:
    """The folder, made if need be; None if there is none that may be used."""
    chosen = os.environ.get("SUPPLE_CACHE")
    if chosen == "off":
        return None
    home = os.environ.get("XDG_CACHE_HOME")
    try:
        folder = Path(chosen) if chosen else (Path(home) if home else Path.home() / ".cache") / "supple"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        about = folder.stat()
    except (OSError, RuntimeError) as error:  # no home, no permission, or a file of that name
        _warn_once(f"compiled code is not kept: {error}; set SUPPLE_CACHE to a folder of yours, or to off")
        return None
    if hasattr(os, "getuid") and (about.st_uid != os.getuid() or about.st_mode & 0o022):
        _warn_once(f"compiled code is not kept: {folder} can be written by others than you; chmod go-w or chown it")
        return None
    return folder


@functools.cache
def _warn_once(message: str) -> None:
    warnings.warn(message, CacheWarning, stacklevel=2)

"""C and C++ as shared libraries, by the machine's own compiler; kept in the temporary folder, by content."""

import ctypes
import functools
import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from case import NotMeasured

FLAGS = ("-O3", "-march=native", "-shared", "-fPIC")
SUFFIXES = {"gcc": ".c", "g++": ".cpp"}


def build(source: str, compiler: str = "gcc", flags: Sequence[str] = ()) -> ctypes.CDLL:
    """The library of a source; large ones take minutes, but once only."""
    if shutil.which(compiler) is None:
        raise NotMeasured(f"no {compiler}")
    command = [compiler, *FLAGS, *flags]
    content = "\0".join([_version(compiler), *command, source])
    folder = Path(tempfile.gettempdir(), "supple-benchmarks")
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / hashlib.sha256(content.encode()).hexdigest()
    library = path.with_suffix(".so")
    if not library.exists():
        text = path.with_suffix(SUFFIXES[compiler])
        text.write_text(source)
        partial = path.with_suffix(".partial")
        done = subprocess.run(
            [command[0], str(text), *command[1:], "-o", str(partial)], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            errors = [line for line in done.stderr.splitlines() if "error" in line]
            raise NotMeasured(f"{compiler}: {' '.join(errors[:1]) or 'failed'}")
        partial.rename(library)
    return ctypes.CDLL(str(library))


def address(library: ctypes.CDLL, function: str) -> int:
    """Where a function of a library is."""
    found = ctypes.cast(getattr(library, function), ctypes.c_void_p).value
    assert found is not None
    return found


@functools.cache
def _version(compiler: str) -> str:
    return subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout

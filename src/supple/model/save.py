"""Saved models and systems: one file that holds arrays and structure, and nothing that could run.

The file is in the safetensors format: the leaves by name, and in its metadata the format's version, the library's, and
the static structure as JSON (`supple.model.structure`). Reading it runs no code of the file's author.

Reference: https://huggingface.co/docs/safetensors
"""

import json
import os
import pathlib
import re
from typing import Any

import equinox as eqx
import numpy as np

from supple.model.batch import batch_size
from supple.model.consistency import find_inconsistent
from supple.model.errors import ModelError, StorageError
from supple.model.files import open_atomically, read_whole
from supple.model.structure import decode, encode

VERSION = 1  # of the format; raise it when an older reader would misunderstand a file
SUFFIX = ".supple"
_VERSION = re.compile("[1-9][0-9]{0,8}")
_LARGEST_HEADER = 100_000_000  # bytes; that of safetensors


def save(tree: eqx.Module, path: str | os.PathLike[str]) -> None:
    """Write a model or system to a file, which `supple.load` or `supple.restore` reads back equal in every bit.

    The file appears whole or not at all, also if the machine stops meanwhile. By custom its name ends in `.supple`.
    """
    from safetensors.numpy import save as pack_tensors

    import supple

    path = _as_path(path)
    if not isinstance(tree, eqx.Module):
        raise StorageError(f"cannot save {tree!r:.60}: it is no model or system")
    arrays: dict[str, np.ndarray] = {}
    try:
        structure = json.dumps(encode(tree, "", arrays), allow_nan=False)
        about = {"format": "supple", "version": str(VERSION), "library": supple.__version__, "structure": structure}
        content = pack_tensors(arrays, metadata=about)
        with open_atomically(path) as file:
            file.write(content)
    except StorageError as error:
        raise StorageError(f"cannot save {str(path)!r}: {error}") from error
    except OSError as error:
        raise StorageError(f"cannot write {str(path)!r}: {error.strerror}") from error


def restore(path: str | os.PathLike[str]) -> Any:
    """What `save` wrote to a file; arrays are numpy's, in the dtypes in which they were saved."""
    path = _as_path(path)
    try:
        content = read_whole(path)
    except OSError as error:
        raise StorageError(f"cannot read {str(path)!r}: {error.strerror}") from error
    return restore_bytes(content, path.name)


def restore_bytes(content: bytes, label: str) -> Any:
    """What `save` wrote, from the content of its file."""
    from safetensors import SafetensorError
    from safetensors.numpy import load as unpack_tensors

    try:
        arrays = {name: np.array(array) for name, array in unpack_tensors(content).items()}
        about = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")]).get("__metadata__", {})
    except (SafetensorError, KeyError, ValueError, RecursionError) as error:
        raise StorageError(f"{label}: not a file that Supple saved, or damaged or cut short: {error}") from error
    _check_version(about, label)
    try:
        tree = decode(json.loads(about["structure"]), "", arrays)
        if not isinstance(tree, eqx.Module):
            raise StorageError("the structure is that of no model or system")
        if arrays:
            raise StorageError(f"the structure has no place for the array {next(iter(arrays))!r}")
        _check(tree)
    except (StorageError, ModelError, KeyError, ValueError, RecursionError) as error:
        raise StorageError(f"{label}: damaged, or not written by Supple: {error}") from error
    return tree


def _as_path(path: Any) -> pathlib.Path:
    try:
        return pathlib.Path(path)
    except TypeError:
        raise StorageError(f"{path!r:.60} is no path; write the name of a file, such as 'robot.supple'") from None


def is_saved(content: bytes) -> bool:
    """Whether a file's content starts like one that `save` wrote: a length, then JSON."""
    return content[8:9] == b"{" and int.from_bytes(content[:8], "little") < _LARGEST_HEADER


def _check_version(about: dict[str, str], label: str) -> None:
    version = about.get("version", "")
    if about.get("format") != "supple" or not _VERSION.fullmatch(version):
        raise StorageError(f"{label}: a safetensors file, but not one that Supple saved")
    if int(version) > VERSION:
        saver = f"Supple {about.get('library', '')}"
        raise StorageError(
            f"{label}: saved by {saver} in format {version}, but this is {VERSION}; upgrade Supple to read it"
        )


def _check(tree: eqx.Module) -> None:
    """Refuse what cannot be: the parts of a tampered file may be fine one by one."""
    batch_size(tree)
    if wrong := find_inconsistent(tree):
        raise StorageError("; ".join(wrong))

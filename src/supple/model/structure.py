"""Modules as JSON and back: the static structure as plain values, the arrays by name.

| value                       | JSON                                                      |
|-----------------------------|-----------------------------------------------------------|
| None, bool, int, str, float | itself; an infinite float is {"float": "inf"}             |
| tuple                       | a list                                                    |
| list, dict                  | {"list": […]}, {"dict": {…}}                              |
| array                       | {"array": name, "shape": […], "dtype": "float64"}         |
| enumeration                 | {"enum": "supple.model.joint.JointKind", "member": "HINGE"} |
| module                      | {"class": "supple.model.model.Bodies", "fields": {…}}     |

Only modules and enumerations of this package are read, and they are filled without calling anything of theirs.
"""

import dataclasses
import enum
import importlib
import inspect
import math
import re
import typing
from collections.abc import Mapping
from typing import Any

import equinox as eqx
import jax
import numpy as np
from jax.core import Tracer

from supple.model.errors import StorageError

_CLASS = re.compile(r"(supple(?:\.[a-z]\w*)+)\.([A-Z]\w*)")
_DTYPES = (
    "float16",
    "float32",
    "float64",
    "bool",
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
)


def encode(value: Any, path: str, arrays: dict[str, np.ndarray]) -> Any:
    """The JSON of a value that stands at `path`; its arrays go into `arrays`."""
    result: Any
    match value:
        case enum.Enum():
            result = {"enum": _class_name(type(value), path), "member": value.name}
        case None | bool() | int() | str():
            result = value
        case float():
            result = _encode_float(value, path)
        case tuple():
            result = [encode(item, _join(path, i), arrays) for i, item in enumerate(value)]
        case list():
            result = {"list": [encode(item, _join(path, i), arrays) for i, item in enumerate(value)]}
        case dict() if all(isinstance(key, str) for key in value):
            result = {"dict": {key: encode(item, _join(path, key), arrays) for key, item in value.items()}}
        case np.ndarray() | np.generic() | jax.Array():
            result = _encode_array(value, path, arrays)
        case eqx.Module():
            fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
            encoded = {name: encode(item, _join(path, name), arrays) for name, item in fields.items()}
            result = {"class": _class_name(type(value), path), "fields": encoded}
        case _:
            raise StorageError(
                f"{path or 'this'} is a {type(value).__name__}, which cannot be saved; models and systems can"
            )
    return result


def decode(value: Any, path: str, arrays: dict[str, np.ndarray]) -> Any:
    """The value of its JSON, with arrays taken out of `arrays`; `StorageError` if `encode` writes no such thing."""
    result: Any
    match value:
        case None | bool() | int() | float() | str():
            result = value
        case list():
            result = tuple(decode(item, _join(path, i), arrays) for i, item in enumerate(value))
        case {"list": list(items), **rest} if not rest:
            result = [decode(item, _join(path, i), arrays) for i, item in enumerate(items)]
        case {"dict": dict(items), **rest} if not rest:
            result = {key: decode(item, _join(path, key), arrays) for key, item in items.items()}
        case {"float": "inf" | "-inf" as number, **rest} if not rest:
            result = float(number)
        case {"array": str(name), "shape": list(shape), "dtype": str(dtype), **rest} if not rest:
            result = _decode_array(name, tuple(shape), dtype, arrays)
        case {"enum": str(name), "member": str(member), **rest} if not rest:
            result = _decode_member(name, member, path)
        case {"class": str(name), "fields": dict(fields), **rest} if not rest:
            result = _decode_module(name, fields, path, arrays)
        case _:
            raise StorageError(f"{path or 'the structure'} is not what Supple writes")
    return result


def _encode_float(value: float, path: str) -> Any:
    if math.isnan(value):
        raise StorageError(f"{path} is not a number (NaN)")
    return value if math.isfinite(value) else {"float": str(value)}


def _encode_array(value: Any, path: str, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    if isinstance(value, Tracer):
        raise StorageError(f"{path} is being traced; save outside of jit, grad and vmap")
    if value.dtype.name not in _DTYPES:
        raise StorageError(f"{path} is an array of {value.dtype}, which cannot be saved")
    array = np.array(value, order="C")  # the format knows no strides
    if np.issubdtype(array.dtype, np.floating) and np.isnan(array).any():
        raise StorageError(f"{path} has entries that are not numbers (NaN)")
    arrays[path] = array
    return {"array": path, "shape": list(array.shape), "dtype": array.dtype.name}


def _decode_array(name: str, shape: tuple[Any, ...], dtype: str, arrays: dict[str, np.ndarray]) -> np.ndarray:
    if name not in arrays:
        raise StorageError(f"the array {name!r} is missing")
    array = arrays.pop(name)
    if array.shape != shape or array.dtype.name != dtype:
        raise StorageError(f"the array {name!r} is {array.dtype}{list(array.shape)}, not {dtype}{list(shape)}")
    if np.issubdtype(array.dtype, np.floating) and np.isnan(array).any():
        raise StorageError(f"the array {name!r} has entries that are not numbers (NaN)")
    return array


def _class_name(kind: type, path: str) -> str:
    name = f"{kind.__module__}.{kind.__qualname__}"
    if not _CLASS.fullmatch(name):
        raise StorageError(f"{path or 'this'} is a {name}; only classes of Supple itself can be saved")
    return name


def _find_class(name: str, path: str) -> type:
    """A class of this package; importing its module is all that happens."""
    match = _CLASS.fullmatch(name)
    found = None
    if match is not None:
        try:
            found = getattr(importlib.import_module(match[1]), match[2], None)
        except ModuleNotFoundError:
            found = None
    if not isinstance(found, type) or found.__module__ != (match and match[1]):
        raise StorageError(f"{path or 'it'} is a {name!r}, which this version of Supple does not know")
    return found


def _decode_member(name: str, member: str, path: str) -> enum.Enum:
    kind = _find_class(name, path)
    if not issubclass(kind, enum.Enum) or member not in kind.__members__:
        raise StorageError(f"{path} is {member!r} of {name!r}, which this version of Supple does not know")
    return kind[member]


def _decode_module(name: str, values: Mapping[str, Any], path: str, arrays: dict[str, np.ndarray]) -> eqx.Module:
    kind = _find_class(name, path)
    if not issubclass(kind, eqx.Module) or inspect.isabstract(kind):
        raise StorageError(f"{path or 'it'} is a {name!r}, which is nothing that Supple saves")
    fields = {field.name: field for field in dataclasses.fields(kind)}
    if unknown := sorted(values.keys() - fields.keys()):
        raise StorageError(
            f"{_join(path, unknown[0])} is unknown to this version of Supple; upgrade it to read the file"
        )
    module = object.__new__(kind)
    for field in fields.values():
        if field.name in values:
            value = decode(values[field.name], _join(path, field.name), arrays)
            if field.metadata.get("static") and not _fits(value, field.type):
                raise StorageError(f"{_join(path, field.name)} is {value!r:.60}, not {field.type}")
        elif field.default is not dataclasses.MISSING:
            value = field.default
        else:
            raise StorageError(f"{_join(path, field.name)} is missing")
        object.__setattr__(module, field.name, value)
    return module


def _fits(value: Any, kind: Any) -> bool:
    """Whether a static value is of the kind that its class says: a plain class, or a tuple of one kind."""
    if typing.get_origin(kind) is tuple:
        return isinstance(value, tuple) and all(_fits(item, typing.get_args(kind)[0]) for item in value)
    return not isinstance(kind, type) or isinstance(value, kind)


def _join(path: str, part: str | int) -> str:
    return f"{path}.{part}" if path else str(part)

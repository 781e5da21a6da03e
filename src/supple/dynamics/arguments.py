"""Refusing arrays that do not fit the model."""

import functools
import inspect
import typing
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import jax.numpy as jnp

from supple.model.batch import batch_size
from supple.model.errors import ModelError, StateError
from supple.model.model import Model
from supple.model.renewal import renew

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_SIZES: dict[str, Callable[[Model], int]] = {
    "nq": lambda model: model.nq,
    "nv": lambda model: model.nv,
    "nu": lambda model: model.nu,
    "na": lambda model: model.na,
    "bodies": lambda model: len(model.bodies.names),
}


def checked(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """A function of a model that raises `StateError` for an array of another shape than its annotation says.

    Otherwise a single number would be spread over all joints, and what is too long would be cut, both in silence.
    """
    signature = inspect.signature(function)
    dimensions = {name: _dimensions(parameter.annotation) for name, parameter in signature.parameters.items()}

    @functools.wraps(function)
    def call(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        bound = signature.bind(*args, **kwargs)
        arguments = bound.arguments
        model = arguments["model"]
        if not isinstance(model, Model):
            raise ModelError(f"{function.__name__}: {model!r:.60} is no model; write one, such as sp.robots.arm()")
        if (size := batch_size(model)) is not None:
            raise ModelError(f"{function.__name__}: this is a batch of {size} models; batch outside, with jax.vmap")
        for name, value in arguments.items():
            if dimensions[name] is not None and value is not None:
                _check(f"{function.__name__}: {name}", value, tuple(map(_size_in(model), dimensions[name] or ())))
        arguments["model"] = renew(model)
        return function(*bound.args, **bound.kwargs)

    return call


def _dimensions(annotation: Any) -> tuple[str, ...] | None:
    """The axes of an array's annotation; None if it is none or has axes of other kinds."""
    for kind in (annotation, *typing.get_args(annotation)):
        axes = tuple(getattr(kind, "dim_str", "*").split())
        if axes and all(axis in _SIZES or axis.isdecimal() for axis in axes):
            return axes
    return None


def _size_in(model: Model) -> Callable[[str], int]:
    return lambda axis: int(axis) if axis.isdecimal() else _SIZES[axis](model)


def _check(what: str, value: Any, expected: tuple[int, ...]) -> None:
    shape = getattr(value, "shape", None)
    if shape is None or not hasattr(value, "dtype"):
        raise StateError(f"{what} is {value!r:.60}; write a numpy or JAX array of shape {expected}.")
    if not any(jnp.issubdtype(value.dtype, kind) for kind in (jnp.floating, jnp.integer, jnp.bool_)):
        raise StateError(f"{what} holds {value.dtype}; write real numbers.")
    if shape != expected:
        advice = "; batch outside, with jax.vmap" if shape[1:] == expected else ""
        raise StateError(f"{what} has shape {shape}, but this model needs {expected}{advice}.")

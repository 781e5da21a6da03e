"""Tracing: a function of any Python arguments as a jaxpr of its arrays."""

from collections.abc import Callable
from typing import Any, NamedTuple

import equinox as eqx
import jax
from jax.extend.core import ClosedJaxpr


class Traced(NamedTuple):
    """A jaxpr, the arrays to evaluate it on, and the way back from its outputs to the function's result."""

    jaxpr: ClosedJaxpr
    arrays: list[Any]
    assemble: Callable[[list[Any]], Any]


def trace(fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Traced:
    """Trace fn(*args, **kwargs).

    All arrays in the arguments are traced, those in fn itself too if it is a pytree (the bound method of an
    Equinox module, say); everything else (numbers, strings, functions) is static. `jax.ShapeDtypeStruct`
    may stand for an array, if only the jaxpr is wanted.
    """
    dynamic, static = eqx.partition((fn, args, kwargs), _is_traced)
    leaves, treedef = jax.tree.flatten(dynamic)
    static_result = []

    def call(*leaves: Any) -> Any:
        fn, args, kwargs = eqx.combine(jax.tree.unflatten(treedef, leaves), static)
        result, static_result[:] = _split(fn(*args, **kwargs))
        return result

    jaxpr, shapes = jax.make_jaxpr(call, return_shape=True)(*leaves)
    result_treedef = jax.tree.structure(shapes)

    def assemble(outputs: list[Any]) -> Any:
        return eqx.combine(jax.tree.unflatten(result_treedef, outputs), static_result[0])

    return Traced(jaxpr, leaves, assemble)


def _is_traced(leaf: Any) -> bool:
    return eqx.is_array(leaf) or isinstance(leaf, jax.ShapeDtypeStruct)


def _split(result: Any) -> tuple[Any, list[Any]]:
    arrays, static = eqx.partition(result, eqx.is_array)
    return arrays, [static]

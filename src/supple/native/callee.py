"""A program as JAX calls it, and its derivatives, which are such programs too."""

import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import jax
import numpy as np
from jax import tree_util
from jax.extend import core, source_info_util

from supple.native.keys import is_key
from supple.native.lower import Trace
from supple.native.signature import Leaf
from supple.native.source import Source

# A refusal names a line of the user's, not of this file.
source_info_util.register_exclusion(__file__)

# Which arrays of several: those that move, or in whose cotangents one is interested.
Which = tuple[bool, ...]


class Callee:
    """Flat arrays in, flat arrays out. `make` traces the program, which happens when it is first needed."""

    def __init__(self, inputs: Sequence[Leaf], outputs: Sequence[Leaf], make: Callable[[], Source]) -> None:
        self.inputs = tuple(inputs)
        self.outputs = tuple(outputs)
        self._make = make
        self._derivatives: dict[object, Any] = {}

    @functools.cached_property
    def source(self) -> Source:
        """Its machine code."""
        return self._make()

    def tangent(self, moving: Which) -> "Tangent":
        """ẏ = (∂y/∂x) ẋ of the floating results y, from all inputs and ẋ of the inputs that move."""
        return self._derivatives.setdefault(moving, Tangent(self, moving))

    def cotangent(self, moving: Which, seeded: Which) -> "Callee":
        """x̄ = (∂y/∂x)ᵀ ȳ of the inputs x that move, from all inputs and ȳ of the results that are seeded."""
        return self._derivatives.setdefault((moving, seeded), _cotangent(self, moving, seeded))


class Tangent(Callee):
    """The directional derivative of `origin`; linear in the tangents, which stand after all of its inputs."""

    def __init__(self, origin: Callee, moving: Which) -> None:
        self.origin = origin
        self.moving = moving
        inputs = [*origin.inputs, *_named("tangent", pick(origin.inputs, moving))]
        outputs = _named("tangent", filter(is_float, origin.outputs))
        super().__init__(inputs, outputs, self._trace)

    def _trace(self) -> Source:
        function, dtype = _function(self.origin)
        floats = tuple(map(is_float, self.origin.outputs))

        def push(*arrays: jax.Array) -> Sequence[jax.Array]:
            primals, tangents = arrays[: len(self.moving)], arrays[len(self.moving) :]
            moved = pick(primals, self.moving)
            return jax.jvp(_restricted(function, primals, self.moving, floats), moved, tangents)[1]

        return _trace(push, self, dtype)


def _cotangent(origin: Callee, moving: Which, seeded: Which) -> Callee:
    def make() -> Source:
        function, dtype = _function(origin)

        def pull(*arrays: jax.Array) -> Sequence[jax.Array]:
            primals, seeds = arrays[: len(moving)], arrays[len(moving) :]
            moved = pick(primals, moving)
            return jax.vjp(_restricted(function, primals, moving, seeded), *moved)[1](seeds)

        return _trace(pull, callee, dtype)

    inputs = [*origin.inputs, *_named("cotangent", pick(origin.outputs, seeded))]
    callee = Callee(inputs, _named("cotangent", pick(origin.inputs, moving)), make)
    return callee


def is_float(leaf: Leaf) -> bool:
    """Whether an array has derivatives."""
    return leaf.dtype.kind == "f"


def pick(values: Sequence[Any], which: Which) -> tuple[Any, ...]:
    """Those that are chosen."""
    return tuple(value for value, chosen in zip(values, which, strict=True) if chosen)


def _named(kind: str, leaves: Any) -> list[Leaf]:
    return [replace(leaf, name=f"{kind} of {leaf.name}") for leaf in leaves]


def _function(callee: Callee) -> tuple[Callable[..., list[jax.Array]], np.dtype]:
    """The program as a JAX function of flat arrays, typed keys as their words; and its precision."""
    traced = callee.source.traced
    run = core.jaxpr_as_fun(traced.jaxpr)

    def function(*arrays: jax.Array) -> list[jax.Array]:
        avals = traced.jaxpr.in_avals
        given = (jax.random.wrap_key_data(a) if is_key(aval) else a for a, aval in zip(arrays, avals, strict=True))
        return [jax.random.key_data(result) if is_key(result) else result for result in run(*given)]

    return function, traced.dtype


def _restricted(function: Callable[..., Any], primals: Sequence[Any], moving: Which, wanted: Which) -> Callable:
    """A function of the inputs that move, at fixed others, to the results that are wanted."""

    def restricted(*moved: jax.Array) -> tuple[jax.Array, ...]:
        supply = iter(moved)
        given = [next(supply) if moves else primal for primal, moves in zip(primals, moving, strict=True)]
        return pick(function(*given), wanted)

    return restricted


def _trace(function: Callable[..., Sequence[jax.Array]], callee: Callee, dtype: np.dtype) -> Source:
    """The source of a function of such inputs and results."""
    begun = time.perf_counter()
    leaves = tuple(leaf.empty() for leaf in callee.inputs)
    with jax.enable_x64(dtype == np.float64):
        closed = jax.make_jaxpr(function)(*leaves)
    in_tree, out_tree = map(tree_util.tree_structure, (callee.inputs, callee.outputs))
    return Source(Trace(closed, in_tree, out_tree, leaves, dtype), time.perf_counter() - begun)

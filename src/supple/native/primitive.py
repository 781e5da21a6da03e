"""The JAX primitive `compiled`: a call of machine code, with its rules of batching and differentiation.

Parameters: `callee`, the program; `count`, how many states it is called with, None for one; `variant`, which of the
inputs differ from state to state, along a leading axis, None for one state.
"""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax.core import ShapedArray
from jax.extend.core import Primitive
from jax.interpreters import ad, batching

from supple.native.callee import Callee, Tangent, is_float, pick
from supple.native.source import Variant

compiled_p = Primitive("compiled")
compiled_p.multiple_results = True
_program = jax.jit(compiled_p.bind, static_argnames=("callee", "count", "variant"))


@compiled_p.def_impl
def _run(*arrays: Any, **parameters: Any) -> list[jax.Array]:
    """Outside of any `jit`, a call is a program of its own."""
    with jax.disable_jit(False):
        return _program(*arrays, **parameters)


def call(callee: Callee, arrays: Sequence[Any]) -> list[jax.Array]:
    """The results for one state."""
    return compiled_p.bind(*arrays, callee=callee, count=None, variant=None)


def result_shapes(callee: Callee, count: int | None) -> list[jax.ShapeDtypeStruct]:
    """Shapes and types of the results."""
    lead = () if count is None else (count,)
    return [jax.ShapeDtypeStruct((*lead, *leaf.shape), leaf.dtype) for leaf in callee.outputs]


@compiled_p.def_abstract_eval
def _abstract(*_: Any, callee: Callee, count: int | None, variant: Variant) -> list[Any]:
    del variant
    return [ShapedArray(result.shape, result.dtype) for result in result_shapes(callee, count)]


def _batch(args: Sequence[Any], axes: Sequence[int | None], *, callee: Callee, count: int | None, variant: Variant):
    """One state becomes many; many become as many times more, all along one axis."""
    size = next(arg.shape[axis] for arg, axis in zip(args, axes, strict=True) if axis is not None)
    moved = [arg if axis is None else jnp.moveaxis(arg, axis, 0) for arg, axis in zip(args, axes, strict=True)]
    outer = tuple(axis is not None for axis in axes)
    if count is None or variant is None:
        results = compiled_p.bind(*moved, callee=callee, count=size, variant=outer)
        return results, [0] * len(results)
    arrays = []
    for arg, leaf, is_outer, is_inner in zip(moved, callee.inputs, outer, variant, strict=True):
        array = arg
        if is_outer or is_inner:
            spread = array if is_outer and is_inner else jnp.expand_dims(array, 1 if is_outer else 0)
            array = jnp.broadcast_to(spread, (size, count, *leaf.shape)).reshape(size * count, *leaf.shape)
        arrays.append(array)
    either = tuple(a or b for a, b in zip(outer, variant, strict=True))
    results = compiled_p.bind(*arrays, callee=callee, count=size * count, variant=either)
    split = [result.reshape(size, count, *result.shape[1:]) for result in results]
    return split, [0] * len(split)


def _differentiate(
    primals: Sequence[Any], tangents: Sequence[Any], *, callee: Callee, count: int | None, variant: Variant
):
    """Forward mode: a call of the tangent program. It is compiled only if it is not transposed."""
    results = compiled_p.bind(*primals, callee=callee, count=count, variant=variant)
    moving = tuple(type(tangent) is not ad.Zero for tangent in tangents)
    both = None if variant is None else (*variant, *pick(variant, moving))
    pushed = iter(
        compiled_p.bind(*primals, *pick(tangents, moving), callee=callee.tangent(moving), count=count, variant=both)
    )
    return results, [
        next(pushed) if is_float(leaf) else ad.Zero(jax.typeof(result).to_tangent_aval())
        for leaf, result in zip(callee.outputs, results, strict=True)
    ]


def _transpose(cotangents: Sequence[Any], *args: Any, callee: Callee, count: int | None, variant: Variant):
    """Reverse mode: a call of the cotangent program of the function whose tangent this is."""
    if not isinstance(callee, Tangent):
        raise TypeError("a compiled function cannot be transposed by itself: take jax.vjp of it, which compiles that")
    origin = callee.origin
    arity = len(origin.inputs)
    tangents = iter(args[arity:])
    wanted = tuple(moves and ad.is_undefined_primal(next(tangents)) for moves in callee.moving)
    of_floats = iter(cotangents)
    seeds = [next(of_floats) if is_float(leaf) else None for leaf in origin.outputs]
    seeded = tuple(seed is not None and type(seed) is not ad.Zero for seed in seeds)
    both = None if variant is None else (*variant[:arity], *[True] * sum(seeded))
    pulled = iter(
        compiled_p.bind(
            *args[:arity], *pick(seeds, seeded), callee=origin.cotangent(wanted, seeded), count=count, variant=both
        )
    )
    shared = [variant is not None and not varies for varies in variant or [False] * len(args)]
    return [
        _summed(next(pulled), is_shared) if ad.is_undefined_primal(arg) else None
        for arg, is_shared in zip(args, shared, strict=True)
    ]


def _summed(cotangents: jax.Array, is_shared: bool) -> jax.Array:
    """The cotangent of an argument: of one that states share, the sum of what they give."""
    return jnp.sum(cotangents, axis=0) if is_shared else cotangents


batching.primitive_batchers[compiled_p] = _batch
ad.primitive_jvps[compiled_p] = _differentiate
ad.primitive_transposes[compiled_p] = _transpose

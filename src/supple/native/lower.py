"""Tracing: from a JAX function and example arguments to a scalar program."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import jax
import numpy as np
from jax import tree_util
from jax.extend import core, source_info_util

from supple.native.constants import detach
from supple.native.errors import NotCompilable
from supple.native.graph import TYPES, Graph
from supple.native.keys import KEY, WORD, is_key, pack, unpack
from supple.native.lowering import Lowering, unsupported
from supple.native.passes import PASSES, Pass, optimise
from supple.native.program import Program, is_array
from supple.native.rules import RULES

assert RULES

# A refusal names a line of the user's, not of this file.
source_info_util.register_exclusion(__file__)


@dataclass(frozen=True)
class Constant:
    """Marks an argument whose leaves are baked into the program instead of being inputs."""

    value: Any


def _cast(leaf: Any, dtype: np.dtype) -> Any:
    """A floating leaf in the program's precision; other leaves as they are."""
    is_float = isinstance(leaf, float) or (not is_key(leaf) and getattr(leaf, "dtype", np.dtype(bool)).kind == "f")
    # Always a copy: JAX 0.10 remembers arrays that it has met in the precision of that moment.
    return np.array(leaf, dtype) if is_float else leaf


@dataclass(frozen=True)
class Trace:
    """A function as JAX has traced it: its jaxpr, and the structures of its free arguments and of its result.

    `leaves` are those of the free arguments, arrays in the precision `dtype`.
    """

    jaxpr: core.ClosedJaxpr
    in_tree: Any
    out_tree: Any
    leaves: tuple[Any, ...]
    dtype: np.dtype


def lower(fn: Callable[..., Any], *arguments: Any, dtype: Any = np.float64, passes: Sequence[Pass] = PASSES) -> Program:
    """Lower `fn(*arguments)` to scalars; see `trace`. `passes` run over the lowered program."""
    return lower_trace(trace(fn, *arguments, dtype=dtype), passes)


def trace(fn: Callable[..., Any], *arguments: Any, dtype: Any = np.float64) -> Trace:
    """Trace `fn(*arguments)`.

    Leaves of `arguments` become inputs, except that arguments wrapped in `Constant`, what `fn`
    closes over, and leaves that are not arrays are baked in. `dtype` is the precision of the
    floating leaves; tracing happens under `jax.enable_x64` accordingly, so that with float64
    closed-over numpy arrays keep their digits. Typed random keys become arrays of their words,
    (…, 2), on either side.
    """
    dtype = np.dtype(dtype)
    free = tuple(argument for argument in arguments if not isinstance(argument, Constant))
    leaves, in_tree = tree_util.tree_flatten(free)
    leaves = [_cast(leaf, dtype) for leaf in leaves]
    varying = [leaf for leaf in leaves if is_array(leaf)]
    out_tree = None

    def flat(*values: Any) -> list[Any]:
        nonlocal out_tree
        supply = iter(values)
        filled = [next(supply) if is_array(leaf) else leaf for leaf in leaves]
        given = iter(tree_util.tree_unflatten(in_tree, filled))
        result = fn(*(_bake(a.value, dtype) if isinstance(a, Constant) else next(given) for a in arguments))
        flat_result, out_tree = tree_util.tree_flatten(result)
        return flat_result

    closed = _traced(flat, varying, dtype)
    return Trace(closed, in_tree, out_tree, tuple(leaves), dtype)


def _traced(flat: Callable[..., Any], values: Sequence[Any], dtype: np.dtype) -> core.ClosedJaxpr:
    """The jaxpr in a precision.

    What JAX holds of traces in another precision may get into this one, see `constants`. It shows in constants of the
    other precision; then all that JAX holds is dropped, and the function traced again.
    """
    other = "float32" if dtype == np.float64 else "float64"
    with jax.enable_x64(dtype == np.float64):
        closed, types = detach(jax.make_jaxpr(flat)(*values))
        if other in types:
            jax.clear_caches()
            closed, _ = detach(jax.make_jaxpr(flat)(*values))
        return closed


def lower_trace(traced: Trace, passes: Sequence[Pass] = PASSES) -> Program:
    """Lower a traced function to scalars."""
    with jax.enable_x64(traced.dtype == np.float64):
        return optimise(_lower_jaxpr(traced.jaxpr, traced.in_tree, traced.out_tree), passes)


def _bake(tree: Any, dtype: np.dtype) -> Any:
    return tree_util.tree_map(lambda leaf: _cast(leaf, dtype), tree)


def _lower_jaxpr(closed: Any, in_tree: Any, out_tree: Any) -> Program:
    graph = Graph()
    lowering = Lowering(graph)
    inputs, operands = [], []
    for aval in closed.in_avals:
        if aval.dtype.name not in TYPES | {KEY}:
            raise NotCompilable("argument", unsupported(aval), "the call")
        shape, dtype = ((*aval.shape, 2), WORD) if is_key(aval) else (aval.shape, aval.dtype.name)
        count = int(np.prod(shape))
        inputs.append(lowering.shaped([graph.input(dtype) for _ in range(count)], shape))
        operands.append(pack(graph, inputs[-1]) if is_key(aval) else inputs[-1])
    results = zip(lowering.evaluate(closed, operands), closed.out_avals, strict=True)
    outputs = [unpack(graph, nodes) if is_key(aval) else nodes for nodes, aval in results]
    program = Program(graph, tuple(inputs), tuple(map(np.asarray, outputs)), in_tree, out_tree)
    return replace(program, history=(("lower", program.arithmetic),))

"""`supple.compile`: a JAX function as machine code, on numpy arrays."""

import functools
import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jax import tree_util
from jax.extend import source_info_util

from supple.native.c.export import export
from supple.native.callee import Callee
from supple.native.in_jax import in_jax
from supple.native.in_torch import in_torch
from supple.native.keys import is_key, numbers
from supple.native.lower import Constant, trace
from supple.native.machine.image import Image
from supple.native.signature import Leaf, Signature, signature
from supple.native.source import Loaded, Source
from supple.native.workspace import Bound, Frame, Table

# A refusal names a line of the user's, not of this file.
source_info_util.register_exclusion(__file__)

# A batch of fewer operations in all is not worth waking another thread.
THREAD_OPERATIONS = 2_000_000


def compile(fn: Callable[..., Any], *example_arguments: Any, dtype: Any = None) -> "Compiled":  # noqa: A001
    """Compile `fn` for arguments like the examples.

    The result is called as `fn` is, with numpy arrays in the shapes of the examples. Arguments wrapped in
    `supple.Constant`, and what `fn` closes over, are part of the program. `dtype` is the precision of all
    floating numbers: float32 or float64, by default the widest among the examples' arrays.

    Raises `NotCompilable`, with the primitive and the line that made it, for what cannot be compiled.
    """
    begun = time.perf_counter()
    precision = _precision(example_arguments) if dtype is None else np.dtype(dtype)
    if precision not in (np.float32, np.float64):
        raise TypeError(f"dtype is {precision}; programs compute in float32 or float64")
    traced = trace(fn, *example_arguments, dtype=precision)
    return Compiled(signature(traced), Source(traced, time.perf_counter() - begun))


def _precision(arguments: tuple[Any, ...]) -> np.dtype:
    free = [argument for argument in arguments if not isinstance(argument, Constant)]
    arrays = (leaf for leaf in tree_util.tree_leaves(free) if hasattr(leaf, "dtype") and not is_key(leaf))
    found = [np.dtype(leaf.dtype) for leaf in arrays]
    floats = [dtype for dtype in found if dtype.kind == "f"]
    return max(floats, key=lambda dtype: dtype.itemsize, default=np.dtype(np.float64))


@dataclass(frozen=True)
class Stats:
    """A compiled function in numbers: of one state, and wall-clock seconds of all that was compiled so far."""

    operations: int
    chunks: int
    workspace_bytes: int
    trace_seconds: float
    lower_seconds: float
    compile_seconds: float
    cache_hit: bool


class Compiled:
    """A function as machine code. Safe to call from several threads; can be pickled."""

    def __init__(self, signature: Signature, source: Source) -> None:
        self.signature = signature
        self.source = source
        self._local = threading.local()
        source.load(None)

    def __reduce__(self) -> tuple[Any, ...]:
        return Compiled, (self.signature, self.source)

    def __repr__(self) -> str:
        arrays = (", ".join(map(str, leaves)) for leaves in (self.signature.inputs, self.signature.outputs))
        return f"Compiled({' → '.join(arrays)}; {self.stats.operations:,} operations)"

    @property
    def stats(self) -> Stats:
        """What the program is and what it took to make it."""
        loaded, seconds = self.source.load(None), self.source.seconds
        image = loaded.image
        return Stats(
            image.operations,
            image.chunks,
            image.frame_bytes,
            seconds.trace,
            seconds.lower,
            seconds.compile,
            loaded.cache_hit,
        )

    def __call__(self, *arguments: Any) -> Any:
        """The result for one state, in new arrays."""
        bound = self._own()
        leaves = self.signature.leaves(arguments)
        for target, leaf, value in zip(bound.inputs, self.signature.inputs, leaves, strict=True):
            target[...] = leaf.check(value)
        bound()
        return self.signature.result([array.copy() for array in bound.outputs])

    def _own(self) -> Bound:
        """Arrays of this thread."""
        bound = getattr(self._local, "bound", None)
        if bound is None:
            bound = self._local.bound = self.bind_leaves([leaf.empty() for leaf in self.signature.inputs])
        return bound

    def bind(self, *arguments: Any, out: Any = None) -> Bound:
        """The function tied to these very arrays, and to those of `out`, by default new ones.

        `bound()` computes `bound.result` from what the arguments hold by then, without any work in Python. The
        arrays must be C-contiguous and of exactly the types compiled for, and results may not overlap arguments.
        """
        inputs = _exact(self.signature.inputs, self.signature.leaves(arguments))
        if out is None:
            return self.bind_leaves(inputs)
        leaves, tree = tree_util.tree_flatten(out)
        if tree != self.signature.out_tree:
            raise TypeError(f"`out` is of the structure {tree}; the result is of {self.signature.out_tree}")
        outputs = _exact(self.signature.outputs, leaves)
        for leaf, array in zip(self.signature.outputs, outputs, strict=True):
            if any(np.may_share_memory(array, given) for given in inputs) or not array.flags.writeable:
                raise ValueError(f"{leaf.name} cannot be written: it is read-only, or its memory is also an argument's")
        return self.bind_leaves(inputs, outputs)

    def bind_leaves(self, inputs: list[np.ndarray], outputs: list[np.ndarray] | None = None) -> Bound:
        """As `bind`, of arrays that are known to fit, one per leaf."""
        loaded = self.source.load(None)
        written = [leaf.empty() for leaf in self.signature.outputs] if outputs is None else outputs
        frame = Frame(loaded.image.frame_bytes)
        return Bound(loaded.native, Table(inputs), Table(written), frame, self.signature.result(written))

    @functools.cached_property
    def _callee(self) -> Callee:
        return Callee(self.signature.inputs, self.signature.outputs, lambda: self.source)

    def in_jax(self, *arguments: Any) -> Any:
        """The result for one state as part of a JAX program: under `jit`, `vmap`, `grad`, `scan`, on the CPU.

        Derivatives are compiled when they are first needed, from the function as JAX traced it. `vmap` computes its
        states on one core.
        """
        return in_jax(self.signature, self._callee, arguments)

    def torch(self, *arguments: Any) -> Any:
        """The result for one state as PyTorch's tensors, on the CPU, with derivatives of any order in reverse mode."""
        return in_torch(self.signature, self._callee, arguments)

    def batch(self, *arguments: Any, in_axes: Any = 0, threads: int | None = None) -> Any:
        """The results for many states, one after another along a leading axis of every result.

        `in_axes` says along which axis each argument, or each part of it, holds its states, as for `jax.vmap`; None
        is for what all states share. `threads` is by default as many as this process may use.
        """
        axes = _axes(in_axes, arguments)
        leaves = self.signature.leaves(arguments)
        axes = [axes[position] for position in self.signature.positions]
        inputs, count = _batched(self.signature.inputs, leaves, axes)
        outputs = [leaf.empty(count) for leaf in self.signature.outputs]
        loaded = self.source.load(tuple(axis is not SHARED for axis in axes))
        given, written = Table(inputs), Table(outputs)

        def run(first: int, last: int) -> None:
            frame = self._frame(loaded)
            loaded.native.call(given.address, written.address, frame.address, first, last)

        _in_parts(run, count, loaded.image, threads)
        return self.signature.result(outputs)

    def export_c(self, directory: str | os.PathLike[str], name: str = "compiled") -> list[Path]:
        """Write the program as C99: NAME.c, NAME.h, and NAME_check.c, a program that checks them; returns their paths.

        The function NAME takes the arrays of arguments and results, and a workspace of a size that the header states.
        It computes what this machine computes, bit by bit where products and sums are fused as they are here.
        """
        return export(self, Path(directory), name)

    def _frame(self, loaded: Loaded) -> Frame:
        """Memory of this thread."""
        frames = self._local.__dict__.setdefault("frames", {})
        if loaded not in frames:
            frames[loaded] = Frame(loaded.image.frame_bytes)
        return frames[loaded]


def _exact(leaves: Sequence[Leaf], values: Sequence[Any]) -> list[np.ndarray]:
    """Arrays that machine code can read or write where they are."""
    for leaf, value in zip(leaves, values, strict=True):
        if not isinstance(value, np.ndarray) or value.dtype != leaf.dtype or not value.flags.c_contiguous:
            raise TypeError(f"{leaf.name} must be a C-contiguous numpy array of {leaf.dtype} to be bound")
        leaf.check(value)
    return list(values)


class _Shared:
    """The axis of what all states share."""


SHARED = _Shared()


def _axes(in_axes: Any, arguments: tuple[Any, ...]) -> list[Any]:
    """The batch axis of each leaf of the arguments, or SHARED."""
    if type(in_axes) is int:
        return [in_axes] * len(tree_util.tree_leaves(arguments))

    def spread(axis: Any, part: Any) -> Any:
        return tree_util.tree_map(lambda _: SHARED if axis is None else axis, part)

    try:
        prefix = (None,) * len(arguments) if in_axes is None else tuple(in_axes)
        return tree_util.tree_leaves(tree_util.tree_map(spread, prefix, arguments, is_leaf=lambda axis: axis is None))
    except (TypeError, ValueError):
        message = f"in_axes is {in_axes!r:.80}; it must be an axis, None, or a tuple of those like the arguments"
        raise ValueError(message) from None


def _batched(leaves: Sequence[Leaf], values: Sequence[Any], axes: Sequence[Any]) -> tuple[list[np.ndarray], int]:
    """Contiguous arrays with the states along the first axis, and how many states there are."""
    arrays, count, first = [], None, ""
    for leaf, value, axis in zip(leaves, values, axes, strict=True):
        array = numbers(value)
        if axis is SHARED:
            arrays.append(np.ascontiguousarray(leaf.check(array), leaf.dtype).reshape(leaf.shape))
            continue
        if array.ndim != len(leaf.shape) + 1 or not -array.ndim <= axis < array.ndim:
            shape = f"that of the states, axis {axis}, and {leaf.shape}"
            raise ValueError(f"{leaf.name} has shape {array.shape}; many states have one axis more: {shape}")
        if axis != 0:  # which numpy would take longer to find out than a small batch to compute
            array = np.moveaxis(array, axis, 0)
        if count is None:
            count, first = len(array), leaf.name
        if len(array) != count:
            raise ValueError(f"{leaf.name} holds {len(array)} states, but {first} holds {count}")
        arrays.append(np.ascontiguousarray(leaf.check(array, (count,)), leaf.dtype))
    if count is None:
        raise ValueError("no argument holds a batch: in_axes is None for all")
    return arrays, count


def _in_parts(run: Callable[[int, int], None], count: int, image: Image, threads: int | None) -> None:
    """Run over all states, in as many threads as are worth it; parts begin at a multiple of the lanes."""
    useful = min(-(-count // image.lanes), 1 + image.operations * count // THREAD_OPERATIONS)
    parts = max(1, min(_cores() if threads is None else threads, useful))
    if parts == 1:
        run(0, count)
        return
    blocks = -(-count // image.lanes)
    bounds = [min(count, blocks * part // parts * image.lanes) for part in range(parts + 1)]
    list(_pool(os.getpid()).map(run, bounds[:-1], bounds[1:]))


def _cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@functools.cache
def _pool(_process: int) -> ThreadPoolExecutor:
    """Threads of this process: a forked one has none of its parent's."""
    return ThreadPoolExecutor(max_workers=os.cpu_count(), thread_name_prefix="supple")

"""What tests of the compiler share: a program must compute what JAX computes."""

import dataclasses
import functools
import sys
from pathlib import Path

import jax
import numpy as np
import pytest
from jax import lax
from jax.extend.core import subjaxprs

from supple.native import Program, interpret, lower
from supple.native.machine.image import compile_batch, compile_single
from supple.native.machine.link import Native
from supple.native.machine.target import host
from supple.native.rules import RULES
from supple.native.workspace import Frame, Table

sys.path.insert(0, str(Path(__file__).parent))  # modules that tests of this folder share


def _values(tree):
    return [np.asarray(leaf) for leaf in jax.tree.leaves(tree)]


@functools.lru_cache(maxsize=64)
def _loaded(kept, batched):
    """Machine code of a program, which is known by its identity."""
    target = host()
    image = compile_batch(kept.program, target, batched) if batched else compile_single(kept.program, target)
    return image, Native(image.code, image.symbol)


@dataclasses.dataclass(frozen=True, eq=False)
class _Kept:
    """A program that can be a key."""

    program: Program


@pytest.fixture
def machine():
    """What computes a program on flat inputs, for one state or with a leading batch axis, in machine code."""
    kept: dict[int, _Kept] = {}

    def run(program, leaves):
        leaves = [np.ascontiguousarray(leaf).reshape(np.shape(leaf)) for leaf in leaves]
        batched = tuple(leaf.ndim > nodes.ndim for leaf, nodes in zip(leaves, program.inputs, strict=True))
        is_batch = any(batched)
        key = kept.setdefault(id(program), _Kept(program))
        image, native = _loaded(key, batched if is_batch else None)
        count = next((len(leaf) for leaf, has in zip(leaves, batched, strict=True) if has), 1)
        types = program.graph.dtype
        outputs = [
            np.empty((*((count,) if is_batch else ()), *nodes.shape), types[nodes.flat[0]] if nodes.size else float)
            for nodes in program.outputs
        ]
        given, written, frame = Table(leaves), Table(outputs), Frame(image.frame_bytes)
        native.call(given.address, written.address, frame.address, *((0, count) if is_batch else ()))
        return outputs

    return run


@pytest.fixture(params=["interpreter", "machine"])
def evaluator(request):
    """What computes a program on flat inputs: the interpreter, and machine code."""
    return interpret if request.param == "interpreter" else request.getfixturevalue("machine")


def _assert_equal(result, value, rtol, atol):
    """Equal to tolerances, or, if both are zero, bit by bit but for the payload of NaN."""
    assert (result.shape, result.dtype) == (value.shape, value.dtype)
    np.testing.assert_allclose(result, value, rtol=rtol, atol=atol)
    if rtol == atol == 0 and value.dtype.kind == "f":
        number = ~np.isnan(value)
        np.testing.assert_array_equal(np.signbit(result[number]), np.signbit(value[number]))


@pytest.fixture
def agrees(evaluator):
    """Check that a function's program, simplified and not, computes what JAX does; return the program."""

    def check(fn, *args, rtol=1e-12, atol=1e-12, **options):
        args = jax.tree.map(np.asarray, args)
        expected = _values(jax.jit(fn)(*args))
        plain, program = lower(fn, *args, passes=(), **options), lower(fn, *args, **options)
        for candidate in (plain, program):
            results = evaluator(candidate, _values(args))
            for result, value in zip(results, expected, strict=True):
                _assert_equal(result, value, rtol, atol)
        return program

    return check


@pytest.fixture
def agrees_on_each(evaluator):
    """As `agrees`, bit by bit, on many samples: the leading axis of every argument, in its own precision."""

    def check(fn, *samples, rtol=0, atol=0):
        samples = jax.tree.map(np.asarray, samples)
        first = jax.tree.map(lambda rows: rows[0], samples)
        dtype = np.dtype("float32" if any(leaf.dtype == np.float32 for leaf in _values(samples)) else "float64")
        with jax.enable_x64(dtype == np.float64):
            expected = _values(jax.jit(lambda rows: lax.map(lambda row: fn(*row), rows))(samples))
        plain, program = lower(fn, *first, dtype=dtype, passes=()), lower(fn, *first, dtype=dtype)
        for candidate in (plain, program):
            results = evaluator(candidate, _values(samples))
            for result, value in zip(results, expected, strict=True):
                _assert_equal(result, value, rtol, atol)
        return program

    return check


@pytest.fixture
def rules_of():
    """The primitives whose rules stand in a module."""

    def names(module):
        return {name for name, function in RULES.items() if function.__module__ == module.__name__}

    return names


@pytest.fixture
def primitives_of():
    """The primitives that a function's jaxpr uses, inner programs included."""

    def names(fn, *args):
        found = set()

        def collect(jaxpr):
            for equation in jaxpr.eqns:
                found.add(equation.primitive.name)
            for inner in subjaxprs(jaxpr):
                collect(inner)

        collect(jax.make_jaxpr(fn)(*args).jaxpr)
        return found

    return names

"""What tests of the compiler share: a program must compute what JAX computes."""

import jax
import numpy as np
import pytest
from jax import lax
from jax.extend.core import subjaxprs

from supple.native import interpret, lower
from supple.native.rules import RULES


def _values(tree):
    return [np.asarray(leaf) for leaf in jax.tree.leaves(tree)]


@pytest.fixture
def evaluator():
    """What computes a program on flat inputs with any leading batch axes."""
    return interpret


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

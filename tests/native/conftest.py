"""What tests of the compiler share: a program must compute what JAX computes."""

import jax
import numpy as np
import pytest
from jax.extend.core import subjaxprs

from supple.native import interpret, lower
from supple.native.rules import RULES


def _values(tree):
    return [np.asarray(leaf) for leaf in jax.tree.leaves(tree)]


@pytest.fixture
def agrees():
    """Check that a function's program, simplified and not, computes what JAX does; return the program."""

    def check(fn, *args, rtol=1e-12, atol=1e-12, **options):
        args = jax.tree.map(np.asarray, args)
        expected = _values(jax.jit(fn)(*args))
        plain, program = lower(fn, *args, passes=(), **options), lower(fn, *args, **options)
        for candidate in (plain, program):
            results = interpret(candidate, _values(args))
            assert len(results) == len(expected)
            for result, value in zip(results, expected, strict=True):
                assert (result.shape, result.dtype) == (value.shape, value.dtype)
                np.testing.assert_allclose(result, value, rtol=rtol, atol=atol)
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

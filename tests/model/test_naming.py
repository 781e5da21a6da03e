"""Marks: what they carry, what they refuse, and that they cost nothing."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from supple.model.errors import NamingError
from supple.model.naming import Mark, Parts, named


@pytest.mark.parametrize("parts", [None, Parts((4, 0), 5)])
@pytest.mark.parametrize("unit", ["", 'rad/s² "x"'])
def test_a_mark_survives_its_string(parts, unit):
    mark = Mark("joint.force", unit, (2, 3), parts)
    assert Mark.decode(mark.encode()) == mark
    assert hash(Mark.decode(mark.encode())) == hash(mark)


def test_a_strangers_checkpoint_name_is_not_ours():
    assert Mark.decode("joint.force") is None


def test_the_value_is_unchanged():
    x = jnp.arange(3.0)
    assert named("a.b", x) is x
    np.testing.assert_array_equal(named("a.b", 2.0), 2.0)


@pytest.mark.parametrize("name", ["force", "Joint.force", "joint.", ".force", "joint force", "joint..force", "1.a", ""])
def test_bad_names_are_refused(name):
    with pytest.raises(NamingError, match="dotted lowercase"):
        named(name, jnp.ones(3))


@pytest.mark.parametrize("value", [(jnp.ones(2),), {"a": 1.0}, None, "x"])
def test_only_arrays_are_marked(value):
    with pytest.raises(NamingError, match="one array"):
        named("a.b", value)


@pytest.mark.parametrize(
    ("parts", "message"),
    [(((0,), 5), "per row"), (((0, 0), 5), "different indices"), (((0, 5), 5), "0 to 4"), (((-1, 0), 5), "0 to 4")],
)
def test_bad_parts_are_refused(parts, message):
    with pytest.raises(NamingError, match=message):
        named("a.b", jnp.ones((2, 3)), parts=parts)


def test_parts_of_a_scalar_are_refused():
    with pytest.raises(NamingError, match="per row"):
        named("a.b", 1.0, parts=((), 5))


def test_the_experimental_checkpoint_is_refused():
    jax.config.update("jax_remat3", True)
    try:
        with pytest.raises(NamingError, match="jax_remat3"):
            named("a.b", jnp.ones(3))
    finally:
        jax.config.update("jax_remat3", False)


def _work(mark):
    def body(x, _):
        force = mark("joint.force", jnp.sin(x))
        return x + mark("joint.velocity", force * x), force

    return lambda x: jnp.sum(jax.lax.scan(jax.checkpoint(body), x, length=3)[0])


@pytest.mark.parametrize("wrap", [lambda f: f, jax.grad, lambda f: jax.vmap(jax.grad(f))])
def test_a_mark_costs_nothing(wrap):
    x = jnp.ones((2, 3))

    def compiled(mark):
        lowered = jax.jit(wrap(_work(mark))).lower(x)
        return lowered.as_text(), lowered.compile().cost_analysis()

    assert compiled(named) == compiled(lambda _, value: value)

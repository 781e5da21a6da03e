import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jax import lax

import supple as sp
from supple.native import Constant, NotCompilable, as_function, interpret, lower
from supple.native.lower import lower_trace, trace


def _rotate(angle, x):
    c, s = jnp.cos(angle), jnp.sin(angle)
    return jnp.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ x


def test_a_rotation_about_z_costs_six_operations_and_two_functions():
    assert lower(_rotate, 0.3, np.ones(3)).stats == {"mul": 4, "add": 1, "sub": 1, "sin": 1, "cos": 1}


def test_a_rotation_and_back_costs_nothing():
    assert lower(lambda angle, x: _rotate(angle, _rotate(-angle, x))[2], 0.3, np.ones(3)).arithmetic == 0


COUNTS = {
    "cross product": (jnp.cross, 9),
    "norm": (lambda x, y: jnp.linalg.norm(x), 6),
    "unit vector": (lambda x, y: x / jnp.sqrt(jnp.sum(x * x)), 6 + 1 + 3),
    "dot with a constant": (lambda x, y: x @ np.array([2.0, 0.0, -2.0]), 2),
    "common factor": (lambda x, y: x[0] * y[0] + x[0] * y[1] + x[0] * y[2], 3),
    "common parts": (lambda x, y: ((x[0] + y[0]) + y[1], (x[0] + y[2]) + y[1]), 3),
    "the same differently": (lambda x, y: (x * y, -(y * x), y - x, x - y), 3 + 3 + 3 + 3),
}


@pytest.mark.parametrize("case", COUNTS)
def test_known_counts(case):
    fn, count = COUNTS[case]
    assert lower(fn, np.ones(3), np.ones(3)).arithmetic == count


def test_constants_are_baked_in_and_keep_their_digits():
    scale = np.array([0.1, 0.0, 1.0])
    program = lower(lambda s, x: s * x, Constant(scale), np.ones(3))
    assert program.stats == {"mul": 1}
    assert 0.1 in program.graph.value
    assert lower(lambda s, x: s * x, scale, np.ones(3)).stats == {"mul": 3}


def test_closed_over_arrays_are_constants_in_float64_even_without_x64():
    scale = np.array([0.1, 0.2])
    with jax.enable_x64(False):
        program = lower(lambda x: scale * x, np.ones(2))
    assert 0.1 in program.graph.value


def test_pytrees_go_in_and_out_and_leaves_that_are_no_arrays_are_kept():
    def fn(state, name):
        assert name == "sine"
        return {"y": jnp.sin(state["x"]), "n": state["n"] + 1}

    state = {"x": np.array([1.0, 2.0]), "n": np.int32(3)}
    result = as_function(lower(fn, state, "sine"))(state, "sine")
    np.testing.assert_allclose(result["y"], np.sin(state["x"]))
    assert result["n"] == 4
    assert result["n"].dtype == np.int32


def test_dead_code_is_not_counted():
    assert lower(lambda x: (jnp.sin(x), jnp.exp(x))[0], 1.0).stats == {"sin": 1}


def test_history_tells_what_each_pass_left():
    history = lower(lambda x, y: x * y + x * x, 1.0, 2.0).history
    assert history[0] == ("lower", 3)
    assert dict(history)["factor"] == 2


def test_refusal_names_primitive_line_and_way_out():
    with pytest.raises(NotCompilable) as refusal:
        lower(lambda x: jnp.linalg.svd(2 * x), np.ones((3, 3)))
    assert "'svd'" in str(refusal.value)
    assert "test_lower.py" in str(refusal.value)
    assert "jax.jit" in str(refusal.value)


def test_complex_numbers_are_refused():
    with pytest.raises(NotCompilable, match="complex"):
        lower(lambda x: lax.complex(x, x).real, 1.0)


def test_interpretation_of_a_batch():
    program = lower(_rotate, 0.3, np.ones(3))
    angles, points = np.linspace(0, 1, 8).reshape(2, 4), np.random.default_rng(0).normal(size=(2, 4, 3))
    (result,) = interpret(program, [angles, points])
    expected = jax.vmap(jax.vmap(_rotate))(angles, points)
    np.testing.assert_allclose(result, expected, rtol=1e-12)


def test_a_batch_of_one_input_only():
    program = lower(_rotate, 0.3, np.ones(3))
    angles = np.linspace(0, 1, 4)
    (result,) = interpret(program, [angles, np.ones(3)])
    np.testing.assert_allclose(result, jax.vmap(_rotate, in_axes=(0, None))(angles, np.ones(3)), rtol=1e-12)


def test_wrong_inputs_are_named():
    program = lower(_rotate, 0.3, np.ones(3))
    with pytest.raises(ValueError, match="has 2 inputs, not 1"):
        interpret(program, [0.3])
    with pytest.raises(ValueError, match=r"input 1 has shape \(4,\)"):
        interpret(program, [0.3, np.ones(4)])
    with pytest.raises(TypeError, match="structure"):
        as_function(program)([0.3, np.ones(3)])


# Operations on a pair of (3, 3) matrices; bounded, so that no random program meets infinity.
STEPS = [
    lambda x, y: x + y,
    lambda x, y: x - y,
    lambda x, y: y - jnp.tanh(x) * 2.0,
    lambda x, y: jnp.tanh(x) @ jnp.sin(y),
    lambda x, y: jnp.sin(x) * jnp.cos(y),
    lambda x, y: -x,
    lambda x, y: x.T,
    lambda x, y: x / (2.0 + jnp.cos(y)),
    lambda x, y: jnp.tanh(x) ** 2 + jnp.cos(x) ** 2 - y,
    lambda x, y: jnp.where(x > y, x, 0.5 * y),
    lambda x, y: jnp.sqrt(1.0 + jnp.sin(x) ** 2) * jnp.sin(y),
    lambda x, y: jnp.cumsum(jnp.sin(x), axis=0),
    lambda x, y: jnp.broadcast_to(jnp.tanh(x).sum(axis=1), (3, 3)),
    lambda x, y: x.at[np.array([0, 2])].add(y[1:]),
    lambda x, y: y[::-1, np.array([2, 0, 1])],
    lambda x, y: jnp.maximum(x, jnp.zeros_like(y)),
]


def _program(choices):
    def run(x, y):
        values = [x, y]
        for step, one, other in choices:
            values.append(STEPS[step](values[one % len(values)], values[other % len(values)]))
        return values[-1] * 0.5, values[-2]

    return run


CHOICES = st.lists(
    st.tuples(st.integers(0, len(STEPS) - 1), st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=8
)


@settings(max_examples=40, deadline=None)
@given(CHOICES, st.integers(0, 2**16))
def test_random_programs_compute_what_jax_does(choices, seed):
    _check(_program(choices), seed)


@settings(max_examples=15, deadline=None)
@given(CHOICES, st.integers(0, 2**16))
def test_gradients_of_random_programs_compute_what_jax_does(choices, seed):
    run = _program(choices)
    _check(jax.grad(lambda x, y: sum(jnp.sum(jnp.sin(z)) for z in run(x, y)), argnums=(0, 1)), seed)


def _check(fn, seed):
    x, y = np.random.default_rng(seed).normal(size=(2, 3, 3))
    results = interpret(lower(fn, x, y), [x, y])
    for result, expected in zip(results, fn(jnp.asarray(x), jnp.asarray(y)), strict=True):
        np.testing.assert_allclose(result, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.filterwarnings("ignore:Explicitly requested dtype float64")
@pytest.mark.parametrize("first", ["float32", "float64"])
def test_precisions_do_not_mix_through_arrays_that_both_close_over(first):
    """JAX itself, without `constants`, gives 0.1 of float32 to the later trace in float64."""
    weights = np.array([0.1, 0.2])
    inner = jax.jit(lambda x: x * jnp.asarray(weights))
    x = np.ones(2)
    precisions = ["float32", "float64"] if first == "float32" else ["float64", "float32"]
    with jax.enable_x64(first == "float64"):
        inner(x)  # what is compiled by JAX is held in its caches
    held = [trace(lambda x: inner(x) + jnp.asarray(weights), x, dtype=dtype) for dtype in precisions]
    for traced, dtype in zip(held, precisions, strict=True):
        graph = lower_trace(traced, ()).graph
        floats = [value for value in graph.value if isinstance(value, float)]
        assert set(graph.dtype) == {dtype}
        assert set(floats) == {float(np.dtype(dtype).type(value)) for value in weights}


def test_a_robot_keeps_its_digits_after_single_precision():
    def swing(model):
        return lambda q: sp.dynamics.aba(model, q, q, q)

    used, fresh, q = sp.robots.pendulum(1), sp.robots.pendulum(1), np.zeros(1)
    with jax.enable_x64(False):
        held = jax.make_jaxpr(swing(used))(q)  # and with it what JAX made of the model
    assert lower(swing(used), q).graph.value == lower(swing(fresh), q).graph.value
    assert {aval.dtype.name for aval in held.out_avals} == {"float32"}

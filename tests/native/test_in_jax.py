"""Compiled functions as parts of JAX programs: values and derivatives equal those of the function compiled."""

import gc
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import supple as sp


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUPPLE_CACHE", "off")


def swing(state: dict[str, Any], stiffness: Any, count: Any) -> dict[str, Any]:
    """Pytrees in and out, of floats, integers and truth values."""
    force = -stiffness * jnp.sin(state["x"]) + count * state["v"] ** 2
    energy = jnp.sum(force**2, axis=-1) + count
    return {"x": state["x"] + 0.1 * force, "v": state["v"] * 0.9, "all": (energy, jnp.argmax(force), force > 0.1)}


STATE = {"x": np.array([0.3, -0.7, 1.1]), "v": np.array([0.5, 0.2, -0.4])}
STIFFNESS = np.array(2.5)
COUNT = np.array(3)


@pytest.fixture(scope="module")
def fast() -> sp.native.Compiled:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SUPPLE_CACHE", "off")
        return sp.compile(swing, STATE, STIFFNESS, COUNT)


def assert_same(found: Any, expected: Any, rtol: float = 1e-12) -> None:
    assert jax.tree.structure(found) == jax.tree.structure(expected)
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        if a.dtype != jax.dtypes.float0:
            np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-14)


def of_both(fast: Any, question: Callable[[Callable[..., Any]], Callable[..., Any]], *arguments: Any) -> None:
    """What is asked of the compiled function and of the original has the same answer, in one program each."""
    assert_same(jax.jit(question(fast.in_jax))(*arguments), jax.jit(question(swing))(*arguments))


def scalar(function: Callable[..., Any]) -> Callable[..., Any]:
    def loss(state: Any, stiffness: Any, count: Any = 3) -> Any:
        result = function(state, stiffness, count)
        return jnp.sum(result["x"] ** 2) + result["all"][0] * result["v"][1]

    return loss


def stacked(count: int, state: Any = STATE) -> Any:
    """Many states near the given one."""
    steps = np.linspace(0.0, 1.0, count)
    return jax.tree.map(lambda x: x + steps.reshape(-1, *[1] * np.ndim(x)), state)


def test_values_are_those_of_the_function(fast: Any) -> None:
    expected = jax.jit(swing)(STATE, STIFFNESS, COUNT)
    assert_same(jax.jit(fast.in_jax)(STATE, STIFFNESS, COUNT), expected)
    assert_same(fast.in_jax(STATE, STIFFNESS, COUNT), expected)
    with jax.disable_jit():
        assert_same(fast.in_jax(STATE, 2.5, 3), expected)


def test_machine_code_is_what_runs(fast: Any) -> None:
    many = stacked(11)
    assert_same(jax.jit(fast.in_jax)(STATE, STIFFNESS, COUNT), fast(STATE, STIFFNESS, COUNT), rtol=0)
    batched = jax.jit(jax.vmap(fast.in_jax, (0, None, None)))
    assert_same(batched(many, STIFFNESS, COUNT), fast.batch(many, STIFFNESS, COUNT, in_axes=(0, None, None)), rtol=0)
    assert "supple_" in batched.lower(many, STIFFNESS, COUNT).as_text()


@pytest.mark.parametrize("count", [0, 1, 7, 33])
def test_vmap_is_that_of_jax(fast: Any, count: int) -> None:
    of_both(fast, lambda f: lambda s: jax.vmap(f, (0, None, None))(s, STIFFNESS, COUNT), stacked(count))


def test_vmap_takes_any_axes_and_nests(fast: Any) -> None:
    states = jax.tree.map(lambda x: x[:, None] * np.arange(1.0, 4.0)[:, None], stacked(5))

    def question(f: Any) -> Any:
        def ask(states: Any, stiffness: Any, counts: Any) -> Any:
            inner = jax.vmap(f, ({"x": 0, "v": None}, None, 0))
            outer = jax.vmap(inner, ({"x": 0, "v": 1}, 0, None))
            twice = jax.vmap(jax.vmap(f, (0, 0, None)), (0, None, None))
            last = jax.vmap(f, (-1, None, None), out_axes={"x": -1, "v": 1, "all": 0})
            turned = jax.tree.map(lambda x: jnp.moveaxis(x, 0, -1), jax.tree.map(lambda x: x[:, 0], states))
            mixed = {"x": states["x"], "v": states["v"][:, 0].T}
            return outer(mixed, stiffness, counts), twice(states, stiffness[:3], counts[0]), last(turned, 2.0, 1)

        return ask

    of_both(fast, question, states, np.linspace(1.0, 2.0, 5), np.array([0, 2, 1]))


def test_derivatives_are_those_of_jax(fast: Any) -> None:
    def question(f: Any) -> Any:
        loss = scalar(f)

        def ask(state: Any, stiffness: Any) -> Any:
            ones = jax.tree.map(jnp.ones_like, state)
            return (
                jax.value_and_grad(loss, (0, 1))(state, stiffness),
                jax.jvp(lambda s: f(s, stiffness, 3)["x"], (state,), (ones,)),
                jax.jacfwd(lambda s: f(s, stiffness, 3)["x"])(state),
                jax.jacrev(lambda s: f(s, stiffness, 3)["x"])(state),
                jax.hessian(loss)(state, stiffness),
                jax.jacrev(jax.grad(loss, 1), 1)(state, stiffness),
            )

        return ask

    of_both(fast, question, STATE, STIFFNESS)


def test_derivatives_of_batches_and_loops_are_those_of_jax(fast: Any) -> None:
    many = stacked(6)

    def question(f: Any) -> Any:
        loss = scalar(f)

        def roll(state: Any, stiffness: Any) -> Any:
            def step(state: Any, _: Any) -> Any:
                result = f(state, stiffness, 1)
                return {"x": result["x"], "v": result["v"]}, result["all"][0]

            return jnp.sum(lax.scan(jax.checkpoint(step), state, length=4)[1])

        def total(state: Any, stiffness: Any) -> Any:
            return jnp.sum(jax.vmap(loss, (0, None))(state, stiffness))

        def ask(many: Any, stiffness: Any) -> Any:
            one = jax.tree.map(lambda x: x[2], many)
            return (
                jax.grad(total, (0, 1))(many, stiffness),
                jax.vmap(jax.grad(loss, (0, 1)), (0, None))(many, stiffness),
                jax.grad(roll, (0, 1))(one, stiffness),
                jax.vmap(jax.grad(roll), (0, None))(many, stiffness),
            )

        return ask

    of_both(fast, question, many, STIFFNESS)


def test_linear_maps_can_be_batched_and_transposed(fast: Any) -> None:
    """Tangents differ from state to state where the point does not, and the other way round."""
    many = stacked(4)

    def question(f: Any) -> Any:
        def ask(many: Any, stiffness: Any) -> Any:
            one = jax.tree.map(lambda x: x[1], many)
            push = jax.linearize(lambda s, k: f(s, k, 3)["x"], one, stiffness)[1]
            pushes = jax.vmap(push, (0, None))
            pull = jax.linear_transpose(pushes, many, stiffness)
            shared = jax.linear_transpose(
                lambda t: jax.vmap(lambda s: jax.jvp(lambda s: f(s, stiffness, 3)["x"], (s,), (t,))[1])(many), one
            )
            return pushes(many, stiffness), pull(many["x"]), shared(many["x"])

        return ask

    of_both(fast, question, many, STIFFNESS)


def test_integers_have_no_derivatives(fast: Any) -> None:
    found = jax.grad(scalar(fast.in_jax), (1, 2), allow_int=True)(STATE, STIFFNESS, COUNT)
    assert_same(found, jax.grad(scalar(swing), (1, 2), allow_int=True)(STATE, STIFFNESS, COUNT))
    assert found[1].dtype == jax.dtypes.float0
    largest = sp.compile(jnp.argmax, STATE["x"])
    assert_same(*(jax.jvp(f, (STATE["x"],), (STATE["v"],)) for f in (largest.in_jax, jnp.argmax)))


def test_rules_of_the_user_are_kept() -> None:
    @jax.custom_vjp
    def double(x: Any) -> Any:
        return 2.0 * x

    double.defvjp(lambda x: (double(x), x), lambda x, seed: (seed * 7.0 * x,))
    compiled = sp.compile(double, np.array(3.0))
    assert jax.grad(compiled.in_jax)(3.0) == 21.0


def test_random_keys_are_passed_on() -> None:
    def draw(key: Any, scale: Any) -> Any:
        return scale * jax.random.normal(key, (2,))

    key = jax.random.key(3)
    compiled = sp.compile(draw, key, np.array(2.0))
    found = jax.jit(jax.jacrev(compiled.in_jax, 1))(key, 2.0)
    assert_same(found, jax.jit(jax.jacrev(draw, 1))(key, 2.0))


def test_large_programs_have_memory_to_work_in() -> None:
    def chain(x: Any) -> Any:
        values = [x]
        for k in range(200):
            values.append(jnp.sin(values[-1]) + values[k // 2])
        return sum(values)

    x = np.linspace(-1.0, 1.0, 5)
    compiled = sp.compile(chain, x)
    assert compiled.stats.workspace_bytes > 0
    many = stacked(19, x)
    assert_same(jax.jit(compiled.in_jax)(x), compiled(x), rtol=0)
    assert_same(jax.jit(jax.vmap(compiled.in_jax))(many), compiled.batch(many), rtol=0)


def test_float32_needs_no_64_bits_and_float64_does(fast: Any) -> None:
    with jax.enable_x64(False):
        compiled = sp.compile(swing, *jax.tree.map(jnp.asarray, (STATE, STIFFNESS, COUNT)))
        found = jax.jit(jax.grad(scalar(compiled.in_jax)))(STATE, STIFFNESS, COUNT)
        assert found["x"].dtype == np.float32
        assert_same(found, jax.grad(scalar(swing))(STATE, STIFFNESS, COUNT), rtol=1e-5)
        with pytest.raises(TypeError, match=r"argument\[0\]\['v'\] is of type float64, .*jax.enable_x64\(True\)"):
            fast.in_jax(STATE, STIFFNESS, COUNT)


def test_wrong_arguments_are_refused(fast: Any) -> None:
    with pytest.raises(TypeError, match=r"argument\[1\] has shape \(2,\)"):
        jax.jit(fast.in_jax)(STATE, np.ones(2), COUNT)
    with pytest.raises(TypeError, match=r"argument\[2\] is of type float64"):
        fast.in_jax(STATE, STIFFNESS, 3.0)
    with pytest.raises(TypeError, match="the arguments have 3 arrays"):
        fast.in_jax(STATE, STIFFNESS)


def test_other_platforms_are_refused(fast: Any) -> None:
    with pytest.raises(NotImplementedError, match="runs on the CPU, not on cuda"):
        jax.jit(fast.in_jax).trace(STATE, STIFFNESS, COUNT).lower(lowering_platforms=("cuda",))


def test_a_transpose_without_a_derivative_is_refused() -> None:
    compiled = sp.compile(lambda x: 2.0 * x, np.ones(2))
    with pytest.raises(TypeError, match=r"take jax\.vjp of it"):
        jax.linear_transpose(compiled.in_jax, np.ones(2))(np.ones(2))


def test_a_pickled_function_computes_but_has_no_derivative() -> None:
    copy = pickle.loads(pickle.dumps(sp.compile(lambda x: x**2, np.array(3.0))))
    assert jax.jit(copy.in_jax)(3.0) == 9.0
    with pytest.raises(TypeError, match="was pickled has no derivative: compile the function again"):
        jax.grad(copy.in_jax)(3.0)


def test_code_that_jax_knows_stays_in_memory() -> None:
    compiled = sp.compile(lambda x: x * 3.0 - 1.0, np.ones(3))
    code = weakref.ref(compiled.source.load(None).native)
    program = jax.jit(compiled.in_jax).lower(np.ones(3)).compile()
    del compiled
    jax.clear_caches()
    gc.collect()
    assert code() is not None
    np.testing.assert_array_equal(program(np.ones(3)), [2.0, 2.0, 2.0])


def test_equal_code_has_one_name() -> None:
    """XLA keeps programs on disk, so a name must mean the same code in every process."""
    one, same, other = (sp.compile(lambda x, k=k: x * k, np.ones(3)) for k in (5.0, 5.0, 6.0))
    texts = [jax.jit(f.in_jax).lower(np.ones(3)).as_text() for f in (one, same, other)]
    names = [text.partition("@supple_")[2].partition("(")[0] for text in texts]
    assert names[0] == names[1] != names[2]
    assert_same(same.in_jax(np.ones(3)), np.full(3, 5.0))

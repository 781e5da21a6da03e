"""`supple.compile`: JAX functions as machine code, called, batched, bound, pickled, and refused."""

import gc
import pickle
import threading
import weakref
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import supple as sp
from supple.native import NotCompilable


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUPPLE_CACHE", "off")


def spring(state: dict[str, jax.Array], stiffness: jax.Array) -> dict[str, Any]:
    """A pytree in and out, with a function in several parts."""
    force = -stiffness * jnp.sin(state["x"])
    return {"force": force, "energy": (jnp.sum(force**2), jnp.argmax(force)), "fast": state["v"] > 1.0}


@pytest.fixture(scope="module")
def arguments() -> tuple[dict[str, np.ndarray], np.ndarray]:
    rng = np.random.default_rng(0)
    return {"x": rng.normal(size=(3, 2)), "v": rng.normal(size=5)}, np.array(2.5)


@pytest.fixture(scope="module")
def fast(arguments: Any) -> sp.native.Compiled:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SUPPLE_CACHE", "off")
        return sp.compile(spring, *arguments)


def assert_same(found: Any, expected: Any, rtol: float = 1e-13) -> None:
    assert jax.tree.structure(found) == jax.tree.structure(expected)
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        assert isinstance(a, np.ndarray)
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-14)


def stacked(arguments: Any, count: int) -> Any:
    """Many states near the given one."""
    steps = np.linspace(0.0, 1.0, count)
    return jax.tree.map(lambda x: x + steps.reshape(-1, *[1] * np.ndim(x)), arguments)


def test_a_call_gives_what_jax_gives(fast: Any, arguments: Any) -> None:
    assert_same(fast(*arguments), jax.jit(spring)(*arguments))


def test_results_are_new_arrays(fast: Any, arguments: Any) -> None:
    first = fast(*arguments)
    kept = jax.tree.map(np.copy, first)
    fast(*jax.tree.map(lambda x: x + 1, arguments))
    assert_same(first, kept, rtol=0)


def test_a_batch_gives_what_vmap_gives(fast: Any, arguments: Any) -> None:
    for count in (0, 1, 7, 8, 33):
        many = stacked(arguments, count)
        expected = (
            jax.vmap(spring)(*many)
            if count
            else jax.tree.map(lambda x: x[:0], jax.vmap(spring)(*stacked(arguments, 1)))
        )
        assert_same(fast.batch(*many), expected)


def test_axes_of_a_batch_are_those_of_vmap(fast: Any, arguments: Any) -> None:
    state, stiffness = stacked(arguments, 9)
    turned = {"x": np.moveaxis(state["x"], 0, 1), "v": state["v"][0]}
    in_axes = ({"x": 1, "v": None}, -1)
    assert_same(fast.batch(turned, stiffness, in_axes=in_axes), jax.vmap(spring, in_axes)(turned, stiffness))
    shared = fast.batch(state, stiffness[0], in_axes=(0, None))
    assert_same(shared, jax.vmap(spring, (0, None))(state, stiffness[0]))


def test_threads_share_a_batch(fast: Any, arguments: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supple.native.compiled.THREAD_OPERATIONS", 1)
    many = stacked(arguments, 203)
    expected = fast.batch(*many, threads=1)
    for threads in (2, 3, 64):
        assert_same(fast.batch(*many, threads=threads), expected, rtol=0)


def test_a_bound_function_reads_and_writes_its_arrays(fast: Any, arguments: Any) -> None:
    mine = jax.tree.map(np.array, arguments)
    bound = fast.bind(*mine)
    bound()
    assert_same(bound.result, fast(*arguments), rtol=0)
    mine[0]["x"][:] = 0.25
    bound()
    assert_same(bound.result, fast(*mine), rtol=0)


def test_a_bound_function_outlives_what_it_was_bound_from() -> None:
    compiled = sp.compile(lambda x: 2.0 * x, np.ones(2))
    code = weakref.ref(compiled.source.load(None).native)
    bound = compiled.bind(np.ones(2))
    del compiled
    gc.collect()
    assert code() is not None
    bound()
    np.testing.assert_array_equal(bound.result, [2.0, 2.0])


def test_a_bound_function_writes_where_it_is_told(fast: Any, arguments: Any) -> None:
    out = jax.tree.map(np.zeros_like, fast(*arguments))
    bound = fast.bind(*arguments, out=out)
    bound()
    assert bound.result["force"] is out["force"]
    assert_same(out, fast(*arguments), rtol=0)


def test_a_function_is_safe_in_many_threads(fast: Any, arguments: Any) -> None:
    inputs = [jax.tree.map(lambda x, k=k: x + 0.1 * k, arguments) for k in range(16)]
    expected = [fast(*given) for given in inputs]
    failures = []

    def work(k: int) -> None:
        try:
            for _ in range(200):
                assert_same(fast(*inputs[k]), expected[k], rtol=0)
        except AssertionError as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_a_function_can_be_pickled(fast: Any, arguments: Any) -> None:
    many = stacked(arguments, 5)
    copy = pickle.loads(pickle.dumps(fast))
    assert_same(copy(*arguments), fast(*arguments), rtol=0)
    assert_same(copy.batch(*many), fast.batch(*many), rtol=0)
    assert copy.stats.operations == fast.stats.operations


def test_a_function_says_what_it_takes_and_returns() -> None:
    text = repr(sp.compile(lambda x: {"sum": x[0] + x[1]}, np.ones(2)))
    assert text == "Compiled(argument[0] float64[2] → result['sum'] float64[]; 1 operations)"


def test_stats_tell_what_was_made(fast: Any) -> None:
    stats = fast.stats
    assert stats.chunks == 1
    assert stats.operations > 10
    assert not stats.cache_hit
    assert min(stats.trace_seconds, stats.lower_seconds, stats.compile_seconds) > 0


def test_long_programs_pass_values_between_chunks() -> None:
    matrix = np.random.default_rng(0).normal(size=(14, 14)) / 4

    def power(m: jax.Array) -> jax.Array:
        for _ in range(3):
            m = jnp.tanh(m @ m) + m.T
        return m

    fast = sp.compile(power, matrix)
    assert fast.stats.chunks > 5
    assert_same(fast(matrix), jax.jit(power)(matrix), rtol=1e-11)
    many = stacked(matrix, 10)
    assert_same(fast.batch(many), jax.vmap(power)(many), rtol=1e-11)


class Layer(eqx.Module):
    weight: jax.Array
    name: str
    activation: Any

    def __call__(self, x: jax.Array) -> jax.Array:
        return self.activation(self.weight @ x)


@jax.custom_jvp
def halved(x: jax.Array) -> jax.Array:
    return x / 2


halved.defjvp(lambda primals, tangents: (halved(*primals), 3.0 * tangents[0]))

TRANSFORMED = {
    "jit": jax.jit(lambda x: jnp.sin(x) @ x),
    "vmap": jax.vmap(jnp.dot, (0, None)),
    "grad": jax.grad(lambda x: jnp.sum(jnp.exp(x) * x)),
    "jvp": lambda x: jax.jvp(jnp.tanh, (x,), (x,)),
    "checkpoint": jax.grad(jax.checkpoint(lambda x: jnp.sum(jnp.sin(jnp.cos(x))))),
    "custom derivative": jax.grad(lambda x: jnp.sum(halved(x) ** 2)),
    "jacobian": jax.jacobian(lambda x: x[:, None] * x[None]),
    "module": eqx.filter_jit(Layer(np.arange(6.0).reshape(2, 3), "first", jax.nn.softplus)),
}


@pytest.mark.parametrize("name", TRANSFORMED)
def test_transformed_functions_compile(name: str) -> None:
    x = np.array([0.3, -0.2, 0.9])
    given = (np.stack([x, 2 * x]), x) if name == "vmap" else (x,)
    assert_same(sp.compile(TRANSFORMED[name], *given)(*given), eqx.filter_jit(TRANSFORMED[name])(*given), rtol=1e-12)


def test_modules_are_arguments_with_fixed_words() -> None:
    layer, x = Layer(np.arange(6.0).reshape(2, 3), "first", jnp.tanh), np.ones(3)
    fast = sp.compile(lambda layer, x: layer(x), layer, x)
    other = Layer(layer.weight + 1, "first", jnp.tanh)
    assert_same(fast(other, x), eqx.filter_jit(other)(x))
    with pytest.raises(TypeError, match="compiled for"):
        fast(Layer(layer.weight, "first", jnp.sin), x)


def test_constants_are_part_of_the_program() -> None:
    fast = sp.compile(lambda a, x: a * x + a, sp.Constant(np.zeros(3)), np.ones(3))
    assert fast.stats.operations == 0
    np.testing.assert_array_equal(fast(np.full(3, 7.0)), np.zeros(3))


def test_precision_is_that_of_the_examples_or_as_told() -> None:
    single, double = np.ones(3, np.float32), np.ones(3)
    assert sp.compile(jnp.sin, single)(single).dtype == np.float32
    assert sp.compile(jnp.sin, double)(double).dtype == np.float64
    assert sp.compile(jnp.sin, double, dtype=np.float32)(double).dtype == np.float32
    assert sp.compile(lambda n: n * 0.5, 3)(np.array(5)) == 2.5


def test_random_keys_are_arguments() -> None:
    key = jax.random.key(3)
    fast = sp.compile(lambda key: jax.random.uniform(key, (4,)), key, dtype=np.float64)
    np.testing.assert_array_equal(fast(jax.random.key(5)), jax.random.uniform(jax.random.key(5), (4,)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f, s, k: f(s), "1 array|2 arrays"),
        (lambda f, s, k: f({"x": s["x"]}, k, k), "structure"),
        (lambda f, s, k: f({"x": s["x"][:2], "v": s["v"]}, k), r"argument\[0\]\['x'\] has shape \(2, 2\)"),
        (lambda f, s, k: f({"x": s["x"] * 1j, "v": s["v"]}, k), "complex128"),
        (lambda f, s, k: f.batch(s, k), "one axis more"),
        (lambda f, s, k: f.batch(s, k, in_axes=None), "no argument holds a batch"),
        (lambda f, s, k: f.batch(stacked(s, 3), stacked(k, 4)), r"argument\[1\] holds 4 states"),
        (lambda f, s, k: f.batch(stacked(s, 3), stacked(k, 3), in_axes=(0,)), "in_axes"),
        (lambda f, s, k: f.batch(stacked(s, 3), stacked(k, 3), in_axes="all"), "in_axes"),
        (lambda f, s, k: f.bind({"x": s["x"].T.copy().T, "v": s["v"]}, k), "C-contiguous"),
        (lambda f, s, k: f.bind(s, 2.5), "numpy array of float64"),
        (lambda f, s, k: f.bind(s, k, out={}), "structure"),
    ],
)
def test_wrong_arguments_are_named(fast: Any, arguments: Any, call: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message) as caught:
        call(fast, *arguments)
    assert "\n" not in str(caught.value)


def test_results_may_not_overlap_arguments() -> None:
    x = np.ones(3)
    with pytest.raises(ValueError, match="its memory is also an argument's"):
        sp.compile(jnp.sin, x).bind(x, out=x)


def test_what_cannot_be_compiled_is_named_at_once() -> None:
    with pytest.raises(NotCompilable, match=r"'eigh'.*test_compiled.py.*jax.jit"):
        sp.compile(lambda x: 2 * jnp.linalg.eigvalsh(x), np.eye(3))
    with pytest.raises(NotCompilable, match=r"'eigh' at a line of eigvalsh"):
        sp.compile(jnp.linalg.eigvalsh, np.eye(3))
    with pytest.raises(TypeError, match="float16"):
        sp.compile(jnp.sin, np.ones(3), dtype=np.float16)


def test_importing_supple_loads_no_compiler() -> None:
    import subprocess
    import sys

    script = "import sys, supple; supple.Simulator; assert not {'llvmlite', 'matplotlib'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)

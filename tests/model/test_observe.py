"""Observation composes with JAX's transformations, and refuses what it cannot honour."""

import functools
import inspect
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.ad_checkpoint import checkpoint_name
from numpy.testing import assert_allclose, assert_array_equal

from supple.model.errors import NamingError
from supple.model.naming import named
from supple.model.observe import observe

X = jnp.array([0.3, -0.2, 0.7])


def f(x, scale=2.0):
    """Observes as sin(x) and returns cos(scale sin(x))."""
    return jnp.cos(scale * named("a.sine", jnp.sin(x)))


def check(result, seen, x=X):
    assert_allclose(result, np.cos(2 * np.sin(x)), rtol=1e-14)
    assert list(seen) == ["a.sine"]
    assert_allclose(seen["a.sine"], np.sin(x), rtol=1e-14)


# ------------------------------------------------------------------ plain functions


@pytest.mark.parametrize(
    "wrapped",
    [
        observe(f),
        jax.jit(observe(f)),
        eqx.filter_jit(observe(f)),
        observe(jax.jit(f)),
        observe(eqx.filter_jit(f)),
        observe(jax.checkpoint(f)),
        observe(jax.checkpoint(f, prevent_cse=False, policy=jax.checkpoint_policies.everything_saveable)),
        observe(lambda x: lax.cond(x[0] > 0, f, lambda x: f(x) + 0.0, x)),
        observe(lambda x: lax.cond(x[0] < 0, lambda x: f(x) + 1.0, f, x)),
        jax.jit(observe(lambda x: lax.switch(jnp.int32(x[0] + 1), [lambda x: f(x, 1.0), f, f], x))),
        lambda x: lax.scan(lambda c, x: (c, observe(f)(x)), 0.0, x[None])[1],
        jax.vmap(observe(f)),
        lambda x: jax.tree.map(lambda y: y[0], jax.vmap(observe(f))(x[None])),
        lambda x: jax.jvp(observe(f), (x,), (x,))[0],
        observe(lambda x: jax.jvp(f, (x,), (x,))[0]),
        observe(observe(f)).fn,
        lambda x: observe(observe(f))(x)[0],
    ],
)
def test_one_mark_through_transformations(wrapped):
    result, seen = wrapped(X)
    seen = jax.tree.map(np.squeeze, seen)
    check(np.squeeze(result), seen)


def test_an_observed_function_can_be_observed():
    (_, inner), outer = observe(observe(f))(X)
    assert_array_equal(inner["a.sine"], outer["a.sine"])


def test_gradient_of_an_observed_value():
    gradient = jax.grad(lambda x: jnp.sum(observe(f)(x)[1]["a.sine"] ** 2))(X)
    assert_allclose(gradient, 2 * np.sin(X) * np.cos(X), rtol=1e-12)


@pytest.mark.parametrize("wrap", [lambda g: g, jax.jit, jax.checkpoint])
def test_observing_a_gradient_sees_the_forward_pass(wrap):
    gradient, seen = observe(jax.grad(lambda x: jnp.sum(wrap(f)(x))))(X)
    assert_allclose(gradient, -2 * np.cos(X) * np.sin(2 * np.sin(X)), rtol=1e-12)
    assert_allclose(seen["a.sine"], np.sin(X), rtol=1e-14)


def test_jacobians():
    jacobian = jax.jacfwd(lambda x: observe(f)(x)[1]["a.sine"])(X)
    assert_allclose(jacobian, np.diag(np.cos(X)), rtol=1e-12)
    assert_allclose(jacobian, jax.jacrev(lambda x: observe(f)(x)[1]["a.sine"])(X), rtol=1e-12)


def test_batches():
    xs = jnp.stack([X, 2 * X, -X])
    result, seen = jax.jit(jax.vmap(observe(f)))(xs)
    check(result, seen, xs)


def test_no_marks_at_all():
    result, seen = observe(jnp.sin)(X)
    assert_array_equal(result, jnp.sin(X))
    assert seen == {}


def test_a_strangers_mark_passes():
    assert observe(lambda x: checkpoint_name(x, "a.b"))(X)[1] == {}


def test_a_constant_can_be_marked():
    assert_array_equal(observe(lambda: named("a.b", np.arange(3)))()[1]["a.b"], np.arange(3))


def test_a_value_that_nothing_uses_is_seen():
    def g(x):
        named("a.b", 2 * x)
        return x

    assert_array_equal(jax.jit(observe(g))(X)[1]["a.b"], 2 * X)


class Result(NamedTuple):
    value: jax.Array
    label: str
    rest: dict


def test_static_arguments_and_results():
    def g(x, power, *, mode):
        x = named("a.power", x**power)
        return Result(x, mode, {"function": jnp.sin, "none": None, "x": (x,)})

    result, seen = observe(g)(X, 3, mode="cube")
    assert isinstance(result, Result)
    assert result.label == "cube"
    assert result.rest["function"] is jnp.sin
    assert_allclose(seen["a.power"], X**3)
    assert_array_equal(result.rest["x"][0], seen["a.power"])


def test_static_names_of_jit():
    def g(x, count):
        return [named("a.b", x) for _ in range(count)]

    assert "count" in inspect.signature(observe(g)).parameters
    assert len(jax.jit(observe(g), static_argnames="count")(X, count=3)[0]) == 3


def test_random_keys_are_arrays():
    key = jax.random.key(0)
    _, seen = observe(lambda key: named("a.noise", jax.random.normal(key, (2,))))(key)
    assert_array_equal(seen["a.noise"], jax.random.normal(key, (2,)))


def test_functions_with_derivative_rules_pass_untouched():
    @jax.custom_vjp
    def twice(x):
        return 2 * x

    twice.defvjp(lambda x: (2 * x, None), lambda _, ct: (7 * ct,))

    def g(x):
        a = lax.custom_linear_solve(lambda v: 2 * v, x, lambda _, b: b / 2, lambda _, b: b / 2)
        return lax.while_loop(lambda c: c[0] < 0, lambda c: c + 1, a), jnp.sum(named("a.b", jax.nn.relu(twice(x))))

    result, seen = observe(g)(X)
    assert_allclose(seen["a.b"], np.maximum(2 * X, 0))
    assert_allclose(result[0], X / 2)
    assert_allclose(jax.grad(lambda x: observe(g)(x)[1]["a.b"].sum())(X), 7.0 * (X > 0))


# ------------------------------------------------------------------ systems and loops


def test_bound_methods_take_the_system_as_an_argument(make_oscillators):
    system = make_oscillators()
    traces = []

    @eqx.filter_jit
    def run(observed, state, control):
        traces.append(None)
        return observed(state, control)

    for factor in (1.0, 2.0):
        changed = eqx.tree_at(lambda s: s.mass, system, factor * system.mass)
        state, seen = run(observe(changed.step), changed.init(), jnp.zeros(3))
        assert_allclose(seen["joint.acceleration"], seen["joint.force"] / changed.mass)
        assert_allclose(state.q, changed.step(changed.init(), jnp.zeros(3)).q, rtol=1e-14)
    assert len(traces) == 1


def test_no_leaf_of_the_system_is_a_constant(make_oscillators):
    from supple.model.tracing import trace

    system = make_oscillators()
    traced = trace(system.step, (system.init(), jnp.zeros(3)), {})
    assert len(traced.arrays) == 7
    assert not traced.jaxpr.consts


def test_gradient_with_respect_to_the_system(make_oscillators):
    def loss(system):
        return jnp.sum(observe(system.step)(system.init(), jnp.zeros(3))[1]["joint.acceleration"])

    system = make_oscillators()
    force = -system.stiffness * system.init().q
    assert_allclose(eqx.filter_grad(loss)(jax.tree.map(jnp.asarray, system)).mass, -force / system.mass**2, rtol=1e-12)


@pytest.mark.parametrize("checkpoint", [False, True])
@pytest.mark.parametrize("compile_", [lambda f: f, eqx.filter_jit])
def test_scans_stack_along_time(make_oscillators, roll, checkpoint, compile_):
    system, controls = make_oscillators(), jnp.ones((5, 3))
    states, seen = compile_(observe(functools.partial(roll, checkpoint=checkpoint)))(system, system.init(), controls)
    assert seen["joint.force"].shape == (5, 3)
    before = jnp.concatenate([system.init().q[None], states.q[:-1]])
    assert_allclose(seen["joint.position"], before, rtol=1e-14)
    assert_allclose(states.q, roll(system, system.init(), controls).q, rtol=1e-14)


@pytest.mark.parametrize("checkpoint", [False, True])
def test_observing_the_gradient_of_a_rollout(make_oscillators, roll, checkpoint):
    system, controls = make_oscillators(), jnp.ones((5, 3))

    def loss(controls):
        return jnp.sum(roll(system, system.init(), controls, checkpoint).q ** 2)

    gradient, seen = observe(jax.grad(loss))(controls)
    assert_allclose(gradient, jax.grad(loss)(controls), rtol=1e-12)
    assert_allclose(seen["joint.force"], observe(roll)(system, system.init(), controls)[1]["joint.force"], rtol=1e-12)


def test_gradient_through_an_observed_checkpointed_rollout(make_oscillators, roll):
    system, controls = make_oscillators(), jnp.ones((5, 3))

    def loss(controls, checkpoint):
        states, seen = observe(functools.partial(roll, checkpoint=checkpoint))(system, system.init(), controls)
        return jnp.sum(states.q[-1] * seen["joint.force"][2])

    gradient = jax.jit(jax.grad(loss), static_argnums=1)
    assert_allclose(gradient(controls, True), gradient(controls, False), rtol=1e-12)
    step = 1e-6 * jnp.zeros_like(controls).at[1, 2].set(1.0)
    slope = (loss(controls + step, True) - loss(controls - step, True)) / 2e-6
    assert_allclose(gradient(controls, True)[1, 2], slope, rtol=1e-7)


def test_nested_and_reversed_scans_have_two_axes():
    def g(x):
        def outer(c, k):
            inner, _ = lax.scan(lambda c, i: (named("a.b", c + 10 * k + i), None), c, jnp.arange(3.0), unroll=2)
            return 2 * c, inner

        return lax.scan(outer, x, jnp.arange(2.0), reverse=True)

    _, seen = observe(g)(jnp.float64(0.5))
    start = np.array([[1.0], [0.5]])  # the last comes first
    assert_allclose(seen["a.b"], start + 10 * np.outer([0, 1], [1, 2, 3]) + np.array([0, 1, 3]))


def test_a_checkpoint_inside_a_branch_inside_a_scan():
    def body(c, x):
        c = lax.cond(x > 0, jax.checkpoint(f), lambda c: f(c + 1), c)
        return c, None

    _, seen = observe(lambda c: lax.scan(body, c, jnp.array([1.0, -1.0])))(X)
    assert_allclose(seen["a.sine"], [np.sin(X), np.sin(np.cos(2 * np.sin(X)) + 1)], rtol=1e-13)


def test_of_several_stages_the_first_is_seen(make_oscillators):
    once, thrice = make_oscillators(), make_oscillators(stages=3)
    seen = observe(thrice.step)(thrice.init(), jnp.ones(3))[1]
    expected = observe(once.step)(once.init(), jnp.ones(3))[1]
    assert seen.keys() == expected.keys()
    for name in seen:
        assert_allclose(seen[name], expected[name])


# ------------------------------------------------------------------ parts


def in_levels(x):
    named("body.v", x[jnp.array([3, 1])], parts=((3, 1), 4))
    named("body.v", x[jnp.array([0])], parts=((0,), 4))
    return named("body.v", x[jnp.array([2])], parts=((2,), 4))


def test_parts_are_assembled():
    x = jnp.arange(12.0).reshape(4, 3)
    assert_array_equal(observe(in_levels)(x)[1]["body.v"], x)
    assert_array_equal(jax.jit(jax.vmap(observe(in_levels)))(x[None])[1]["body.v"], x[None])


def test_parts_are_assembled_inside_a_scan():
    xs = jnp.arange(24.0).reshape(2, 4, 3)
    assert_array_equal(observe(lambda xs: lax.map(in_levels, xs))(xs)[1]["body.v"], xs)
    assert_array_equal(observe(lambda x: (in_levels(x), in_levels(2 * x)))(xs[1])[1]["body.v"], xs[1])


def whole(x):
    return named("a.b", x)


def part(*rows, total=3, **options):
    return lambda x: named("a.b", x[np.array(rows)], parts=(rows, total), **options)


@pytest.mark.parametrize(
    ("sites", "message"),
    [
        ([part(0, 1)], r"rows \[2\] are marked nowhere"),
        ([part(0, 1), part(1, 2)], r"rows \[1\] are marked by several"),
        ([part(0, 1), part(2, total=4)], "rows of one quantity"),
        ([part(0, 1), part(2, unit="m")], "rows of one quantity"),
        ([part(0, 1, 2), whole], "rows of one quantity"),
        ([part(0, 1), lambda x: lax.map(part(2), x[None])], "rows of one quantity"),
        ([part(0, 1), lambda x: part(2)(x.astype(jnp.float32))], "rows of one quantity"),
        ([whole, lambda x: named("a.b", x, unit="m")], "marked differently"),
        ([whole, lambda x: named("a.b", x[:2])], "marked differently"),
        ([whole, lambda x: lax.map(whole, x[None])], "marked differently.*in the loop|inside the loop"),
    ],
)
def test_sites_that_do_not_make_a_whole_are_refused(sites, message):
    with pytest.raises(NamingError, match=f"'a.b'.*test_observe.py:.*{message}|'a.b'.*{message}.*test_observe.py:"):
        observe(lambda x: [site(x) for site in sites])(X)


# ------------------------------------------------------------------ marks that cannot be honoured


def in_while(x):
    return lax.while_loop(lambda c: c[0] < 3, lambda c: whole(c) + 1, x)


def in_while_condition(x):
    return lax.while_loop(lambda c: whole(c)[0] < 3, lambda c: c + 1, x)


def in_custom_jvp(x):
    g = jax.custom_jvp(whole)
    g.defjvp(lambda primals, tangents: (g(*primals), tangents[0]))
    return g(x)


def in_custom_vjp(x):
    g = jax.custom_vjp(whole)
    g.defvjp(lambda x: (x, None), lambda _, ct: (ct,))
    return g(x)


def in_linear_solve(x):
    return lax.custom_linear_solve(lambda v: 2 * v, x, lambda _, b: whole(b / 2), lambda _, b: b / 2)


def in_vmap(x):
    return jax.vmap(whole)(x)


def in_vmap_of_scan(x):
    return jax.vmap(jax.jit(lambda x: lax.scan(lambda c, _: (whole(c), None), x, length=2)))(x[None])


def in_one_branch(x):
    return lax.cond(x[0] > 0, whole, lambda x: x, x)


def in_branches_of_different_shape(x):
    return lax.cond(x[0] > 0, lambda x: jnp.sum(whole(x)), lambda x: jnp.sum(named("a.b", x[:2])), x)


@pytest.mark.parametrize(
    ("g", "construct", "remedy"),
    [
        (in_while, "'while'", "as a scan"),
        (in_while_condition, "'while'", "as a scan"),
        (in_custom_jvp, "'custom_jvp_call'", "before or after"),
        (in_custom_vjp, "'custom_vjp_call'", "before or after"),
        (in_linear_solve, "'custom_linear_solve'", "Mark the solution"),
        (in_vmap, "'vmap'", "Batch the observed"),
        (in_vmap_of_scan, "'vmap'", "Batch the observed"),
        (in_one_branch, "some branches of the 'cond'", "in all of them"),
        (in_branches_of_different_shape, "some branches of the 'cond'", "in all of them"),
    ],
)
@pytest.mark.parametrize("wrap", [lambda g: g, jax.jit, lambda g: jax.checkpoint(jax.jit(g))])
def test_a_mark_that_cannot_be_seen_is_an_error(g, construct, remedy, wrap):
    g(X)  # without observation it is no error
    with pytest.raises(NamingError, match=rf"'a\.b'.*test_observe\.py:\d+.*{construct}.*{remedy}"):
        observe(wrap(g))(X)

"""Visiting marks can rewrite them: what `augment` will stand on."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from numpy.testing import assert_allclose, assert_array_equal

from supple.model.errors import NamingError
from supple.model.naming import named
from supple.model.observe import observe
from supple.model.state import State
from supple.model.system import System
from supple.model.tracing import trace
from supple.model.visit import visit_jaxpr


def rewrite(fn, visit):
    """The function with its marked values replaced."""

    def rewritten(*args, **kwargs):
        traced = trace(fn, args, kwargs)
        outputs, _ = visit_jaxpr(traced.jaxpr, traced.arrays, visit)
        return traced.assemble(outputs)

    return rewritten


def only(name, function):
    """A visitor that replaces one quantity by a function of it."""
    return lambda site, value, _: function(value) if site.mark.name == name else value


class Pushed(System):
    """A system whose joint forces are changed by a weight and a weighted velocity: a small `augment`."""

    system: System
    weight: jax.Array
    drag: jax.Array

    def init(self, q=None, v=None):
        return self.system.init(q, v)

    def step(self, state, control):
        def visit(site, value, scope):
            scope.record(site, value, latest=True)
            if site.mark.name != "joint.force":
                return value
            return value + self.weight + self.drag * scope.lookup(("joint.velocity", None)) ** 2

        return rewrite(self.system.step, visit)(state, control)


class PushedByHand(System):
    system: System
    weight: jax.Array
    drag: jax.Array

    def init(self, q=None, v=None):
        return self.system.init(q, v)

    def step(self, state, control):
        s, v = self.system, state.v
        for _ in range(s.stages):
            force = control - s.stiffness * state.q - s.damping * v + self.weight + self.drag * v**2
            v = v + s.dt / s.stages * force / s.mass
        return State(state.q + s.dt * v, v, state.time + s.dt)


@pytest.mark.parametrize("checkpoint", [False, True])
@pytest.mark.parametrize("stages", [1, 2])
def test_rewritten_forces_agree_with_editing_by_hand_in_value_and_gradient(make_oscillators, roll, stages, checkpoint):
    system, controls = make_oscillators(stages), jnp.sin(jnp.arange(18.0)).reshape(6, 3)
    weights = jnp.array([0.3, -0.1, 0.2]), jnp.array([0.05, 0.1, -0.2])

    def loss(weights, kind):
        pushed = kind(system, *weights)
        return jnp.sum(roll(pushed, pushed.init(), controls, checkpoint).q ** 2)

    for wrap in (lambda f: f, eqx.filter_jit):
        value, gradient = wrap(jax.value_and_grad(lambda w: loss(w, Pushed)))(weights)
        expected, by_hand = wrap(jax.value_and_grad(lambda w: loss(w, PushedByHand)))(weights)
        assert_allclose(value, expected, rtol=1e-13)
        jax.tree.map(lambda a, b: assert_allclose(a, b, rtol=1e-11), gradient, by_hand)


def test_the_whole_rollout_can_be_rewritten_through_its_scan(make_oscillators, roll):
    system, controls = make_oscillators(), jnp.ones((6, 3))

    def loss(weight, checkpoint):
        rewritten = rewrite(roll, only("joint.force", lambda force: force + weight))
        return jnp.sum(rewritten(system, system.init(), controls, checkpoint).q ** 2)

    def by_hand(weight):
        return jnp.sum(roll(PushedByHand(system, weight, jnp.zeros(3)), system.init(), controls).q ** 2)

    expected = jax.grad(by_hand)(jnp.float64(0.3))
    for checkpoint in (False, True):
        assert_allclose(jax.grad(loss)(0.3, checkpoint), expected, rtol=1e-12)


def test_a_visitor_outside_sees_what_one_inside_has_put(make_oscillators):
    system = make_oscillators()
    pushed = Pushed(system, jnp.ones(3), jnp.zeros(3))
    seen = observe(pushed.step)(pushed.init(), jnp.zeros(3))[1]
    before = observe(system.step)(system.init(), jnp.zeros(3))[1]
    assert_allclose(seen["joint.force"], before["joint.force"] + 1)
    assert_allclose(seen["joint.acceleration"], seen["joint.force"] / system.mass)


def test_a_branch_is_rewritten_and_gives_its_record():
    def f(x):
        y = lax.cond(x > 0, lambda x: named("a.b", 2 * x), lambda x: 3 * named("a.b", x), x)
        return named("a.c", y)

    def visit(site, value, scope):
        if site.mark.name == "a.c":
            return value + scope.lookup(("a.b", None))
        scope.record(site, value + 1)
        return value + 1

    for x in (2.0, -2.0):
        expected = 2 * (2 * x + 1) if x > 0 else 4 * (x + 1)
        assert_allclose(rewrite(f, visit)(jnp.float64(x)), expected)


def test_inside_a_loop_the_values_outside_and_of_the_same_iteration_can_be_looked_up():
    def f(x):
        x = named("a.x", x)

        def body(c, i):
            i = named("a.i", i)
            return named("a.y", c), None

        return named("a.z", lax.scan(body, x, jnp.arange(3.0))[0])

    def visit(site, value, scope):
        scope.record(site, value, latest=True)
        if site.mark.name == "a.y":
            return value + scope.lookup(("a.x", None)) * scope.lookup(("a.i", None))
        if site.mark.name == "a.z":
            assert scope.lookup(("a.i", None)) is None  # stacked: not a value of this moment
        return value

    assert_allclose(rewrite(f, visit)(jnp.float64(2.0)), 2 + 2 * (0 + 1 + 2))


def test_visiting_changes_nothing_to_the_last_bit(make_oscillators, roll):
    system, controls = make_oscillators(), jnp.sin(jnp.arange(18.0)).reshape(6, 3)
    arguments = system, system.init(), controls
    visited = eqx.filter_jit(rewrite(roll, only("a.b", lambda x: x + 1)))(*arguments)
    assert_array_equal(visited.q, eqx.filter_jit(roll)(*arguments).q)


def test_a_visited_function_compiles_to_the_same_program(make_oscillators, roll):
    system, controls = make_oscillators(), jnp.ones((6, 3))

    def compiled(fn):
        leaves, treedef = jax.tree.flatten((system, system.init(), controls))
        run = jax.jit(lambda *leaves: jax.tree.leaves(fn(*jax.tree.unflatten(treedef, leaves), True)))
        return run.lower(*leaves).compile().cost_analysis()["flops"]

    assert compiled(rewrite(roll, only("a.b", lambda x: x + 1))) == compiled(roll)


def test_the_replay_of_a_checkpoint_in_a_gradient_is_not_visited_again():
    visits = []

    def visit(site, value, _):
        visits.append(site)
        return value

    gradient = jax.grad(jax.checkpoint(lambda x: jnp.sin(named("a.b", x**2))))
    assert_allclose(rewrite(gradient, visit)(jnp.float64(0.5)), np.cos(0.25))
    assert len(visits) == 1


@pytest.mark.parametrize("change", [lambda x: x[:2], lambda x: x.astype(jnp.float32), jnp.sum])
def test_a_value_of_another_shape_is_refused(change):
    with pytest.raises(NamingError, match=r"'a\.b'.*test_visit\.py:\d+, is float64\[3\] and cannot be replaced"):
        rewrite(lambda x: named("a.b", x), only("a.b", change))(jnp.ones(3))


def in_scan(f):
    return lambda x: lax.scan(lambda c, _: (f(c), None), x, length=2)[0]


def in_branch(f):
    return lambda x: lax.cond(x > 0, f, lambda x: 2 * f(x), x)


@pytest.mark.parametrize(
    "wrap", [lambda f: f, jax.checkpoint, jax.jit, in_scan, in_branch, lambda f: jax.jit(in_scan(jax.checkpoint(f)))]
)
def test_a_mark_differentiated_inside_is_not_rewritten(wrap):
    inner = jax.grad(wrap(lambda x: jnp.sin(named("a.b", x**2))))
    assert_allclose(rewrite(inner, only("a.c", lambda x: x + 1))(0.5 * np.ones(())), inner(0.5))
    with pytest.raises(NamingError, match=r"'a\.b'.*test_visit\.py:\d+, is differentiated inside"):
        rewrite(inner, only("a.b", lambda x: x + 1))(0.5 * np.ones(()))

"""Proof that a quantity of the simulator can be rewritten from outside, before `augment` exists."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from numpy.testing import assert_allclose

import supple as sp
from supple import dynamics
from supple.model.tracing import trace
from supple.model.visit import visit_jaxpr

DOUBLE_PENDULUM = """
<mujoco><worldbody><body>
  <joint name="shoulder" axis="0 1 0" damping="0.1"/><inertial mass="1" pos="0 0 -0.5" diaginertia="0.1 0.1 0.01"/>
  <body pos="0 0 -1">
    <joint name="elbow" axis="0 1 0" stiffness="2"/><inertial mass="1" pos="0 0 -0.5" diaginertia="0.1 0.1 0.01"/>
  </body>
</body></worldbody><actuator><motor joint="shoulder" gear="2"/></actuator></mujoco>"""


@pytest.fixture(scope="module")
def system():
    return sp.Simulator(sp.load(DOUBLE_PENDULUM), dt=0.01)


class Pushed(sp.System):
    """`joint.force` is replaced by itself plus a weight: the physics is not mentioned."""

    system: sp.System
    weight: jax.Array

    def init(self, q=None, v=None):
        return self.system.init(q, v)

    def step(self, state, control):
        traced = trace(self.system.step, (state, control), {})
        outputs, _ = visit_jaxpr(traced.jaxpr, traced.arrays, self._push)
        return traced.assemble(outputs)

    def _push(self, site, value, _):
        return value + self.weight if site.mark.name == "joint.force" else value


class PushedByHand(Pushed):
    def step(self, state, control):
        model, dt = self.system.model, self.system.dt
        force = (
            dynamics.actuator_force(model, state.q, state.v, control)
            + dynamics.passive_force(model, state.q, state.v)
            + self.weight
        )
        v = state.v + dt * dynamics.aba(model, state.q, state.v, force)
        return sp.State(dynamics.move(model, state.q, dt * v), v, state.time + dt)


def test_a_weight_on_the_force_inside_the_gradient_of_a_rollout_agrees_with_doing_so_by_hand(system):
    state, controls = system.init(q=[0.3, -0.4]), jnp.sin(jnp.arange(20.0))[:, None]

    def loss(weight, kind):
        states, seen = sp.observe(sp.rollout)(kind(system, weight), state, controls)
        return jnp.sum(states.q**2), seen

    weight = jnp.array([0.5, -0.2])
    value_and_gradient = jax.jit(jax.value_and_grad(loss, has_aux=True), static_argnums=1)
    (value, seen), gradient = value_and_gradient(weight, Pushed)
    (expected, _), by_hand = value_and_gradient(weight, PushedByHand)
    assert_allclose(value, expected, rtol=1e-12)
    assert_allclose(gradient, by_hand, rtol=1e-10)
    assert np.all(np.abs(gradient) > 0)
    assert_allclose(seen["joint.force"], seen["joint.actuation"] + seen["joint.passive_force"] + weight, rtol=1e-12)


def test_the_simulator_names_its_quantities(system):
    listed = sp.quantities(system)
    assert {"joint.position", "joint.velocity", "joint.force", "joint.acceleration"} <= set(listed.names)
    assert listed["joint.force"].shape == (2,)

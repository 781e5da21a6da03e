"""Actuators against MuJoCo, their derivatives, and what they refuse."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import mujoco
import numpy as np
import pytest
from jax.test_util import check_grads
from mujoco_forces import assert_close, load_both, mujoco_forces, random_states, zoo
from robots import MJCFS, mostly_full

import supple as sp
from supple import dynamics
from supple.model.actuators import ActivationKind
from supple.model.errors import ModelError

ONE = """<mujoco><option timestep="0.01"/>
<worldbody><body><joint name="j" axis="0 1 0" {joint}/><geom size=".1"/></body></worldbody>
<actuator>{actuator}</actuator></mujoco>"""


def one(actuator: str, joint: str = "") -> sp.Model:
    return sp.load(ONE.format(actuator=actuator, joint=joint), strict=True)


@functools.cache
def zoo_model() -> sp.Model:
    return sp.load(zoo(), strict=True)


def evaluate(model, q, v, control, activation, dt):
    rate = dynamics.activation_rate(model, control, activation)
    return (
        dynamics.actuator_force(model, q, v, control, activation, dt),
        dynamics.actuator_output(model, q, v, control, activation, dt),
        rate,
        dynamics.advance_activation(model, activation, rate, dt),
    )


@pytest.mark.parametrize("name", mostly_full(("zoo", *MJCFS), {"zoo", "gymnasium/humanoid", "suite/fish"}))
def test_forces_and_rates_equal_mujocos(name: str) -> None:
    model, peer = load_both(name)
    assert model.nu == peer.nu, "every actuator of these robots can be expressed"
    states = random_states(model, count=100)
    expected = mujoco_forces(peer, states)
    got = jax.jit(jax.vmap(evaluate, in_axes=(None, 0, 0, 0, 0, None)))(model, *states, peer.opt.timestep)
    for values, field in zip(got, ("qfrc_actuator", "actuator_force", "act_dot"), strict=False):
        assert_close(values, expected[field])
    circular = [model.actuators.circular[i] for i in model.actuators.stateful]
    straight = ~np.array(circular, dtype=bool)  # MuJoCo brings the others back by whole turns
    assert_close(np.asarray(got[3])[:, straight], expected["next_act"][:, straight])
    assert model.nu == 0 or np.abs(got[0]).max() > 0


def test_the_zoo_has_every_kind() -> None:
    actuators = zoo_model().actuators
    assert set(actuators.dynamics) == set(ActivationKind)
    for flags in ("control_limited", "force_limited", "activation_limited", "activation_early", "circular"):
        assert any(getattr(actuators, flags)), flags
    assert zoo_model().na == len(actuators.stateful) == 6


def test_armature_and_damping_of_actuators_are_the_joints() -> None:
    model, peer = zoo_model(), mujoco.MjModel.from_xml_string(zoo())
    turn = model.joints.names.index("turn")
    np.testing.assert_allclose(model.joints.armature[turn], 9 * 0.1 + 4 * 0.4, rtol=1e-14)
    np.testing.assert_allclose(model.joints.damping[turn], 9 * 0.2 + 4 * 0.3, rtol=1e-14)
    data, matrix = mujoco.MjData(peer), np.zeros((model.nv, model.nv))
    mujoco.mj_forward(peer, data)
    mujoco.mj_fullM(peer, data, matrix)
    np.testing.assert_allclose(jax.jit(dynamics.crba)(model, model.home), matrix, atol=1e-12)


def test_derivatives_equal_finite_differences() -> None:
    model = zoo_model()
    states = [values[0] for values in random_states(model, count=2)]
    states[2] = 0.3 * states[2]
    leaves, rest = eqx.partition(model, eqx.is_array)

    def forces(actuators, tendons, q, v, control, activation):
        changed = eqx.tree_at(lambda m: (m.actuators, m.tendons), eqx.combine(leaves, rest), (actuators, tendons))
        return jnp.concatenate(evaluate(changed, q, v, control, activation, 0.01))

    arguments = jax.tree.map(jnp.asarray, (model.actuators, model.tendons, *states))
    check_grads(jax.jit(forces), arguments, order=1, modes=("fwd", "rev"), rtol=1e-6, atol=1e-6, eps=1e-6)


@pytest.mark.parametrize(
    ("control", "force", "slope"), [(0.5, 1.0, 2.0), (1.0, 2.0, 1.0), (1.5, 2.0, 0.0), (-9.0, -2.0, 0.0)]
)
@pytest.mark.parametrize("where", ["control", "force", "joint"])
def test_clamps_and_their_derivatives(where: str, control: float, force: float, slope: float) -> None:
    """A motor of gear 2 whose torque is clamped to 2 N m, in one of three places."""
    actuator = {"control": 'ctrlrange="-1 1"', "force": 'forcerange="-1 1"', "joint": ""}[where]
    model = one(f'<motor joint="j" gear="2" {actuator}/>', 'actuatorfrcrange="-2 2"' if where == "joint" else "")

    def torque(u):
        return dynamics.actuator_force(model, jnp.zeros(1), jnp.zeros(1), u[None])[0]

    np.testing.assert_allclose(jax.value_and_grad(torque)(jnp.asarray(control)), (force, slope))


def test_activation_clamps_and_exact_filters() -> None:
    model = one('<general joint="j" dyntype="filterexact" dynprm="0.5" actrange="0 2"/>')
    a, dt = jnp.array([1.0]), 0.3
    rate = dynamics.activation_rate(model, jnp.array([1.8]), a)
    np.testing.assert_allclose(dynamics.advance_activation(model, a, rate, dt), 1.8 - 0.8 * np.exp(-dt / 0.5))
    np.testing.assert_allclose(dynamics.advance_activation(model, a, 100 * rate, dt), 2.0)


def test_servos_of_balls_take_the_shorter_way() -> None:
    model = zoo_model()
    (q, v, control, activation), servo = (values[0] for values in random_states(model, 1)), 10
    turn = 2 * np.pi * np.sqrt(14)
    controls = control + turn * np.array([-2, 0, 1])[:, None] * np.eye(model.nu)[servo]
    outputs = jax.jit(jax.vmap(lambda u: dynamics.actuator_output(model, q, v, u, activation, 0.01)))(controls)
    np.testing.assert_allclose(outputs[0], outputs[1], rtol=1e-12)
    np.testing.assert_allclose(outputs[2], outputs[1], rtol=1e-12)


def test_what_is_missing_is_named() -> None:
    q, v = jnp.zeros(1), jnp.zeros(1)
    stateful = one('<intvelocity name="servo" joint="j" kp="1"/>')
    with pytest.raises(ModelError, match=r"has 1 activations \('servo'"):
        dynamics.actuator_force(stateful, q, v, jnp.zeros(1))
    early = one('<general name="quick" joint="j" dyntype="integrator" actearly="true"/>')
    with pytest.raises(ModelError, match=r"'quick'.*pass dt"):
        dynamics.actuator_force(early, q, v, jnp.zeros(1), jnp.zeros(1))

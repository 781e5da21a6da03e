"""Passive forces against MuJoCo; friction and limits, which are our own, against what they promise."""

import dataclasses

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads
from mujoco_forces import assert_close, load_both, mujoco_forces, random_states, zoo
from robots import MJCFS, mostly_full

import supple as sp
from supple import dynamics
from supple.dynamics.friction_loss import friction_loss_force
from supple.dynamics.gravity_compensation import gravity_compensation_force
from supple.dynamics.limits import limit_force
from supple.dynamics.springs import damping_force, spring_energy, spring_force

HINGE = """<mujoco><compiler angle="radian"/><worldbody><body><joint name="j" axis="0 1 0" {}/>
<inertial pos="0 0 0" mass="1" diaginertia="2 2 2"/></body></worldbody></mujoco>"""


def hinge(attributes: str, **leaves: float) -> sp.Model:
    model = sp.load(HINGE.format(attributes), strict=True)
    values = {name: np.full_like(getattr(model.joints, name), value) for name, value in leaves.items()}
    return dataclasses.replace(model, joints=dataclasses.replace(model.joints, **values))


def evaluate(model, q, v):
    return spring_force(model, q), damping_force(model, v), gravity_compensation_force(model, q)


@pytest.mark.parametrize("name", mostly_full(("zoo", *MJCFS), {"zoo", "gymnasium/humanoid", "suite/fish"}))
def test_springs_dampers_and_gravity_compensation_equal_mujocos(name: str) -> None:
    model, peer = load_both(name)
    states = random_states(model, count=100)
    expected = mujoco_forces(peer, states)
    got = jax.jit(jax.vmap(evaluate, in_axes=(None, 0, 0)))(model, *states[:2])
    for values, field in zip(got, ("qfrc_spring", "qfrc_damper", "qfrc_gravcomp"), strict=True):
        assert_close(values, expected[field])
    assert name != "zoo" or all(np.abs(values).max() > 0 for values in got)


def test_passive_forces_are_the_sum_of_mujocos() -> None:
    model, peer = load_both("zoo")
    states = random_states(model, count=100)
    expected = mujoco_forces(peer, states)
    total = sum(expected[field] for field in ("qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid"))
    assert_close(jax.jit(jax.vmap(dynamics.passive_force, in_axes=(None, 0, 0)))(model, *states[:2]), total)


def test_without_springs_and_dampers_mujoco_has_no_passive_forces() -> None:
    flags = '><flag spring="disable" damper="disable"/></option>'
    model = sp.load(zoo().replace("/>\n  <worldbody>", flags + "<worldbody>"))
    assert model.medium is None
    assert model.bodies.gravity_compensation is None
    q, v, _, _ = (values[0] for values in random_states(model, 1))
    assert not np.any(jax.jit(dynamics.passive_force)(model, q, v))


def test_springs_are_the_gradient_of_their_energy() -> None:
    model = sp.load(zoo())
    q, _, _, _ = (values[0] for values in random_states(model, 1))
    displaced = lambda d: spring_energy(model, dynamics.move(model, q, d))  # noqa: E731
    slope = jax.jit(jax.grad(displaced))(jnp.zeros(model.nv))
    np.testing.assert_allclose(-slope, jax.jit(spring_force)(model, q), atol=1e-10)


def test_nobody_compensated_costs_nothing() -> None:
    model = sp.robots.quadruped()
    assert model.bodies.gravity_compensation is None
    graph = jax.make_jaxpr(gravity_compensation_force)(model, model.home)
    assert len(graph.eqns) <= 1, "zeros, and nothing else"


def test_derivatives_equal_finite_differences() -> None:
    model = sp.load(zoo())
    q, v, _, _ = (jnp.asarray(values[0]) for values in random_states(model, 1))

    def force(model, displacement, v):
        return dynamics.passive_force(model, dynamics.move(model, q, displacement), v)

    arguments = (jax.tree.map(jnp.asarray, model), jnp.zeros(model.nv), v)
    check_grads(jax.jit(force), arguments, order=1, modes=("fwd", "rev"), rtol=1e-6, atol=1e-6, eps=1e-6)


@pytest.mark.parametrize("robot", [sp.load(zoo()), sp.robots.quadruped()], ids=["zoo", "quadruped"])
def test_everything_is_finite_at_rest(robot: sp.Model) -> None:
    def work(model, q, v):
        return jnp.sum(dynamics.passive_force(model, q, v) ** 2)

    still = jnp.zeros(robot.nv)
    value, slopes = jax.jit(jax.value_and_grad(work, argnums=(0, 1, 2)))(robot, jnp.asarray(robot.home), still)
    assert np.isfinite(value)
    assert all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(slopes))


def test_friction_is_coulombs_but_smooth_at_rest() -> None:
    model = hinge('frictionloss="3"')
    friction = lambda v: friction_loss_force(model, v[None])[0]  # noqa: E731
    np.testing.assert_allclose([friction(jnp.asarray(v)) for v in (-1.0, 0.0, 1.0)], [3, 0, -3], atol=1e-12)
    np.testing.assert_allclose(jax.grad(friction)(0.0), -3 / model.joints.friction_speed[0])
    check_grads(jax.jit(friction), (jnp.asarray(0.03),), order=2, eps=1e-5)


LIMITED = hinge('range="-0.5 1"', limit_stiffness=100.0, limit_damping=7.0, limit_width=0.1)


@pytest.mark.parametrize(
    ("q", "v", "force"),
    [
        (0.0, 5.0, 0.0),
        (1.0, 5.0, 0.0),
        (1.05, 0.0, -100 * 0.05**2 / 0.2),
        (1.05, 2.0, -100 * 0.05**2 / 0.2 - 7 * 0.5 * 2.0),
        (1.3, 2.0, -100 * 0.25 - 7 * 2.0),
        (-0.8, -2.0, 100 * 0.25 + 7 * 2.0),
    ],
)
def test_limits_push_back(q: float, v: float, force: float) -> None:
    np.testing.assert_allclose(limit_force(LIMITED, jnp.array([q]), jnp.array([v]))[0], force, atol=1e-12)


@pytest.mark.parametrize("q", [0.0, 1.0, 1.05, 1.1, 1.3])
def test_limits_have_continuous_derivatives(q: float) -> None:
    slope = jax.grad(lambda q: limit_force(LIMITED, q[None], jnp.array([3.0]))[0])
    np.testing.assert_allclose(slope(q + 1e-7), slope(q - 1e-7), atol=1e-2)
    assert q != 0 or slope(q) == 0


def test_limits_at_infinity_and_absent_ones_have_finite_derivatives() -> None:
    endless = eqx.tree_at(lambda m: m.joints.range, LIMITED, np.array([[-np.inf, np.inf]]))
    for model in (endless, hinge("")):
        slopes = jax.grad(lambda m, q: limit_force(m, q, q)[0], argnums=(0, 1))(model, jnp.array([9.0]))
        assert all(np.all(np.asarray(leaf) == 0) for leaf in jax.tree.leaves(slopes))


def test_limits_of_balls_act_along_the_turn() -> None:
    text = HINGE.format('range="0 0.5"').replace('name="j"', 'name="j" type="ball"')
    model = sp.load(text, strict=True)
    axis, v = np.array([2, -1, 2]) / 3, jnp.array([0.1, 0.2, 0.3])

    @jax.jit
    def torque(angle):
        q = jnp.concatenate([jnp.cos(angle / 2)[None], jnp.sin(angle / 2) * axis])
        return limit_force(model, q, v)

    assert not np.any(torque(jnp.asarray(0.4)))
    np.testing.assert_array_equal(jax.jacfwd(torque)(jnp.asarray(0.0)), 0.0)
    got = torque(jnp.asarray(0.7))
    np.testing.assert_allclose(np.cross(got, axis), 0.0, atol=1e-9)
    beyond = 0.2 - model.joints.limit_width[0] / 2
    expected = model.joints.limit_stiffness[0] * beyond + model.joints.limit_damping[0] * (axis @ v)
    np.testing.assert_allclose(-got @ axis, expected, rtol=1e-9)


def test_limits_are_as_stiff_as_mujocos() -> None:
    """A hinge that is alone moves as MuJoCo's `solref` says: with the time constant T ζ and the damping ratio ζ."""
    model = hinge('range="-0.5 1" armature="1" solreflimit="0.1 0.5" solimplimit="0.9 0.95 0.02"')
    joints = model.joints
    np.testing.assert_allclose(joints.limit_stiffness, (2 + 1) / (0.1 * 0.5) ** 2)
    np.testing.assert_allclose(joints.limit_damping, (2 + 1) * 2 / 0.1)
    np.testing.assert_allclose(joints.limit_width, 0.02)
    direct = hinge('range="-0.5 1" solreflimit="-50 -6"').joints
    np.testing.assert_allclose((direct.limit_stiffness, direct.limit_damping), [[100], [12]])


def test_a_pendulum_comes_to_rest_in_its_limit() -> None:
    model = dataclasses.replace(hinge('range="-0.5 1"'), gravity=np.zeros(3))
    system = sp.Simulator(model)
    state = sp.rollout(system, system.init([0.9], [5.0]), jnp.zeros((400, 0)))
    assert state.q.max() < 1.0 + 5.0 * 0.02  # v T
    assert abs(state.q[-1, 0] - 1.0) < 0.02
    assert abs(state.v[-1, 0]) < 0.1

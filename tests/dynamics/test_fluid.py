"""Fluid forces against MuJoCo, and what the boxes promise."""

import dataclasses

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.test_util import check_grads
from mujoco_forces import assert_close, load_both, mujoco_forces, random_states

import supple as sp
from supple.describe.primitives import box
from supple.dynamics.fluid import box_edges, box_wrench, fluid_force
from supple.model.medium import Medium

FIELD = jax.jit(jax.vmap(fluid_force, in_axes=(None, 0, 0)))


@pytest.mark.parametrize("name", ["zoo", "gymnasium/swimmer", "suite/swimmer", "suite/fish"])
def test_equals_mujocos(name: str) -> None:
    model, peer = load_both(name)
    states = random_states(model, count=100)
    expected = mujoco_forces(peer, states)["qfrc_fluid"]
    assert np.abs(expected).max() > 0
    assert_close(FIELD(model, *states[:2]), expected)


@pytest.mark.parametrize("option", ["density", "viscosity"])
def test_density_and_viscosity_each_alone(option: str) -> None:
    model, peer = load_both("zoo")
    peer.opt.density, peer.opt.viscosity = (7.0, 0.0) if option == "density" else (0.0, 7.0)
    states = random_states(model, count=5)
    changed = sp.load(peer)
    assert_close(FIELD(changed, *states[:2]), mujoco_forces(peer, states)["qfrc_fluid"])


def test_a_vacuum_is_none() -> None:
    peer = load_both("zoo")[1]
    peer.opt.density = peer.opt.viscosity = 0.0
    assert sp.load(peer).medium is None
    assert sp.robots.quadruped().medium is None


def test_edges_are_those_of_a_box() -> None:
    solid = box((0.1, 0.2, 0.3), mass=2.0)
    text = """<mujoco><option density="1"/><worldbody><body><freejoint/>
      <geom type="box" size="0.05 0.1 0.15" mass="2"/></body></worldbody></mujoco>"""
    model = sp.load(text)
    np.testing.assert_allclose(model.bodies.inertia[0], solid.inertia, rtol=1e-12)
    assert model.medium is not None
    edges = np.asarray(box_edges(model.bodies, model.medium.axes))[0]
    np.testing.assert_allclose(np.abs(model.medium.axes[0] @ edges), [0.1, 0.2, 0.3], rtol=1e-9)


def test_drag_takes_energy_out_and_is_smooth_at_rest() -> None:
    rng = np.random.default_rng(0)
    medium = Medium(np.array(3.0), np.array(0.4), np.zeros(3), np.eye(3)[None])
    edges, omega, v = rng.uniform(0.1, 1, (9, 3)), rng.normal(size=(9, 3)), rng.normal(size=(9, 3))
    torque, force = box_wrench(medium, edges, omega, v)
    assert np.all(torque * omega < 0)
    assert np.all(force * v < 0)
    slope = jax.jacfwd(lambda v: box_wrench(medium, edges[:1], v, v)[1])(jnp.zeros((1, 3)))
    np.testing.assert_allclose(slope[0, :, 0], -3 * np.pi * 0.4 * edges[0].mean() * np.eye(3), rtol=1e-12)


def test_bodies_without_mass_or_extent_feel_nothing_and_have_finite_derivatives() -> None:
    model, _ = load_both("zoo")
    states = [values[0] for values in random_states(model, 1)]

    def work(mass, inertia):
        changed = eqx.tree_at(lambda m: (m.bodies.mass, m.bodies.inertia), model, (mass, inertia))
        return jnp.sum(fluid_force(changed, states[0], states[1]) ** 2)

    mass, inertia = np.zeros_like(model.bodies.mass), np.zeros_like(model.bodies.inertia)
    value, slopes = jax.jit(jax.value_and_grad(work, argnums=(0, 1)))(mass, inertia)
    assert value == 0
    assert all(np.isfinite(slope).all() for slope in slopes)


def test_derivatives_equal_finite_differences() -> None:
    model, _ = load_both("gymnasium/swimmer")
    q, v, _, _ = (jnp.asarray(values[0]) for values in random_states(model, 1))

    def force(mass, inertia, medium, q, v):
        changed = eqx.tree_at(lambda m: (m.bodies.mass, m.bodies.inertia, m.medium), model, (mass, inertia, medium))
        return fluid_force(changed, q, v)

    medium = dataclasses.replace(model.medium, wind=np.array([0.3, -0.2, 0.5]))  # drag has a kink in its slope at rest
    arguments = jax.tree.map(jnp.asarray, (model.bodies.mass, model.bodies.inertia, medium, q, v))
    check_grads(jax.jit(force), arguments, order=1, modes=("fwd", "rev"), rtol=1e-5, atol=1e-5, eps=1e-6)


def test_the_wind_carries_a_free_body_along() -> None:
    text = """<mujoco><option density="1000" viscosity="5" wind="1 2 3" gravity="0 0 0"/><worldbody>
      <body><freejoint/><geom type="box" size="0.1 0.2 0.3" mass="2"/>
        <body pos="0.2 0 0"><joint/><geom type="box" size="0.1 0.2 0.3" mass="1"/></body></body></worldbody></mujoco>"""
    model = sp.load(text)
    drifting = np.array([1.0, 2, 3, 0, 0, 0, 0])
    np.testing.assert_allclose(jax.jit(fluid_force)(model, model.home, drifting), 0.0, atol=1e-9)

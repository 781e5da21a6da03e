"""Gradients, precision, names and edges of what is said about bodies."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from robots import every_joint_xml

import supple as sp
from supple import dynamics
from supple.model.errors import ModelError
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.testing import random_configuration


@pytest.fixture(scope="module")
def model() -> Model:
    return sp.load(every_joint_xml())


def summary(model: Model, q: Array, v: Array) -> Array:
    """One number that depends on every quantity of bodies."""
    a, bodies = jnp.cos(jnp.arange(model.nv)), len(model.bodies.names)
    wrenches = jnp.sin(jnp.arange(6.0 * bodies)).reshape(bodies, 6)
    factor = dynamics.mass_factor(model, q)
    parts = [
        dynamics.body_jacobians(model, q),
        dynamics.body_jacobian_rate(model, q, v, "hand"),
        dynamics.body_accelerations(model, q, v, a),
        dynamics.centroidal_momentum(model, q, v),
        dynamics.centroidal_momentum_matrix(model, q),
        dynamics.external_force(model, q, wrenches),
        factor.solve(a),
        factor.solve_half(a),
        factor.lower(),
    ]
    return sum((jnp.sum(jnp.sin(part + 0.3)) for part in parts), jnp.zeros(()))


def test_gradients_in_both_directions_equal_differences(model: Model) -> None:
    rng = np.random.default_rng(1)
    q, v = random_configuration(model, rng), rng.normal(size=model.nv)
    arguments = (jax.tree.map(jnp.asarray, model), jnp.asarray(q), jnp.asarray(v))
    way = jax.tree.map(lambda x: jnp.asarray(rng.normal(size=x.shape)) * (1e-2 + jnp.abs(x)), arguments)
    evaluate = jax.jit(lambda x: summary(*x))
    reverse = jax.jit(jax.grad(lambda x: summary(*x)))(arguments)
    forward = jax.jit(lambda x, dx: jax.jvp(lambda y: summary(*y), (x,), (dx,))[1])(arguments, way)
    along = sum(jnp.vdot(x, dx) for x, dx in zip(jax.tree.leaves(reverse), jax.tree.leaves(way), strict=True))
    step = 1e-5
    ahead, behind = (evaluate(jax.tree.map(lambda x, dx: x + s * dx, arguments, way)) for s in (step, -step))  # noqa: B023
    np.testing.assert_allclose(forward, along, rtol=1e-10)
    np.testing.assert_allclose(forward, (ahead - behind) / (2 * step), rtol=1e-6)


def test_gradients_are_finite_at_home_and_at_rest(model: Model) -> None:
    gradient = jax.jit(jax.grad(summary, argnums=(0, 1, 2)))(
        jax.tree.map(jnp.asarray, model), jnp.asarray(model.home), jnp.zeros(model.nv)
    )
    assert all(np.isfinite(leaf).all() for leaf in jax.tree.leaves(gradient))


def test_single_precision_stays_single(model: Model) -> None:
    with jax.enable_x64(False):
        q, v = jnp.asarray(model.home), jnp.zeros(model.nv)
        assert jax.eval_shape(summary, model, q, v).dtype == jnp.float32


def test_a_body_is_found_by_name_or_index(model: Model) -> None:
    by_name, by_index = (dynamics.body_jacobian(model, jnp.asarray(model.home), body) for body in ("hand", 3))
    assert model.bodies.names[3] == "hand"
    np.testing.assert_array_equal(by_name, by_index)


@pytest.mark.parametrize(
    ("body", "message"), [("hnad", "no body 'hnad'; did you mean hand"), (8, "numbered from 0 to 7")]
)
def test_unknown_bodies(model: Model, body: str | int, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        dynamics.body_jacobian(model, jnp.asarray(model.home), body)


def test_what_never_moves_has_no_jacobian(model: Model) -> None:
    q = jnp.asarray(model.home)
    assert not np.any(dynamics.body_jacobian(model, q, "post"))
    wrenches = np.zeros((len(model.bodies.names), 6))
    wrenches[model.bodies.names.index("post")] = 1.0
    assert not np.any(dynamics.external_force(model, q, wrenches))


def test_momentum_about_another_point_gains_arm_times_linear_momentum(model: Model) -> None:
    rng = np.random.default_rng(2)
    q, v, point = random_configuration(model, rng), rng.normal(size=model.nv), rng.normal(size=3)
    about_origin, about_point = dynamics.momentum(model, q, v), dynamics.momentum(model, q, v, point)
    np.testing.assert_allclose(about_point[:3], about_origin[:3] - np.cross(point, about_origin[3:]), atol=1e-12)
    np.testing.assert_array_equal(about_point[3:], about_origin[3:])


def test_a_factor_solves_many_right_hand_sides(model: Model) -> None:
    q = jnp.asarray(model.home)
    columns = np.random.default_rng(3).normal(size=(model.nv, 4))
    factor = dynamics.mass_factor(model, q)
    M, half = dynamics.crba(model, q), factor.solve_half(columns)
    np.testing.assert_allclose(M @ factor.solve(columns), columns, atol=1e-11)
    np.testing.assert_allclose(half.T @ half, columns.T @ np.linalg.solve(M, columns), atol=1e-11)

"""Laws that dynamics obeys whatever the numbers: on twelve fixed topologies, with random values of every parameter.

The topologies are fixed, and everything that the laws are about is one jitted function, since each costs a compilation.
"""

from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from compilation import QUICKLY
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from topologies import FLOATING, TREES, Case, draw, topology, turn

from supple import dynamics
from supple.dynamics.springs import spring_energy, spring_force
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.spatial.symmetric import unpack

ROUND_OFF = 1e-11  # of the largest number that takes part

random_values = settings(
    max_examples=25,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.generate],  # a smaller seed is no simpler case
    suppress_health_check=[HealthCheck.too_slow],  # the first example compiles
)
seeds = st.integers(0, 2**32 - 1)
speeds = st.floats(0.0, 10.0)  # of the joints, in units of 1 rad/s and 1 m/s; at rest, too


@pytest.mark.parametrize("name", TREES)
def test_laws_of_dynamics(name: str) -> None:
    compiled = jax.jit(evaluate, compiler_options=QUICKLY)

    def look(case: Case) -> SimpleNamespace:
        return SimpleNamespace(**jax.tree.map(np.asarray, compiled(case)))

    @random_values
    @given(seeds, speeds)
    def check(seed: int, speed: float) -> None:
        case = draw(topology(name), seed)
        case = case._replace(v=speed * case.v)
        seen = look(case)
        check_inverse(case, seen)
        check_mass_matrix(seen)
        check_virtual_work(seen)
        check_power(case, seen)
        check_motion_of_bodies(case, seen)
        check_sums_over_bodies(case, seen)
        check_wrenches(case, seen)
        if name in FLOATING:
            check_momentum_balance(case, seen)
        turning = Rotation.random(rng=np.random.default_rng(seed))
        other, by = turn(case, turning)
        check_turned(seen, look(other), turning.as_matrix(), by)

    check()


def evaluate(case: Case) -> dict[str, Array]:
    """All that the laws are about."""
    model, q, v, a, force, control, wrenches = case
    accelerations = jnp.concatenate([jnp.zeros((1, model.nv)), a[None], jnp.eye(model.nv)])
    efforts = jax.vmap(lambda a: dynamics.rnea(model, q, v, a))(accelerations)
    pushed = dynamics.external_force(model, q, wrenches)
    applied = force + dynamics.passive_force(model, q, v) + dynamics.actuator_force(model, q, v, control)
    inverted, motion = jax.vmap(lambda tau: dynamics.aba(model, q, v, tau))(jnp.stack([efforts[1], applied + pushed]))

    def energies(shift: Array) -> tuple[Array, Array]:
        here = dynamics.move(model, q, shift)
        return dynamics.potential_energy(model, here), spring_energy(model, here)

    def state_of_motion(shift: Array, v: Array) -> dict[str, Array]:
        here = dynamics.move(model, q, shift)
        poses = dynamics.forward_kinematics(model, here)
        return {
            "rotation": poses.rotation,
            "position": poses.position,
            "velocities": dynamics.body_velocities(model, here, v),
            "kinetic": dynamics.kinetic_energy(model, here, v),
            "potential": dynamics.potential_energy(model, here),
            "momentum": dynamics.momentum(model, here, v),
            "center": dynamics.center_of_mass(model, here),
        }

    still = jnp.zeros_like(v)
    state, rates = jax.jvp(state_of_motion, (still, v), (v, motion))
    slope, spring_slope = jax.jacrev(energies)(still)
    factor = dynamics.mass_factor(model, q)
    last = len(model.bodies.names) - 1
    return {
        **state,
        **{f"{name}_rate": rate for name, rate in rates.items()},
        "mass": dynamics.crba(model, q),
        "columns": efforts[2:] - efforts[0],
        "lower": factor.lower(),
        "diagonal": factor.diagonal,
        "bias": dynamics.bias_force(model, q, v),
        "unmoved": efforts[0],
        "effort": efforts[1],
        "inverted": inverted,
        "applied": applied,
        "pushed": pushed,
        "motion": motion,
        "spring": spring_force(model, q),
        "spring_energy": spring_energy(model, q),
        "spring_slope": spring_slope,
        "slope": slope,
        "weight": dynamics.bias_force(model, q, still),
        "jacobians": dynamics.body_jacobians(model, q),
        "jacobian_rate": dynamics.body_jacobian_rate(model, q, v, last),
        "accelerations": dynamics.body_accelerations(model, q, v, motion),
        "momentum_matrix": dynamics.centroidal_momentum_matrix(model, q),
    }


def assert_sum(total: Any, *terms: Any) -> None:
    """The total is the sum of the terms, to round-off of the largest number in any of them."""
    largest = max(np.abs(values).max() for values in (total, *terms))
    error = np.abs(total - sum(terms)).max()
    assert error <= ROUND_OFF * largest, f"{error:g} of {largest:g}"


def check_inverse(case: Case, seen: SimpleNamespace) -> None:
    """ABA inverts RNEA: the acceleration that it finds for RNEA's force demands that force again."""
    assert_sum(seen.unmoved, seen.bias)
    assert_sum(seen.effort, seen.mass @ case.a, seen.bias)
    assert_sum(seen.effort, seen.mass @ seen.inverted, seen.bias)
    assert_sum(seen.applied, seen.mass @ seen.motion, seen.bias, -seen.pushed)


def check_mass_matrix(seen: SimpleNamespace) -> None:
    """M is symmetric and positive definite, has RNEA's columns, and is Lᵀ D L."""
    np.testing.assert_array_equal(seen.mass, seen.mass.T)
    np.linalg.cholesky(seen.mass)  # fails unless positive definite
    assert_sum(seen.columns.T, seen.mass)
    assert np.all(seen.diagonal > 0)
    np.testing.assert_array_equal(seen.lower, np.tril(seen.lower))
    np.testing.assert_array_equal(np.diagonal(seen.lower), 1.0)
    assert_sum(seen.lower.T @ (seen.diagonal[:, None] * seen.lower), seen.mass)


def check_virtual_work(seen: SimpleNamespace) -> None:
    """In every displacement, weight and springs do the work that potential energy loses."""
    assert_sum(seen.spring_slope, -seen.spring)
    assert_sum(seen.slope, seen.weight, -seen.spring)


def check_power(case: Case, seen: SimpleNamespace) -> None:
    """Kinetic and potential energy together change by the work of all forces but weight and springs."""
    work = case.v * (seen.applied + seen.pushed - seen.spring)
    inner = case.v * seen.bias  # what weight and inertial forces do, which is the scale of round-off
    assert_sum(seen.kinetic_rate, -seen.potential_rate, *work, *inner, *-inner)


def check_motion_of_bodies(case: Case, seen: SimpleNamespace) -> None:
    """Jacobians, velocities and accelerations are the derivatives of poses: Ṙ = [ω]× R."""
    v, velocities = case.v, seen.velocities
    assert_sum(seen.jacobians @ v, velocities)
    assert_sum(seen.position_rate, velocities[:, 3:])
    assert_sum(seen.rotation_rate, np.cross(velocities[:, None, :3], seen.rotation, axisb=1, axisc=1))
    assert_sum(seen.velocities_rate, seen.accelerations)
    assert_sum(seen.accelerations[-1], seen.jacobians[-1] @ seen.motion, seen.jacobian_rate @ v)


def check_sums_over_bodies(case: Case, seen: SimpleNamespace) -> None:
    """Energy, momentum and centre of mass are sums over the bodies; the rotors' armature has energy alone."""
    model, v, mass = case.model, case.v, case.model.bodies.mass[:, None]
    arm = np.einsum("bij,bj->bi", seen.rotation, model.bodies.center_of_mass)
    omega, center = seen.velocities[:, :3], seen.position + arm
    rate = seen.velocities[:, 3:] + np.cross(omega, arm)
    inertia = seen.rotation @ np.asarray(unpack(model.bodies.inertia)) @ np.swapaxes(seen.rotation, 1, 2)
    spin, push = np.einsum("bij,bj->bi", inertia, omega), mass * rate

    assert_sum(seen.kinetic, *0.5 * (rate * push + omega * spin).ravel(), *0.5 * armature(model) * v**2)
    assert_sum(seen.potential, *-(mass * center * model.gravity).ravel(), seen.spring_energy)
    assert_sum(seen.center, *(mass * center / mass.sum()))
    assert_sum(seen.center_rate * mass.sum(), *push)
    assert_sum(seen.momentum, *np.hstack([np.cross(center, push) + spin, push]))
    assert_sum(seen.momentum_matrix @ v, *np.hstack([np.cross(center - seen.center, push) + spin, push]))


def check_wrenches(case: Case, seen: SimpleNamespace) -> None:
    """Wrenches on bodies push the joints with Σ Jᵀ w."""
    assert_sum(seen.pushed, *np.einsum("bij,bi->bj", seen.jacobians, case.wrenches))


def check_momentum_balance(case: Case, seen: SimpleNamespace) -> None:
    """The momentum of a robot that nothing joins to the world changes by its weight and what acts from outside.

    That is the wrenches, and all forces on its free joint, where a rotor's armature brakes; none of those within.
    """
    model, gravity = case.model, case.model.gravity
    held = (seen.applied - armature(model) * seen.motion)[:6]
    torque, force = seen.rotation[0] @ held[3:], held[:3]
    weight = model.bodies.mass.sum() * gravity
    terms = np.hstack([case.wrenches[:, :3] + np.cross(seen.position, case.wrenches[:, 3:]), case.wrenches[:, 3:]])
    outer = [
        np.concatenate([np.cross(seen.center, weight), weight]),
        np.concatenate([torque + np.cross(case.q[:3], force), force]),
    ]
    assert_sum(seen.momentum_rate, *terms, *outer)


def check_turned(seen: SimpleNamespace, turned: SimpleNamespace, R: np.ndarray, by: np.ndarray) -> None:
    """With all that is in the world turned by R, what it does turns with it; joints inside see no difference."""
    both = np.kron(np.eye(2), R)
    for name in ("kinetic", "potential", "kinetic_rate"):
        assert_sum(getattr(turned, name), getattr(seen, name))
    for name in ("bias", "spring", "applied", "pushed"):
        assert_sum(getattr(turned, name), by @ getattr(seen, name))
    for name in ("inverted", "motion"):  # by the forces that they take, which M's condition number leaves exact
        assert_sum(turned.mass @ getattr(turned, name), by @ seen.mass @ getattr(seen, name))
    assert_sum(turned.mass, by @ seen.mass @ by.T)
    assert_sum(turned.rotation, R @ seen.rotation)
    assert_sum(turned.position, seen.position @ R.T)
    assert_sum(turned.velocities, seen.velocities @ both.T)
    assert_sum(turned.momentum, both @ seen.momentum)


def armature(model: Model) -> np.ndarray:
    """That of each degree of freedom."""
    return np.repeat(model.joints.armature, [kind.nv for kind in model.joints.kinds])

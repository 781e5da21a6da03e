"""Laws that dynamics obeys whatever the numbers: on twelve fixed topologies, with random values of every parameter.

The topologies are fixed, and everything that a property needs is one jitted function, since each costs a compilation.
"""

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from topologies import TREES, Case, draw, topology

from supple import dynamics
from supple.dynamics.springs import spring_force
from supple.spatial.arrays import Array

ROUND_OFF = 1e-11  # of the scale of what is compared

random_values = settings(
    max_examples=25,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],  # the first example compiles
)
seeds = st.integers(0, 2**32 - 1)


def evaluate(case: Case) -> dict[str, Array]:
    """All that the laws are about."""
    model, q, v, a, force, control, wrenches = case
    accelerations = jnp.concatenate([jnp.zeros((1, model.nv)), a[None], jnp.eye(model.nv)])
    efforts = jax.vmap(lambda a: dynamics.rnea(model, q, v, a))(accelerations)
    bias, effort, columns = efforts[0], efforts[1], efforts[2:] - efforts[0]
    passive, actuation = dynamics.passive_force(model, q, v), dynamics.actuator_force(model, q, v, control)
    pushed = dynamics.external_force(model, q, wrenches)
    total = force + passive + actuation + pushed
    found, motion = jax.vmap(lambda tau: dynamics.aba(model, q, v, tau))(jnp.stack([effort, total]))

    def conserved(shift: Array, v: Array) -> tuple[Array, Array, Array]:
        here = dynamics.move(model, q, shift)
        kinetic, potential = dynamics.kinetic_energy(model, here, v), dynamics.potential_energy(model, here)
        return kinetic, potential, dynamics.momentum(model, here, v)

    def rates(shift: Array, v_rate: Array) -> Any:
        return jax.jvp(conserved, (jnp.zeros_like(v), v), (shift, v_rate))

    (kinetic, _, momentum), (kinetic_rate, potential_rate, momentum_rate) = jax.vmap(rates)(
        jnp.stack([v, a]), jnp.stack([motion, jnp.zeros_like(v)])
    )
    factor = dynamics.mass_factor(model, q)
    return {
        "mass": dynamics.crba(model, q),
        "columns": columns,
        "lower": factor.lower(),
        "diagonal": factor.diagonal,
        "bias": bias,
        "effort": effort,
        "found": found,
        "total": total,
        "motion": motion,
        "spring": spring_force(model, q),
        "dissipation": total - spring_force(model, q),
        "kinetic": kinetic[0],
        "kinetic_rate": kinetic_rate[0],
        "potential_rate": potential_rate[0],
        "virtual_work": potential_rate[1],  # of the displacement a
        "resting": dynamics.bias_force(model, q, jnp.zeros_like(v)),
        "momentum": momentum[0],
        "momentum_rate": momentum_rate[0],
        "jacobians": dynamics.body_jacobians(model, q),
        "velocities": dynamics.body_velocities(model, q, v),
        "pushed": pushed,
    }


@functools.cache
def evaluator(name: str) -> Any:
    """The compiled function of a topology."""
    del name  # one cache entry, and with it one compilation, each
    return jax.jit(evaluate)


@pytest.mark.parametrize("name", TREES)
def test_laws_of_dynamics(name: str) -> None:
    compiled = jax.jit(evaluate)

    @random_values
    @given(seeds)
    def check(seed: int) -> None:
        case = draw(topology(name), seed)
        found = {key: np.asarray(value) for key, value in compiled(case).items()}
        check_inverse(case, found)

    check()

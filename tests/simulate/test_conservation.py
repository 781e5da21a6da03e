"""Momentum in steps of robots that float free."""

import dataclasses
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from compilation import QUICKLY
from topologies import FLOATING, draw, topology

import supple as sp
from supple import dynamics, simulate
from supple.model.joint import JointKind
from supple.model.model import Model
from supple.spatial.arrays import Array

CASES, STEPS, DT = 10, 50, 1e-4


def adrift(model: Model) -> Model:
    """Without gravity, and without what joins a free joint to the world: its springs, dampers and rotors.

    Within, there are springs, rotors and weak dampers; not dry friction and limits, which at random values change the
    velocity of a light link faster than any fixed step resolves.
    """
    joints, count = model.joints, len(model.joints.names)
    inner = np.array([kind is not JointKind.FREE for kind in joints.kinds])
    joints = dataclasses.replace(
        joints,
        armature=inner * joints.armature,
        stiffness=inner * joints.stiffness,
        damping=0.01 * inner * joints.damping,
        friction_loss=np.zeros(count),
        limited=(False,) * count,
    )
    return dataclasses.replace(model, joints=joints, gravity=np.zeros(3))


@pytest.mark.parametrize("name", FLOATING)
def test_each_step_conserves_momentum(name: str) -> None:
    """To 1e-12, with an integrator whose own error in a step is below that."""
    cases = [draw(topology(name), seed) for seed in range(CASES)]

    @functools.partial(jax.jit, compiler_options=QUICKLY)
    def run(model: Model, q: Array, v: Array) -> tuple[Array, Array]:
        system = sp.Simulator(model, dt=DT, integrator=simulate.RungeKutta4())
        states = sp.rollout(system, system.init(q, v), jnp.zeros((STEPS, model.nu)))
        momenta = jax.vmap(lambda q, v: dynamics.momentum(model, q, v))(states.q, states.v)
        return jnp.concatenate([dynamics.momentum(model, q, v)[None], momenta]), states.v - v

    for case in cases:
        momenta, gained = run(adrift(case.model), case.q, case.v)
        assert np.abs(np.diff(momenta, axis=0)).max() <= 1e-12  # kg m/s, kg m²/s
        assert np.abs(gained).max() > 1e-4

"""Integrators against MuJoCo's: single steps, and trajectories."""

import jax
import jax.numpy as jnp
import mujoco
import numpy as np
import pytest
from compilation import QUICKLY
from mujoco_forces import assert_close, random_states
from mujoco_steps import INTEGRATORS, as_state, configure, load_pair, mujoco_steps

import supple as sp
from supple.model.model import Model

DT, STEPS = 2e-3, 1000


def systems(model: Model) -> dict[str, sp.Simulator]:
    return {name: sp.Simulator(model, dt=DT, integrator=ours) for name, (ours, *_) in INTEGRATORS.items()}


@pytest.mark.parametrize(
    "robot",
    ["zoo", "servos", "humanoid", *(pytest.param(name, marks=pytest.mark.full) for name in ("ant", "half_cheetah"))],
)
def test_one_step_equals_mujocos(robot: str) -> None:
    model, peer = load_pair(robot)
    q, v, control, activation = random_states(model, count=100)

    def step(q, v, control, activation):
        state = as_state(model, q, v, activation)
        return {name: system.step(state, control) for name, system in systems(model).items()}

    for name, after in jax.jit(jax.vmap(step), compiler_options=QUICKLY)(q, v, control, activation).items():
        configure(peer, name, DT)
        rows = zip(q, v, activation, control[:, None], strict=True)
        ends = [[block[0] for block in mujoco_steps(peer, *row)] for row in rows]
        q_end, v_end, activation_end, time_end = (np.array(block) for block in zip(*ends, strict=True))
        assert_close(after.q, q_end, 1e-10)
        assert_close(after.v, v_end, 1e-10)
        assert_close(after.v - v, v_end - v, 1e-10)
        np.testing.assert_allclose(after.time, time_end, rtol=1e-14)
        if model.na:
            # MuJoCo brings the activation of an angle back by whole turns, which changes no force
            straight = ~np.array([model.actuators.circular[i] for i in model.actuators.stateful])
            assert_close(after.memory[:, straight], activation_end[:, straight], 1e-10)


@pytest.mark.parametrize(
    "robot", ["every_joint", "inverted_double_pendulum", "swimmer", pytest.param("humanoid", marks=pytest.mark.full)]
)
def test_a_trajectory_stays_as_near_to_mujocos_as_one_that_starts_next_to_it(robot: str) -> None:
    """Over 1000 steps no further than MuJoCo's own trajectory from a start that is 1e-12 away; at first, 1e-10."""
    model, peer = load_pair(robot)
    rng = np.random.default_rng(5)
    q, v, _, activation = random_states(model, count=4)
    controls = 0.3 * rng.normal(size=(STEPS, model.nu))

    def run(q, v):
        start = as_state(model, q, v, jnp.asarray(activation[0]))
        return {name: sp.rollout(system, start, controls) for name, system in systems(model).items()}

    for name, states in jax.jit(jax.vmap(run), compiler_options=QUICKLY)(q, v).items():
        configure(peer, name, DT)
        np.testing.assert_allclose(states.time[0], DT * np.arange(1, STEPS + 1), rtol=1e-12)
        firsts = []
        for q0, v0, ours in zip(q, v, np.concatenate([states.q, states.v], axis=-1), strict=True):
            nearby, aside = q0.copy(), 1e-12 * rng.normal(size=(2, model.nv))
            mujoco.mj_integratePos(peer, nearby, aside[0], 1.0)
            theirs = np.hstack(mujoco_steps(peer, q0, v0, activation[0], controls)[:2])
            perturbed = np.hstack(mujoco_steps(peer, nearby, v0 + aside[1], activation[0], controls)[:2])
            scale = np.abs(theirs).max(axis=0)
            scale = np.maximum(scale, 1e-3 * scale.max())
            apart = np.linalg.norm((perturbed - theirs) / scale, axis=1)
            away = np.linalg.norm((ours - theirs) / scale, axis=1)
            assert np.all(away <= np.maximum.accumulate(apart)), name
            firsts.append((ours[0], theirs[0]))
        assert_close(*map(np.array, zip(*firsts, strict=True)), 1e-10)

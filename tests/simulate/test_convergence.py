"""Orders of convergence: how errors fall with the length of the steps."""

import diffrax
import jax
import mujoco
import numpy as np
import pytest
from mujoco_forces import random_states
from mujoco_steps import INTEGRATORS, as_state, configure, load_pair, mujoco_steps

import supple as sp
from supple import dynamics, simulate
from supple.model.integrator import Integrator
from supple.model.model import Model

DURATION = 0.5
COUNTS = np.array([32, 64, 128])  # steps within it

CASES: dict[str, Integrator] = {
    **{name: ours for name, (ours, *_) in INTEGRATORS.items()},
    "tsit5": simulate.Diffrax(diffrax.Tsit5(), diffrax.ConstantStepSize()),
}


def make_runner(integrator: Integrator):
    """The state after DURATION in a number of steps that compiled code is told, and its energy."""

    @jax.jit
    def run(model: Model, q, v, activation, control, steps):
        system = sp.Simulator(model, dt=DURATION / steps, integrator=integrator)
        state = as_state(model, q, v, activation)
        state = jax.lax.fori_loop(0, steps, lambda _, state: system.step(state, control), state)
        energy = dynamics.kinetic_energy(model, state.q, state.v) + dynamics.potential_energy(model, state.q)
        return state, energy

    return run


def orders(errors: np.ndarray) -> np.ndarray:
    return np.log2(errors[:-1] / errors[1:])


@pytest.mark.parametrize("name", CASES)
def test_errors_fall_with_the_order(name: str) -> None:
    """Against MuJoCo's end of a fine trajectory, on free, ball and hinge joints and an activation.

    Without friction, the energy's error falls with the order too. Quaternions stay unit.
    """
    integrator = CASES[name]
    model, peer = load_pair("tumbler")
    q, v, control, activation = (values[0] for values in random_states(model, count=2))
    q[8:12], v = [1.0, 0.0, 0.0, 0.0], 2.0 * v  # the wrist stays away from half a turn, where its spring's force jumps
    fine = np.tile(control, (10000, 1))
    configure(peer, "runge_kutta_4", DURATION / len(fine))
    q_end, v_end, activation_end, _ = (block[-1] for block in mujoco_steps(peer, q, v, activation, fine))
    free = sp.replace(model, {"joints.damping": 0.0, "actuators.gain": 0.0, "actuators.bias": 0.0})
    start = dynamics.kinetic_energy(model, q, v) + dynamics.potential_energy(model, q)

    run, way = make_runner(integrator), np.zeros(model.nv)
    errors, losses = [], []
    for steps in COUNTS:
        state, _ = run(model, q, v, activation, control, steps)
        mujoco.mj_differentiatePos(peer, way, 1.0, q_end, np.asarray(state.q))
        errors.append(np.linalg.norm(np.hstack([way, state.v - v_end, state.memory - activation_end])))
        quaternions = np.asarray(state.q)[[[3, 4, 5, 6], [8, 9, 10, 11]]]
        np.testing.assert_allclose(np.linalg.norm(quaternions, axis=1), 1.0, atol=1e-14)
        losses.append(abs(run(free, q, v, activation, control, steps)[1] - start))
    for falling in (errors, losses):  # those of order five are near round-off, which blurs the order
        assert abs(orders(np.array(falling))[-1] - integrator.order) < (0.2 if name == "tsit5" else 0.05)

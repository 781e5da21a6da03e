"""Gradients of rollouts by everything: reverse mode, forward mode and finite differences agree."""

import dataclasses
import functools

import numpy as np
import pytest
from gradient_robots import MAKERS, generic, gimbal, idle_parts, make_start
from rollout_gradients import Loss, Start

import supple as sp
from supple.model.model import Model

SHORT, LONG = 50, 200


@functools.cache
def quadruped_loss() -> Loss:
    return Loss(make_start(sp.robots.quadruped(), SHORT))


def at_rest(model: Model, **joints: float) -> Start:
    """A rollout from home, at rest and without control, but for some joints' coordinates."""
    system = sp.Simulator(model, contact=None, dt=1e-3)
    q = np.array(model.home)
    for name, value in joints.items():
        q[model.joints.q_starts[model.joints.names.index(name)]] = value
    return Start(system, system.init(q), np.zeros((SHORT, model.nu)))


def test_gradients_of_a_tree_of_balls_and_tendons() -> None:
    start = make_start(generic(MAKERS["ball_tree"]()), SHORT)
    assert Loss(start).check(start, idle_parts(start.system.model)) == []


def test_gradients_of_a_free_robot() -> None:
    start = make_start(generic(sp.robots.quadruped()), SHORT)
    assert quadruped_loss().check(start, idle_parts(start.system.model)) == []


def test_gradients_of_a_free_robot_at_rest_with_parallel_axes_and_an_identity_quaternion() -> None:
    model = sp.robots.quadruped()
    bent = {name: -0.8 for name in model.joints.names if name.endswith("knee")}
    assert quadruped_loss().check(at_rest(model, **bent)) == []


def test_gradients_with_massless_links_between() -> None:
    start = at_rest(gimbal())
    loss = Loss(start)
    assert loss.check(start) == []
    moving = dataclasses.replace(start.state, q=np.array([0.3, 0.2, -0.5]), v=np.array([1.0, -2.0, 3.0]))
    assert loss.check(dataclasses.replace(start, state=moving)) == []


@pytest.mark.full
@pytest.mark.parametrize("name", MAKERS)
def test_gradients_of_long_rollouts(name: str) -> None:
    start = make_start(generic(MAKERS[name]()), LONG)
    assert Loss(start).check(start, idle_parts(start.system.model)) == []

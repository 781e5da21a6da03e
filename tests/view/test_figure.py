"""Figures: what is drawn, not how it looks."""

import numpy as np
import pytest

import supple as sp
from supple.view.figure import draw_motion

TIME = np.linspace(0, 1, 11)
FLOATING = """<mujoco model="box"><worldbody><body name="box"><freejoint name="root"/>
  <inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>
  <body name="lid"><joint name="lid" type="slide"/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/></body>
  </body></worldbody></mujoco>"""


def _draw(model, q):
    return draw_motion(model, TIME, q, np.full(11, 2.0), np.linspace(7.0, 8.0, 11))


def _curves(axes) -> dict[str, np.ndarray]:
    return {line.get_label(): line.get_ydata() for line in axes.get_lines()}


def test_free_joint_becomes_displacements_and_an_angle():
    half = TIME / 2
    zero = np.zeros(11)
    q = np.stack([TIME, 2 * TIME, 3 * TIME, np.cos(half), zero, np.sin(half), zero, 4 * TIME], axis=1)
    angles, displacements, energy = _draw(sp.load(FLOATING), q).axes
    np.testing.assert_allclose(_curves(angles)["root (turned)"], TIME, atol=1e-7)
    np.testing.assert_allclose(_curves(displacements)["root y"], 2 * TIME)
    np.testing.assert_allclose(_curves(displacements)["lid"], 4 * TIME)
    np.testing.assert_allclose(_curves(energy)["total"], 2 + TIME)


@pytest.mark.parametrize("links", [9])
def test_many_curves_are_reduced_to_those_that_move_most(links: int):
    q = TIME[:, None] * np.arange(links)
    axes = _draw(sp.robots.pendulum(links=links), q).axes[0]
    assert "8 of 9" in axes.get_title(loc="left")
    assert min(np.ptp(values) for values in _curves(axes).values()) > 0

"""The built-in robots."""

import numpy as np
import pytest

from supple.describe import robots
from supple.model.errors import ModelError
from supple.model.joint import JointKind


@pytest.mark.parametrize("name", robots.list())
def test_all_in_the_list_are_possible_and_exact(name: str) -> None:
    model = getattr(robots, name)()
    model.check()
    assert model.name == name
    assert model.warnings == ()
    assert model.bodies.inertia[:, [1, 2, 4]].tolist() == np.zeros((len(model.bodies.names), 3)).tolist()
    assert (model.bodies.rotation == np.eye(3)).all()
    assert set(model.joints.axis.ravel().tolist()) == {0.0, 1.0}
    assert len(model.home) == model.nq


@pytest.mark.parametrize("links", [1, 5])
def test_pendulums_hang_and_turn_about_y(links: int) -> None:
    model = robots.pendulum(links, length=0.5, mass=2.0)
    assert (model.nq, model.nv, model.nu) == (links, links, links)
    assert model.bodies.parents == tuple(range(-1, links - 1))
    assert (model.joints.axis == [0, 1, 0]).all()
    assert (model.bodies.center_of_mass == [0, 0, -0.25]).all()
    assert (model.bodies.position[1:] == [0, 0, -0.5]).all()
    assert (model.bodies.mass == 2).all()
    np.testing.assert_allclose(model.bodies.inertia[:, 0], 2 * 0.25 / 12, rtol=2e-3)


def test_double_pendulums_have_links_of_their_own() -> None:
    model = robots.double_pendulum(lengths=(0.2, 0.3), masses=(4.0, 5.0))
    assert model.bodies.position.tolist() == [[0, 0, 0], [0, 0, -0.2]]
    assert model.bodies.center_of_mass[:, 2].tolist() == [-0.1, -0.15]
    assert model.bodies.mass.tolist() == [4, 5]


def test_the_quadruped_is_a_dog() -> None:
    model = robots.quadruped()
    assert (model.nq, model.nv, model.nu) == (19, 18, 12)
    assert model.joints.kinds[0] is JointKind.FREE
    assert model.bodies.mass.sum() == pytest.approx(12)
    assert model.actuators.names == model.joints.names[1:]
    left, right = (model.bodies.names.index(f"front_{side}_hip") for side in ("left", "right"))
    assert model.bodies.position[left].tolist() == (model.bodies.position[right] * [1, -1, 1]).tolist()


@pytest.mark.parametrize("make", [lambda: robots.pendulum(0), lambda: robots.double_pendulum(lengths=(1.0,))])
def test_wrong_numbers_of_links(make) -> None:
    with pytest.raises(ModelError):
        make()

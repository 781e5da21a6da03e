"""Solids against MuJoCo's geoms."""

import mujoco
import numpy as np
import pytest

from supple.describe import primitives
from supple.model.errors import ModelError

SIDEWAYS = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))


@pytest.mark.parametrize(
    ("solid", "geom"),
    [
        (primitives.box((0.2, 0.4, 0.6), density=900.0), 'type="box" size="0.1 0.2 0.3"'),
        (primitives.sphere(0.3, density=900.0), 'type="sphere" size="0.3"'),
        (primitives.cylinder(0.1, 0.5, density=900.0), 'type="cylinder" size="0.1 0.25"'),
        (primitives.capsule(0.1, 0.5, density=900.0), 'type="capsule" size="0.1 0.25"'),
        (
            primitives.box((0.2, 0.4, 0.6), density=900.0, position=(1.0, 2.0, 3.0), rotation=SIDEWAYS),
            'type="box" size="0.1 0.2 0.3" pos="1 2 3" euler="90 0 0"',
        ),
        (
            primitives.rod((1.0, 0.0, 0.0), (0.0, 2.0, 3.0), 0.1, density=900.0),
            'type="cylinder" size="0.1" fromto="1 0 0 0 2 3"',
        ),
        (
            primitives.rod((0.0, 1.0, 0.0), (0.0, -2.0, 0.0), 0.1, density=900.0),
            'type="cylinder" size="0.1" fromto="0 1 0 0 -2 0"',
        ),
    ],
)
def test_solids_agree_with_mujoco(solid: primitives.Inertial, geom: str) -> None:
    text = f'<mujoco><worldbody><body><freejoint/><geom density="900" {geom}/></body></worldbody></mujoco>'
    other = mujoco.MjModel.from_xml_string(text)
    R = np.empty(9)
    mujoco.mju_quat2Mat(R, other.body_iquat[1])
    R = R.reshape(3, 3)
    expected = (R @ np.diag(other.body_inertia[1]) @ R.T)[np.triu_indices(3)]
    assert solid.mass == pytest.approx(other.body_mass[1], rel=1e-12)
    np.testing.assert_allclose(solid.center_of_mass, other.body_ipos[1], atol=1e-15)
    np.testing.assert_allclose(solid.inertia, expected, atol=1e-12 * expected.max())


def test_mass_and_density_agree() -> None:
    heavy, dense = primitives.box((1.0, 2.0, 3.0), mass=12.0), primitives.box((1.0, 2.0, 3.0), density=2.0)
    assert heavy.mass == dense.mass
    np.testing.assert_array_equal(heavy.inertia, dense.inertia)


def test_two_halves_make_a_whole() -> None:
    halves = [primitives.box((0.5, 2.0, 3.0), density=1.0, position=(x, 0.0, 0.0)) for x in (0.75, 1.25)]
    whole = primitives.box((1.0, 2.0, 3.0), density=1.0, position=(1.0, 0.0, 0.0))
    both = primitives.combine(halves)
    assert both.mass == pytest.approx(whole.mass)
    np.testing.assert_allclose(both.center_of_mass, whole.center_of_mass)
    np.testing.assert_allclose(both.inertia, whole.inertia)


def test_nothing_is_massless() -> None:
    assert primitives.combine([]).mass == 0.0


@pytest.mark.parametrize(
    "make",
    [
        lambda: primitives.sphere(0.1),
        lambda: primitives.sphere(0.1, mass=1.0, density=1.0),
        lambda: primitives.sphere(0.0, mass=1.0),
        lambda: primitives.rod((0.0, 0.0, 1.0), (0.0, 0.0, 1.0), 0.1, mass=1.0),
    ],
)
def test_impossible_solids(make) -> None:
    with pytest.raises(ModelError):
        make()

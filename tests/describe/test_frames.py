"""Exact numbers in frames."""

import numpy as np
import pytest

from supple.describe.frames import matrix_from_quaternion, quaternion_from_matrix, snap, snap_zeros, unit_axis


def test_snap_touches_only_what_is_next_to_0_and_1() -> None:
    values = np.array([9e-15, -9e-15, 1 + 9e-15, -1 - 9e-15, 1.1e-14, 1 + 1.2e-14, 0.5 + 1e-15])
    assert snap(values).tolist() == [0, 0, 1, -1, 1.1e-14, 1 + 1.2e-14, 0.5 + 1e-15]
    assert snap_zeros(values * 10, scale=10.0).tolist() == [0, 0, *(values * 10).tolist()[2:]]


@pytest.mark.parametrize("axis", np.eye(3))
@pytest.mark.parametrize("quarters", range(-4, 5))
def test_quarter_turns_are_exact(axis: np.ndarray, quarters: int) -> None:
    angle = quarters * np.pi / 2
    R = matrix_from_quaternion(np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis)]))
    assert set(np.abs(R).ravel().tolist()) <= {0.0, 1.0}
    assert np.array_equal(R @ R.T, np.eye(3))


def test_quaternions_and_matrices_are_inverse() -> None:
    for quaternion in np.random.default_rng(0).normal(size=(20, 4)):
        unit = quaternion / np.linalg.norm(quaternion) * np.sign(quaternion[0])
        np.testing.assert_allclose(quaternion_from_matrix(matrix_from_quaternion(quaternion)), unit, atol=1e-14)


def test_axes_are_unit_and_exact() -> None:
    assert unit_axis(np.array([0.0, 3.0, 1e-16])).tolist() == [0, 1, 0]
    assert np.linalg.norm(unit_axis(np.array([1.0, 2.0, -3.0]))) == pytest.approx(1, abs=1e-15)

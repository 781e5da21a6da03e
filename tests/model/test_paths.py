"""Leaves by name, and models with other values at them."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import supple as sp
from supple.model.errors import ModelError

DOG = sp.robots.quadruped()


def test_every_leaf_has_a_name():
    named = sp.leaves(DOG)
    assert named["bodies.mass"] is DOG.bodies.mass
    assert named["gravity"] is DOG.gravity
    assert len(named) == len(jax.tree.leaves(DOG))
    assert set(sp.leaves(sp.Simulator(DOG))) == {"dt", *(f"model.{name}" for name in named)}


@pytest.mark.parametrize(
    ("address", "rows"),
    [
        ("bodies.mass", range(13)),
        ("mass", range(13)),
        ("bodies.mass[trunk]", [0]),
        ("bodies.mass[*_thigh]", [2, 5, 8, 11]),
        ("bodies.mass[front_[lr]*_hip]", [1, 4]),
    ],
)
def test_rows_are_chosen_by_name(address: str, rows: list[int]):
    changed = sp.replace(DOG, {address: 9.0}).bodies.mass
    assert np.flatnonzero(changed == 9.0).tolist() == list(rows)
    assert isinstance(changed, np.ndarray)
    assert (np.delete(changed, rows) == np.delete(DOG.bodies.mass, rows)).all()


def test_nothing_else_changes():
    changed = sp.replace(DOG, {"joints.damping[*_knee]": np.arange(4.0), "gravity": (0, 0, -1.62)})
    assert changed.joints.damping[[3, 6, 9, 12]].tolist() == [0, 1, 2, 3]
    assert changed.gravity.tolist() == [0, 0, -1.62]
    back = sp.replace(changed, {"joints.damping": DOG.joints.damping, "gravity": DOG.gravity})
    assert eqx.tree_equal(back, DOG)


def test_home_is_chosen_by_joint():
    home = sp.replace(DOG, {"home[floating_base]": [1, 2, 3, 1, 0, 0, 0], "home[*_knee]": -1.6}).home
    assert home[:7].tolist() == [1, 2, 3, 1, 0, 0, 0]
    assert home[[9, 12, 15, 18]].tolist() == [-1.6] * 4


def test_leaves_of_systems():
    system = sp.replace(sp.Simulator(DOG), {"dt": 2e-3, "bodies.mass[trunk]": 3.0})
    assert system.dt == 2e-3
    assert system.model.bodies.mass[0] == 3.0


def test_later_entries_win():
    assert sp.replace(DOG, {"bodies.mass": 1.0, "bodies.mass[trunk]": 2.0}).bodies.mass[:2].tolist() == [2, 1]


def test_values_may_be_traced():
    def weight(mass: jax.Array) -> jax.Array:
        return jnp.sum(sp.replace(DOG, {"bodies.mass[*_thigh]": mass}).bodies.mass)

    assert jax.jit(jax.grad(weight))(2.0) == 4.0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bodies.mas": 1}, "no leaf 'bodies.mas'; did you mean bodies.mass"),
        ({"joints.mass": 1}, "did you mean"),
        ({"bodies.mass[trnk]": 1}, "no part is called 'trnk'; did you mean trunk"),
        ({"bodies.mass[a*]": 1}, r"no part is called 'a\*'"),
        ({"position": 1}, "may mean bodies.position, joints.position"),
        ({"joints.limited": True}, "is no leaf but structure"),
        ({"bodies.names": "x"}, "is no leaf but structure"),
        ({"gravity[z]": 1}, "gravity has no parts to choose from"),
        ({"bodies.mass[": 1}, "not the name of a leaf"),
        ({"": 1}, "not the name of a leaf"),
        ({"gravity": [1, 2]}, r"\[1, 2\] does not fit, it takes numbers of shape \(3,\)"),
        ({"bodies.mass": "heavy"}, "'heavy' does not fit"),
        ({"bodies.mass": None}, "NaN"),
        ({"bodies.mass[trunk]": np.nan}, "NaN"),
        ({"gravity": np.zeros((2, 3))}, r"a value of shape \(2, 3\) does not fit"),
    ],
)
def test_wrong_names_and_values(changes: dict, message: str):
    with pytest.raises(ModelError, match=message):
        sp.replace(DOG, changes)

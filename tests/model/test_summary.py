"""Models in words."""

import jax
import pytest

import supple as sp

DOG = sp.robots.quadruped()


def test_repr_is_one_line():
    assert repr(DOG) == "Model('quadruped': 13 bodies, 13 joints, 12 actuators; nq 19, nv 18, nu 12)"


def test_repr_tells_batches():
    models = sp.randomize(DOG, jax.random.key(0), {"bodies.mass": sp.Uniform(0.5, 1)}, 9)
    assert repr(models).endswith("; a batch of 9)")


@pytest.mark.parametrize("word", ["trunk", "front_left_knee", "gravity = 0 0 -9.81", "-0.8 0.8", "hinge", "world"])
def test_str_names_parts_and_values(word: str):
    assert word in str(DOG)


def test_str_leaves_out_what_says_nothing():
    assert "friction_loss" not in str(DOG)
    assert "rotation" not in str(DOG)
    assert max(len(line) for line in str(DOG).splitlines()) < 250


def test_long_tables_are_cut():
    text = str(sp.robots.pendulum(100))
    assert "and 60 more" in text
    assert "link_39" in text
    assert "link_40" not in text


def test_traced_models_have_words():
    seen = []
    jax.jit(lambda model: seen.append((repr(model), str(model))))(sp.robots.pendulum(1))
    assert seen[0][0].startswith("Model('pendulum'")
    assert "float64[3]" in seen[0][1]


def test_systems_show_their_model_in_one_line():
    assert repr(DOG) in repr(sp.Simulator(DOG))

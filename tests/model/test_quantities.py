"""The list of named quantities."""

from pathlib import Path

import equinox as eqx
import jax.numpy as jnp
import pytest

from supple.model.errors import NamingError
from supple.model.naming import named
from supple.model.quantities import quantities
from supple.model.state import State
from supple.model.system import System


def test_the_quantities_of_a_step_in_order(make_oscillators):
    listed = quantities(make_oscillators())
    assert listed.names == ("joint.position", "joint.velocity", "joint.force", "joint.acceleration")
    force = listed["joint.force"]
    assert (force.shape, force.dtype, force.unit, force.sites, force.dims) == ((3,), jnp.float64, "N m", 1, 1)
    assert "joint.force" in listed
    assert len(listed) == 4
    assert [record.name for record in listed] == list(listed.names)


def test_where_is_the_line_of_the_mark(make_oscillators):
    (where,) = quantities(make_oscillators())["joint.force"].where
    file, line = where.rsplit(":", 1)
    assert 'named("joint.force"' in Path(file).read_text().splitlines()[int(line) - 1]


def test_stages_are_one_site(make_oscillators):
    assert quantities(make_oscillators(stages=3))["joint.force"].sites == 1


def test_the_table(make_oscillators):
    lines = repr(quantities(make_oscillators())).splitlines()
    assert lines[0].split() == ["quantity", "shape", "dtype", "unit", "sites", "where"]
    assert lines[4].startswith("joint.force")
    assert "N m" in lines[4]
    assert "conftest.py:" in lines[4]


def test_nearest_names_are_listed(make_oscillators):
    with pytest.raises(NamingError, match=r"joint\.forces.*joint\.force"):
        quantities(make_oscillators())["joint.forces"]


class Looped(System):
    """No model, parts, a mark in a loop."""

    def init(self, q=None, v=None):
        del q, v
        return State(jnp.zeros(2), jnp.zeros(2), jnp.zeros(()))

    def step(self, state, control):
        named("body.mass", jnp.ones((1, 2)), parts=((1,), 3))
        named("body.mass", jnp.ones((2, 2)), parts=((0, 2), 3))
        v, _ = eqx.internal.scan(lambda v, _: (named("solver.v", v), None), control, None, length=4, kind="lax")
        return State(state.q, v, state.time)


def test_parts_loops_and_an_example_control():
    listed = quantities(Looped(), control=jnp.zeros(2))
    assert (listed["body.mass"].shape, listed["body.mass"].sites, len(listed["body.mass"].where)) == ((3, 2), 2, 2)
    assert (listed["solver.v"].shape, listed["solver.v"].loops, listed["solver.v"].dims) == ((2,), (4,), 2)
    assert "loop of 4" in repr(listed)


def test_without_a_model_the_control_is_asked_for():
    with pytest.raises(NamingError, match=r"Looped has no model\.nu.*quantities\(system, control\)"):
        quantities(Looped())


class Silent(Looped):
    def step(self, state, control):
        del control
        return state


def test_no_quantities():
    listed = quantities(Silent(), jnp.ones(1))
    assert not len(listed)
    assert repr(listed) == "No named quantities."
    with pytest.raises(NamingError, match="there is none"):
        listed["joint.force"]

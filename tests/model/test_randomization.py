"""Models that differ by random draws, and batches of them under vmap."""

import equinox as eqx
import jax
import numpy as np
import pytest

import supple as sp
from supple.model.batch import batch_size
from supple.model.errors import ModelError

PENDULUM = sp.robots.pendulum(2)
KEY = jax.random.key(0)


def test_varied_leaves_get_an_axis_and_others_are_shared():
    models = sp.randomize(
        PENDULUM, KEY, {"bodies.mass": sp.Uniform(0.5, 1.5), "gravity": sp.Scale(sp.Normal(1, 0.1))}, 7
    )
    assert models.bodies.mass.shape == (7, 2)
    assert models.bodies.inertia.shape == (7, 2, 6)
    assert models.gravity.shape == (7, 3)
    assert models.joints.damping is PENDULUM.joints.damping
    assert batch_size(models) == 7
    assert isinstance(models.bodies.mass, np.ndarray)


def test_draws_lie_where_the_distribution_says():
    masses = sp.randomize(PENDULUM, KEY, {"bodies.mass": sp.Uniform(0.5, 1.5)}, 1000).bodies.mass
    assert masses.min() >= 0.5
    assert masses.max() <= 1.5
    assert abs(masses.mean() - 1) < 0.02
    assert abs(np.corrcoef(masses.T)[0, 1]) < 0.1  # each part by a draw of its own
    ratios = sp.randomize(PENDULUM, KEY, {"bodies.mass": sp.LogUniform(0.1, 10)}, 1000).bodies.mass
    assert abs(np.log(ratios).mean()) < 0.1
    assert 0.1 <= ratios.min() < 0.12
    shifts = sp.randomize(PENDULUM, KEY, {"joints.damping": sp.Add(sp.Normal(3, 0.5))}, 1000).joints.damping
    assert abs(shifts.mean() - 3) < 0.05
    assert abs(shifts.std() - 0.5) < 0.05


def test_scaling_keeps_directions_and_adding_does_not():
    scaled = sp.randomize(PENDULUM, KEY, {"bodies.position": sp.Uniform(0.5, 1.5)}, 5).bodies.position
    assert (scaled[:, 1, :2] == 0).all()
    added = sp.randomize(PENDULUM, KEY, {"gravity": sp.Add(sp.Uniform(0, 1))}, 5).gravity
    assert np.ptp(added - PENDULUM.gravity, axis=1).min() > 0
    drawn = sp.randomize(PENDULUM, KEY, {"joints.friction_loss": sp.Draw(sp.Uniform(2, 3))}, 5).joints.friction_loss
    assert ((drawn >= 2) & (drawn <= 3)).all()


def test_one_part_can_be_varied():
    models = sp.randomize(
        PENDULUM, KEY, {"bodies.mass[link_1]": sp.Uniform(2, 3), "bodies.mass[link_0]": sp.Scale(sp.Uniform(4, 5))}, 3
    )
    assert ((models.bodies.mass >= [4, 2]) & (models.bodies.mass <= [5, 3])).all()


@pytest.mark.parametrize("change", [sp.Uniform(0.1, 3), sp.Add(sp.Uniform(0, 1)), sp.Draw(sp.Uniform(2, 3))])
def test_bodies_stay_possible(change):
    dogs = sp.randomize(sp.robots.quadruped(), KEY, {"bodies.mass": change}, 5)
    for index in range(5):
        sp.pick(dogs, index).check()
    ratio = dogs.bodies.mass / sp.robots.quadruped().bodies.mass
    np.testing.assert_allclose(dogs.bodies.inertia, ratio[..., None] * sp.robots.quadruped().bodies.inertia)


def test_inertia_entries_come_on_top_of_mass_in_any_order():
    entries = {"bodies.mass": sp.Draw(sp.Uniform(2, 2)), "bodies.inertia": sp.Uniform(3, 3)}
    for order in (entries, dict(reversed(entries.items()))):
        inertia = sp.randomize(PENDULUM, KEY, order).bodies.inertia
        np.testing.assert_allclose(inertia, 6 * PENDULUM.bodies.inertia)


def test_draws_depend_on_the_key_and_the_entry_alone():
    changes = {"bodies.mass": sp.Uniform(0.5, 1.5)}
    first = sp.randomize(PENDULUM, KEY, changes, 4).bodies.mass
    again = sp.randomize(PENDULUM, KEY, {"joints.damping": sp.Add(sp.Uniform(0, 1)), **changes}, 4).bodies.mass
    other = sp.randomize(PENDULUM, jax.random.key(1), changes, 4).bodies.mass
    assert (first == again).all()
    assert (first != other).all()


def test_a_batch_steps_like_its_members():
    models = sp.randomize(
        PENDULUM, KEY, {"bodies.mass": sp.Uniform(0.5, 1.5), "joints.damping": sp.Add(sp.Uniform(0, 1))}, 3
    )
    systems = sp.Simulator(models, dt=1e-2)
    axes = sp.batch_axes(systems)
    assert axes.model.bodies.mass == 0
    assert axes.model.gravity is None
    start = sp.Simulator(PENDULUM).init(q=np.array([1.0, 0.5]), v=np.array([1.0, -2.0]))
    batched = jax.jit(jax.vmap(sp.Simulator.step, in_axes=(axes, None, None)))(systems, start, np.zeros(2))
    step = jax.jit(sp.Simulator.step)
    for index in range(3):
        alone = step(sp.pick(systems, index), start, np.zeros(2))
        np.testing.assert_allclose(batched.v[index], alone.v, rtol=1e-12)
    assert np.ptp(batched.v, axis=0).min() > 0


def test_one_model_per_key_under_vmap():
    def mass(key: jax.Array) -> jax.Array:
        return sp.randomize(PENDULUM, key, {"bodies.mass": sp.Uniform(0.5, 1.5)}).bodies.mass

    masses = jax.vmap(mass)(jax.random.split(KEY, 3))
    assert masses.shape == (3, 2)
    assert len(np.unique(masses)) == 6


def test_picking_undoes_batching():
    models = sp.randomize(PENDULUM, KEY, {"joints.damping": sp.Add(sp.Uniform(1, 1))}, 3)
    assert eqx.tree_equal(sp.pick(models, 2), sp.replace(PENDULUM, {"joints.damping": 1.0}))


@pytest.mark.parametrize(
    ("changes", "options", "message"),
    [
        ({"bodies.mass": sp.Uniform(0.5, 1)}, {"count": 0}, "at least one copy"),
        ({"bodies.mass": sp.Uniform(0.5, 1)}, {"key": 3}, r"key such as jax.random.key\(0\), not 3"),
        ({"bodies.mass": 0.5}, {}, "neither a distribution nor"),
        ({"bodies.mas": sp.Uniform(0.5, 1)}, {}, "did you mean bodies.mass"),
        ({"bodies.mass": sp.Uniform(-1, -0.5)}, {}, "a mass of -.* was drawn"),
        ({"joints.axis": sp.Uniform(0.5, 1)}, {}, "cannot be varied number by number"),
        ({"bodies.rotation": sp.Uniform(0.5, 1)}, {}, "cannot be varied number by number"),
        ({"home": sp.Uniform(0.5, 1)}, {}, "joint 'floating_base' has a quaternion"),
    ],
)
def test_wrong_use(changes: dict, options: dict, message: str):
    arguments = {"key": KEY, "count": 2, **options}
    with pytest.raises(ModelError, match=message):
        sp.randomize(sp.robots.quadruped(), changes=changes, **arguments)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: sp.Uniform(2, 1), "from 2 to 1"),
        (lambda: sp.Uniform(0, np.inf), "must be finite"),
        (lambda: sp.LogUniform(0, 1), "must be positive"),
        (lambda: sp.Normal(0, -1), "not negative"),
        (lambda: sp.Normal(np.nan, 1), "finite"),
    ],
)
def test_impossible_distributions(make, message: str):
    with pytest.raises(ModelError, match=message):
        make()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: (np.ones((3, 2)), np.zeros((4, 2))), "bodies.mass has 3, joints.damping has 4"),
        (lambda m: (np.ones((3, 5, 2)), np.zeros(2)), r"bodies.mass has shape \(3, 5, 2\)"),
        (lambda m: (np.float64(1), np.zeros(2)), r"bodies.mass has shape \(\)"),
    ],
)
def test_inconsistent_batches(change, message: str):
    model = eqx.tree_at(lambda m: (m.bodies.mass, m.joints.damping), PENDULUM, change(PENDULUM))
    with pytest.raises(ModelError, match=message):
        sp.batch_axes(model)
    with pytest.raises(ModelError):
        sp.pick(model, 0)


def test_there_is_nothing_to_pick_beyond_a_batch():
    with pytest.raises(ModelError, match="there is no copy 0: this is one robot"):
        sp.pick(PENDULUM, 0)
    with pytest.raises(ModelError, match="there is no copy 2: this is a batch of 2"):
        sp.pick(sp.randomize(PENDULUM, KEY, {"bodies.mass": sp.Uniform(0.5, 1)}, 2), 2)

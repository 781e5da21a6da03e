"""Saved models and systems: equal when read back, whole or absent, and refused when damaged."""

import json
import os
from pathlib import Path

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from safetensors.numpy import load as unpack_tensors
from safetensors.numpy import save as pack_tensors

import supple as sp
from supple.model.errors import DescriptionError, StorageError
from supple.model.save import restore_bytes

DOG = sp.robots.quadruped()


def same(a, b) -> bool:
    return bool(eqx.tree_equal(a, b)) and jax.tree.structure(a) == jax.tree.structure(b)


@pytest.mark.parametrize("name", sp.robots.list())
def test_models_come_back_equal(name: str, tmp_path: Path):
    model = getattr(sp.robots, name)()
    sp.save(model, tmp_path / "robot.supple")
    assert same(sp.restore(tmp_path / "robot.supple"), model)
    assert [path.name for path in tmp_path.iterdir()] == ["robot.supple"]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_leaves_keep_their_dtype(dtype, tmp_path: Path):
    model = jax.tree.map(lambda leaf: jnp.asarray(leaf, dtype), DOG)
    sp.save(model, tmp_path / "robot")
    restored = sp.restore(tmp_path / "robot")
    assert {leaf.dtype for leaf in jax.tree.leaves(restored)} == {np.dtype(dtype)}
    assert all(isinstance(leaf, np.ndarray) and leaf.flags.writeable for leaf in jax.tree.leaves(restored))


def test_systems_and_batches_come_back_equal(tmp_path: Path):
    models = sp.randomize(DOG, jax.random.key(0), {"bodies.mass": sp.Uniform(0.8, 1.2)}, 3)
    system = sp.Simulator(models, dt=1 / 3)
    sp.save(system, tmp_path / "system.supple")
    assert same(sp.restore(tmp_path / "system.supple"), system)


def test_strided_and_infinite_leaves_come_back(tmp_path: Path):
    ranges = np.full((2, 13), np.inf).T * [-1, 1]
    model = sp.replace(DOG, {"joints.range": ranges})
    model = eqx.tree_at(lambda m: m.bodies.rotation, model, np.swapaxes(np.arange(117.0).reshape(13, 3, 3), 1, 2))
    sp.save(model, tmp_path / "robot")
    assert same(sp.restore(tmp_path / "robot"), model)


def content(tmp_path: Path) -> bytes:
    sp.save(DOG, tmp_path / "dog.supple")
    return (tmp_path / "dog.supple").read_bytes()


def about(data: bytes) -> dict:
    return json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]


def tampered(data: bytes, change_arrays=lambda arrays: None, **changes) -> bytes:
    arrays = {name: np.array(value) for name, value in unpack_tensors(data).items()}
    change_arrays(arrays)
    metadata = {**about(data), **changes}
    return pack_tensors(arrays, metadata={key: value for key, value in metadata.items() if value is not None})


def restructured(data: bytes, old: str, new: str) -> bytes:
    structure = about(data)["structure"]
    assert old in structure
    return tampered(data, structure=structure.replace(old, new, 1))


DAMAGES = {
    "empty": (lambda d: b"", "not a file that Supple saved"),
    "cut in the length": (lambda d: d[:5], "not a file that Supple saved"),
    "cut in the header": (lambda d: d[:500], "cut short"),
    "cut in the arrays": (lambda d: d[:-8], "cut short"),
    "longer": (lambda d: d + b"12345678", "damaged"),
    "a safetensors file": (lambda d: pack_tensors({"a": np.ones(2)}), "not one that Supple saved"),
    "another format": (lambda d: tampered(d, format="other"), "not one that Supple saved"),
    "future version": (lambda d: tampered(d, version="2", library="7.0"), "saved by Supple 7.0 in format 2.*upgrade"),
    "no version": (lambda d: tampered(d, version=None), "not one that Supple saved"),
    "no structure": (lambda d: tampered(d, structure=None), "structure"),
    "structure no JSON": (lambda d: tampered(d, structure="{"), "damaged"),
    "structure a list": (lambda d: tampered(d, structure="[1]"), "no model or system"),
    "deep structure": (lambda d: tampered(d, structure="[" * 100_000), "damaged"),
    "missing leaf": (lambda d: tampered(d, lambda a: a.pop("bodies.mass")), "'bodies.mass' is missing"),
    "wrong shape": (lambda d: tampered(d, lambda a: a.update(gravity=np.zeros(4))), r"'gravity' is float64\[4\]"),
    "wrong dtype": (lambda d: tampered(d, lambda a: a.update(gravity=np.zeros(3, int))), "'gravity' is int64"),
    "NaN": (lambda d: tampered(d, lambda a: a["home"].fill(np.nan)), "'home' has entries that are not numbers"),
    "unknown class": (lambda d: restructured(d, "model.Bodies", "model.Bones"), "does not know"),
    "foreign class": (lambda d: restructured(d, "supple.model.model.Bodies", "subprocess.Popen"), "does not know"),
    "unknown module": (lambda d: restructured(d, "supple.model.model.Bodies", "supple.x.Bodies"), "does not know"),
    "function": (lambda d: restructured(d, "supple.model.model.Bodies", "supple.model.save.save"), "does not know"),
    "imported class": (
        lambda d: restructured(d, "supple.model.model.Bodies", "supple.model.check.Model"),
        "does not know",
    ),
    "not a module": (
        lambda d: restructured(d, "supple.model.model.Bodies", "supple.model.errors.ModelError"),
        "nothing",
    ),
    "unknown field": (lambda d: restructured(d, '"fields": {', '"fields": {"charm": 1, '), "charm is unknown.*upgrade"),
    "missing field": (lambda d: restructured(d, '"gravity"', '"gravitation"'), "unknown to this version"),
    "unknown kind": (lambda d: restructured(d, '"FREE"', '"LOOSE"'), "'LOOSE' of .*JointKind"),
    "wrong parent": (lambda d: restructured(d, '"parents": [-1, 0', '"parents": [-1, 5'), "bodies.parents"),
    "fewer names": (lambda d: restructured(d, '"trunk", ', ""), "names says 12"),
    "a name twice": (lambda d: restructured(d, '"front_left_hip"', '"trunk"'), "'trunk' twice"),
    "a name no word": (
        lambda d: restructured(d, '"trunk"', "3"),
        r"bodies\.names is \(3, .*, not tuple\[str, \.\.\.\]",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_files_are_refused_in_one_line(damage: str, tmp_path: Path):
    spoil, message = DAMAGES[damage]
    with pytest.raises(StorageError, match=message) as error:
        restore_bytes(spoil(content(tmp_path)), "dog.supple")
    assert str(error.value).startswith("dog.supple: ")
    assert "\n" not in str(error.value)


def test_fields_with_a_default_may_be_missing(tmp_path: Path):
    structure = json.loads(about(content(tmp_path))["structure"])
    del structure["fields"]["warnings"]
    assert same(restore_bytes(tampered(content(tmp_path), structure=json.dumps(structure)), "x"), DOG)


class Foreign(eqx.Module):
    value: float = 1.0


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (Foreign(), "only classes of Supple"),
        (eqx.tree_at(lambda m: m.gravity, DOG, np.array([0, 0, np.nan])), "gravity has entries that are not numbers"),
        (eqx.tree_at(lambda s: s.dt, sp.Simulator(DOG), float("nan")), "dt is not a number"),
        (eqx.tree_at(lambda m: m.gravity, DOG, jax.random.key(0)), "gravity is an array of key"),
        (eqx.tree_at(lambda m: m.gravity, DOG, lambda: 0, is_leaf=lambda x: x is None), "gravity is a function"),
    ],
)
def test_what_cannot_be_saved_leaves_no_file(thing, message: str, tmp_path: Path):
    with pytest.raises(StorageError, match=message):
        sp.save(thing, tmp_path / "robot.supple")
    assert [path.name for path in tmp_path.iterdir()] == []


def test_traced_models_cannot_be_saved(tmp_path: Path):
    with pytest.raises(StorageError, match=r"bodies.position is being traced"):
        jax.jit(lambda model: sp.save(model, tmp_path / "robot"))(DOG)


def test_places_that_cannot_be_written(tmp_path: Path):
    for path in (tmp_path / "nowhere" / "robot", tmp_path):
        with pytest.raises(StorageError, match=f"cannot write '{path}'"):
            sp.save(DOG, path)
    assert [path.name for path in tmp_path.iterdir()] == []


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "robot"
    sp.save(DOG, path)

    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StorageError, match="No space left on device"):
        sp.save(sp.robots.pendulum(), path)
    assert same(sp.restore(path), DOG)
    assert [path.name for path in tmp_path.iterdir()] == ["robot"]


def test_missing_files(tmp_path: Path):
    with pytest.raises(StorageError, match=r"cannot read .*No such file"):
        sp.restore(tmp_path / "robot")


def test_load_reads_saved_models(tmp_path: Path):
    for name in ("robot.supple", "robot"):
        sp.save(DOG, tmp_path / name)
        assert same(sp.load(tmp_path / name), DOG)
    with pytest.raises(DescriptionError, match="robot: a saved model is as it was saved"):
        sp.load(tmp_path / "robot", base="fixed")


def test_load_reads_models_only(tmp_path: Path):
    sp.save(sp.Simulator(DOG), tmp_path / "system")
    with pytest.raises(StorageError, match=r"system: holds a Simulator, not a model; read it with supple\.restore"):
        sp.load(tmp_path / "system")
    sp.save(eqx.tree_at(lambda m: m.gravity, DOG, np.array([0, 0, np.inf])), tmp_path / "heavy")
    with pytest.raises(StorageError, match="heavy: gravity is inf"):
        sp.load(tmp_path / "heavy")

"""Kinds of sources, and sources that are none."""

import inspect
import pathlib

import numpy as np
import pytest

from supple.describe.load import load
from supple.model.errors import DescriptionError

MJCF = '<mujoco><worldbody><body name="b"><joint/><geom size="1"/></body></worldbody></mujoco>'
URDF = '<robot name="r"><link name="b"/></robot>'


@pytest.mark.parametrize("text", [MJCF, URDF, '<?xml version="1.0"?>\n<!-- comment -->\n' + MJCF, "  \n" + URDF])
def test_text_and_files_of_any_name(text: str, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "robot.txt"
    path.write_text(text.strip())
    for source in (text, path, str(path)):
        assert load(source).bodies.names == ("b",)


def test_an_encoding_that_the_file_declares(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "robot.urdf"
    path.write_bytes(
        '<?xml version="1.0" encoding="iso-8859-1"?><robot name="r"><link name="bühne"/></robot>'.encode("latin-1")
    )
    assert load(path).bodies.names == ("bühne",)


def test_the_name_is_the_descriptions_or_the_files(tmp_path: pathlib.Path) -> None:
    (tmp_path / "cart.xml").write_text(MJCF)
    assert load(URDF).name == "r"
    assert load(tmp_path / "cart.xml").name in {"cart", "MuJoCo Model"}


def test_leaves_are_numpy_float64() -> None:
    model = load(MJCF)
    for leaf in (model.bodies.mass, model.bodies.inertia, model.joints.axis, model.gravity, model.home):
        assert isinstance(leaf, np.ndarray)
        assert leaf.dtype == np.float64


def test_missing_file(tmp_path: pathlib.Path) -> None:
    with pytest.raises(DescriptionError, match=r"cannot read .*gone.urdf.*No such file"):
        load(tmp_path / "gone.urdf")
    with pytest.raises(DescriptionError, match="cannot read"):
        load(tmp_path)


@pytest.mark.parametrize("option", ["base", "meshes", "mimic"])
def test_unknown_choices(option: str) -> None:
    unchecked = inspect.unwrap(load)  # beartype would refuse before us
    with pytest.raises(DescriptionError, match=f"{option}='other' is none of"):
        unchecked(MJCF, **{option: "other"})


def test_warnings_of_mujoco_are_kept_from_the_terminal(tmp_path: pathlib.Path, capfd, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)  # where MuJoCo would write a log
    (warning,) = load(MJCF.replace("<joint/>", "<joint/><joint/>")).warnings
    assert warning.startswith("MuJoCo: Inertia matrix is too close to singular")
    assert capfd.readouterr() == ("", "")
    assert list(tmp_path.iterdir()) == []

"""Where `package://` is looked for."""

import pathlib
import sysconfig

import pytest

from supple.describe.packages import resolve


@pytest.fixture
def mesh(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    for variable in ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"):
        monkeypatch.delenv(variable, raising=False)
    file = tmp_path / "share" / "dog" / "meshes" / "leg 1.stl"
    file.parent.mkdir(parents=True)
    file.touch()
    return file


URI = "package://dog/meshes/leg%201.stl"


@pytest.mark.parametrize("folder", ["share/dog", "share/dog/urdf/deep", "share", "share/cat/urdf"])
def test_parents_of_the_urdf(folder: str, mesh: pathlib.Path, tmp_path: pathlib.Path) -> None:
    assert resolve(URI, tmp_path / folder) == mesh
    assert resolve(URI.replace("package", "model"), tmp_path / folder) == mesh


@pytest.mark.parametrize(
    ("variable", "value"),
    [("ROS_PACKAGE_PATH", "nowhere:{0}/share"), ("ROS_PACKAGE_PATH", "{0}/share/dog"), ("AMENT_PREFIX_PATH", "{0}")],
)
def test_environment(variable: str, value: str, mesh: pathlib.Path, tmp_path: pathlib.Path, monkeypatch) -> None:
    far = tmp_path / "far"
    assert resolve(URI, far) is None
    monkeypatch.setenv(variable, value.format(tmp_path))
    assert resolve(URI, far) == mesh


def test_packages_from_pip(tmp_path: pathlib.Path) -> None:
    uri = "package://example-robot-data/robots/a1_description/urdf/a1.urdf"
    share = pathlib.Path(sysconfig.get_paths()["purelib"], "cmeel.prefix", "share")
    assert resolve(uri, tmp_path) == share / uri.removeprefix("package://")


def test_plain_paths(mesh: pathlib.Path, tmp_path: pathlib.Path) -> None:
    assert resolve("../meshes/leg 1.stl", mesh.parent) == mesh.parent / "../meshes/leg 1.stl"
    assert resolve(f"file://{mesh}", tmp_path) == mesh
    assert resolve("leg.stl", mesh.parent) is None

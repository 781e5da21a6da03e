"""Files that an MJCF refers to, and which are not needed for its motion."""

import pathlib

import pytest

from supple.describe.load import load
from supple.model.errors import DescriptionError

INERTIAL = '<inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/>'
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def robot(geom: str, inertial: str = "", compiler: str = "", file: str = "gone.obj") -> str:
    return f"""<mujoco><compiler {compiler}/><asset><mesh name="shape" file="{file}"/></asset><worldbody>
      <body name="b"><joint/>{inertial}<geom type="mesh" mesh="shape" {geom}/><geom size="0.1" mass="0.5"/></body>
      </worldbody></mujoco>"""


def test_a_missing_mesh_that_weighs_is_an_error() -> None:
    with pytest.raises(DescriptionError, match=r"the inertia of body 'b' is that of a mesh, and file 'gone\.obj'"):
        load(robot(""))


@pytest.mark.parametrize(
    ("geom", "inertial", "mass"), [("", INERTIAL, 3), ('mass="0"', "", 0.5), ('density="0"', "", 0.5)]
)
def test_a_missing_mesh_that_does_not_weigh_is_a_warning(geom: str, inertial: str, mass: float) -> None:
    model = load(robot(geom, inertial), strict=True)
    assert model.bodies.mass.tolist() == [mass]
    assert model.warnings == ("mesh 'shape' is skipped: file 'gone.obj' is not found",)


def test_a_group_outside_of_the_range_does_not_weigh() -> None:
    assert load(robot('group="4"', compiler='inertiagrouprange="0 2"')).bodies.mass.tolist() == [0.5]


def test_a_format_that_cannot_be_read() -> None:
    (warning,) = load(robot("", INERTIAL, file="shape.dae")).warnings
    assert "'shape.dae' is not in a format that can be read" in warning


@pytest.mark.parametrize("meshes", ["load", "skip"])
def test_a_mesh_that_weighs_is_read(meshes, tmp_path: pathlib.Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "shape.obj").write_text(TETRAHEDRON)
    path = tmp_path / "robot.xml"
    path.write_text(robot("", compiler='meshdir="assets"', file="shape.obj"))
    model = load(path, meshes=meshes)
    assert model.bodies.mass[0] == pytest.approx(1000 / 6 + 0.5)
    assert model.warnings == ()


def test_a_mesh_of_an_attached_model_is_read(tmp_path: pathlib.Path) -> None:
    for folder in ("part", "whole"):
        (tmp_path / folder).mkdir()
    (tmp_path / "part" / "shape.obj").write_text(TETRAHEDRON)
    (tmp_path / "part" / "part.xml").write_text(robot("", file="shape.obj"))
    path = tmp_path / "whole" / "whole.xml"
    path.write_text("""<mujoco><asset><model name="part" file="../part/part.xml"/></asset>
      <worldbody><body name="a"><attach model="part" body="b" prefix="x_"/></body></worldbody></mujoco>""")
    assert load(path).bodies.mass.tolist() == [0.0, pytest.approx(1000 / 6 + 0.5)]


def test_skipped_meshes_are_not_read(tmp_path: pathlib.Path) -> None:
    (tmp_path / "shape.obj").write_text("no mesh")
    path = tmp_path / "robot.xml"
    path.write_text(robot("", INERTIAL, file="shape.obj"))
    assert load(path, meshes="skip").warnings == ()
    with pytest.raises(DescriptionError, match="shape"):
        load(path)


def test_references_to_a_replaced_geom_hold() -> None:
    text = robot('name="g"', INERTIAL).replace("</mujoco>", '<contact><pair geom1="g" geom2="h"/></contact></mujoco>')
    load(text.replace('<geom size="0.1"', '<geom name="h" size="0.1"'))


def test_a_missing_height_field_does_not_matter() -> None:
    text = """<mujoco><asset><hfield name="f" file="gone.png" size="1 1 1 1"/></asset>
      <worldbody><geom type="hfield" hfield="f"/></worldbody></mujoco>"""
    assert load(text, strict=True).bodies.names == ()

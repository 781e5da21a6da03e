"""What MuJoCo's reader would lose of a URDF, and what is refused."""

import pathlib

import numpy as np
import pytest

from supple.describe.load import load
from supple.model.errors import DescriptionError, UnsupportedError
from supple.model.joint import JointKind

INERTIAL = '<inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'


def robot(joints: str, links: str = "", root: str = "base") -> str:
    return (
        f'<robot name="r">\n<link name="{root}">{INERTIAL}</link>\n<link name="arm">{INERTIAL}</link>\n'
        f'<link name="hand">{INERTIAL}</link>\n{links}\n{joints}\n</robot>'
    )


def joint(name: str, kind: str, parent: str, child: str, inside: str = "") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>\n'


WRIST = joint("wrist", "fixed", "arm", "hand")
PLAIN = joint("shoulder", "continuous", "base", "arm") + WRIST


@pytest.mark.parametrize("root", ["base", "world"])
@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_the_root_link_stays_a_body(root: str, base) -> None:
    model = load(robot(PLAIN.replace("base", root), root=root), base=base)
    assert model.bodies.names == (root, "arm", "hand")
    assert model.bodies.parents == (-1, 0, 1)
    assert model.bodies.mass.tolist() == [2, 2, 2]
    assert model.joints.names == (("shoulder",) if base == "fixed" else ("root", "shoulder"))


def test_a_floating_joint_at_the_root_is_free() -> None:
    origin = '<origin xyz="1 2 3" rpy="0 0 0"/>'
    joints = joint("float", "floating", "world", "arm", origin) + joint("wrist", "revolute", "arm", "hand")
    model = load(robot(joints, root="world"))
    assert model.joints.names == ("float", "wrist")
    assert model.joints.kinds == (JointKind.FREE, JointKind.HINGE)
    assert model.home.tolist() == [1, 2, 3, 1, 0, 0, 0, 0]
    assert dict(zip(model.bodies.names, model.bodies.parents, strict=True)) == {"arm": -1, "hand": 0, "world": -1}
    assert model.bodies.mass.tolist() == [2, 2, 2]


def test_a_floating_joint_elsewhere_is_refused_with_its_line() -> None:
    joints = joint("a", "fixed", "base", "arm") + joint("b", "floating", "arm", "hand")
    with pytest.raises(UnsupportedError, match="line 7: joint 'b' is floating"):
        load(robot(joints))


def test_any_link_may_be_called_world() -> None:
    plain = load(robot(PLAIN))
    for name in plain.bodies.names:
        model = load(robot(PLAIN).replace(f'"{name}"', '"world"'))
        assert model.bodies.names == tuple("world" if other == name else other for other in plain.bodies.names)
        assert model.bodies.parents == plain.bodies.parents
        assert (model.bodies.mass == plain.bodies.mass).all()


def test_a_planar_joint_is_two_slides_and_a_hinge() -> None:
    joints = joint("p", "planar", "base", "arm", '<axis xyz="0 0 1"/>') + joint("w", "fixed", "arm", "hand")
    model = load(robot(joints))
    assert [kind.value for kind in model.joints.kinds] == ["slide", "slide", "hinge"]
    assert model.joints.axis.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_links_without_inertial_are_massless_and_fixed_links_stay() -> None:
    joints = PLAIN + joint("frame", "fixed", "hand", "camera", '<origin xyz="0 0 1" rpy="1.5707963267948966 0 0"/>')
    collision = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
    model = load(robot(joints, f'<link name="camera">{collision}</link>'))
    assert model.bodies.names[3] == "camera"
    assert model.bodies.mass[3] == 0  # and not that of a box of water
    assert model.bodies.rotation[3].tolist() == [[1, 0, 0], [0, 0, -1], [0, 1, 0]]


def test_truncated_angles_stay_as_the_file_says() -> None:
    model = load(robot(joint("a", "fixed", "base", "arm", '<origin rpy="1.5708 0 0"/>') + WRIST))
    np.testing.assert_allclose(model.bodies.rotation[1][1], [0, np.cos(1.5708), -np.sin(1.5708)], rtol=1e-10)
    assert model.bodies.rotation[1][1, 1] != 0


@pytest.mark.parametrize(
    ("kind", "limit", "limited", "range_"),
    [
        ("revolute", '<limit lower="-1" upper="2" effort="0" velocity="0"/>', True, [-1, 2]),
        ("revolute", '<limit lower="1" upper="1"/>', False, [1, 1]),
        ("revolute", '<limit lower="2" upper="1"/>', False, [2, 1]),
        ("prismatic", '<limit upper="0.5"/>', True, [0, 0.5]),
        ("prismatic", "", False, [0, 0]),
        ("continuous", '<limit lower="-1" upper="1"/>', False, [0, 0]),
    ],
)
def test_limits(kind: str, limit: str, limited: bool, range_: list[float], capfd, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    model = load(robot(joint("s", kind, "base", "arm", limit) + WRIST), strict=True)
    assert model.joints.limited == (limited,)
    assert model.joints.range.tolist() == [range_]
    assert any("no room" in warning for warning in model.warnings) == (not limited and kind != "continuous")
    assert capfd.readouterr() == ("", "")  # MuJoCo's own warning is kept from the terminal
    assert list(tmp_path.iterdir()) == []  # and from its log


MIMIC = joint("a", "revolute", "base", "arm") + joint("b", "revolute", "arm", "hand", '<mimic joint="a"/>')


def test_mimic_joints_are_independent_with_a_warning() -> None:
    model = load(robot(MIMIC))
    assert model.nv == 2
    assert "joint 'b' (line 7) mimics 'a': ignored, it moves on its own" in model.warnings


@pytest.mark.parametrize("options", [{"strict": True}, {"mimic": "reduce"}])
def test_mimic_joints_are_refused_on_request(options) -> None:
    with pytest.raises(UnsupportedError, match=r"joint 'b' \(line 7\) mimics 'a'"):
        load(robot(MIMIC), **options)
    load(robot(PLAIN), **options)


def test_meshes_that_cannot_be_read_are_skipped(tmp_path: pathlib.Path) -> None:
    def mesh(name: str) -> str:
        return f'<collision><geometry><mesh filename="{name}"/></geometry></collision>'

    (tmp_path / "here.stl").touch()
    meshes = mesh("here.stl") + mesh("gone.stl") + mesh("package://r/shape.dae")
    visual = mesh("seen.dae").replace("collision", "visual")
    (tmp_path / "r.urdf").write_text(robot(PLAIN).replace(INERTIAL, INERTIAL + meshes + visual, 1))
    assert load(tmp_path / "r.urdf", strict=True).warnings == (
        "skipped, not in a format that can be read (.stl, .obj, .msh): collision mesh 'package://r/shape.dae' (line 2)",
        "skipped, file not found: collision mesh 'gone.stl' (line 2)",
    )
    assert load(tmp_path / "r.urdf", meshes="skip").warnings == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (robot(PLAIN, f'<link name="arm">{INERTIAL}</link>'), "line 3: 2 links are named 'arm'"),
        (robot(PLAIN + joint("wrist", "fixed", "arm", "hand")), "line 7: 2 joints are named 'wrist'"),
        (robot(PLAIN, '<link name="spare"/>'), "one link that is no joint's child, this one has 2: base, spare"),
        (robot(PLAIN + joint("loop", "fixed", "hand", "base")), "has none: the joints make a loop"),
        (robot(PLAIN + joint("two", "fixed", "base", "hand")), "multiple parents"),
        (
            robot(PLAIN.replace('link="base"', 'link="nowhere"')),
            "line 6: joint 'shoulder': its parent link 'nowhere' is missing",
        ),
        (robot(PLAIN.replace("continuous", "helical")), "invalid joint type.*line 6"),
        (robot(PLAIN.replace("continuous", "revolute")).replace("<child", '<axis xyz="0 0 0"/><child', 1), "axis"),
        (robot(PLAIN).replace('value="2"', 'value="nan"', 1), "line 2: value='nan' of <mass> is not a number"),
        (robot(PLAIN).replace('value="2"', 'value="inf"', 1), "bodies.mass of 'base' is inf"),
        (robot(PLAIN).replace('value="2"', 'value="two"', 1), "bad format in attribute 'value'.*line 2"),
        (robot(PLAIN, '<xacro:arm side="left"/>'), "line 5: <xacro:arm> is a macro"),
        (robot(joint("s", "revolute", "base", "arm", '<limit lower="x"/>') + WRIST), "line 6: limit of joint 's'"),
    ],
)
def test_refusals(text: str, message: str) -> None:
    with pytest.raises(DescriptionError, match=message):
        load(text)

"""Robots' descriptions that cannot be read: one line says what is wrong and where; MuJoCo keeps quiet."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np
import pytest

import supple as sp
from supple.model.errors import SuppleError

INERTIAL = """<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>"""


def link(name: str, content: str = INERTIAL) -> str:
    return f'<link name="{name}">{content}</link>\n'


def joint(name: str, kind: str, parent: str, child: str, content: str = "") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{content}</joint>\n'


def robot(*parts: str) -> str:
    return "".join(["<robot name='r'>\n", *parts, "</robot>"])


def arm(old: str = "", new: str = "") -> str:
    """A link on a hinge, with a change."""
    text = robot(link("a"), link("b"), joint("j", "continuous", "a", "b", '<axis xyz="0 0 1"/><dynamics damping="1"/>'))
    assert old in text
    return text.replace(old, new)


def chain(links: int) -> str:
    joints = (joint(f"j{i}", "continuous", f"l{i}", f"l{i + 1}") for i in range(links - 1))
    return robot(*(link(f"l{i}") for i in range(links)), *joints)


def world(bodies: str, options: str = "", more: str = "") -> str:
    return f"<mujoco>{options}<worldbody>\n{bodies}\n</worldbody>{more}</mujoco>"


def body(joint: str = '<joint name="j"/>', shape: str = '<geom size="0.1"/>', name: str = "b") -> str:
    return f'<body name="{name}">{joint}{shape}</body>'


def mesh(file: str) -> str:
    shape = '<geom type="mesh" mesh="m"/>'
    return world(body(shape=shape), f'<asset><mesh name="m" file="{file}"/></asset>')


def including(*files: str) -> str:
    return "".join(["<mujoco>", *(f'<include file="{file}"/>' for file in files), "</mujoco>"])


def compiled_with(field: str, value: float) -> mujoco.MjModel:
    model = mujoco.MjModel.from_xml_string(world(body()))
    getattr(model, field)[1:] = value
    return model


TEXTS = {
    "nothing": ("", "it is empty"),
    "blanks": (" \n\t", "it is empty"),
    "no root": ("<!-- nothing -->", "ends before an element is complete"),
    "two documents": ("<robot/><robot/>", "junk after document element"),
    "cut within a tag": (arm()[:80], "line 2: .* ends within a tag"),
    "crossed tags": ("<robot>\n<link></robot>", "line 2: .* mismatched tag"),
    "another language": ("<sdf/>", "root element is <sdf>"),
    "bomb of entities": ('<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><robot name="&b;"/>', "entity 'a'"),
    "foreign entity": ('<!DOCTYPE r [<!ENTITY a SYSTEM "/etc/passwd">]><robot>&a;</robot>', "entity 'a'"),
    "unknown entity": ('<robot name="&a;"/>', "undefined entity"),
    "zero character": ('<robot name="&#0;"/>', "invalid character number"),
    "endless nesting": ("<robot>" * 100_000, "more than 500 deep.*RobotBuilder"),
    "ten thousand bodies in MJCF": (world("<body>" * 10_000 + "</body>" * 10_000), "more than 500 deep.*RobotBuilder"),
    "ten thousand bodies in URDF": (chain(10_000), "'l1001' hangs on more than 1000 .*RobotBuilder"),
    # URDF
    "no links": ("<robot name='r'/>", "no links"),
    "link without a name": (robot("<link/>"), "line 2: a link has no name"),
    "links of one name": (robot(link("a"), link("a")), "line 2: 2 links are named 'a'"),
    "joints of one name": (arm("</robot>", joint("j", "fixed", "b", "a") + "</robot>"), "line 4: 2 joints .* 'j'"),
    "links of one name in two lines": (robot(link("x&#10;y"), link("x&#10;y")), r"2 links are named 'x\\ny'"),
    "missing parent": (arm('parent link="a"', 'parent link="z"'), "line 4: joint 'j': its parent link 'z' is missing"),
    "missing child": (arm('child link="b"', 'child link="z"'), "line 4: joint 'j': its child link 'z' is missing"),
    "missing link of a long name": (arm('link="b"', f'link="{"b" * 100_000}"'), "line 4: joint 'j': its child .* … "),
    "joint without a parent": (arm('<parent link="a"/>'), "line 4: joint 'j' has no <parent"),
    "joint on itself": (arm('parent link="a"', 'parent link="b"'), "line 4: joint 'j' hangs on a loop"),
    "loop": (arm("</robot>", joint("k", "fixed", "b", "a") + "</robot>"), "none: the joints make a loop"),
    "two roots": (robot(link("a"), link("b")), "has 2: a, b"),
    "two parents": (arm("</robot>", link("c") + joint("k", "fixed", "c", "b") + "</robot>"), "multiple parents"),
    "unknown kind of joint": (arm("continuous", "wobbly"), "invalid joint type.* line 4"),
    "mass in words": (arm('mass value="1"', 'mass value="two"'), "bad format .* line 2"),
    "mass with a comma": (arm('mass value="1"', 'mass value="1,5"'), "bad format .* line 2"),
    "mass not a number": (arm('mass value="1"', 'mass value="nan"'), "line 2: value='nan'"),
    "infinite mass": (arm('mass value="1"', 'mass value="inf"'), "bodies.mass of 'a' is inf"),
    "infinite inertia": (arm('ixx="1"', 'ixx="inf"'), "bodies.inertia of 'a' is inf"),
    "no mass": (arm('<mass value="1"/>'), "missing element: 'mass'.* line 2"),
    "half an inertia": (arm('ixx="1"'), "missing: 'ixx'.* line 2"),
    "zero axis": (arm('"0 0 1"', '"0 0 0"'), "line 4: the axis of joint 'j' is zero; write a direction"),
    "vanishing axis": (arm('"0 0 1"', '"0 0 1e-300"'), "axis too small in joint; Element name 'j'"),
    "infinite axis": (arm('"0 0 1"', '"0 0 inf"'), "joints.axis of 'j' is nan"),
    "axis of two numbers": (arm('"0 0 1"', '"0 1"'), "not have enough data; Element 'axis', line 4"),
    "limit in words": (arm("continuous", "revolute").replace("<axis", '<limit lower="low"/><axis'), "line 4: limit"),
    "infinite damping": (arm('damping="1"', 'damping="inf"'), "joints.damping of 'j' is inf"),
    "macros": (robot("<xacro:arm/>"), "line 2: <xacro:arm> is a macro; expand"),
    # MJCF
    "unknown element": (world("<bdy/>"), "unrecognized element.* line 2"),
    "unknown attribute": (world('<body nam="b"/>'), "unrecognized attribute: 'nam'.* line 2"),
    "bodies of one name": (world(body() + body(joint="")), "repeated name 'b' in body.* line 2"),
    "body called world": (world(body(name="world")), "repeated name 'world'"),
    "joint in the world": (world("<joint/>"), "World body cannot have joints.* line 2"),
    "free joint on a branch": (world(f"<body><geom size='1'/>{body('<freejoint/>')}</body>"), "only be used on top"),
    "massless": (world(body(shape="")), "mass and inertia of moving bodies.* line 2"),
    "negative mass": (world(body(shape='<geom size="1" mass="-1"/>')), "mass, .* are negative in geom, line 2"),
    "shape without size": (world(body(shape='<geom size="0"/>')), "size 0 must be positive in geom, line 2"),
    "endless shape": (world(body(shape='<geom size="1e200"/>')), "bodies.mass of 'b' is inf"),
    "zero quaternion": (world('<body quat="0 0 0 0"/>'), "zero quaternion.* line 2"),
    "infinite quaternion": (world('<body quat="inf 0 0 0"/>'), "bodies.rotation of 'body_0' is nan"),
    "inverted range": (world(body('<joint limited="true" range="1 -1"/>')), "should be smaller.* line 2"),
    "unknown integrator": (world(body(), '<option integrator="leapfrog"/>'), "'leapfrog'; Element 'option', line 1"),
    "time step not a number": (world(body(), '<option timestep="nan"/>'), "timestep='nan' of <option>"),
    "gravity of two numbers": (world(body(), '<option gravity="0 9"/>'), "'gravity' does not have enough data"),
    "infinite gravity": (world(body(), '<option gravity="0 0 -inf"/>'), "gravity is -inf"),
    "motor of no joint": (world(body(), "", '<actuator><motor joint="z"/></actuator>'), "target 'z'.* line 3"),
    "endless gear": (world(body(), "", '<actuator><motor name="m" joint="j" gear="inf"/></actuator>'), "gear .* inf"),
    "sensor of no joint": (world(body(), "", '<sensor><jointpos joint="z"/></sensor>'), "name 'z' of.* line 3"),
    "contact of no shape": (world(body(), "", '<contact><pair geom1="x" geom2="y"/></contact>'), "'x' not found"),
    "tendon of nothing": (world(body(), "", '<tendon><fixed><joint joint="z" coef="1"/></fixed></tendon>'), "'z' not"),
    "keyframe in words": (world(body(), "", '<keyframe><key qpos="up"/></keyframe>'), "bad format .* 'key', line 3"),
    "bomb of copies": (world('<replicate count="9999">' * 3 + "<body/>" + "</replicate>" * 3), "<replicate> makes"),
    "bomb of a grid": (world('<body><flexcomp name="f" count="999 999 999"/></body>'), "line 2: <flexcomp> makes"),
    "too much memory": (world(body(), '<size memory="900T"/>'), "Could not allocate memory"),
    "missing mesh": (mesh("gone.stl"), "the inertia of body 'b' is that of a mesh, and file 'gone.stl' is not found"),
    "mesh of a long name": (mesh("m" * 5000 + ".stl"), "inertia of body 'b' .* is not found"),
    "mesh of another format": (mesh("m.dae"), "'m.dae' is not in a format that can be read"),
    "mesh on the internet": (mesh("https://example.org/m.stl"), "'https:/example.org/m.stl' is not found"),
    "undefined mesh": (world(body(shape='<geom type="mesh" mesh="z"/>')), "mesh 'z' not found.* line 2"),
    "include of a long name": (including("i" * 5000), "line 1: file .* is not found"),
    "unknown plugin": (world(body(), '<extension><plugin plugin="no.such"/></extension>'), "no.such not found"),
}  # fmt: skip


@pytest.mark.parametrize("case", TEXTS)
def test_texts(case: str, capfd: pytest.CaptureFixture[str]):
    text, message = TEXTS[case]
    refuse(lambda: sp.load(text), "XML string", message)
    assert capfd.readouterr() == ("", "")
    assert not list(Path().iterdir())  # MuJoCo's log


def refuse(load: Callable[[], object], place: str, message: str) -> None:
    """`load` must fail in one line of bearable length that names the place."""
    with pytest.raises(SuppleError, match=message) as error:
        load()
    line = str(error.value)
    assert place in line
    assert len(line.splitlines()) == 1
    assert len(line) < 2100


TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"

FILES = {
    "empty": ({"r.urdf": ""}, "r.urdf: it is empty"),
    "no XML": ({"r.urdf": "hello"}, "r.urdf: it is no XML, for it begins with 'hello'"),
    "picture": ({"r.png": b"\x89PNG\r\n\x1a\n" + bytes(99)}, "r.png: it is no XML"),
    "JSON": ({"r.json": '{"mass": 1}'}, "r.json: it is no XML"),
    "archive": ({"r.npz": b"PK\x03\x04" + bytes(9)}, "r.npz: it is no XML"),
    "UTF-16": ({"r.xml": world(body()).encode("utf-16")}, "r.xml, line 1: MuJoCo reads UTF-8"),
    "Latin-1": ({"r.urdf": arm('"a"', '"é"').encode("latin-1")}, "r.urdf, line 2: .* not UTF-8"),
    "unknown encoding": ({"r.xml": '<?xml version="1.0" encoding="klingon"?><robot/>'}, "unknown encoding: klingon"),
    "name in two lines": ({"a\nb.urdf": "<robot"}, "a b.urdf, line 1: not well-formed"),
    "cut saved model": ({"r.supple": b"\x08\0\0\0\0\0\0\0{}"}, "r.supple: not a file that Supple saved"),
    "includes itself": ({"r.xml": including("r.xml")}, "r.xml, line 1: 'r.xml' draws in itself"),
    "includes in a circle": (
        {"r.xml": including("s.xml"), "s.xml": including("r.xml")},
        "s.xml, line 1: 'r.xml' draws in itself",
    ),
    "includes nothing there": ({"r.xml": including("s.xml")}, "file 's.xml' is not found"),
    "includes no XML": (
        {"r.xml": including("s.xml"), "s.xml": bytes(range(99))},
        "s.xml: it is no XML",
    ),
    "bomb of includes": (
        {f"{i}.xml": including(*10 * [f"{i + 1}.xml"]) for i in range(9)} | {"9.xml": "<mujoco/>"},
        "0.xml, line 1: it draws in more than 1000 files",
    ),
    "attaches itself": (
        {"r.xml": world('<attach model="m" prefix="x"/>', '<asset><model name="m" file="r.xml"/></asset>')},
        "r.xml, line 1: 'r.xml' draws in itself",
    ),
    "empty mesh": ({"r.xml": mesh("m.stl"), "m.stl": ""}, "STL file .* is empty"),
    "mesh without size": ({"r.xml": mesh("m.obj"), "m.obj": TETRAHEDRON.replace("1 ", "0 ")}, "MuJoCo refuses it"),
    "mesh of nonsense": ({"r.xml": mesh("m.stl"), "m.stl": b"\xff" * 200}, "number of faces"),
    "mesh not a number": ({"r.xml": mesh("m.obj"), "m.obj": TETRAHEDRON.replace("v 1", "v nan")}, "is not finite"),
}  # fmt: skip


@pytest.mark.parametrize("case", FILES)
def test_files(case: str, capfd: pytest.CaptureFixture[str]):
    files, message = FILES[case]
    for name, content in files.items():
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    refuse(lambda: sp.load(next(iter(files))), "", message)
    assert capfd.readouterr() == ("", "")
    assert {path.name for path in Path().iterdir()} == set(files)


def test_a_good_mesh_is_read():
    Path("m.obj").write_text(TETRAHEDRON)
    Path("r.xml").write_text(mesh("m.obj"))
    assert sp.load("r.xml").bodies.mass == pytest.approx(1000 / 6)


SOURCES = {
    "absent": (lambda: "absent.urdf", "'absent.urdf': No such file or directory"),
    "folder": (Path, "Is a directory; name a file in it"),
    "device": (lambda: "/dev/zero", "'/dev/zero': it is a device; name a file"),
    "long name": (lambda: "r" * 5000, "File name too long"),
    "name with a zero": (lambda: "a\0b", "embedded null"),
    "nothing": (lambda: None, "cannot load None; give a path"),
    "number": (lambda: 3, "cannot load 3; give a path"),
    "bytes": (lambda: b"<robot/>", "cannot load b'<robot/>'; give a path"),
    "compiled NaN": (lambda: compiled_with("body_mass", np.nan), "bodies.mass of 'b' is nan"),
    "massless spec": (lambda: mujoco.MjSpec.from_string(world(body(shape="<site/>"))), "mass and inertia of moving"),
}


@pytest.mark.parametrize("case", SOURCES)
def test_sources(case: str):
    make, message = SOURCES[case]
    refuse(lambda: sp.load(make()), "", message)


def test_links_of_symbols_in_a_circle():
    Path("r.urdf").symlink_to("r.urdf")
    refuse(lambda: sp.load("r.urdf"), "r.urdf", "Too many levels of symbolic links")


def test_files_that_may_not_be_read(monkeypatch: pytest.MonkeyPatch):
    def forbid(path: Path) -> bytes:
        raise PermissionError(13, os.strerror(13), str(path))

    Path("r.urdf").write_text(arm())
    monkeypatch.setattr(Path, "read_bytes", forbid)  # modes do not stop root, who may run the tests
    refuse(lambda: sp.load("r.urdf"), "'r.urdf'", "Permission denied")
    refuse(lambda: sp.restore("r.urdf"), "'r.urdf'", "Permission denied")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base": "flying"}, "base='flying' is none of None, 'fixed', 'floating'"),
        ({"base": ["fixed"]}, r"base=\['fixed'\] is none of"),
        ({"strict": "yes"}, "strict='yes' is none of False, True"),
        ({"meshes": 3}, "meshes=3 is none of"),
        ({"mimic": np.ones(2)}, r"mimic=array\(\[1., 1.\]\) is none of"),
        ({"mimic": "reduce"}, r"joint 'j' \(line 4\) mimics 'z', which is no joint"),
    ],
)
def test_options(options: dict, message: str):
    text = arm("<axis", '<mimic joint="z"/><axis')
    refuse(lambda: sp.load(text, **options), "", message)


WARNED = {
    "negative mass": (arm('mass value="1"', 'mass value="-1"'), "body 'a': mass -1 kg is negative"),
    "indefinite inertia": (arm('ixx="1"', 'ixx="-1"'), "moments of inertia .* are not all positive"),
    "inertia of no body": (arm('ixx="1"', 'ixx="9"'), "greatest moment of inertia exceeds the sum of the others"),
    "negative damping": (arm('damping="1"', 'damping="-1"'), "joint 'j': damping -1 is negative"),
    "mimic of no joint": (arm("<axis", '<mimic joint="z"/><axis'), "mimics 'z', which is no joint"),
    "mesh on the internet": (
        arm(INERTIAL, '<collision><geometry><mesh filename="https://example.org/m.stl"/></geometry></collision>'),
        "file not found: .*'https://example.org/m.stl' .line 2",
    ),
    "mesh of a long name": (
        arm(INERTIAL, f'<collision><geometry><mesh filename="package://{"p" * 5000}/m.stl"/></geometry></collision>'),
        "file not found",
    ),
}


@pytest.mark.parametrize("case", WARNED)
def test_warnings(case: str):
    text, message = WARNED[case]
    assert any(re.search(message, warning) for warning in sp.load(text).warnings)

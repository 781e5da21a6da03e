import json

import pytest


def test_show_json_says_what_the_file_says(supple, arm):
    outcome = supple("show", arm, "--json")
    assert outcome.status == 0
    shown = json.loads(outcome.out)
    assert (shown["nq"], shown["nv"], shown["nu"], shown["mass"]) == (2, 2, 1, 3.0)
    assert [body["name"] for body in shown["bodies"]] == ["upper", "lower"]
    assert [body["parent"] for body in shown["bodies"]] == [None, "upper"]
    assert shown["bodies"][0]["joints"] == ["shoulder"]
    shoulder, reach = shown["joints"]
    assert (shoulder["kind"], shoulder["range"], shoulder["damping"]) == ("hinge", [-1.0, 1.0], 0.1)
    assert (reach["kind"], reach["range"], reach["body"], reach["v"]) == ("slide", None, "lower", 1)
    assert shown["actuators"] == [{"name": "torque", "joint": "shoulder", "gear": 3.0, "control_range": [-2.0, 2.0]}]


def test_show_prints_every_part(supple, arm):
    out = supple("show", arm).out
    for word in ("upper", "lower", "shoulder", "reach", "torque", "nv 2", "total mass 3 kg", "-1 1"):
        assert word in out


@pytest.mark.parametrize(("base", "nv"), [("fixed", 0), ("floating", 6)])
def test_base(supple, box, base: str, nv: int):
    assert json.loads(supple("show", box, "--base", base, "--json").out)["nv"] == nv


def test_show_built_in(supple):
    shown = json.loads(supple("show", "--robot", "double_pendulum", "--json").out)
    assert shown["nv"] == 2


def test_check_passes_a_possible_robot(supple, arm):
    assert supple("show", arm, "--check").status == 0


@pytest.mark.parametrize("inertia", ["1 0.1 0.1"])
def test_check_refuses_impossible_inertia(supple, tmp_path, inertia: str):
    ixx, iyy, izz = inertia.split()
    path = tmp_path / "impossible.urdf"
    path.write_text(f"""<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
      <inertia ixx="{ixx}" iyy="{iyy}" izz="{izz}" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/></joint></robot>""")
    assert supple("show", path).status == 0
    outcome = supple("show", path, "--check")
    assert outcome.status == 1
    assert "'b'" in outcome.err or '"b"' in outcome.err


def test_floating_file_stays_floating(supple, tmp_path):
    path = tmp_path / "box.xml"
    path.write_text("""<mujoco><worldbody><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>""")
    assert json.loads(supple("show", path, "--json").out)["nv"] == 6


def test_strict_refuses_what_lenient_warns_of(supple, tmp_path):
    path = tmp_path / "sleepy.xml"
    path.write_text("""<mujoco><option><flag sleep="enable"/></option><worldbody>
      <body><joint type="hinge"/><geom size="0.1"/></body>
      </worldbody></mujoco>""")
    outcome = supple("show", path, "--strict")
    assert outcome.status == 1
    assert outcome.err.count("\n") == 1
    lenient = supple("show", path, "--lenient")
    assert lenient.status == 0
    assert "warning: " in lenient.out

"""Physical checks: each impossible number is named."""

import equinox as eqx
import numpy as np
import pytest

from supple.describe.load import load
from supple.describe.robots import pendulum, quadruped
from supple.model.check import check
from supple.model.errors import ModelError


def changed(where, value):
    return eqx.tree_at(where, pendulum(), np.asarray(value, dtype=np.float64))


def test_possible_robots_pass() -> None:
    for model in (pendulum(), quadruped()):
        model.check()


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (changed(lambda m: m.bodies.mass, [1, -1]), "body 'link_1': mass -1 kg is negative"),
        (changed(lambda m: m.bodies.inertia, [[1, 0, 0, 1, 0, 1], [1, 2, 0, 1, 0, 3]]), "'link_1'.*not all positive"),
        (changed(lambda m: m.bodies.inertia, [[1, 0, 0, 1, 0, 2.1], [1, 0, 0, 1, 0, 2]]), "'link_0'.*exceeds the sum"),
        (
            changed(lambda m: m.bodies.inertia, [[1, 0, 0, 1, 0, 1], [1, 0, 0, np.nan, 0, 1]]),
            "bodies.inertia of 'link_1' is nan",
        ),
        (changed(lambda m: m.bodies.mass, [np.inf, 1]), "bodies.mass of 'link_0' is inf"),
        (changed(lambda m: m.gravity, [0, 0, np.nan]), "gravity is nan"),
        (changed(lambda m: m.joints.axis, [[0, 1, 0], [0, 2, 0]]), "joint 'hinge_1': its axis has length 2"),
        (changed(lambda m: m.bodies.rotation, [np.eye(3), -np.eye(3)]), "body 'link_1': its rotation"),
        (changed(lambda m: m.bodies.rotation, [np.eye(3) * 1.1, np.eye(3)]), "body 'link_0': its rotation"),
        (changed(lambda m: m.joints.armature, [0, -0.1]), "joint 'hinge_1': armature -0.1 is negative"),
    ],
)
def test_what_is_impossible_is_named(model, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        check(model)


def test_all_findings_are_listed() -> None:
    with pytest.raises(ModelError) as error:
        changed(lambda m: m.bodies.mass, [-1, -1]).check()
    assert "'link_0'" in str(error.value)
    assert "'link_1'" in str(error.value)


def urdf(kind: str, inertial: str = "", origin: str = '<origin xyz="0 0 1"/>') -> str:
    heavy = '<inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    return f"""<robot name="r"><link name="base">{heavy}</link><link name="tip">{inertial}</link><link name="weld"/>
      <joint name="j" type="{kind}">{origin}<parent link="base"/><child link="tip"/><axis xyz="0 0 1"/></joint>
      <joint name="w" type="fixed">{origin}<parent link="tip"/><child link="weld"/></joint></robot>"""


POINT = (
    '<inertial><origin xyz="{}"/><mass value="1"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>'
)


@pytest.mark.parametrize(
    ("kind", "inertial", "is_singular"),
    [
        ("continuous", "", True),
        ("prismatic", "", True),
        ("spherical", "", True),
        ("continuous", POINT.format("0 0 3"), True),  # on the axis
        ("continuous", POINT.format("1 0 0"), False),
        ("prismatic", POINT.format("0 0 0"), False),
        ("spherical", POINT.format("1 0 0"), True),  # no inertia about the line to the point
    ],
)
def test_joints_on_which_nothing_hangs(kind: str, inertial: str, is_singular: bool) -> None:
    model = load(urdf(kind, inertial))
    singular = [warning for warning in model.warnings if "singular" in warning]
    assert bool(singular) == is_singular
    with_armature = eqx.tree_at(lambda m: m.joints.armature, model, np.array([0.1]))
    with_armature.check()


def test_what_hangs_on_a_joint_is_found_through_turned_frames() -> None:
    weight = f'<link name="weld">{POINT.format("0 0 1")}</link>'
    on_axis = urdf("continuous").replace('<link name="weld"/>', weight)
    joint = '<parent link="tip"'
    beside = on_axis.replace(f'<origin xyz="0 0 1"/>{joint}', f'<origin rpy="1 0 0"/>{joint}')
    assert any("singular" in warning for warning in load(on_axis).warnings)
    assert not any("singular" in warning for warning in load(beside).warnings)


@pytest.mark.parametrize(("com", "is_singular"), [("-1 -3 5", True), ("0 -3 5", False), ("0 0 0", False)])
def test_a_weight_on_the_axis_is_found_through_two_welds(com: str, is_singular: bool) -> None:
    text = f"""<robot name="r"><link name="base"/><link name="a"/><link name="b"/>
      <link name="c">{POINT.format(com)}</link>
      <joint name="j" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
      <joint name="k" type="fixed"><origin xyz="-1 0 0" rpy="0 0 1.5707963267948966"/>
        <parent link="a"/><child link="b"/></joint>
      <joint name="l" type="fixed"><origin xyz="1 2 0"/><parent link="b"/><child link="c"/></joint></robot>"""
    assert any("singular" in warning for warning in load(text).warnings) == is_singular

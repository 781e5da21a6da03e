"""Fixed and floating bases."""

import mujoco
import pytest

from supple.describe.load import load
from supple.model.errors import DescriptionError
from supple.model.joint import JointKind


def mjcf(*bodies: str) -> str:
    return f'<mujoco><worldbody><geom type="plane" size="1 1 1"/>{"".join(bodies)}</worldbody></mujoco>'


def body(name: str, joint: str = "", inside: str = "") -> str:
    return f'<body name="{name}" pos="0 0 1">{joint}<geom size="0.1"/>{inside}</body>'


ARM = body("arm", '<joint name="elbow"/>')
FREE = '<freejoint name="root"/>'


def test_as_written_by_default() -> None:
    assert load(mjcf(body("trunk", FREE, ARM))).nv == 7
    assert load(mjcf(body("trunk", "", ARM))).nv == 1


def test_floating_adds_a_free_joint() -> None:
    model = load(mjcf(body("trunk", "", ARM), body("table")), base="floating")
    assert model.joints.names == ("root", "elbow")
    assert model.joints.kinds[0] is JointKind.FREE
    assert model.joints.bodies[0] == model.bodies.names.index("trunk")
    assert model.home.tolist() == [0, 0, 1, 1, 0, 0, 0, 0]


def test_the_free_joints_name_is_new() -> None:
    model = load(mjcf(body("trunk", "", body("arm", '<joint name="root"/>'))), base="floating")
    assert model.joints.names == ("root_", "root")


def test_floating_keeps_a_floating_base() -> None:
    assert load(mjcf(body("trunk", FREE, ARM)), base="floating").joints.names == ("root", "elbow")


def test_fixed_takes_the_free_joint_away_and_keyframes_do_not_matter() -> None:
    text = mjcf(body("trunk", FREE, ARM)).replace(
        "</mujoco>", '<keyframe><key qpos="0 0 0 1 0 0 0 0"/></keyframe></mujoco>'
    )
    model = load(text, base="fixed")
    assert model.joints.names == ("elbow",)
    assert model.bodies.parents == (-1, 0)
    assert load(mjcf(body("trunk", "", ARM)), base="fixed").joints.names == ("elbow",)


@pytest.mark.parametrize(
    ("text", "base", "message"),
    [
        (mjcf(ARM), "floating", "root body without joints, but 'arm' has 'elbow'"),
        (mjcf(ARM, body("leg", "<joint/>")), "floating", "one root body, but the world carries 'arm', 'leg'"),
        (mjcf(), "floating", "the world carries none"),
        (mjcf(body("a", "<freejoint/>"), body("b", "<freejoint/>")), "fixed", "these float: 'a', 'b'"),
    ],
)
def test_refusals(text: str, base, message: str) -> None:
    with pytest.raises(DescriptionError, match=message):
        load(text, base=base)


def test_a_compiled_models_base_cannot_change() -> None:
    compiled = mujoco.MjModel.from_xml_string(mjcf(ARM))
    assert load(compiled, base="fixed").nv == 1
    with pytest.raises(DescriptionError, match="is fixed and compiled; for base='floating' pass its MjSpec"):
        load(compiled, base="floating")

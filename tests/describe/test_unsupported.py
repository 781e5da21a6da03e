"""What an MJCF may ask for that a model cannot express: an error with strict=True, else a warning."""

import mujoco
import pytest

from supple.describe.load import load
from supple.model.errors import UnsupportedError

BODIES = """
<body name="b1"><joint name="j1" {joint}/><geom size="0.1"/><site name="s1"/>
  <body name="b2" pos="0 0 1"><joint name="j2"/><geom size="0.1"/><site name="s2"/></body></body>"""


def robot(rest: str = "", joint: str = "") -> str:
    return f"<mujoco>\n<worldbody>{BODIES.format(joint=joint)}\n</worldbody>\n{rest}</mujoco>"


def tendon(attributes: str) -> str:
    return robot(f'<tendon><fixed name="t" {attributes}><joint joint="j1" coef="1"/></fixed></tendon>')


def actuator(kind: str, attributes: str = 'joint="j1"') -> str:
    return robot(f'<actuator><{kind} name="a" {attributes}/></actuator>')


UNSUPPORTED = [
    (
        robot('<option density="1"/>').replace(
            '<geom size="0.1"/><site name="s2"/>', '<geom size="0.1" fluidshape="ellipsoid"/>'
        ),
        "body 'b2' (line 4): fluidshape",
    ),
    (robot('<option><flag sleep="enable"/></option>'), "sleep"),
    (robot(joint='stiffness="1 2"'), "joint 'j1' (line 3): stiffness of higher order"),
    (robot(joint='damping="1 2"'), "joint 'j1' (line 3): damping of higher order"),
    (robot(joint='stiffness="1" springyield="2"'), "joint 'j1' (line 3): springyield"),
    (robot(joint='range="0 1" margin="0.1"'), "joint 'j1' (line 3): margin of the limits"),
    (
        robot(joint='actuatorfrcrange="-1 1" actuatorgravcomp="true"').replace('"b2"', '"b2" gravcomp="1"'),
        "joint 'j1' (line 3): actuatorgravcomp",
    ),
    (tendon('stiffness="1 2"'), "tendon 't' (line 6): stiffness of higher order"),
    (tendon('damping="1 2"'), "tendon 't' (line 6): damping of higher order"),
    (tendon('stiffness="1" springyield="1"'), "tendon 't' (line 6): springyield"),
    (tendon('actuatorfrcrange="0 1"'), "tendon 't' (line 6): actuatorfrcrange"),
    (
        robot('<tendon><spatial name="t" stiffness="1"><site site="s1"/><site site="s2"/></spatial></tendon>'),
        "tendon 't' (line 6): stiffness",
    ),
    (tendon('range="0 1" limited="true"'), "tendon 't' (line 6): limits"),
    (tendon('frictionloss="1"'), "tendon 't' (line 6): frictionloss"),
    (tendon('armature="1"'), "tendon 't' (line 6): armature"),
    (robot('<equality><joint joint1="j1"/></equality>'), "equality 0 (line 6): the joint constraint"),
    (robot('<equality><weld name="w" body1="b1"/></equality>'), "equality 'w' (line 6): the weld constraint"),
    (actuator("muscle", 'joint="j1" lengthrange="0 1"'), "actuator 'a' (line 6): dyntype 'muscle'"),
    (actuator("general", 'joint="j1" gaintype="user"'), "actuator 'a' (line 6): gaintype 'user'"),
    (actuator("general", 'joint="j1" biastype="user"'), "actuator 'a' (line 6): biastype 'user'"),
    (actuator("pid", 'joint="j1" input="pos vel"'), "actuator 'a' (line 6): gaintype 'pid'"),
    (actuator("motor", 'site="s2"'), "actuator 'a' (line 6): transmission 'site'"),
    (actuator("motor", 'joint="j1" damping="1 2"'), "actuator 'a' (line 6): damping of higher order"),
    (actuator("motor", 'joint="j1" delay="0.1" nsample="3"'), "actuator 'a' (line 6): delay"),
    (actuator("motor").replace("<mujoco>", '<mujoco><option><flag actuation="disable"/></option>'), "switched off"),
    (
        actuator("motor", 'joint="j1" group="3"').replace("<mujoco>", '<mujoco><option actuatorgroupdisable="3"/>'),
        "switched off",
    ),
]

HARMLESS = [
    robot(),
    tendon('margin="0.01"'),
    tendon('stiffness="1" damping="2"'),
    robot('<option density="1.2" viscosity="0.1" wind="1 2 3"/>'),
    robot(joint='actuatorfrcrange="-1 1"'),
    actuator("position", 'joint="j1" kp="2" kv="1" timeconst="0.1" forcerange="-1 1" armature="1" damping="2"'),
    actuator("general", 'jointinparent="j1" dyntype="integrator" actrange="-1 1" actearly="true"'),
    actuator("damper", 'joint="j1" ctrlrange="0 1"'),
    robot('<equality><joint joint1="j1" active="false"/></equality>'),
    robot('<option><flag equality="disable"/></option><equality><joint joint1="j1"/></equality>'),
    robot('<option><flag constraint="disable"/></option><equality><joint joint1="j1"/></equality>'),
    robot('<sensor><jointpos joint="j1"/></sensor><keyframe><key qpos="1 2"/></keyframe>'),
    robot('<asset><texture name="x" type="2d" file="no.png"/><material name="m" texture="x"/></asset>'),
    robot('<worldbody><camera/><light/><geom type="plane" size="1 1 1"/></worldbody>'),
    robot('<contact><exclude body1="b1" body2="b2"/></contact>'),
]


@pytest.mark.parametrize(("text", "message"), UNSUPPORTED, ids=[message for _, message in UNSUPPORTED])
def test_what_changes_the_motion_is_an_error_or_a_warning(text: str, message: str) -> None:
    with pytest.raises(UnsupportedError) as error:
        load(text, strict=True)
    assert message in str(error.value)
    assert any(message in warning for warning in load(text).warnings)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_does_not_change_the_motion_is_silent(text: str) -> None:
    assert load(text, strict=True).warnings == ()


@pytest.mark.parametrize("kind", ["position", "motor", "muscle"])
def test_only_affine_actuators_are_kept(kind: str) -> None:
    assert load(actuator(kind, 'joint="j1" lengthrange="0 1"')).nu == (kind != "muscle")


def test_a_compiled_model_is_named_without_lines() -> None:
    compiled = mujoco.MjModel.from_xml_string(tendon('armature="1"'))
    assert load(compiled).warnings == ("tendon 't': armature ignored",)


def test_a_free_joint_with_uneven_damping() -> None:
    text = '<mujoco><worldbody><body name="b"><freejoint name="f"/><geom size="1"/></body></worldbody></mujoco>'
    compiled = mujoco.MjModel.from_xml_string(text)
    compiled.dof_damping[:] = [1, 1, 1, 2, 2, 2]
    (warning,) = load(compiled).warnings
    assert "joint 'f': damping that differs" in warning


def test_flexible_objects() -> None:
    text = '<mujoco><worldbody><flexcomp name="cloth" type="grid" count="3 3 1" dim="2" mass="1"/></worldbody></mujoco>'
    assert "1 flexible object(s) are ignored: bodies are rigid" in load(text).warnings

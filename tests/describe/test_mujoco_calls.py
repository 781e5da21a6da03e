"""MuJoCo's reader and compiler: warnings become findings, errors ours."""

import pathlib

import mujoco
import pytest

from supple.describe.mujoco_calls import compile_spec, read_file, read_text
from supple.model.errors import DescriptionError

PLAIN = "<mujoco/>"
WITH_NAN = '<mujoco><worldbody><body pos="nan 0 0"/></worldbody></mujoco>'


def test_warnings_of_the_reader_are_kept_from_the_terminal(tmp_path: pathlib.Path, capfd, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)  # where MuJoCo would write a log
    _, (note,) = read_text(WITH_NAN, "robot")
    assert note.text.startswith("MuJoCo: XML contains a 'NaN'")
    assert not note.changes_motion
    assert capfd.readouterr() == ("", "")
    assert list(tmp_path.iterdir()) == []
    assert mujoco.get_mju_user_warning() is None


def test_the_users_own_handler_is_put_back() -> None:
    seen: list[str] = []
    mujoco.set_mju_user_warning(seen.append)
    try:
        read_text(WITH_NAN, "robot")
        assert seen == []
        mujoco.MjSpec.from_string(WITH_NAN)
        assert len(seen) == 1
    finally:
        mujoco.set_mju_user_warning(None)


def test_refusals_say_where(tmp_path: pathlib.Path) -> None:
    with pytest.raises(DescriptionError, match=r"robot: MuJoCo refuses it: .*unrecognized element.*line 30"):
        read_text("<mujoco>\n<none/>\n</mujoco>", "robot", lines=[10, 30, 40])
    with pytest.raises(DescriptionError, match="robot: MuJoCo refuses it: "):
        read_file(tmp_path / "gone.xml", "robot")


def test_known_reasons_go_before_the_compilers() -> None:
    massless = "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>"
    with pytest.raises(DescriptionError, match=r"robot: MuJoCo refuses it: .*mass"):
        compile_spec(read_text(massless, "robot")[0], "robot")
    with pytest.raises(DescriptionError, match="robot: no mesh"):
        compile_spec(read_text(massless, "robot")[0], "robot", ["no mesh"])
    compiled, notes = compile_spec(read_text(PLAIN, "robot")[0], "robot")
    assert (compiled.nbody, notes) == (1, [])

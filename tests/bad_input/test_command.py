"""What goes wrong on the command line: one line on standard error, the right exit status, and no file."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import supple as sp
from supple.cli import motion
from supple.cli.main import main

ARM = '<mujoco><worldbody><body name="b"><joint name="j"/><geom size="0.1"/></body></worldbody></mujoco>'
QUICK = ("simulate", "arm.xml", "--duration", "0.002")


@pytest.fixture(autouse=True)
def _folder():
    """A folder with a good robot, and some bad ones."""
    Path("arm.xml").write_text(ARM)
    Path("empty.xml").write_text("")
    Path("noise.urdf").write_bytes(bytes(range(256)))
    Path("wide.xml").write_bytes(ARM.encode("utf-16"))
    Path("two\nlines.xml").write_text("<mujoco")
    Path("endless.xml").write_text(ARM.replace("0.1", "inf"))
    Path("loop.xml").write_text('<mujoco><include file="loop.xml"/></mujoco>')
    Path("heavy.xml").write_text(ARM.replace("<geom", '<inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/><geom'))
    Path("light.urdf").write_text(
        '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="continuous">'
        '<parent link="a"/><child link="b"/></joint></robot>'
    )
    sp.save(sp.robots.pendulum(), "good.supple")
    content = Path("good.supple").read_bytes()
    Path("cut.supple").write_bytes(content[:-8])
    Path("future.supple").write_bytes(content.replace(b'"version":"1"', b'"version":"9"'))
    Path("archive.npz").write_bytes(b"PK\x03\x04" + bytes(9))
    Path("folder").mkdir()


USES = {
    "no command": (("frobnicate",), "No such command 'frobnicate'"),
    "no option": (("show", "--fast"), "No such option: --fast"),
    "two files": (("show", "arm.xml", "arm.xml"), "unexpected extra argument"),
    "no robot": (("show",), "name a robot file, or a built-in robot"),
    "two robots": (("show", "arm.xml", "--robot", "arm"), "either a file or --robot"),
    "unknown robot": (("show", "--robot", "toaster"), "no built-in robot 'toaster'; there are arm, cartpole"),
    "robot in two lines": (("show", "--robot", "a\nb"), "no built-in robot 'a b'"),
    "unknown base": (("show", "arm.xml", "--base", "flying"), "'flying' is not one of 'fixed', 'floating'"),
    "absent file": (("show", "absent.xml"), "file 'absent.xml' does not exist"),
    "folder": (("show", "folder"), "file 'folder' is a directory"),
    "long name": (("show", "r" * 5000), "file 'rrr"),
    "name with a zero": (("show", "a\0b"), "embedded null"),
    "dt zero": ((*QUICK, "--dt", "0"), "--dt must be a positive number of seconds, not 0"),
    "dt negative": ((*QUICK, "--dt", "-1"), "--dt must be a positive number of seconds, not -1"),
    "dt NaN": ((*QUICK, "--dt", "nan"), "--dt must be a positive number of seconds, not nan"),
    "dt in words": ((*QUICK, "--dt", "fast"), "Invalid value for '--dt'"),
    "dt too long": ((*QUICK, "--dt", "1"), "longer than --duration"),
    "endless": (("simulate", "arm.xml", "--duration", "inf"), "--duration must be a positive number of seconds"),
    "too many steps": (("simulate", "arm.xml", "--duration", "1e9"), "1e+12 steps; at most 10,000,000 are kept"),
    "steps beyond floats": (("simulate", "arm.xml", "--duration", "1e300", "--dt", "1e-300"), "inf steps"),
    "q too long": ((*QUICK, "--q", "1,2"), "--q has 2 numbers, but this robot has 1 coordinates"),
    "q empty": ((*QUICK, "--q", ""), "--q has 0 numbers"),
    "q in words": ((*QUICK, "--q", "up"), "'up'; write numbers separated by commas"),
    "q NaN": ((*QUICK, "--q", "nan"), "--q 'nan' holds a value that is not finite"),
    "v infinite": ((*QUICK, "--v", "inf"), "--v 'inf' holds a value that is not finite"),
    "q and seed": ((*QUICK, "--q", "1", "--seed", "1"), "either --q or --seed"),
    "negative seed": ((*QUICK, "--seed", "-1"), "Invalid value for '--seed'"),
    "out a file": ((*QUICK, "--out", "arm.xml"), "'arm.xml' is a file"),
}

FAILURES = {
    "empty": (("show", "empty.xml"), "empty.xml: it is empty"),
    "noise": (("show", "noise.urdf"), "noise.urdf: it is no XML"),
    "UTF-16": (("show", "wide.xml"), "wide.xml, line 1: MuJoCo reads UTF-8"),
    "two lines": (("show", "two\nlines.xml"), "two lines.xml, line 1: not well-formed"),
    "endless": (("show", "endless.xml"), "bodies.mass of 'b' is inf"),
    "loop": (("show", "loop.xml"), "loop.xml, line 1: 'loop.xml' draws in itself"),
    "archive": (("show", "archive.npz"), "archive.npz: it is no XML"),
    "device": (("show", "/dev/zero"), "'/dev/zero': it is a device"),
    "impossible": (("show", "heavy.xml", "--check"), "body 'b': mass -1 kg is negative"),
    "cut": (("show", "cut.supple"), "cut.supple: not a file that Supple saved, or damaged or cut short"),
    "future": (("show", "future.supple"), "saved by Supple .* in format 9, but this is 1; upgrade"),
    "saved with a base": (("show", "good.supple", "--base", "fixed"), "base, strict and mimic do not apply"),
    "weightless": (("simulate", "light.urdf", "--duration", "0.002"), "finite at t = 0.001 s, in joint 'j'"),
    "out in a file": ((*QUICK, "--out", "arm.xml/m"), "'arm.xml/m': .* name another folder with --out"),
    "out of a long name": ((*QUICK, "--out", "m" * 300), "File name too long; name another folder"),
    "simulate noise": (("simulate", "noise.urdf"), "noise.urdf: it is no XML"),
}  # fmt: skip


@pytest.mark.parametrize("case", [*USES, *FAILURES])
def test_one_line_and_no_file(case: str, capfd: pytest.CaptureFixture[str]):
    words, message = USES.get(case) or FAILURES[case]
    before = set(Path().rglob("*"))
    status = main(words)
    out, err = capfd.readouterr()
    assert status == (2 if case in USES else 1)
    assert out == ""
    expect_one_line(err, message)
    assert set(Path().rglob("*")) == before


def expect_one_line(err: str, message: str) -> None:
    __tracebackhide__ = True
    assert err.startswith("supple: error: ")
    assert err.count("\n") == 1
    assert err.endswith("\n")
    assert len(err) < 2200
    assert "unexpected" not in err or "extra argument" in err
    assert re.search(message, err) or message in err


@pytest.mark.parametrize("failing", ["motion.npz", "motion.png"])
def test_a_full_disk_leaves_whole_files_or_none(failing: str, capfd: pytest.CaptureFixture[str], monkeypatch):
    room = iter([True] if failing == "motion.png" else [])  # the figure is written last

    def fail(descriptor: int) -> None:
        if not next(room, False):
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    assert main([*QUICK, "--out", "m"]) == 1
    expect_one_line(capfd.readouterr().err, f"cannot write 'm/{failing}': No space left on device; name another folder")
    left = [path.name for path in Path("m").iterdir()]
    assert left == ([] if failing == "motion.npz" else ["motion.npz"])
    for name in left:
        with np.load(Path("m", name)) as arrays:
            assert len(arrays["time"]) == 3


def test_a_folder_that_may_not_be_written_is_found_before_the_motion(capfd, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        os, "access", lambda path, mode, **_: mode == os.R_OK
    )  # modes do not stop root, who may run the tests
    monkeypatch.setattr(motion, "run", lambda *_: pytest.fail("simulated in vain"))
    assert main([*QUICK, "--out", "new"]) == 1
    expect_one_line(capfd.readouterr().err, "cannot write 'new': .* is not yours to write in")
    assert not Path("new").exists()


def test_a_name_that_is_taken_by_a_folder(capfd):
    Path("m/motion.npz").mkdir(parents=True)
    assert main([*QUICK, "--out", "m"]) == 1
    expect_one_line(capfd.readouterr().err, "cannot write 'm/motion.npz': Is a directory")
    assert [path.name for path in Path("m").iterdir()] == ["motion.npz"]


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("show", "loop.xml"), 1, "draws in itself"),
        (("show", "endless.xml"), 1, "bodies.mass of 'b' is inf"),
        (("simulate", "--dt", "nan"), 2, "--dt must be a positive number"),
    ],
)
def test_as_a_program(words: tuple[str, ...], status: int, message: str):
    """Warnings of Python and MuJoCo would show here."""
    program = "import sys; from supple.cli.main import main; sys.exit(main())"
    before = set(Path().rglob("*"))
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (status, "")
    expect_one_line(done.stderr, message)
    assert set(Path().rglob("*")) == before

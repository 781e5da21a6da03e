import pytest

import supple as sp


def test_version(supple):
    assert supple("--version").out == f"supple {sp.__version__}\n"


@pytest.mark.parametrize("command", [(), ("show",), ("simulate",), ("export",), ("doctor",)])
def test_help_has_an_example(supple, command: tuple[str, ...]):
    outcome = supple(*command, "--help")
    assert outcome.status == 0
    assert " ".join(("Example: supple", *command)) in outcome.out


def test_no_command_prints_help_and_is_wrong_use(supple):
    outcome = supple()
    assert outcome.status == 2
    assert "Usage" in outcome.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("frobnicate",), "frobnicate"),
        (("show",), "--robot"),
        (("show", "absent.urdf"), "absent.urdf"),
        (("show", "--robot", "toaster"), "double_pendulum"),
        (("show", "--robot", "double_pendulum", "--base", "floating"), "--base"),
        (("simulate", "--dt", "fast"), "--dt"),
        (("simulate", "--dt", "0"), "--dt must be a positive number"),
        (("simulate", "--duration", "nan"), "--duration must be a positive number"),
        (("simulate", "--duration", "0.001", "--dt", "0.01"), "longer"),
        (("simulate", "--q", "1"), "2 coordinates"),
        (("simulate", "--q", "1,x"), "'x'"),
        (("simulate", "--v", "inf,0"), "not finite"),
        (("simulate", "--q", "1,2", "--seed", "1"), "--seed"),
    ],
)
def test_wrong_use_is_one_line_with_status_2(supple, words: tuple[str, ...], said: str):
    outcome = supple(*words)
    assert outcome.status == 2
    assert outcome.err.startswith("supple: error: ")
    assert outcome.err.count("\n") == 1
    assert said in outcome.err


def test_broken_file_is_one_line_with_status_1(supple, tmp_path):
    path = tmp_path / "broken.urdf"
    path.write_text("<robot name='r'><link name='a'")
    outcome = supple("show", path)
    assert outcome.status == 1
    assert outcome.err.startswith("supple: error: ")
    assert outcome.err.count("\n") == 1
    assert "broken.urdf" in outcome.err
    assert "unexpected" not in outcome.err


@pytest.mark.parametrize("position", [0, 1])
def test_debug_raises(position: int):
    from supple.cli.errors import UsageError
    from supple.cli.main import main

    words = ["show"]
    words.insert(position, "--debug")
    with pytest.raises(UsageError):
        main(words)


def test_unexpected_errors_are_announced_by_type(supple, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a\nb")

    monkeypatch.setattr("supple.cli.show.load_model", fail)
    outcome = supple("show", "--robot", "double_pendulum")
    assert outcome.status == 1
    assert outcome.err == "supple: error: unexpected ZeroDivisionError: a b (run again with --debug to see where)\n"

"""What the README and the quick start print must run as printed."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def _python_blocks(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def test_readme_example_runs(capsys: pytest.CaptureFixture[str]):
    (example,) = _python_blocks((ROOT / "README.md").read_text())
    assert len([line for line in example.splitlines() if line]) <= 15
    exec(compile(example, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "shoulder at" in printed
    assert "nan" not in printed


def test_quick_start_runs(capsys: pytest.CaptureFixture[str]):
    code = "\n".join(_python_blocks((ROOT / "docs" / "quickstart.md").read_text()))
    scope: dict[str, object] = {}
    exec(compile(code, "quickstart.md", "exec"), scope)
    assert scope["many"].q.shape == (8, 500, 2)
    assert "joint.force" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["command one", "command two"])
def test_readme_marks_its_commands_for_continuous_integration(command: str):
    readme = (ROOT / "README.md").read_text()
    assert len(re.findall(rf"^<!-- {command} -->\n```sh\n[^`]+\n```$", readme, flags=re.MULTILINE)) == 1


def test_every_room_is_in_the_readme_and_the_architecture_page():
    rooms = {path.parent.name for path in (ROOT / "src" / "supple").glob("*/__init__.py")}
    for page in ("README.md", "docs/architecture.md"):
        text = (ROOT / page).read_text()
        assert {room for room in rooms if f"{room}/" not in text} == set()

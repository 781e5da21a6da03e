"""What the README promises; that its example runs is tested with those of the other pages."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_readme_example_is_short():
    (example,) = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len([line for line in example.splitlines() if line]) <= 15


@pytest.mark.parametrize("command", ["command one", "command two"])
def test_readme_marks_its_commands_for_continuous_integration(command: str):
    readme = (ROOT / "README.md").read_text()
    assert len(re.findall(rf"^<!-- {command} -->\n```sh\n[^`]+\n```$", readme, flags=re.MULTILINE)) == 1


def test_every_room_is_in_the_readme_and_the_architecture_page():
    rooms = {path.parent.name for path in (ROOT / "src" / "supple").glob("*/__init__.py")}
    for page in ("README.md", "docs/architecture.md"):
        text = (ROOT / page).read_text()
        assert {room for room in rooms if f"{room}/" not in text} == set()

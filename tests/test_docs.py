"""What Zensical, which checks links and anchors, does not: the navigation, and code that is shown as it runs."""

import inspect
import re
import textwrap
from pathlib import Path

import supple as sp

ROOT = Path(__file__).parents[1]


def test_navigation_is_exactly_the_pages_that_exist():
    navigation = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2].partition("\n\n")[0]
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert set(re.findall(r"\S+\.md", navigation)) == pages


def test_step_page_shows_the_step_as_it_runs():
    shown = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "step.md").read_text(), re.DOTALL)
    assert shown is not None
    step = textwrap.dedent(inspect.getsource(sp.Simulator.step))
    assert shown[1] == step
    assert step.count("\n") <= 40  # one screen

"""What Zensical, which checks links and anchors, does not: the navigation, and that pages show what the code does."""

import inspect
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import supple as sp

ROOT = Path(__file__).parents[1]
STEP = ROOT / "docs" / "step.md"  # shows code of the library, not a program
# A block of Python and, if a block of text follows at once, what it prints.
EXAMPLE = re.compile(r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
PAGES = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if page != STEP and EXAMPLE.search(page.read_text())
]


def test_navigation_is_exactly_the_pages_that_exist():
    navigation = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2].partition("\n\n")[0]
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert set(re.findall(r"\S+\.md", navigation)) == pages


def test_every_page_is_linked_from_the_first():
    first = (ROOT / "docs" / "index.md").read_text()
    assert {page.name for page in (ROOT / "docs").glob("*.md")} - set(re.findall(r"\((\w+\.md)\)", first)) == {
        "index.md"
    }


def test_reference_has_every_public_name():
    reference = (ROOT / "docs" / "reference.md").read_text()
    words = set(re.findall(r"\w+", reference))
    assert set(sp._public_names()) - words == set()
    for package in (sp.dynamics, sp.robots, sp.sensors, sp.simulate):
        source = Path(inspect.getfile(package)).read_text()
        assert set(re.findall(r" as (\w+)$", source, re.MULTILINE)) - words == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_run_and_print_what_the_page_says(page: Path, tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    for code, output in EXAMPLE.findall(page.read_text()):
        exec(compile(code, page.name, "exec"), scope)
        printed = capsys.readouterr().out
        assert "nan" not in printed
        if output:
            assert printed == output


@pytest.mark.full
@pytest.mark.parametrize(("script", "page"), [("robots_table", "robots"), ("integrators", "integrators")])
def test_page_has_what_the_script_prints(script: str, page: str):
    run = [sys.executable, ROOT / "benchmarks" / f"{script}.py"]
    here = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    printed = subprocess.run(run, capture_output=True, text=True, check=True, env=here).stdout
    assert printed in (ROOT / "docs" / f"{page}.md").read_text()


def test_step_page_shows_the_step_as_it_runs():
    shown = re.search(r"```python\n(.*?)```", STEP.read_text(), re.DOTALL)
    assert shown is not None
    step = textwrap.dedent(inspect.getsource(sp.Simulator.step))
    assert shown[1] == step
    assert step.count("\n") <= 40  # one screen

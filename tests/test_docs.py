"""The documentation's navigation. Zensical checks links and anchors, but not this."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_navigation_is_exactly_the_pages_that_exist():
    navigation = (ROOT / "mkdocs.yml").read_text().partition("\nnav:\n")[2].partition("\n\n")[0]
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert set(re.findall(r"\S+\.md", navigation)) == pages

"""What tests of elementary functions share: the points, references and errors of the script that prints their table."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest


@pytest.fixture(scope="session")
def accuracy():
    """The names of benchmarks/math_accuracy.py; its `evaluator` is what computes the functions under test."""
    return SimpleNamespace(**runpy.run_path(str(Path(__file__).parents[3] / "benchmarks" / "math_accuracy.py")))

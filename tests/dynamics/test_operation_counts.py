"""The gate on which all later speed depends: scalar operations of forward dynamics and of its reverse gradient."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


def benchmark(name: str) -> ModuleType:
    """A module of benchmarks/."""
    folder = Path(__file__).parents[2] / "benchmarks"
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        spec.loader.exec_module(module)
    return module


COUNTS = benchmark("operation_counts")


@pytest.mark.parametrize("robot", COUNTS.REFERENCE)
def test_operations_are_at_most_the_reference(robot: str) -> None:
    forward, gradient = COUNTS.count(COUNTS.ROBOTS[robot]())
    most_forward, most_gradient = COUNTS.REFERENCE[robot]
    assert forward.arithmetic <= most_forward
    assert gradient.arithmetic <= most_gradient

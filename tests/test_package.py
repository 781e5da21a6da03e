"""The package as a whole: what importing it costs, what it offers, and that the tests check shapes."""

import subprocess
import sys

import jaxtyping
import numpy as np
import pytest

import supple as sp
from supple.model.state import State

NAMES = (
    *(
        "Constant",
        "Model",
        "Simulator",
        "State",
        "System",
        "compile",
        "corrupt",
        "dynamics",
        "leaves",
        "linearize",
        "load",
        "named",
    ),
    *("native", "observe", "quantities", "randomize", "replace", "restore", "robots", "rollout", "save", "sensors"),
    *("simulate", "spatial", "testing"),
)


@pytest.mark.parametrize("module", ["jax", "mujoco", "llvmlite", "matplotlib", "rich", "typer"])
def test_importing_supple_does_not_import(module: str):
    code = f"import sys, supple; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", NAMES)
def test_public_name(name: str):
    assert getattr(sp, name) is not None
    assert name in dir(sp)


def test_unknown_name_lists_the_names_that_exist():
    misspelt = "simulatr"
    with pytest.raises(AttributeError, match=r"'simulatr'.*Simulator"):
        getattr(sp, misspelt)


def test_shapes_are_checked():
    with pytest.raises(jaxtyping.TypeCheckError):
        State(q=np.zeros((2, 2)), v=np.zeros(2), time=np.zeros(()))

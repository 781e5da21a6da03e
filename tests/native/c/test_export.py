"""Exported C, compiled strictly, against machine code of the same program, bit by bit."""

import ctypes
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from instruction_cases import program_of, values

import supple as sp
from supple.native.c.expressions import EXPRESSIONS
from supple.native.c.kernels import assign
from supple.native.c.types import C_TYPES
from supple.native.graph import FLOATS, TYPES, Graph
from supple.native.machine.instructions import INSTRUCTIONS

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no gcc to compile what is exported")

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1"]
STRICTLY = ["gcc", *STRICT, "-march=native"]
ARM = ("aarch64-linux-gnu-gcc", "qemu-aarch64")


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUPPLE_CACHE", "off")


def checked(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    """The exported function and its check, compiled and run."""
    files = [folder / f"{name}.c", folder / f"{name}_check.c"]
    subprocess.run([*STRICTLY, "-o", folder / "check", *files, "-lm"], check=True)
    return subprocess.run([folder / "check"], capture_output=True, text=True, check=False)


def loaded(folder: Path, name: str) -> Callable[..., None]:
    """The exported function, to be called with arrays; its workspace is larger than any of these tests needs."""
    library = folder / f"{name}.so"
    subprocess.run([*STRICTLY, "-shared", "-fPIC", "-o", library, folder / f"{name}.c", "-lm"], check=True)
    function = getattr(ctypes.CDLL(str(library)), name)

    def call(arrays: Sequence[np.ndarray]) -> None:
        function(*(ctypes.c_void_p(array.ctypes.data) for array in [*arrays, np.zeros(2**16)]))

    return call


def of_everything(state: dict[str, Any], key: Any, count: Any) -> dict[str, Any]:
    """Floats, integers, truth values, keys, sorting, elementary functions with their rare paths."""
    x, v = state["x"], state["v"]
    return {
        "functions": jnp.sin(x * 1e7) + jnp.arctan2(x, v[:2]) + jnp.exp(-x) + jnp.power(jnp.abs(x), 1.3),
        "place": jnp.argmax(v),
        "random": jax.random.uniform(key, (3,), v.dtype),
        "sorted": jnp.sort(v),
        "whole": (count // 3 + count % 5) ** 2 - (count << 2),
        "truth": (v > 0) ^ (v < 0.5),
        "small": jnp.round(v * 100).astype(jnp.int8),
        "most": jnp.maximum(v, 0.1) + jnp.clip(v, -0.2, 0.2),
        "bits": jax.lax.bitcast_convert_type(x, jnp.int64 if x.dtype == jnp.float64 else jnp.int32),
        "constant": jnp.array([jnp.inf, -0.0, 1e-30], v.dtype),
    }


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_exported_c_computes_the_same_bits(tmp_path: Path, dtype: str) -> None:
    state = {"x": np.ones(2, dtype), "v": np.ones(4, dtype)}
    fast = sp.compile(of_everything, state, jax.random.key(0), np.array([5, 7]), dtype=dtype)
    paths = fast.export_c(tmp_path / "new" / "folder", "mixed")
    assert [path.name for path in paths] == ["mixed.c", "mixed.h", "mixed_check.c"]
    result = checked(paths[0].parent, "mixed")
    assert (result.returncode, result.stdout) == (0, "mixed: 0 of 232 results differ\n")

    rng = np.random.default_rng(0)
    call = loaded(paths[0].parent, "mixed")
    for _ in range(20):
        given = (
            {"x": rng.normal(size=2).astype(dtype), "v": rng.normal(size=4).astype(dtype)},
            rng.integers(0, 2**32, size=2, dtype="uint32"),
            rng.integers(-100, 100, size=2),
        )
        expected = jax.tree.leaves(fast(*given))
        found = [np.full_like(value, 7) for value in expected]
        arrays = zip(jax.tree.leaves(given), fast.signature.inputs, strict=True)
        call([*(np.asarray(value, leaf.dtype) for value, leaf in arrays), *found])
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other)


def test_exported_dynamics_pass_values_between_functions(tmp_path: Path) -> None:
    model = sp.robots.quadruped()
    q, v = np.array(model.home), np.zeros(model.nv)
    fast = sp.compile(lambda q, v, force: sp.dynamics.aba(model, q, v, force), q, v, v)
    assert fast.stats.chunks > 2
    fast.export_c(tmp_path, "forward")
    assert checked(tmp_path, "forward").returncode == 0
    assert "w->float64s[" in (tmp_path / "forward.c").read_text()


@pytest.mark.full
@pytest.mark.skipif(None in map(shutil.which, ARM), reason=f"install {' and '.join(ARM)} (Debian: qemu-user)")
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_exported_c_computes_the_same_on_arm(tmp_path: Path, dtype: str) -> None:
    model = sp.robots.quadruped()
    q, v = np.array(model.home, dtype), np.zeros(model.nv, dtype)
    fast = sp.compile(lambda q, v, force: sp.dynamics.aba(model, q, v, force), q, v, v)
    files = [path for path in fast.export_c(tmp_path, "forward") if path.suffix == ".c"]
    compiler, emulator = ARM
    subprocess.run([compiler, *STRICT, "-static", "-o", tmp_path / "check", *files, "-lm"], check=True)
    result = subprocess.run([emulator, tmp_path / "check"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def test_the_check_fails_if_the_function_is_wrong(tmp_path: Path) -> None:
    sp.compile(lambda x: {"sum": x + 1.0, "truth": x > 0}, np.ones(3)).export_c(tmp_path, "sums")
    source = tmp_path / "sums.c"
    source.write_text(source.read_text().replace("0x1.0000000000000p+0", "0x1.0000000000004p+0"))
    result = checked(tmp_path, "sums")
    assert result.returncode == 1
    assert "of 48 results differ" in result.stdout


def test_names_must_be_names_in_c(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'a b' cannot be the name of a function in C"):
        sp.compile(jnp.sin, 1.0).export_c(tmp_path, "a b")
    assert not list(tmp_path.iterdir())


def test_every_operation_has_an_expression() -> None:
    assert set(EXPRESSIONS) == set(INSTRUCTIONS)


@pytest.mark.parametrize("dtype", sorted(TYPES))
def test_operations_of_special_values_equal_machine_code(dtype: str, tmp_path: Path, machine: Any) -> None:
    program, made = program_of(dtype)
    graph: Graph = program.graph
    one, other = values(dtype)
    names = {int(node): name for node, name in zip(program.inputs, ("a[i]", "b[i]"), strict=True)}
    definitions: dict[str, str] = {}
    lines = []
    for node in program.live:
        if node not in names:
            names[node] = f"t{node}"
            lines.append(assign(definitions, graph, node, names))
    results = [int(leaf) for leaf in program.outputs]
    lines += [f"r{k}[i] = {names[node]};" for k, node in enumerate(results)]
    parameters = ", ".join(f"{C_TYPES[graph.dtype[node]]} *r{k}" for k, node in enumerate(results))
    type_ = C_TYPES[dtype]
    (tmp_path / "all.c").write_text(
        "#include <math.h>\n#include <stdint.h>\n"
        + "\n".join(definitions.values())
        + f"void all(const {type_} *a, const {type_} *b, {parameters}) {{ int i; for (i = 0; i < {len(one)}; ++i) {{\n"
        + "\n".join(lines)
        + "\n}}\n"
    )
    expected = machine(program, [one, other])
    found = [np.zeros_like(value) for value in expected]
    loaded(tmp_path, "all")([np.ascontiguousarray(one), np.ascontiguousarray(other), *found])
    for name, got, value in zip(made, found, expected, strict=True):
        np.testing.assert_array_equal(got, value, err_msg=str(name))
        if value.dtype.name in FLOATS:
            number = ~np.isnan(value)
            np.testing.assert_array_equal(np.signbit(got[number]), np.signbit(value[number]), err_msg=str(name))

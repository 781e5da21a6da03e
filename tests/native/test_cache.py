"""The cache of machine code on disk: hits, and everything that can go wrong with files."""

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import supple as sp
from supple.native import cache
from supple.native.cache import CacheWarning, entry_name
from supple.native.digest import digest
from supple.native.machine.target import host

X = np.array([0.3, 0.7])


def function(x: Any) -> Any:
    return jnp.sin(x) * 2.0


def compiled() -> sp.native.Compiled:
    """The function compiled, and checked."""
    fast = sp.compile(function, X)
    np.testing.assert_allclose(fast(X), 2.0 * np.sin(X), rtol=1e-15)
    return fast


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cache._warn_once.cache_clear()
    monkeypatch.setenv("SUPPLE_CACHE", str(tmp_path / "code"))
    return tmp_path / "code"


def entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def test_the_second_compilation_reads_the_first(folder: Path) -> None:
    assert not compiled().stats.cache_hit
    assert [path.suffix for path in entries(folder)] == [".code"]
    again = compiled().stats
    assert again.cache_hit
    assert again.lower_seconds == again.compile_seconds == 0
    assert again.operations > 0


def test_batches_have_entries_of_their_own(folder: Path) -> None:
    many = np.stack([X] * 5)
    for _ in range(2):
        np.testing.assert_allclose(compiled().batch(many), 2.0 * np.sin(many), rtol=1e-15)
    assert len(entries(folder)) == 2


@pytest.mark.parametrize("damage", [lambda b: b[: len(b) // 2], lambda b: b"", lambda b: b[:300] + b"!" + b[301:]])
def test_damaged_entries_are_compiled_anew(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    compiled()
    (entry,) = entries(folder)
    whole = entry.read_bytes()
    entry.write_bytes(damage(whole))
    assert not compiled().stats.cache_hit
    assert entry.read_bytes() == whole


@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_a_folder_that_others_can_write_is_not_read(folder: Path, mode: int) -> None:
    compiled()
    folder.chmod(mode)
    with pytest.warns(CacheWarning, match="can be written by others"):
        assert not compiled().stats.cache_hit
    compiled()  # warns but once
    folder.chmod(0o700)
    assert compiled().stats.cache_hit


def test_a_folder_that_cannot_be_written_is_warned_of_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir(mode=0o500)
    if os.geteuid() == 0:  # whom no mode stops
        monkeypatch.setenv("SUPPLE_CACHE", "/sys/kernel")
    with pytest.warns(CacheWarning, match="not kept: cannot write"):
        compiled()
    assert not compiled().stats.cache_hit


def test_a_folder_that_cannot_be_made_is_warned_of_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write_text("a file")
    monkeypatch.setenv("SUPPLE_CACHE", str(folder / "below"))
    with pytest.warns(CacheWarning, match="set SUPPLE_CACHE to a folder of yours"):
        compiled()
    compiled()


def test_a_full_disk_leaves_nothing_half_written(folder: Path) -> None:
    """A limit on the size of files fails as a full disk does: in the midst of writing."""
    script = """
import resource, signal, warnings
import numpy as np, jax.numpy as jnp, supple as sp
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    for _ in range(2):
        fast = sp.compile(lambda x: jnp.sin(x), np.ones(3))
        assert not fast.stats.cache_hit
        np.testing.assert_allclose(fast(np.ones(3)), np.sin(1.0), rtol=1e-15)
assert [str(w.message).split(":")[0] for w in seen] == ["compiled code is not kept"], seen
"""
    subprocess.run([sys.executable, "-c", script], check=True)
    assert not entries(folder)


def test_processes_may_compile_the_same_at_once(folder: Path) -> None:
    script = """
import numpy as np, jax.numpy as jnp, supple as sp
for size in range(1, 6):
    fast = sp.compile(lambda x: jnp.tanh(x) @ x, np.ones(size))
    np.testing.assert_allclose(fast(np.ones(size)), size * np.tanh(1.0), rtol=1e-14)
"""
    processes = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    assert [path.suffix for path in entries(folder)] == [".code"] * 5


def test_the_folder_stays_within_bounds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled()
    (first,) = entries(folder)
    monkeypatch.setenv("SUPPLE_CACHE_BYTES", str(int(1.5 * first.stat().st_size)))
    sp.compile(jnp.cos, X)
    assert len(entries(folder)) == 1
    assert not first.exists()
    monkeypatch.setenv("SUPPLE_CACHE_BYTES", "much")
    with pytest.raises(ValueError, match="whole number of bytes"):
        sp.compile(jnp.tan, X)


def test_another_processor_has_other_entries() -> None:
    other = dataclasses.replace(host(), cpu="another")
    assert entry_name(b"program", other, "None") != entry_name(b"program", host(), "None")


FUNCTIONS: dict[str, Any] = {
    "sum": (lambda x: x.sum(), X),
    "sum along": (lambda x: x.sum(0), X[None]),
    "another axis": (lambda x: x.sum(1), X[None]),
    "longer": (lambda x: x.sum(), np.ones(3)),
    "other constant": (lambda x: x + np.array([1.0, 2.0]), X),
    "one constant": (lambda x: x + np.array([1.0, 3.0]), X),
    "literal": (lambda x: x + 1.0, X),
    "other literal": (lambda x: x + 1.5, X),
    "nested": (jax.jit(lambda x: jnp.cos(jnp.sin(x))), X),
    "nested otherwise": (jax.jit(lambda x: jnp.sin(jnp.cos(x))), X),
    "scan": (lambda x: jax.lax.scan(lambda c, y: (c + y, c), 0.0, x), X),
    "scan back": (lambda x: jax.lax.scan(lambda c, y: (c + y, c), 0.0, x, reverse=True), X),
    "swapped": (lambda x: x[0] - x[1], X),
    "swapped back": (lambda x: x[1] - x[0], X),
    "derivative": (jax.grad(lambda x: jax.nn.relu(x).sum()), X),
}


def test_fingerprints_differ_exactly_where_programs_do() -> None:
    def fingerprints() -> list[bytes | None]:
        jax.clear_caches()
        return [digest(jax.make_jaxpr(fn)(x)) for fn, x in FUNCTIONS.values()]

    first, second = fingerprints(), fingerprints()
    assert None not in first
    assert first == second
    assert len(set(first)) == len(first)

import importlib
import sys
from pathlib import Path

import jax
import jax.experimental
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.extend.core import Primitive

from supple.native import Constant, NotCompilable, lower
from supple.native.rules import REFUSED, RULES

ROOT = Path(__file__).parents[3]
X = np.eye(2)


@pytest.fixture
def table(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    yield importlib.import_module("primitives_table")
    sys.modules.pop("primitives_table")


def _print(x):
    jax.debug.print("{}", x)
    return x


def _call_back(x):
    jax.debug.callback(print, x)
    return x


CASES = {
    "debug_print": (_print, "remove it, or return the value"),
    "debug_callback": (_call_back, "it calls Python"),
    "pure_callback": (lambda x: jax.pure_callback(np.sin, x, x), "compute it outside"),
    "io_callback": (lambda x: jax.experimental.io_callback(np.sin, x, x), "compute it outside"),
    "conv_general_dilated": (lambda x: jnp.convolve(x[0], x[1]), "jnp.einsum"),
    "eigh": (lambda x: jnp.linalg.eigvalsh(x + 1), "jnp.linalg.cholesky"),
    "svd": (lambda x: jnp.linalg.pinv(x + 1), "until it converges"),
    "random_gamma": (lambda x: jax.random.gamma(jax.random.key(0), x[0, 0]), "sample it outside"),
    "igamma": (lambda x: jax.scipy.special.gammainc(x, x), "special function"),
    "fft": (lambda x: jnp.fft.rfft(x + 1), "real and imaginary parts"),
    "complex": (lambda x: lax.complex(x, x), "real and imaginary parts"),
    "rng_uniform": (lambda x: lax.rng_uniform(x[0, 0], x[0, 1], (2,)), "use jax.random"),
    "while": (lambda x: lax.while_loop(lambda c: jnp.sum(c) < 9, lambda c: c + 1, x), "not compiled yet: use lax.scan"),
    "convert_element_type": (lambda x: x.astype("float16") * 2, "float16.* is not supported"),
}


@pytest.mark.parametrize("primitive", CASES)
def test_refusals_name_primitive_line_and_ways_out(primitive):
    fn, way_out = CASES[primitive]
    with pytest.raises(NotCompilable, match=way_out) as refusal:
        lower(fn, X)
    text = str(refusal.value)
    assert text.startswith(f"cannot compile '{primitive}' at ")
    assert "test_refusals.py:" in text
    assert text.endswith(("; " if primitive == "igamma" else "; or ") + "use jax.jit for this function")
    assert "\n" not in text


def test_what_no_line_of_the_user_made_is_a_line_of_the_function():
    with pytest.raises(NotCompilable, match="'eigh' at a line of eigvalsh: "):
        lower(jnp.linalg.eigvalsh, X)


@pytest.mark.parametrize("value", [np.ones(2) * 1j, jax.random.key(0, impl="rbg")])
def test_arguments_and_constants_of_other_types_are_refused(value):
    with pytest.raises(NotCompilable, match=r"'argument' at the call: its type .* is not supported: "):
        lower(lambda x: x, value)
    with pytest.raises(NotCompilable, match=r"its type .* is not supported: "):
        lower(lambda x: x, Constant(value))


def test_a_primitive_is_compiled_or_refused_and_exists():
    assert not set(RULES) & set(REFUSED)
    modules = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] == "jax"]
    known = {value.name for module in modules for value in list(vars(module).values()) if isinstance(value, Primitive)}
    assert set(RULES) | set(REFUSED) <= known


def test_page_lists_every_primitive_as_it_is(table):
    shown = (ROOT / "docs" / "primitives.md").read_text()
    if f"JAX {jax.__version__}," not in shown:
        pytest.skip("the page was printed with another version of JAX")
    assert shown == table.page()
    assert table.public() <= set(RULES) | set(REFUSED)

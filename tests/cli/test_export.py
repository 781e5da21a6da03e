import json
from pathlib import Path

import jax
import numpy as np
import pytest
from llvmlite import binding as llvm

from supple.cli.quantity import function_of, with_gradient
from supple.describe.load import load
from supple.native.machine.link import Native
from supple.native.workspace import Frame, Table

KINDS = {
    "aba": (((2,), (2,), (2,)), ((2,),)),
    "rnea": (((2,), (2,), (2,)), ((2,),)),
    "mass": (((2,),), ((2, 2),)),
    "step": (((2,), (2,), (), (1,)), ((2,), (2,), ())),
}


@pytest.mark.parametrize("quantity", KINDS)
def test_explanation_of_every_quantity_adds_up(supple, arm, quantity: str):
    outcome = supple("export", arm, "--quantity", quantity, "--json")
    assert outcome.status == 0, outcome.err
    about = json.loads(outcome.out)
    inputs, outputs = KINDS[quantity]
    assert tuple(tuple(leaf["shape"]) for leaf in about["inputs"]) == inputs
    assert tuple(tuple(leaf["shape"]) for leaf in about["outputs"]) == outputs
    assert {leaf["dtype"] for leaf in about["inputs"] + about["outputs"]} == {"float64"}
    first, *rest = about["passes"]
    assert (first["name"], first["saved"]) == ("lower", None)
    assert first["operations"] - sum(entry["saved"] for entry in rest) == about["operations"]
    assert sum(about["kinds"].values()) == about["operations"] == rest[-1]["operations"] > 0
    assert about["seconds"].keys() == {"trace", "lower", "chunks"}
    assert (about["chunks"], about["file"]) == (1, None)


def test_object_code_computes_value_and_gradient_as_jax_does(supple, arm, tmp_path):
    out = tmp_path / "new" / "aba.o"
    outcome = supple("export", arm, "--quantity", "aba", "--gradient", "--out", out, "--json")
    assert outcome.status == 0, outcome.err
    about = json.loads(outcome.out)
    with jax.enable_x64(True):
        fn, examples = with_gradient(*function_of(load(arm), "aba"))
        random = np.random.default_rng(0)
        arguments = jax.tree.map(lambda leaf: np.asarray(random.normal(size=np.shape(leaf))), examples)
        expected = jax.tree.leaves(jax.jit(fn)(*arguments))
    inputs = Table(jax.tree.leaves(arguments))
    outputs = Table([np.empty(leaf["shape"], leaf["dtype"]) for leaf in about["outputs"]])
    native, frame = Native(out.read_bytes(), "one"), Frame(about["workspace_bytes"])
    native.call(inputs.address, outputs.address, frame.address)
    for found, value in zip(outputs.arrays, expected, strict=True):
        np.testing.assert_allclose(found, value, rtol=1e-12, atol=1e-12)


def test_texts_are_what_they_are_called(supple, arm, tmp_path):
    for suffix in ("ll", "s"):
        assert supple("export", arm, "--dtype", "float32", "--out", tmp_path / f"arm.{suffix}").status == 0
    module = llvm.parse_assembly((tmp_path / "arm.ll").read_text())
    assert not module.get_function("one").is_declaration
    assert "double" not in str(module.get_function("chunk0"))
    assert "\none:\n" in (tmp_path / "arm.s").read_text()


def test_explanation_for_people(supple, arm, tmp_path):
    outcome = supple("export", arm, "--explain", "--out", tmp_path / "arm.ll")
    assert outcome.status == 0
    for word in ("arm: aba, value, float64", "fuse", "saved", "sin", "result", "chunks     1", "seconds", "arm.ll"):
        assert word in outcome.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--explain"),
        (("--out", "arm.c"), ".ll, .s or .o"),
        (("--quantity", "energy", "--explain"), "--quantity"),
        (("--dtype", "float16", "--explain"), "--dtype"),
    ],
)
def test_wrong_use_says_what_to_write(supple, arm, words: tuple[str, ...], said: str):
    outcome = supple("export", arm, *words)
    assert outcome.status == 2
    assert outcome.err.count("\n") == 1
    assert said in outcome.err


def test_a_file_that_cannot_be_written_leaves_nothing(supple, arm: Path):
    outcome = supple("export", arm, "--out", arm / "robot.s")
    assert outcome.status == 1
    assert "is no folder" in outcome.err
    outcome = supple("export", arm, "--out", arm.parent / ("m" * 300 + ".s"))
    assert outcome.status == 1
    assert "File name too long" in outcome.err
    assert list(arm.parent.iterdir()) == [arm]

"""Exporting a compiled function as C."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from supple.native.c.check import write_check
from supple.native.c.source import interface, write_source
from supple.native.files import write_atomically

if TYPE_CHECKING:
    from supple.native.compiled import Compiled

CASES = 8


def export(fast: "Compiled", directory: Path, name: str) -> list[Path]:
    """Write NAME.c, NAME.h and NAME_check.c; returns their paths."""
    if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name, re.ASCII):
        raise ValueError(f"{name!r} cannot be the name of a function in C: letters, digits and _ make one")
    face = interface(name, fast.signature)
    source, header = write_source(fast.source.program, face)
    inputs = _trial_inputs(fast)
    outputs = [leaf.empty(CASES) for leaf in fast.signature.outputs]
    single = [leaf.empty() for leaf in fast.signature.inputs]
    bound = fast.bind_leaves(single)
    for case in range(CASES):
        for array, values in zip(single, inputs, strict=True):
            array[...] = values[case]
        bound()
        for array, found in zip(outputs, bound.outputs, strict=True):
            array[case] = found
    directory.mkdir(parents=True, exist_ok=True)
    texts = {f"{name}.c": source, f"{name}.h": header, f"{name}_check.c": write_check(face, inputs, outputs)}
    for file, text in texts.items():
        write_atomically(directory / file, text.encode())
    return [directory / file for file in texts]


def _trial_inputs(fast: "Compiled") -> list[np.ndarray]:
    """Random numbers of the size of one, the same at every export."""
    rng = np.random.default_rng(0)
    made = []
    for leaf in fast.signature.inputs:
        shape = (CASES, *leaf.shape)
        if leaf.dtype.kind == "f":
            made.append(rng.normal(size=shape).astype(leaf.dtype))
        else:
            made.append(rng.integers(0, 2, size=shape).astype(leaf.dtype))
    return made

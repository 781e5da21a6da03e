"""States laid out one after another, and the lanes of a register: every size of leaf and of batch."""

import numpy as np
import pytest

from supple.native.graph import Graph
from supple.native.machine.transpose import tiles
from supple.native.program import Program


def copying(shapes: list[int], dtypes: list[str]) -> Program:
    """A program that returns its inputs, and the negatives or opposites of them."""
    graph = Graph()
    inputs = tuple(
        np.array([graph.input(dtype) for _ in range(size)], dtype=np.int64)
        for size, dtype in zip(shapes, dtypes, strict=True)
    )
    op = {"bool": "not", "uint8": "not"}
    opposites = tuple(
        np.array([graph.node(op.get(dtype, "neg"), dtype, (node,)) for node in nodes.tolist()], dtype=np.int64)
        for nodes, dtype in zip(inputs, dtypes, strict=True)
    )
    return Program(graph, inputs, (*inputs, *opposites), None, None)


def random(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    return rng.integers(0, 2 if dtype == "bool" else 100, size=shape).astype(dtype)


@pytest.mark.parametrize("widest", ["float32", "float64"])
def test_every_size_of_leaf_and_batch_arrives(widest: str, machine) -> None:
    rng = np.random.default_rng(0)
    sizes = [*range(1, 20), 31, 32, 33, 47, 0]
    dtypes = [(widest, "int32", "bool", "uint8", "int64", widest)[k % 6] for k in range(len(sizes))]
    program = copying(sizes, dtypes)
    for count in (1, 2, 3, 7, 8, 9, 15, 16, 17, 40):
        leaves = [random(rng, (count, size), dtype) for size, dtype in zip(sizes, dtypes, strict=True)]
        results = machine(program, leaves)
        for result, leaf in zip(results, leaves, strict=False):
            np.testing.assert_array_equal(result, leaf)
        for result, leaf in zip(results[len(leaves) :], leaves, strict=True):
            np.testing.assert_array_equal(result, ~leaf if leaf.dtype in (bool, np.uint8) else -leaf)


@pytest.mark.parametrize("lanes", [1, 2, 4, 8, 16])
def test_tiles_cover_every_column_and_no_other(lanes: int) -> None:
    for size in range(1, 70):
        columns = [first + k for first, width in tiles(size, lanes) for k in range(width)]
        assert set(columns) == set(range(size))
        assert all(width & (width - 1) == 0 and width <= lanes for _, width in tiles(size, lanes))

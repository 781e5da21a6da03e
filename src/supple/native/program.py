"""A lowered program: the graph with its inputs, outputs and the pytrees that they make up."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from supple.native.graph import CONSTANT, INPUT, Graph


def is_array(leaf: Any) -> bool:
    """Whether a leaf of an argument is an input; other leaves (names, functions) are part of the program."""
    return isinstance(leaf, (bool, int, float, np.generic)) or hasattr(leaf, "dtype")


@dataclass(frozen=True)
class Program:
    """A scalar program.

    `inputs` and `outputs` are one array of nodes per leaf, in the leaf's shape; `in_tree` is the
    structure of the positional arguments that are not constants, `out_tree` that of the result.
    `history` holds, per pass, its name and the arithmetic operations left after it.
    """

    graph: Graph
    inputs: tuple[np.ndarray, ...]
    outputs: tuple[np.ndarray, ...]
    in_tree: Any
    out_tree: Any
    history: tuple[tuple[str, int], ...] = field(default=())

    @property
    def output_nodes(self) -> list[int]:
        """Every output scalar's node, leaf after leaf."""
        return [node for leaf in self.outputs for node in leaf.ravel().tolist()]

    @property
    def live(self) -> list[int]:
        """The nodes that outputs need, in order of evaluation."""
        needed = bytearray(len(self.graph))
        for node in self.output_nodes:
            needed[node] = 1
        args = self.graph.args
        for node in range(len(self.graph) - 1, -1, -1):
            if needed[node]:
                for arg in args[node]:
                    needed[arg] = 1
        return [node for node in range(len(self.graph)) if needed[node]]

    @property
    def stats(self) -> dict[str, int]:
        """How many live operations there are of each kind; inputs and constants are none."""
        op = self.graph.op
        counts = Counter(op[node] for node in self.live if op[node] not in (CONSTANT, INPUT))
        return dict(counts.most_common())

    @property
    def arithmetic(self) -> int:
        """The number of live operations."""
        return sum(self.stats.values())

"""Making a program anew, node by node, in a fresh graph."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from supple.native.fold import build
from supple.native.graph import CONSTANT, INPUT, Graph
from supple.native.program import Program

# (new graph, old node, map from old nodes to new) → new node, or None to copy the node.
Visit = Callable[[Graph, int, list[int]], int | None]


def rebuild(program: Program, visit: Visit, exact: bool = False) -> Program:
    """Visit the live nodes in order of evaluation and keep what the outputs need.

    `visit` returns the new node, -1 for a node that it will not need, or None for a copy: through
    the constructors, or as it stands if `exact` (passes that leave the normal form are exact).
    """
    old, new = program.graph, Graph()
    image = [-1] * len(old)
    for leaf in program.inputs:
        for node in leaf.ravel().tolist():
            image[node] = new.input(old.dtype[node])
    for node in program.live:
        op = old.op[node]
        if op == CONSTANT:
            image[node] = new.constant(old.value[node], old.dtype[node])
        elif op != INPUT:
            made = visit(new, node, image)
            if made is None:
                args = tuple(image[arg] for arg in old.args[node])
                made = new.node(op, old.dtype[node], args) if exact else build(new, op, args, old.dtype[node])
            image[node] = made
    table = np.array(image, dtype=np.int64)
    return replace(
        program,
        graph=new,
        inputs=tuple(np.asarray(table[leaf]) for leaf in program.inputs),
        outputs=tuple(np.asarray(table[leaf]) for leaf in program.outputs),
    )

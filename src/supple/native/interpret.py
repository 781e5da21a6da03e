"""The reference interpreter: a program evaluated node by node in numpy."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from jax import tree_util

from supple.native.graph import CONSTANT, INPUT
from supple.native.keys import numbers
from supple.native.operations import evaluate
from supple.native.program import Program, is_array


def interpret(program: Program, leaves: Sequence[Any]) -> list[np.ndarray]:
    """Evaluate a program on flat inputs, one array per input leaf, with any leading batch axes.

    Every node is computed in its own type. Leading axes broadcast among the leaves, and every
    output has them. Returns one array per output leaf.
    """
    graph = program.graph
    arrays = [numbers(leaf) for leaf in leaves]
    if len(arrays) != len(program.inputs):
        raise ValueError(f"the program has {len(program.inputs)} inputs, not {len(arrays)}")
    values: list[Any] = [None] * len(graph)
    batch: tuple[int, ...] = ()
    for position, (array, nodes) in enumerate(zip(arrays, program.inputs, strict=True)):
        lead = array.ndim - nodes.ndim
        if lead < 0 or array.shape[lead:] != nodes.shape:
            raise ValueError(f"input {position} has shape {array.shape}, not (…, {nodes.shape})")
        batch = np.broadcast_shapes(batch, array.shape[:lead])
        columns = np.moveaxis(array.reshape((*array.shape[:lead], -1)), -1, 0)
        for node, column in zip(nodes.ravel().tolist(), columns, strict=True):
            values[node] = np.asarray(column, dtype=graph.dtype[node])
    for node in program.live:
        if graph.op[node] == CONSTANT:
            values[node] = np.asarray(graph.value[node], dtype=graph.dtype[node])
        elif graph.op[node] != INPUT:
            operands = [values[arg] for arg in graph.args[node]]
            values[node] = evaluate(graph.op[node], graph.dtype[node], operands)
    return [_gathered(leaf, values, batch, graph.dtype) for leaf in program.outputs]


def _gathered(leaf: np.ndarray, values: list, batch: tuple[int, ...], types: list[str]) -> np.ndarray:
    nodes = leaf.ravel().tolist()
    if not nodes:
        return np.zeros((*batch, *leaf.shape))
    columns = [np.broadcast_to(values[node], batch) for node in nodes]
    return np.stack(columns, axis=-1).reshape((*batch, *leaf.shape)).astype(types[nodes[0]])


def as_function(program: Program) -> Callable[..., Any]:
    """A program as a function of the arguments that were not constants, numpy in and numpy out."""

    def run(*arguments: Any) -> Any:
        leaves, tree = tree_util.tree_flatten(arguments)
        if tree != program.in_tree:
            raise TypeError(f"the arguments have the structure {tree}, not {program.in_tree}")
        return tree_util.tree_unflatten(
            program.out_tree, interpret(program, [leaf for leaf in leaves if is_array(leaf)])
        )

    return run

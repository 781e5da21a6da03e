"""Programs of every operation of a type, and the values on which they are tried."""

import itertools

import numpy as np

from supple.native.graph import FLOATS, INTEGERS, TYPES, Graph
from supple.native.operations import ARITY, PREDICATES
from supple.native.program import Program

OF_FLOATS = {"add", "sub", "mul", "div", "neg", "reciprocal", "rem", "max", "min", "abs", "sign", "sqrt", "floor"} | {
    "ceil", "round_even", "round_away", "is_finite", "lt", "le", "eq", "ne", "convert", "bitcast"
}  # fmt: skip
OF_INTEGERS = {"add", "sub", "mul", "div", "neg", "rem", "max", "min", "abs", "sign", "lt", "le", "eq", "ne"} | {
    "and", "or", "xor", "not", "shift_left", "shift_right_logical", "shift_right_arithmetic", "clz",
    "population_count", "convert", "bitcast",
}  # fmt: skip
OF_TRUTH = {"and", "or", "xor", "not", "eq", "ne", "max", "min", "convert"}
SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    1e-310,
    -1e-40,
    3e38,
    1e308,
    np.inf,
    -np.inf,
    np.nan,
    2**31,
    1e19,
]


def operations(dtype: str) -> list[tuple[str, str]]:
    """(operation, type of its result) of operands of a type."""
    found = OF_FLOATS if dtype in FLOATS else OF_INTEGERS if dtype in INTEGERS else OF_TRUTH
    result = []
    for op in sorted(found):
        if op == "convert":
            result += [(op, other) for other in sorted(TYPES) if other != dtype]
        elif op == "bitcast":
            width = dtype.lstrip("uintfloa")
            result += [(op, other) for other in sorted(TYPES) if other.endswith(width) and other != dtype]
        else:
            result.append((op, "bool" if op in PREDICATES else dtype))
    return result


def values(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Every pair of special values, and random ones."""
    rng = np.random.default_rng(0)
    if dtype in FLOATS:
        with np.errstate(over="ignore"):
            edges = np.array(SPECIAL).astype(dtype)
        random = (rng.normal(size=(2, 300)) * 10.0 ** rng.integers(-5, 12, size=(2, 300))).astype(dtype)
    elif dtype == "bool":
        edges, random = np.array([False, True]), rng.integers(0, 2, size=(2, 3)).astype(bool)
    else:
        info = np.iinfo(dtype)
        bits = info.bits
        edges = np.array([0, 1, 2, bits - 1, bits, info.max, info.max - 1], dtype)
        opposite = (~edges.astype("int64") + 1).astype(dtype)
        edges = np.concatenate([edges, opposite, np.array([info.min], dtype)])
        random = rng.integers(info.min, info.max, size=(2, 300), dtype=dtype, endpoint=True)
    pairs = np.array(list(itertools.product(edges, edges)), edges.dtype).T
    return tuple(np.concatenate([pairs, random], axis=1))


def program_of(dtype: str) -> tuple[Program, list[tuple[str, str]]]:
    """All operations of two operands of a type, and a choice between them, as one program."""
    graph = Graph()
    inputs = [graph.input(dtype), graph.input(dtype)]
    made = operations(dtype)
    nodes = [graph.node(op, result, tuple(inputs[: ARITY[op]])) for op, result in made]
    condition = graph.node("ne", "bool", (inputs[0], inputs[1]))
    nodes.append(graph.node("select", dtype, (condition, *inputs)))
    leaves = tuple(np.array(node) for node in inputs)
    return Program(graph, leaves, tuple(np.array(node) for node in nodes), None, None), [*made, ("select", dtype)]

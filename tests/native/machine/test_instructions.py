"""Machine code of every operation, on special and random values of every type, against numpy."""

import itertools

import numpy as np
import pytest
from scipy import special

from supple.native.graph import FLOATS, INTEGERS, TYPES, Graph
from supple.native.interpret import interpret
from supple.native.machine.instructions import INSTRUCTIONS
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


@pytest.mark.parametrize("dtype", sorted(TYPES))
def test_every_operation_computes_what_numpy_does(dtype: str, machine) -> None:
    program, made = program_of(dtype)
    operands = values(dtype)
    expected = interpret(program, operands)
    results = machine(program, operands)
    alone = machine(program, [operand[-1] for operand in operands])
    for name, result, value, single in zip(made, results, expected, alone, strict=True):
        assert result.dtype == value.dtype, name
        np.testing.assert_array_equal(result, value, err_msg=str(name))
        np.testing.assert_array_equal(single, value[-1], err_msg=str(name))
        if value.dtype.kind == "f" and name[0] not in ("max", "min"):  # of zeros of either sign numpy takes any
            number = ~np.isnan(value)
            np.testing.assert_array_equal(np.signbit(result[number]), np.signbit(value[number]), err_msg=str(name))


def test_fused_multiply_add_rounds_once(machine) -> None:
    for dtype in sorted(FLOATS):
        graph = Graph()
        inputs = [graph.input(dtype) for _ in range(3)]
        node = graph.node("fma", dtype, tuple(inputs))
        program = Program(graph, tuple(map(np.array, inputs)), (np.array(node),), None, None)
        a, b = np.random.default_rng(1).normal(size=(2, 500)).astype(dtype)
        (result,) = machine(program, [a, b, -a * b])
        (expected,) = interpret(program, [a, b, -a * b])
        np.testing.assert_array_equal(result, expected)
        assert np.any(result != 0)


@pytest.mark.parametrize("dtype", sorted(FLOATS))
def test_functions_of_cs_library_are_called_lane_by_lane(dtype: str, machine) -> None:
    graph = Graph()
    x = graph.input(dtype)
    program = Program(graph, (np.array(x),), (np.array(graph.node("lgamma", dtype, (x,))),), None, None)
    values = np.append(np.random.default_rng(0).uniform(2.5, 30.0, size=20), [1.0, 0.0, np.inf, np.nan]).astype(dtype)
    (result,), (alone,) = machine(program, [values]), machine(program, [values[3]])
    np.testing.assert_allclose(result, special.gammaln(values), rtol=4 * np.finfo(dtype).eps)
    assert alone == result[3]


def test_every_operation_is_covered() -> None:
    covered = {op for dtype in TYPES for op, _ in operations(dtype)} | {"select", "fma", "lgamma"}
    assert covered == set(INSTRUCTIONS)

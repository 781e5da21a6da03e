"""Machine code of every operation, on special and random values of every type, against numpy."""

import numpy as np
import pytest
from instruction_cases import operations, program_of, values
from scipy import special

from supple.native.graph import FLOATS, TYPES, Graph
from supple.native.interpret import interpret
from supple.native.machine.instructions import INSTRUCTIONS
from supple.native.program import Program


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

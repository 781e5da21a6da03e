"""Elementary functions in machine code: lane by lane what their expansions say, with the rare path in some lanes."""

import numpy as np
import pytest

from supple.native.graph import Graph
from supple.native.machine.order import Call, order
from supple.native.math import EXPANSIONS
from supple.native.operations import ARITY
from supple.native.program import Program


def functions_of(dtype: str, ops: list[str]) -> Program:
    graph = Graph()
    x, y = graph.input(dtype), graph.input(dtype)
    nodes = [graph.node(op, dtype, (x, y)[: ARITY[op]]) for op in ops]
    return Program(graph, (np.array(x), np.array(y)), tuple(map(np.array, nodes)), None, None)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_angles_beyond_the_common_path_are_reduced_in_their_lanes_alone(dtype: str, machine) -> None:
    program = functions_of(dtype, ["sin", "cos", "tan"])
    largest = 1e30 if dtype == "float32" else 1e300
    x = np.array([0.1, 1e7, -3.0, largest, 2.0, 1e9, 100.0, -largest, 0.5] * 5, dtype)
    results = machine(program, [x, x])
    for result, function in zip(results, (np.sin, np.cos, np.tan), strict=True):
        exact = function(x.astype("float64"))
        np.testing.assert_allclose(result, exact, rtol=4 * np.finfo(dtype).eps)
    alone = machine(program, [x[3], x[3]])
    np.testing.assert_array_equal([part[()] for part in alone], [part[3] for part in results])


def test_one_state_and_a_batch_agree_to_the_bit(machine) -> None:
    ops = sorted(EXPANSIONS)
    x, y = np.random.default_rng(0).uniform(0.1, 0.9, size=(2, 33))
    program = functions_of("float64", ops)
    together = machine(program, [x, y])
    for k in (0, 31, 32):
        alone = machine(program, [x[k], y[k]])
        for op, one, many in zip(ops, alone, together, strict=True):
            np.testing.assert_array_equal(one, many[k], err_msg=op)


def test_functions_of_one_argument_and_of_many_are_called_together() -> None:
    graph = Graph()
    inputs = [graph.input("float64") for _ in range(10)]
    nodes = [graph.node(op, "float64", (x,)) for x in inputs for op in ("sin", "cos")]
    outer = graph.node("exp", "float64", (nodes[0],))
    program = Program(graph, (np.array(inputs),), (np.array([*nodes, outer]),), None, None)
    calls = [item for item in order(program, 8) if isinstance(item, Call)]
    assert [(call.ops, len(call.arguments)) for call in calls] == [
        (("cos", "sin"), 8),
        (("cos", "sin"), 2),
        (("exp",), 1),
    ]

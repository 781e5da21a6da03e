import math

import pytest

from supple.native.graph import NORMALISE, Graph


def test_equal_nodes_are_one_node():
    graph = Graph()
    x = graph.input("float64")
    assert graph.node("sin", "float64", (x,)) == graph.node("sin", "float64", (x,))
    assert graph.node("sin", "float64", (x,)) != graph.node("cos", "float64", (x,))


def test_inputs_are_never_shared():
    graph = Graph()
    assert graph.input("float64") != graph.input("float64")


def test_constants_are_shared_by_value_type_and_sign_of_zero():
    graph = Graph()
    assert graph.constant(2, "float64") == graph.constant(2.0, "float64")
    assert graph.constant(1, "float64") != graph.constant(1, "int32")
    assert graph.constant(0.0, "float64") != graph.constant(-0.0, "float64")
    assert graph.constant(math.nan, "float64") == graph.constant(-math.nan, "float64")


@pytest.mark.parametrize(
    ("dtype", "value", "expected"),
    [
        ("int8", 200, -56),
        ("uint8", -1, 255),
        ("int32", 2**31, -(2**31)),
        ("float32", 0.1, 0.10000000149011612),
        ("float32", 1e300, math.inf),
        ("bool", 3, True),
    ],
)
def test_numbers_are_brought_into_their_type(dtype, value, expected):
    assert NORMALISE[dtype](value) == expected

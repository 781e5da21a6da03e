"""Each rule: two spellings must become one node, and a few that must not."""

import math

import numpy as np
import pytest

from supple.native.fold import build, integer_pow
from supple.native.graph import Graph
from supple.native.operations import evaluate


class Scalars:
    """Nodes with operators, so that a rule can be written as an equation."""

    def __init__(self, graph, node):
        self.graph, self.node = graph, node

    def __call__(self, op, *others, dtype=None):
        args = (self.node, *(self._of(other) for other in others))
        return Scalars(self.graph, build(self.graph, op, args, dtype))

    def _of(self, other):
        return other.node if isinstance(other, Scalars) else self.graph.constant(other, self.graph.dtype[self.node])

    def __eq__(self, other):
        return self.node == self._of(other)

    def __hash__(self):
        return self.node

    def __add__(self, other):
        return self("add", other)

    def __sub__(self, other):
        return self("sub", other)

    def __mul__(self, other):
        return self("mul", other)

    def __truediv__(self, other):
        return self("div", other)

    def __neg__(self):
        return self("neg")

    def __pow__(self, exponent):
        return Scalars(self.graph, integer_pow(self.graph, self.node, exponent))

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        return -(self - other)


@pytest.fixture
def inputs():
    def make(*dtypes):
        graph = Graph()
        return [Scalars(graph, graph.input(dtype)) for dtype in dtypes]

    return make


FLOAT_RULES = {
    "0 + x": lambda x, y, z: (0.0 + x, x),
    "0·x": lambda x, y, z: (0.0 * x, 0.0),
    "1·x": lambda x, y, z: (1.0 * x, x),
    "-1·x": lambda x, y, z: (-1.0 * x, -x),
    "x - x": lambda x, y, z: (x - x, 0.0),
    "-(-x)": lambda x, y, z: (x("neg")("neg"), x),
    "x + y commutes": lambda x, y, z: (x + y, y + x),
    "x·y commutes": lambda x, y, z: (x * y, y * x),
    "x + (-y)": lambda x, y, z: (x + (-y), x - y),
    "x - (-y)": lambda x, y, z: (x - (-y), x + y),
    "(-x) - y": lambda x, y, z: (-x - y, -(x + y)),
    "(-x) + (-y)": lambda x, y, z: (-x + (-y), -(x + y)),
    "y - x": lambda x, y, z: (y - x, -(x - y)),
    "(-x)·y": lambda x, y, z: (-x * y, -(x * y)),
    "(-x)·(-y)": lambda x, y, z: (-x * (-y), x * y),
    "x + x": lambda x, y, z: (x + x, 2.0 * x),
    "2·(0.5·x)": lambda x, y, z: (2.0 * (0.5 * x), x),
    "c·(d·x)": lambda x, y, z: (3.0 * (2.0 * x), 6.0 * x),
    "c·x + d·x": lambda x, y, z: (3.0 * x + 2.0 * x, 5.0 * x),
    "c·x - d·x": lambda x, y, z: (3.0 * x - 2.0 * x, x),
    "x + c·x": lambda x, y, z: (x + 2.0 * x, 3.0 * x),
    "(-c)·x": lambda x, y, z: (-3.0 * x, -(3.0 * x)),
    "c + (d + x)": lambda x, y, z: (3.0 + (2.0 + x), 5.0 + x),
    "c - (d + x)": lambda x, y, z: (3.0 - (2.0 + x), 1.0 - x),
    "x - c": lambda x, y, z: (x - 3.0, -3.0 + x),
    "c - x": lambda x, y, z: (3.0 - x, -(x - 3.0)),
    "(x - y) + y": lambda x, y, z: ((x - y) + y, x),
    "y + (x - y)": lambda x, y, z: (y + (x - y), x),
    "(x + y) - y": lambda x, y, z: ((x + y) - y, x),
    "(x + y) - x": lambda x, y, z: ((x + y) - x, y),
    "x - (x + y)": lambda x, y, z: (x - (x + y), -y),
    "(x - y) - x": lambda x, y, z: ((x - y) - x, -y),
    "x - (x - y)": lambda x, y, z: (x - (x - y), y),
    "sin² + cos²": lambda x, y, z: (x("sin") ** 2 + x("cos") ** 2, 1.0),
    "x/x": lambda x, y, z: (x / x, 1.0),
    "x/c": lambda x, y, z: (x / 4.0, 0.25 * x),
    "x/y + z/y share 1/y": lambda x, y, z: (x / y, x * y("reciprocal")),
    "(x/y)·y": lambda x, y, z: ((x / y) * y, x),
    "y·(x/y)": lambda x, y, z: (y * (x / y), x),
    "(x·y)/y": lambda x, y, z: ((x * y) / y, x),
    "1/(1/x)": lambda x, y, z: (x("reciprocal")("reciprocal"), x),
    "1/(-x)": lambda x, y, z: ((-x)("reciprocal"), -x("reciprocal")),
    "1/(c·x)": lambda x, y, z: ((4.0 * x)("reciprocal"), 0.25 * x("reciprocal")),
    "1/(x/y)": lambda x, y, z: ((x / y)("reciprocal"), y / x),
    "√x·√x": lambda x, y, z: (x("sqrt") * x("sqrt"), x),
    "x/√x": lambda x, y, z: (x / x("sqrt"), x("sqrt")),
    "√(x·x)": lambda x, y, z: ((x * x)("sqrt"), x("abs")),
    "|-x|": lambda x, y, z: ((-x)("abs"), x("abs")),
    "|x·x|": lambda x, y, z: ((x * x)("abs"), x * x),
    "x²": lambda x, y, z: (x**2, x * x),
    "x⁰": lambda x, y, z: (x**0, 1.0),
    "x⁻²": lambda x, y, z: (x**-2, (x * x)("reciprocal")),
    "x⁵": lambda x, y, z: (x**5, (x * x) * (x * x) * x),
    "pow(x, 3)": lambda x, y, z: (x("pow", 3.0), x**3),
    "pow(x, 1/2)": lambda x, y, z: (x("pow", 0.5), x("sqrt")),
    "pow(x, -1/2)": lambda x, y, z: (x("pow", -0.5), x("sqrt")("reciprocal")),
    "sin(-x)": lambda x, y, z: ((-x)("sin"), -x("sin")),
    "cos(-x)": lambda x, y, z: ((-x)("cos"), x("cos")),
    "sign(-x)": lambda x, y, z: ((-x)("sign"), -x("sign")),
    "max(x, x)": lambda x, y, z: (x("max", x), x),
    "floor of whole": lambda x, y, z: (x("round_even")("floor"), x("round_even")),
    "-x < -y": lambda x, y, z: ((-x)("lt", -y), y("lt", x)),
    "-x ≤ -y": lambda x, y, z: ((-x)("le", -y), y("le", x)),
    "not (x = y)": lambda x, y, z: (x("eq", y)("not"), x("ne", y)),
    "choice of equals": lambda x, y, z: (x("lt", y)("select", z, z), z),
    "choice by not": lambda x, y, z: (x("lt", y)("not")("select", x, y), x("lt", y)("select", y, x)),
    "choice of negatives": lambda x, y, z: (x("lt", y)("select", -x, -y), -x("lt", y)("select", x, y)),
    "choice in a choice": lambda x, y, z: (
        x("lt", y)("select", x("lt", y)("select", x, y), z),
        x("lt", y)("select", x, z),
    ),
    "float there and back": lambda x, y, z: (x("convert", dtype="float64"), x),
}


@pytest.mark.parametrize("rule", FLOAT_RULES)
def test_rules_of_floats(rule, inputs):
    left, right = FLOAT_RULES[rule](*inputs("float64", "float64", "float64"))
    assert left == right


INTEGER_RULES = {
    "x + x": lambda i, j: (i + i, 2 * i),
    "wrapping": lambda i, j: (2**31 * (2 * i), 0),
    "y - x": lambda i, j: (j - i, -(i - j)),
    "x/1": lambda i, j: (i("div", 1), i),
    "x ≤ x": lambda i, j: (i("le", i)("convert", dtype="int32"), 1),
    "x & x": lambda i, j: (i("and", i), i),
    "x & 0": lambda i, j: (i("and", 0), 0),
    "x & -1": lambda i, j: (i("and", -1), i),
    "x | 0": lambda i, j: (i("or", 0), i),
    "x | -1": lambda i, j: (i("or", -1), -1),
    "x ^ x": lambda i, j: (i("xor", i), 0),
    "x ^ 0": lambda i, j: (i("xor", 0), i),
    "x ^ -1": lambda i, j: (i("xor", -1), i("not")),
    "~~x": lambda i, j: (i("not")("not"), i),
}


@pytest.mark.parametrize("rule", INTEGER_RULES)
def test_rules_of_integers(rule, inputs):
    left, right = INTEGER_RULES[rule](*inputs("int32", "int32"))
    assert left == right


def test_rules_of_truth_values(inputs):
    b, c = inputs("bool", "bool")
    assert b("select", True, False) == b
    assert b("select", False, True) == b("not")
    assert b("select", True, c) == b("or", c)
    assert b("select", c, False) == b("and", c)


def test_quotients_of_integers_are_not_products(inputs):
    i, j = inputs("int32", "int32")
    assert i.graph.op[(i("div", j)).node] == "div"
    assert i("div", j) * j != i


def test_a_float_compared_with_itself_asks_for_nan(inputs):
    (x,) = inputs("float64")
    assert x.graph.value[x("ne", x).node] is None
    assert x.graph.value[x("eq", x).node] is None
    assert x.graph.value[x("le", x).node] is None
    assert x.graph.value[x("lt", x).node] is False


def test_constants_are_evaluated_honestly(inputs):
    (x,) = inputs("float64")
    graph = x.graph
    inf, zero = graph.constant(math.inf, "float64"), graph.constant(0, "float64")
    assert math.isnan(graph.value[build(graph, "mul", (inf, zero))])
    assert graph.value[build(graph, "div", (graph.constant(1, "float64"), zero))] == math.inf
    assert graph.value[build(graph, "sin", (graph.constant(1, "float64"),))] == math.sin(1)


def test_sine_and_cosine_of_two_angles_are_not_pythagoras(inputs):
    x, y = inputs("float64", "float64")
    assert x("sin") ** 2 + y("cos") ** 2 != 1.0
    assert x("sin") ** 2 + x("cos") * y("cos") != 1.0


def test_the_sign_of_an_unsigned_number_is_not_odd(inputs):
    (i,) = inputs("uint8")
    assert (-i)("sign") != -i("sign")


ORDER_OF_TRUTHS = {
    "lt": lambda b, c: b("not")("and", c),
    "le": lambda b, c: b("not")("or", c),
    "eq": lambda b, c: b("xor", c)("not"),
    "ne": lambda b, c: b("xor", c),
    "max": lambda b, c: b("or", c),
    "min": lambda b, c: b("and", c),
}


@pytest.mark.parametrize("op", ORDER_OF_TRUTHS)
def test_order_of_truth_values_is_logic(op, inputs):
    b, c = inputs("bool", "bool")
    assert b(op, c) == ORDER_OF_TRUTHS[op](b, c)
    for x in (False, True):
        for y in (False, True):
            graph = b.graph
            known = (graph.constant(x, "bool"), graph.constant(y, "bool"))
            assert graph.value[build(graph, op, known)] == evaluate(op, "bool", [np.array(x), np.array(y)])

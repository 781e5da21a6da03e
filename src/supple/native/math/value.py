"""Nodes of the scalar graph as values with operators, so that expansions read like mathematics.

Nodes are stored as they are written: no algebra is applied, because it would drop or re-associate
the error terms on which accuracy rests. Equal operations on equal operands are one node.
"""

from collections.abc import Callable

from supple.native.graph import Graph, Scalar

Expansion = Callable[..., int]


class Value:
    """A node and its graph. Numbers on the other side of an operator become constants of its type."""

    __slots__ = ("graph", "node")

    def __init__(self, graph: Graph, node: int) -> None:
        self.graph = graph
        self.node = node

    @property
    def dtype(self) -> str:
        """The type of the node."""
        return self.graph.dtype[self.node]

    def constant(self, number: Scalar) -> "Value":
        """A constant of this value's type."""
        return Value(self.graph, self.graph.constant(number, self.dtype))

    def apply(self, op: str, *others: "Value | Scalar", dtype: str | None = None) -> "Value":
        """An operation on this value and others of its type."""
        operands = (self, *(other if isinstance(other, Value) else self.constant(other) for other in others))
        return Value(self.graph, self.graph.node(op, dtype or self.dtype, tuple(value.node for value in operands)))

    def __add__(self, other: "Value | Scalar") -> "Value":
        return self.apply("add", other)

    def __sub__(self, other: "Value | Scalar") -> "Value":
        return self.apply("sub", other)

    def __rsub__(self, other: Scalar) -> "Value":
        return self.constant(other) - self

    def __mul__(self, other: "Value | Scalar") -> "Value":
        return self.apply("mul", other)

    def __truediv__(self, other: "Value | Scalar") -> "Value":
        return self.apply("div", other)

    def __rtruediv__(self, other: Scalar) -> "Value":
        return self.constant(other) / self

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> "Value":
        return self.apply("neg")

    def __abs__(self) -> "Value":
        return self.apply("abs")

    def __and__(self, other: "Value | Scalar") -> "Value":
        return self.apply("and", other)

    def __or__(self, other: "Value | Scalar") -> "Value":
        return self.apply("or", other)

    def __xor__(self, other: "Value | Scalar") -> "Value":
        return self.apply("xor", other)

    def __invert__(self) -> "Value":
        return self.apply("not")

    def __lshift__(self, count: int) -> "Value":
        return self.apply("shift_left", count)

    def __rshift__(self, count: int) -> "Value":
        """Logical: zeros enter from the left, whatever the type."""
        return self.apply("shift_right_logical", count)

    def __lt__(self, other: "Value | Scalar") -> "Value":
        return self.apply("lt", other, dtype="bool")

    def __le__(self, other: "Value | Scalar") -> "Value":
        return self.apply("le", other, dtype="bool")

    def __gt__(self, other: "Value | Scalar") -> "Value":
        return (other if isinstance(other, Value) else self.constant(other)) < self

    def __ge__(self, other: "Value | Scalar") -> "Value":
        return (other if isinstance(other, Value) else self.constant(other)) <= self

    def equals(self, other: "Value | Scalar") -> "Value":
        """Whether two values are equal; a method, because `==` is needed for what it is."""
        return self.apply("eq", other, dtype="bool")

    def differs(self, other: "Value | Scalar") -> "Value":
        """Whether two values are unequal; NaN differs from itself."""
        return self.apply("ne", other, dtype="bool")


def where(condition: Value, chosen: Value | Scalar, otherwise: Value | Scalar) -> Value:
    """`chosen` where the condition holds; at least one of the two is a value."""
    if not isinstance(chosen, Value):
        assert isinstance(otherwise, Value)
        chosen = otherwise.constant(chosen)
    if not isinstance(otherwise, Value):
        otherwise = chosen.constant(otherwise)
    return condition.apply("select", chosen, otherwise, dtype=chosen.dtype)


def fma(a: Value, b: Value | Scalar, c: Value | Scalar) -> Value:
    """a·b + c: rounded once where the machine can, twice elsewhere."""
    return a.apply("fma", b, c)


def sqrt(x: Value) -> Value:
    """Square root, as the machine computes it: correctly rounded."""
    return x.apply("sqrt")


def widen(x: Value) -> Value:
    """A float32 as float64."""
    return x.apply("convert", dtype="float64")


def narrow(x: Value) -> Value:
    """A float64 rounded to float32."""
    return x.apply("convert", dtype="float32")


def at_most(x: Value, bound: Scalar) -> Value:
    """The smaller of x and a bound; NaN stays."""
    return where(x > bound, bound, x)


def at_least(x: Value, bound: Scalar) -> Value:
    """The larger of x and a bound; NaN stays."""
    return where(x < bound, bound, x)


def expansion(function: Callable[..., Value]) -> Expansion:
    """A function of values as a function of a graph and nodes."""

    def expand(graph: Graph, *nodes: int) -> int:
        return function(*(Value(graph, node) for node in nodes)).node

    expand.__doc__ = function.__doc__
    return expand

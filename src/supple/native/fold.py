"""Constructors of the ring operations, with the algebra that a careful hand would do.

Every node is built through `build`, so that programs are simplified while they are lowered and
again whenever a pass rebuilds them. The normal form:

- signs stand outside: (-x)·y, x·(-y) and -(x·y) share the product x·y, and x - y and y - x are one
  node and its negation;
- constants stand first and are positive in products;
- a quotient of floats is a product with a reciprocal, so that quotients of one denominator share
  it (the pass `divide` restores single quotients);
- operands of commutative operations are ordered.

The rules are identities of real numbers. Three kinds differ in floating point, and this is meant:
0·x is 0 even if x is infinite or NaN; x - x is 0 and x·(1/x) is 1 likewise; products and quotients
with constants are re-associated, which moves the last bit. Integers obey the ring rules exactly.
"""

import math
from collections.abc import Callable

import numpy as np

from supple.native.graph import FLOATS, Graph, Scalar
from supple.native.operations import COMMUTATIVE, PREDICATES, TYPED, evaluate

Constructor = Callable[..., int]


def fold(graph: Graph, op: str, dtype: str, args: tuple[int, ...]) -> int:
    """The operation on constants, evaluated."""
    operands = [np.asarray(graph.value[a], dtype=graph.dtype[a]) for a in args]
    return graph.constant(evaluate(op, dtype, operands).item(), dtype)


def plain(graph: Graph, op: str, args: tuple[int, ...], dtype: str | None = None) -> int:
    """The node without algebra, except that constants are evaluated and operands ordered."""
    value = graph.value
    if dtype is None:
        dtype = "bool" if op in PREDICATES else graph.dtype[args[-1]]
    if all(value[a] is not None for a in args):
        return fold(graph, op, dtype, args)
    if op in COMMUTATIVE and args[0] > args[1]:
        args = (args[1], args[0])
    return graph.node(op, dtype, args)


def constant_like(graph: Graph, value: Scalar, node: int) -> int:
    """A constant of the type of a node."""
    return graph.constant(value, graph.dtype[node])


def neg(graph: Graph, a: int) -> int:
    """-a, with -(-a) = a; the negation of zero is the positive zero."""
    value = graph.value[a]
    if value is not None:
        return constant_like(graph, -value if value else 0, a)
    if graph.op[a] == "neg":
        return graph.args[a][0]
    return graph.node("neg", graph.dtype[a], (a,))


def _scale(graph: Graph, a: int) -> tuple[Scalar, int]:
    """`a` as (constant, rest): c·x is (c, x), anything else (1, a)."""
    if graph.op[a] == "mul":
        constant = graph.value[graph.args[a][0]]
        if constant is not None:
            return constant, graph.args[a][1]
    return 1, a


def add(graph: Graph, a: int, b: int) -> int:
    """a + b."""
    op, value = graph.op, graph.value
    x, y = value[a], value[b]
    if x is not None:
        return constant_like(graph, x + y, a) if y is not None else _add_constant(graph, a, b)
    if y is not None:
        return _add_constant(graph, b, a)
    if op[a] == "neg":
        if op[b] == "neg":
            return neg(graph, add(graph, graph.args[a][0], graph.args[b][0]))
        return sub(graph, b, graph.args[a][0])
    if op[b] == "neg":
        return sub(graph, a, graph.args[b][0])
    if op[a] == "sub" and graph.args[a][1] == b:
        return graph.args[a][0]
    if op[b] == "sub" and graph.args[b][1] == a:
        return graph.args[b][0]
    if a == b or op[a] == "mul" or op[b] == "mul":
        (c, u), (d, v) = _scale(graph, a), _scale(graph, b)
        if u == v:
            return mul(graph, constant_like(graph, c + d, a), u)
    return graph.node("add", graph.dtype[a], (a, b) if a < b else (b, a))


def _add_constant(graph: Graph, c: int, x: int) -> int:
    """c + x, with c1 + (c2 + x) = (c1 + c2) + x and c1 - (c2 + x) = (c1 - c2) - x."""
    value = graph.value[c]
    if value == 0:
        return x
    sign, inner = 1, x
    if graph.op[x] == "neg":
        sign, inner = -1, graph.args[x][0]
    if graph.op[inner] == "add":
        other = graph.value[graph.args[inner][0]]
        if other is not None:
            total = constant_like(graph, value + sign * other, c)
            rest = graph.args[inner][1]
            return _add_constant(graph, total, rest if sign > 0 else neg(graph, rest))
    if sign < 0:
        return neg(graph, _add_constant(graph, neg(graph, c), inner))
    return graph.node("add", graph.dtype[c], (c, x))


def sub(graph: Graph, a: int, b: int) -> int:
    """a - b; of a pair x - y and y - x, the older operand first, the other is its negation."""
    op, args = graph.op, graph.args
    if a == b:
        return constant_like(graph, 0, a)
    if graph.value[b] is not None:
        return add(graph, neg(graph, b), a)
    if graph.value[a] is not None:
        return add(graph, a, neg(graph, b))
    if op[b] == "neg":
        return add(graph, a, args[b][0])
    if op[a] == "neg":
        return neg(graph, add(graph, args[a][0], b))
    if op[a] == "add":
        if args[a][0] == b:
            return args[a][1]
        if args[a][1] == b:
            return args[a][0]
    if op[b] == "add":
        if args[b][0] == a:
            return neg(graph, args[b][1])
        if args[b][1] == a:
            return neg(graph, args[b][0])
    if op[a] == "sub" and args[a][0] == b:
        return neg(graph, args[a][1])
    if op[b] == "sub" and args[b][0] == a:
        return args[b][1]
    if op[a] == "mul" or op[b] == "mul":
        (c, u), (d, v) = _scale(graph, a), _scale(graph, b)
        if u == v:
            return mul(graph, constant_like(graph, c - d, a), u)
    if a < b:
        return graph.node("sub", graph.dtype[a], (a, b))
    return neg(graph, graph.node("sub", graph.dtype[a], (b, a)))


def mul(graph: Graph, a: int, b: int) -> int:
    """a·b."""
    op, args, value = graph.op, graph.args, graph.value
    x, y = value[a], value[b]
    if x is not None:
        return constant_like(graph, x * y, a) if y is not None else _mul_constant(graph, a, b)
    if y is not None:
        return _mul_constant(graph, b, a)
    p, q = op[a], op[b]
    if p == "neg":
        if q == "neg":
            return mul(graph, args[a][0], args[b][0])
        return neg(graph, mul(graph, args[a][0], b))
    if q == "neg":
        return neg(graph, mul(graph, a, args[b][0]))
    if a == b and p == "sqrt":
        return args[a][0]
    if graph.dtype[a] in FLOATS:
        cancelled = _cancel(graph, a, b) if q == "reciprocal" else None
        if cancelled is None and p == "reciprocal":
            cancelled = _cancel(graph, b, a)
        if cancelled is None and p == "mul":
            cancelled = _restore(graph, a, b)
        if cancelled is None and q == "mul":
            cancelled = _restore(graph, b, a)
        if cancelled is not None:
            return cancelled
    return graph.node("mul", graph.dtype[a], (a, b) if a < b else (b, a))


def _mul_constant(graph: Graph, c: int, x: int) -> int:
    """c·x, with c1·(c2·x) = (c1·c2)·x, and the sign of c outside."""
    value = graph.value[c]
    if value == 0:
        return constant_like(graph, 0, c)
    if value == 1:
        return x
    if graph.op[x] == "neg":
        return neg(graph, _mul_constant(graph, c, graph.args[x][0]))
    if value < 0 and value == -graph.value[neg(graph, c)]:
        return neg(graph, _mul_constant(graph, neg(graph, c), x))
    if graph.op[x] == "mul":
        other = graph.value[graph.args[x][0]]
        if other is not None:
            return _mul_constant(graph, constant_like(graph, value * other, c), graph.args[x][1])
    return graph.node("mul", graph.dtype[c], (c, x))


def _cancel(graph: Graph, x: int, r: int) -> int | None:
    """x·(1/d) where x is d, contains d as a factor, or d is sqrt(x)."""
    denominator = graph.args[r][0]
    if x == denominator:
        return constant_like(graph, 1, x)
    if graph.op[x] == "mul":
        left, right = graph.args[x]
        if left == denominator:
            return right
        if right == denominator:
            return left
    if graph.op[denominator] == "sqrt" and graph.args[denominator][0] == x:
        return denominator
    return None


def _restore(graph: Graph, product: int, d: int) -> int | None:
    """(n·(1/d))·d is n."""
    left, right = graph.args[product]
    if graph.op[left] == "reciprocal" and graph.args[left][0] == d:
        return right
    if graph.op[right] == "reciprocal" and graph.args[right][0] == d:
        return left
    return None


def reciprocal(graph: Graph, a: int) -> int:
    """1/a, with 1/(-a) = -(1/a), 1/(1/a) = a, 1/(c·a) = (1/c)·(1/a) and 1/(n·(1/d)) = d·(1/n)."""
    op, args = graph.op[a], graph.args[a]
    if graph.value[a] is not None:
        return fold(graph, "reciprocal", graph.dtype[a], (a,))
    if op == "neg":
        return neg(graph, reciprocal(graph, args[0]))
    if op == "reciprocal":
        return args[0]
    if op == "mul":
        left, right = args
        if graph.value[left] is not None or graph.op[left] == "reciprocal" or graph.op[right] == "reciprocal":
            return mul(graph, reciprocal(graph, left), reciprocal(graph, right))
    return graph.node("reciprocal", graph.dtype[a], (a,))


def div(graph: Graph, a: int, b: int) -> int:
    """a/b: of floats, a·(1/b); of integers the truncated quotient."""
    if graph.dtype[a] in FLOATS:
        if graph.value[a] is not None and graph.value[b] is not None:
            return fold(graph, "div", graph.dtype[a], (a, b))
        return mul(graph, a, reciprocal(graph, b))
    if graph.value[b] == 1:
        return a
    return plain(graph, "div", (a, b))


def integer_pow(graph: Graph, a: int, exponent: int) -> int:
    """a to a constant integer power, by squaring; negative powers are reciprocals."""
    if exponent < 0:
        return reciprocal(graph, integer_pow(graph, a, -exponent))
    if exponent == 0:
        return constant_like(graph, 1, a)
    half = integer_pow(graph, a, exponent // 2) if exponent > 1 else None
    if half is None:
        return a
    square = mul(graph, half, half)
    return mul(graph, square, a) if exponent % 2 else square


def power(graph: Graph, a: int, b: int) -> int:
    """a to the power b; products and square roots for small whole and half exponents."""
    exponent = graph.value[b]
    if exponent is not None and graph.value[a] is None and math.isfinite(exponent):
        if float(exponent).is_integer() and abs(exponent) <= 64:
            return integer_pow(graph, a, int(exponent))
        if exponent == 0.5:
            return build(graph, "sqrt", (a,))
        if exponent == -0.5:
            return reciprocal(graph, build(graph, "sqrt", (a,)))
    return plain(graph, "pow", (a, b), graph.dtype[a])


# Constructors with algebra; every other operation is `plain`. `fold_more` adds to this table.
CONSTRUCTORS: dict[str, Constructor] = {
    "add": add,
    "sub": sub,
    "mul": mul,
    "div": div,
    "neg": neg,
    "reciprocal": reciprocal,
    "pow": power,
}


def build(graph: Graph, op: str, args: tuple[int, ...], dtype: str | None = None) -> int:
    """The node of an operation, simplified; `dtype` is needed only by conversions."""
    if op in TYPED:
        return CONSTRUCTORS[op](graph, args[0], dtype)
    constructor = CONSTRUCTORS.get(op)
    return constructor(graph, *args) if constructor else plain(graph, op, args)

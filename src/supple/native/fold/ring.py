"""Constructors of sums and products."""

from supple.native.fold.base import constant_like
from supple.native.graph import FLOATS, Graph, Scalar


def neg(graph: Graph, a: int) -> int:
    """-a, with -(-a) = a; the negation of zero is the positive zero."""
    value = graph.value[a]
    if value is not None:
        return constant_like(graph, -value if value else 0, a)
    if graph.op[a] == "neg":
        return graph.args[a][0]
    return graph.node("neg", graph.dtype[a], (a,))


def _unsigned(graph: Graph, a: int) -> tuple[bool, int]:
    """`a` without its sign: (True, x) for -x, else (False, a)."""
    return (True, graph.args[a][0]) if graph.op[a] == "neg" else (False, a)


def add(graph: Graph, a: int, b: int) -> int:
    """a + b."""
    x, y = graph.value[a], graph.value[b]
    if x is not None:
        return constant_like(graph, x + y, a) if y is not None else _add_constant(graph, a, b)
    if y is not None:
        return _add_constant(graph, b, a)
    return _signed_sum(graph, _unsigned(graph, a), _unsigned(graph, b))


def sub(graph: Graph, a: int, b: int) -> int:
    """a - b; of a pair x - y and y - x, the older operand first, the other is its negation."""
    if graph.value[a] is not None or graph.value[b] is not None:
        return add(graph, a, neg(graph, b))
    negated, part = _unsigned(graph, b)
    return _signed_sum(graph, _unsigned(graph, a), (not negated, part))


def _signed_sum(graph: Graph, first: tuple[bool, int], second: tuple[bool, int]) -> int:
    """±a ± b as ±(a + b) or ±(a - b)."""
    (a_negated, a), (b_negated, b) = first, second
    if a_negated == b_negated:
        result = _merged(graph, a, b, 1)
        if result is None:
            result = graph.node("add", graph.dtype[a], (a, b) if a < b else (b, a))
        return neg(graph, result) if a_negated else result
    if a_negated:
        a, b = b, a
    result = _merged(graph, a, b, -1)
    if result is not None:
        return result
    if a < b:
        return graph.node("sub", graph.dtype[a], (a, b))
    return neg(graph, graph.node("sub", graph.dtype[a], (b, a)))


def _merged(graph: Graph, a: int, b: int, sign: int) -> int | None:
    """a ± b where the two have something in common.

    c·x ± d·x is (c ± d)·x, a sum with the opposite of one of its terms is the other term, and
    sin² + cos² is 1.
    """
    p, q = graph.op[a], graph.op[b]
    if a == b or p == "mul" or q == "mul":
        (c, u), (d, v) = _scale(graph, a), _scale(graph, b)
        if u == v:
            return mul(graph, constant_like(graph, c + sign * d, a), u)
        if p == q and sign > 0 and _is_pythagoras(graph, graph.args[a], graph.args[b]):
            return constant_like(graph, 1, a)
    if p in ("add", "sub"):
        rest = _without(graph, a, b, sign)
        if rest is not None:
            return rest
    if q in ("add", "sub"):
        rest = _without(graph, b, a, sign)
        if rest is not None:
            return rest if sign > 0 else neg(graph, rest)
    return None


def _without(graph: Graph, total: int, term: int, sign: int) -> int | None:
    """(x ± y) + sign·term if that cancels x or y."""
    left, right = graph.args[total]
    is_sum = graph.op[total] == "add"
    if left == term and sign < 0:
        return right if is_sum else neg(graph, right)
    if right == term and is_sum == (sign < 0):
        return left
    return None


def _is_pythagoras(graph: Graph, a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Whether a·a and b·b are sin² and cos² of one angle."""
    if a[0] != a[1] or b[0] != b[1]:
        return False
    kinds = {graph.op[a[0]], graph.op[b[0]]}
    return kinds == {"sin", "cos"} and graph.args[a[0]] == graph.args[b[0]]


def _scale(graph: Graph, a: int) -> tuple[Scalar, int]:
    """`a` as (constant, rest): c·x is (c, x), anything else (1, a)."""
    if graph.op[a] == "mul":
        constant = graph.value[graph.args[a][0]]
        if constant is not None:
            return constant, graph.args[a][1]
    return 1, a


def _add_constant(graph: Graph, c: int, x: int) -> int:
    """c + x, with c1 ± (c2 + x) = (c1 ± c2) ± x, and c - x = -((-c) + x)."""
    if graph.value[c] == 0:
        return x
    negated, inner = _unsigned(graph, x)
    if negated:
        return neg(graph, _add_constant(graph, neg(graph, c), inner))
    if graph.op[x] == "add":
        left, right = graph.args[x]
        if graph.value[left] is not None:
            return _add_constant(graph, constant_like(graph, graph.value[c] + graph.value[left], c), right)
    return graph.node("add", graph.dtype[c], (c, x))


def mul(graph: Graph, a: int, b: int) -> int:
    """a·b."""
    x, y = graph.value[a], graph.value[b]
    if x is not None:
        return constant_like(graph, x * y, a) if y is not None else _mul_constant(graph, a, b)
    if y is not None:
        return _mul_constant(graph, b, a)
    (a_negated, a), (b_negated, b) = _unsigned(graph, a), _unsigned(graph, b)
    result = _cancelled(graph, a, b)
    if result is None:
        result = graph.node("mul", graph.dtype[a], (a, b) if a < b else (b, a))
    return result if a_negated == b_negated else neg(graph, result)


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
    scale, rest = _scale(graph, x)
    if rest != x:
        return _mul_constant(graph, constant_like(graph, value * scale, c), rest)
    return graph.node("mul", graph.dtype[c], (c, x))


def _cancelled(graph: Graph, a: int, b: int) -> int | None:
    """a·b where one undoes the other: roots and quotients."""
    if a == b and graph.op[a] == "sqrt":
        return graph.args[a][0]
    if graph.dtype[a] not in FLOATS:
        return None
    for x, y in ((a, b), (b, a)):
        result = None
        if graph.op[y] == "reciprocal":
            result = _over(graph, x, graph.args[y][0])
        elif graph.op[y] == "mul":
            result = _restored(graph, y, x)
        if result is not None:
            return result
    return None


def _over(graph: Graph, x: int, denominator: int) -> int | None:
    """x·(1/d) where x is d, has d as a factor, or d is √x."""
    if x == denominator:
        return constant_like(graph, 1, x)
    if graph.op[x] == "mul":
        left, right = graph.args[x]
        if denominator in (left, right):
            return right if left == denominator else left
    if graph.op[denominator] == "sqrt" and graph.args[denominator][0] == x:
        return denominator
    return None


def _restored(graph: Graph, product: int, d: int) -> int | None:
    """(n·(1/d))·d is n."""
    left, right = graph.args[product]
    if graph.op[left] == "reciprocal" and graph.args[left][0] == d:
        return right
    if graph.op[right] == "reciprocal" and graph.args[right][0] == d:
        return left
    return None

"""Signs: make a node's negative where only the negative, or either sign, is needed.

In normal form y - x may stand as -(x - y). Here a negation disappears if the node under it can be
made with the other sign at no cost and whoever else reads it adds or subtracts it.
"""

from supple.native.fold import build
from supple.native.graph import CONSTANT, Graph
from supple.native.passes.rebuild import rebuild
from supple.native.passes.terms import count_uses
from supple.native.program import Program

EVEN = frozenset({"cos", "cosh", "abs", "is_finite"})


def signs(program: Program) -> Program:
    """Remove negations by making other nodes with the opposite sign."""
    graph = program.graph
    flipped = _choose(program)

    def visit(new: Graph, node: int, image: list[int]) -> int | None:
        op, args = graph.op[node], graph.args[node]
        if op == "neg" and args[0] in flipped:
            return image[args[0]]
        if node not in flipped and flipped.isdisjoint(args):
            return None
        signed = [(-1 if arg in flipped else 1, image[arg]) for arg in args]
        return _signed_node(new, op, graph.dtype[node], -1 if node in flipped else 1, signed)

    return rebuild(program, visit, exact=True)


def _choose(program: Program) -> set[int]:
    """The nodes to make with the opposite sign."""
    graph = program.graph
    uses = count_uses(program)
    readers: dict[int, list[int]] = {}
    live = program.live
    negated = {graph.args[node][0] for node in live if graph.op[node] == "neg"}
    for node in live:
        for arg in graph.args[node]:
            if arg in negated:
                readers.setdefault(arg, []).append(node)
    fixed = set(program.output_nodes)
    flipped: set[int] = set()
    for node in sorted(negated - fixed):
        if all(_absorbs(graph, reader, node) for reader in readers[node]):
            way = _flip(graph, uses, node)
            if way is not None:
                flipped.update(way)
    return flipped


def _absorbs(graph: Graph, reader: int, node: int) -> bool:
    """Whether a reader takes either sign at the same cost."""
    op, args = graph.op[reader], graph.args[reader]
    if op == "sub":
        return args[0] != node
    return op in ("neg", "add") or op in EVEN or (op == "mul" and args == (node, node))


def _flip(graph: Graph, uses: list[int], node: int) -> list[int] | None:
    """The nodes whose signs change with this one at no cost, or None."""
    op, args = graph.op[node], graph.args[node]
    if op == "sub":
        return [node]
    if op in ("mul", "div", "add"):
        for arg in args:
            if op != "add" and graph.op[arg] == CONSTANT:
                return [node]
            inner = _flip(graph, uses, arg) if uses[arg] == 1 else None
            if inner is not None:
                return [node, *inner]
    return None


def _signed_node(graph: Graph, op: str, dtype: str, sign: int, args: list[tuple[int, int]]) -> int:
    """sign·op(±a, ±b) with the signs moved to where they cost nothing."""
    if op in ("add", "sub"):
        (s, a), (t, b) = args
        return _signed_sum(graph, dtype, (sign * s, a), (sign * t * (1 if op == "add" else -1), b))
    if op in ("mul", "div"):
        (s, a), (t, b) = args
        return _signed_product(graph, op, dtype, sign * s * t, (a, b))
    if op == "neg":
        return _negated(graph, args[0][1]) if sign * args[0][0] > 0 else args[0][1]
    operands = tuple(node if s > 0 or op in EVEN else _negated(graph, node) for s, node in args)
    return graph.node(op, dtype, operands)


def _signed_sum(graph: Graph, dtype: str, first: tuple[int, int], second: tuple[int, int]) -> int:
    (s, a), (t, b) = first, second
    if s == t:
        total = graph.node("add", dtype, (a, b))
        return total if s > 0 else _negated(graph, total)
    return graph.node("sub", dtype, (a, b) if s > 0 else (b, a))


def _signed_product(graph: Graph, op: str, dtype: str, sign: int, args: tuple[int, int]) -> int:
    if sign < 0:
        for position, arg in enumerate(args):
            if graph.value[arg] is not None:
                operands = list(args)
                operands[position] = build(graph, "neg", (arg,))
                return graph.node(op, dtype, tuple(operands))
        return _negated(graph, graph.node(op, dtype, args))
    return graph.node(op, dtype, args)


def _negated(graph: Graph, node: int) -> int:
    return graph.node("neg", graph.dtype[node], (node,))

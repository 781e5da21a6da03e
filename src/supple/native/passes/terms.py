"""Sums and products of many terms, as they stand in a graph of operations of two.

A chain of additions whose partial sums are used nowhere else is one sum of many terms, in any
order; so is a chain of products.
"""

from supple.native.graph import Graph
from supple.native.program import Program

Signed = tuple[int, int]  # (sign, node)


def count_uses(program: Program) -> list[int]:
    """How often each node is read by live nodes and outputs; dead nodes are not used."""
    uses = [0] * len(program.graph)
    args = program.graph.args
    for node in program.live:
        for arg in args[node]:
            uses[arg] += 1
    for node in program.output_nodes:
        uses[node] += 1
    return uses


def terms_of(graph: Graph, uses: list[int], root: int) -> list[Signed]:
    """The terms of the sum that ends in `root`, through partial sums that have no other use."""
    terms = []
    stack = [(1, root, True)]
    while stack:
        sign, node, own = stack.pop()
        op, args = graph.op[node], graph.args[node]
        if not own or op not in ("add", "sub", "neg"):
            terms.append((sign, node))
        elif op == "neg":
            stack.append((-sign, args[0], uses[args[0]] == 1))
        else:
            stack.append((sign if op == "add" else -sign, args[1], uses[args[1]] == 1))
            stack.append((sign, args[0], uses[args[0]] == 1))
    return terms


def factors_of(graph: Graph, uses: list[int], root: int) -> list[int]:
    """The factors of the product that ends in `root`, through products that have no other use."""
    factors = []
    stack = [(root, True)]
    while stack:
        node, own = stack.pop()
        if own and graph.op[node] == "mul":
            stack.extend((arg, uses[arg] == 1) for arg in reversed(graph.args[node]))
        else:
            factors.append(node)
    return factors


def absorbed(program: Program, uses: list[int]) -> bytearray:
    """Marks partial sums and products that vanish into a longer chain."""
    graph = program.graph
    inside = bytearray(len(graph))
    for node in program.live:
        op = graph.op[node]
        if op in ("add", "sub"):
            for arg in graph.args[node]:
                if uses[arg] == 1 and graph.op[arg] in ("add", "sub", "neg"):
                    inside[arg] = 1
        elif op == "mul":
            for arg in graph.args[node]:
                if uses[arg] == 1 and graph.op[arg] == "mul":
                    inside[arg] = 1
    return inside

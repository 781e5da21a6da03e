"""Fuse: a·b + c is one operation where nothing else needs the product.

Rounded once where the processor has the instruction, twice elsewhere. Negations of what is multiplied or
added cost nothing there, so differences are fused as well.
"""

from supple.native.graph import FLOATS, Graph
from supple.native.passes.rebuild import rebuild
from supple.native.passes.terms import count_uses
from supple.native.program import Program


def fuse(program: Program) -> Program:
    """Make fused multiply-adds of sums and differences with a product that has no other use."""
    graph = program.graph
    uses = count_uses(program)

    def product(node: int) -> bool:
        return graph.op[node] == "mul" and uses[node] == 1

    def visit(new: Graph, node: int, image: list[int]) -> int | None:
        op, dtype = graph.op[node], graph.dtype[node]
        if op not in ("add", "sub") or dtype not in FLOATS:
            return None
        one, other = graph.args[node]
        # Of two products the younger is fused: it is ready later.
        fused = max((arg for arg in (one, other) if product(arg)), default=None)
        if fused is None:
            return None
        a, b = (image[factor] for factor in graph.args[fused])
        rest = image[other if fused == one else one]
        if op == "sub" and fused == one:
            rest = _opposite(new, rest, dtype)
        elif op == "sub":
            a = _opposite(new, a, dtype)
        return new.node("fma", dtype, (a, b, rest))

    return rebuild(program, visit, exact=True)


def _opposite(graph: Graph, node: int, dtype: str) -> int:
    if graph.op[node] == "neg":
        return graph.args[node][0]
    if graph.value[node] is not None:
        return graph.constant(-graph.value[node], dtype)
    return graph.node("neg", dtype, (node,))

"""Divide: a·(1/b) is a/b again where nothing else needs the reciprocal."""

from supple.native.graph import Graph
from supple.native.passes.rebuild import rebuild
from supple.native.passes.terms import count_uses
from supple.native.program import Program


def divide(program: Program) -> Program:
    """Restore single quotients.

    Two or more quotients of one denominator keep the reciprocal: a division costs as much as
    many multiplications.
    """
    graph = program.graph
    uses = count_uses(program)

    def single(node: int) -> bool:
        return graph.op[node] == "reciprocal" and uses[node] == 1

    def visit(new: Graph, node: int, image: list[int]) -> int | None:
        if graph.op[node] == "mul":
            for n, r in (graph.args[node], graph.args[node][::-1]):
                if single(r):
                    return new.node("div", graph.dtype[node], (image[n], image[graph.args[r][0]]))
        return None

    return rebuild(program, visit, exact=True)

"""Factor: x·y + x·z is x·(y + z) where the products have no other use."""

from collections import Counter

from supple.native.fold.ring import add, mul, neg
from supple.native.graph import Graph
from supple.native.passes.rebuild import rebuild
from supple.native.passes.terms import absorbed, count_uses, factors_of, terms_of
from supple.native.program import Program

Monomial = tuple[int, list[int]]  # (sign, factors)


def factor(program: Program) -> Program:
    """Take common factors out of sums, the most frequent first."""
    graph = program.graph
    uses = count_uses(program)
    hidden = absorbed(program, uses)
    for node in program.live:
        if graph.op[node] in ("add", "sub"):
            for _, term in terms_of(graph, uses, node):
                if graph.op[term] == "mul" and uses[term] == 1:
                    hidden[term] = 1

    def visit(new: Graph, node: int, image: list[int]) -> int | None:
        if hidden[node]:
            return -1
        if graph.op[node] == "mul":
            return _product(new, [image[x] for x in factors_of(graph, uses, node)])
        if graph.op[node] not in ("add", "sub"):
            return None
        monomials = []
        for sign, term in terms_of(graph, uses, node):
            parts = factors_of(graph, uses, term) if hidden[term] else [term]
            monomials.append((sign, [image[part] for part in parts]))
        return _sum(new, monomials)

    return rebuild(program, visit)


def _sum(graph: Graph, monomials: list[Monomial]) -> int:
    """The sum of products, common factors outside."""
    total = None
    while monomials:
        common = _most_common(monomials)
        if common is None:
            rest, monomials = monomials, []
            for sign, factors in rest:
                total = _plus(graph, total, sign, _product(graph, factors))
            break
        inside = [(sign, _without(factors, common)) for sign, factors in monomials if _has(factors, common)]
        monomials = [(sign, factors) for sign, factors in monomials if not _has(factors, common)]
        total = _plus(graph, total, 1, mul(graph, common, _sum(graph, inside)))
    assert total is not None
    return total


def _plus(graph: Graph, total: int | None, sign: int, node: int) -> int:
    signed = node if sign > 0 else neg(graph, node)
    return signed if total is None else add(graph, total, signed)


def _product(graph: Graph, factors: list[int]) -> int:
    product = factors[0]
    for node in factors[1:]:
        product = mul(graph, product, node)
    return product


def _has(factors: list[int], common: int) -> bool:
    return len(factors) > 1 and common in factors


def _without(factors: list[int], common: int) -> list[int]:
    rest = list(factors)
    rest.remove(common)
    return rest


def _most_common(monomials: list[Monomial]) -> int | None:
    """The factor of most products, at least two; of equals the oldest node."""
    counts = Counter(x for _, factors in monomials if len(factors) > 1 for x in set(factors))
    best = max(counts.items(), key=lambda item: (item[1], -item[0]), default=(0, 0))
    return best[0] if best[1] > 1 else None

"""Share: parts that several long sums, or several long products, have in common are made once.

a + b + c and a + b + d both contain a + b, however they were bracketed. The pair that most chains
contain is made a term of its own, and so on until no pair stands twice: Hosangadi, Fallah and
Kastner, "Optimizing polynomial expressions by algebraic factorization and common subexpression
elimination", 2006.
"""

import heapq
from itertools import combinations

from supple.native.fold.ring import add, mul, neg
from supple.native.graph import Graph
from supple.native.passes.rebuild import rebuild
from supple.native.passes.terms import Signed, absorbed, count_uses, factors_of, terms_of
from supple.native.program import Program

Pair = tuple[int, int, int]  # (older atom, younger atom, relative sign)

# Chains longer than this are left as they are: the number of their pairs grows as the square.
LONGEST_CHAIN = 64


class Chains:
    """Sums (or products, whose signs are all +1) as lists of signed atoms.

    An atom is a node, or from `first_new` on a pair that was made; `made[atom - first_new]` tells of which.
    """

    def __init__(self, chains: dict[int, list[Signed]], first_new: int) -> None:
        self.chains = chains
        self.first_new = first_new
        self.made: list[Pair] = []
        self._owners: dict[Pair, set[int]] = {}
        for root, chain in chains.items():
            self._enter(root, combinations(chain, 2))
        self._heap = [(-len(owners), pair) for pair, owners in self._owners.items() if len(owners) > 1]
        heapq.heapify(self._heap)

    def extract(self) -> None:
        """Make pairs, the most frequent first, until none stands in two chains."""
        while self._heap:
            count, pair = heapq.heappop(self._heap)
            owners = self._owners.get(pair, ())
            if len(owners) < 2:
                continue
            if len(owners) != -count:
                heapq.heappush(self._heap, (-len(owners), pair))
                continue
            self._make(pair)

    def _enter(self, root: int, pairs) -> None:
        for one, other in pairs:
            self._owners.setdefault(_pair(one, other), set()).add(root)

    def _make(self, pair: Pair) -> None:
        atom = self.first_new + len(self.made)
        self.made.append(pair)
        touched = set()
        for root in sorted(self._owners.pop(pair)):
            before = self.chains[root]
            after = _replaced(before, pair, atom)
            self.chains[root] = after
            old = {_pair(one, other) for one, other in combinations(before, 2)}
            new = {_pair(one, other) for one, other in combinations(after, 2)}
            for gone in old - new:
                self._owners.get(gone, set()).discard(root)
            for came in new - old:
                self._owners.setdefault(came, set()).add(root)
                touched.add(came)
        for came in touched:
            if len(self._owners[came]) > 1:
                heapq.heappush(self._heap, (-len(self._owners[came]), came))


def _pair(one: Signed, other: Signed) -> Pair:
    (s, a), (t, b) = one, other
    return (a, b, s * t) if a <= b else (b, a, s * t)


def _replaced(chain: list[Signed], pair: Pair, atom: int) -> list[Signed]:
    """The chain with the pair as one atom, which has the sign of the pair's older part."""
    older, younger, relative = pair
    for position, (sign, node) in enumerate(chain):
        if node != older:
            continue
        for other, (other_sign, other_node) in enumerate(chain):
            if other != position and other_node == younger and sign * other_sign == relative:
                kept = [term for index, term in enumerate(chain) if index not in (position, other)]
                return [*kept, (sign, atom)]
    return chain


def share(program: Program) -> Program:
    """Make common parts of long sums and products once."""
    graph = program.graph
    uses = count_uses(program)
    hidden = absorbed(program, uses)
    sums, products = {}, {}
    for node in program.live:
        if hidden[node]:
            continue
        if graph.op[node] in ("add", "sub"):
            sums[node] = terms_of(graph, uses, node)
        elif graph.op[node] == "mul":
            products[node] = [(1, factor) for factor in factors_of(graph, uses, node)]
    found = []
    for chains in (sums, products):
        short = {root: chain for root, chain in chains.items() if len(chain) <= LONGEST_CHAIN}
        shared = Chains(short, len(graph))
        shared.extract()
        chains.update(shared.chains)
        found.append(shared)
    makers = (_Maker(found[0], add, sums), _Maker(found[1], mul, products))

    def visit(new: Graph, node: int, image: list[int]) -> int | None:
        if hidden[node]:
            return -1
        for maker in makers:
            if node in maker.chains:
                return maker.chain(new, node, image)
        return None

    return rebuild(program, visit)


class _Maker:
    """Builds chains and the pairs in them in a new graph."""

    def __init__(self, found: Chains, combine, chains: dict[int, list[Signed]]) -> None:
        self.found = found
        self.combine = combine
        self.chains = chains
        self.known: dict[int, int] = {}

    def atom(self, graph: Graph, atom: int, image: list[int]) -> int:
        """The node of an atom."""
        if atom < self.found.first_new:
            return image[atom]
        if atom not in self.known:
            older, younger, relative = self.found.made[atom - self.found.first_new]
            one, other = self.atom(graph, older, image), self.atom(graph, younger, image)
            self.known[atom] = self.combine(graph, one, other if relative > 0 else neg(graph, other))
        return self.known[atom]

    def chain(self, graph: Graph, root: int, image: list[int]) -> int:
        """The node of a chain: its atoms from the oldest to the youngest."""
        signed = [(self.atom(graph, atom, image), sign) for sign, atom in self.chains[root]]
        total = None
        for node, sign in sorted(signed):
            part = node if sign > 0 else neg(graph, node)
            total = part if total is None else self.combine(graph, total, part)
        assert total is not None
        return total

"""The order in which a program's nodes are computed: elementary functions gathered, the rest where it is needed.

An elementary function takes many operations, of which the processor can do several arguments' at a
time in the lanes of one register. So calls of the same function that do not need one another are made
together: first all that needs no call, then what needs one, and so on. In between stands only what the
next calls read; everything else comes at the end, depth first, so that values are used soon after they
are made.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from supple.native.graph import CONSTANT, FLOATS, INPUT, Graph
from supple.native.math import EXPANSIONS
from supple.native.program import Program

# Functions that share most of their work if they have the same argument.
FAMILIES = {"sin": "angle", "cos": "angle"}


@dataclass(frozen=True)
class Call:
    """Elementary functions of several arguments: `results[k][i]` is the node of `ops[i]` of `arguments[k]`."""

    ops: tuple[str, ...]
    dtype: str
    arguments: tuple[tuple[int, ...], ...]
    results: tuple[tuple[int, ...], ...]


Item = int | Call


def is_call(graph: Graph, node: int) -> bool:
    """Whether a node is an elementary function, and not one or a few instructions."""
    op = graph.op[node]
    return op in EXPANSIONS and (op != "rem" or graph.dtype[node] in FLOATS)


def order(program: Program, arguments_per_call: int) -> list[Item]:
    """Everything that is to be computed, in an order in which nothing is read before it is made."""
    graph = program.graph
    levels = _levels(program)
    done = bytearray(len(graph))
    items: list[Item] = []
    for level in range(1, max(levels.values(), default=0) + 1):
        calls = _calls(graph, [node for node, at in levels.items() if at == level], arguments_per_call)
        items += _depth_first(graph, (arg for call in calls for row in call.arguments for arg in row), done)
        items += calls
        for call in calls:
            for row in call.results:
                for node in row:
                    done[node] = 1
    return [*items, *_depth_first(graph, program.output_nodes, done)]


def _levels(program: Program) -> dict[int, int]:
    """Elementary functions, and how many stand on the longest path to each, itself included."""
    graph = program.graph
    depth = [0] * len(graph)
    levels = {}
    for node in program.live:
        depth[node] = max((depth[arg] for arg in graph.args[node]), default=0)
        if is_call(graph, node):
            depth[node] += 1
            levels[node] = depth[node]
    return levels


def _calls(graph: Graph, nodes: Sequence[int], arguments_per_call: int) -> list[Call]:
    """Calls of one level, those of one family and argument as one, at most so many arguments each."""
    by_argument: dict[tuple, dict[str, int]] = {}
    for node in nodes:
        op = graph.op[node]
        key = (FAMILIES.get(op, op), graph.dtype[node], graph.args[node])
        by_argument.setdefault(key, {})[op] = node
    groups: dict[tuple, list[tuple]] = {}
    for (_, dtype, arguments), found in by_argument.items():
        ops = tuple(sorted(found))
        groups.setdefault((ops, dtype), []).append((arguments, tuple(found[op] for op in ops)))
    calls = []
    for (ops, dtype), rows in groups.items():
        for first in range(0, len(rows), arguments_per_call):
            part = rows[first : first + arguments_per_call]
            calls.append(Call(ops, dtype, tuple(row[0] for row in part), tuple(row[1] for row in part)))
    return calls


def _depth_first(graph: Graph, roots: Iterable[int], done: bytearray) -> list[int]:
    """What the roots need and is not done yet, each node after its operands; marks it as done."""
    found = []
    for root in roots:
        stack = [root]
        while stack:
            node = stack[-1]
            if done[node] or graph.op[node] in (CONSTANT, INPUT):
                stack.pop()
                continue
            waiting = [arg for arg in graph.args[node] if not done[arg] and graph.op[arg] not in (CONSTANT, INPUT)]
            if waiting:
                stack += reversed(waiting)
            else:
                stack.pop()
                done[node] = 1
                found.append(node)
    return found

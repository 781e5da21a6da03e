"""Elementary functions as C functions: the same operations as in machine code, so the same bits."""

from supple.native.c.expressions import EXPRESSIONS, Definitions
from supple.native.c.types import C_TYPES, literal
from supple.native.graph import CONSTANT, INPUT, Graph
from supple.native.machine.kernels import live
from supple.native.math import EXPANSIONS, FALLBACKS
from supple.native.math.value import Expansion

OPERANDS = ("a", "b")


def call_kernel(defined: Definitions, ops: tuple[str, ...], dtype: str, operands: list[str], results: list[str]) -> str:
    """A statement that computes functions of the same operands into variables."""
    name = f"{'_'.join(ops)}_{dtype}"
    if name not in defined:
        defined[name] = _define(defined, name, ops, dtype, len(operands))
    return f"{name}({', '.join([*operands, *(f'&{result}' for result in results)])});"


def _define(defined: Definitions, name: str, ops: tuple[str, ...], dtype: str, arity: int) -> str:
    operands = OPERANDS[:arity]
    lines = []
    if ops[0] in FALLBACKS:
        fallback = [FALLBACKS[op] for op in ops]
        needed, slow = _expand(defined, [fallback[0].needed], dtype, operands, "n")
        rare, values = _expand(defined, [each.slow for each in fallback], dtype, operands, "s")
        lines += [
            *needed,
            f"if ({slow[0]}) {{",
            *(f"    {line}" for line in rare),
            *_store(values, "    "),
            "    return;",
        ]
        lines.append("}")
    common, values = _expand(defined, [EXPANSIONS[op] for op in ops], dtype, operands, "t")
    lines += [*common, *_store(values, "")]
    type_ = C_TYPES[dtype]
    parameters = [*(f"{type_} {operand}" for operand in operands), *(f"{type_} *r{k}" for k in range(len(ops)))]
    body = "\n".join(f"    {line}" for line in lines)
    return f"static void {name}({', '.join(parameters)})\n{{\n{body}\n}}\n"


def _store(values: list[str], indent: str) -> list[str]:
    return [f"{indent}*r{k} = {value};" for k, value in enumerate(values)]


def _expand(
    defined: Definitions, expansions: list[Expansion], dtype: str, operands: tuple[str, ...], stem: str
) -> tuple[list[str], list[str]]:
    """Statements that compute expansions of the same operands, and their results."""
    graph = Graph()
    inputs = [graph.input(dtype) for _ in operands]
    roots = [expand(graph, *inputs) for expand in expansions]
    values = dict(zip(inputs, operands, strict=True))
    lines = []
    for node in live(graph, roots):
        op = graph.op[node]
        if op == CONSTANT:
            values[node] = literal(graph.value[node], graph.dtype[node])
        elif op != INPUT:
            values[node] = f"{stem}{node}"
            lines.append(assign(defined, graph, node, values))
    return lines, [values[root] for root in roots]


def assign(defined: Definitions, graph: Graph, node: int, values: dict[int, str]) -> str:
    """The statement that computes a node into the variable that `values` says."""
    args = graph.args[node]
    operands = [values[arg] for arg in args]
    value = EXPRESSIONS[graph.op[node]](defined, graph.dtype[node], graph.dtype[args[-1]], *operands)
    return f"const {C_TYPES[graph.dtype[node]]} {values[node]} = {value};"

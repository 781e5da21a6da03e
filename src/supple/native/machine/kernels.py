"""Elementary functions as functions of vectors: the common path, and a branch to the rest."""

from supple.native.graph import CONSTANT, INPUT, Graph
from supple.native.machine.instructions import INSTRUCTIONS
from supple.native.machine.types import SCALAR_TYPES
from supple.native.machine.writer import Writer
from supple.native.math import EXPANSIONS, FALLBACKS
from supple.native.math.value import Expansion

OPERANDS = ("%a", "%b")


def kernel_name(ops: tuple[str, ...], dtype: str, lanes: int) -> str:
    """The symbol of a kernel."""
    return f"{'_'.join(ops)}_{dtype}_{lanes}"


def vector(lanes: int, dtype: str) -> str:
    """The type of one operand or result."""
    return SCALAR_TYPES[dtype] if lanes == 1 else f"<{lanes} x {SCALAR_TYPES[dtype]}>"


def results_type(ops: tuple[str, ...], dtype: str, lanes: int) -> str:
    """The type that a kernel returns: one vector, or a structure of them."""
    type_ = vector(lanes, dtype)
    return type_ if len(ops) == 1 else f"{{ {', '.join([type_] * len(ops))} }}"


def define_kernel(ops: tuple[str, ...], dtype: str, lanes: int, arity: int) -> str:
    """The function that computes `ops` of the same operands, and that of their fallbacks if they have any."""
    w = Writer(lanes)
    results = inline(w, [EXPANSIONS[op] for op in ops], dtype, OPERANDS[:arity])
    text = ""
    if ops[0] in FALLBACKS:
        text = _define(
            "cold noinline",
            f"slow_{kernel_name(ops, dtype, lanes)}",
            ops,
            dtype,
            arity,
            _slow(ops, dtype, lanes, arity),
        )
        results = _branch(w, ops, dtype, arity, results)
    _return(w, results, results_type(ops, dtype, lanes), vector(lanes, dtype))
    return text + _define("", kernel_name(ops, dtype, lanes), ops, dtype, arity, w)


def inline(w: Writer, expansions: list[Expansion], dtype: str, operands: tuple[str, ...]) -> list[str]:
    """Write expansions of the same operands and return their values."""
    graph = Graph()
    inputs = [graph.input(dtype) for _ in operands]
    roots = [expand(graph, *inputs) for expand in expansions]
    values = dict(zip(inputs, operands, strict=True))
    for node in live(graph, roots):
        if graph.op[node] != INPUT:
            values[node] = instruct(w, graph, node, values)
    return [values[root] for root in roots]


def live(graph: Graph, roots: list[int]) -> list[int]:
    """The nodes that roots need, in order of evaluation."""
    needed = set(roots)
    for node in range(len(graph) - 1, -1, -1):
        if node in needed:
            needed.update(graph.args[node])
    return sorted(needed)


def instruct(w: Writer, graph: Graph, node: int, values: dict[int, str]) -> str:
    """Write the instructions of one node, or a constant."""
    if graph.op[node] == CONSTANT:
        return w.constant(graph.value[node], graph.dtype[node])
    args = graph.args[node]
    return INSTRUCTIONS[graph.op[node]](w, graph.dtype[node], graph.dtype[args[-1]], *(values[arg] for arg in args))


def _slow(ops: tuple[str, ...], dtype: str, lanes: int, arity: int) -> Writer:
    w = Writer(lanes)
    results = inline(w, [FALLBACKS[op].slow for op in ops], dtype, OPERANDS[:arity])
    _return(w, results, results_type(ops, dtype, lanes), vector(lanes, dtype))
    return w


def _branch(w: Writer, ops: tuple[str, ...], dtype: str, arity: int, fast: list[str]) -> list[str]:
    """The results, with those of the fallback in the lanes that need it."""
    (needed,) = inline(w, [FALLBACKS[ops[0]].needed], dtype, OPERANDS[:arity])
    type_, returned = vector(w.lanes, dtype), results_type(ops, dtype, w.lanes)
    anywhere = needed
    if w.lanes > 1:
        anywhere = w.let(f"call i1 @llvm.vector.reduce.or.v{w.lanes}i1({w.type('bool')} {needed})")
    w.do(f"br i1 {anywhere}, label %rare, label %common, !prof !0")
    w.label("rare")
    arguments = ", ".join(f"{type_} {operand}" for operand in OPERANDS[:arity])
    slow = w.let(f"call fastcc {returned} @slow_{kernel_name(ops, dtype, w.lanes)}({arguments})")
    chosen = []
    for index, value in enumerate(fast):
        part = slow if len(fast) == 1 else w.let(f"extractvalue {returned} {slow}, {index}")
        chosen.append(w.let(f"select {w.type('bool')} {needed}, {type_} {part}, {type_} {value}"))
    w.do("br label %end")
    w.label("common")
    w.do("br label %end")
    w.label("end")
    return [w.let(f"phi {type_} [ {a}, %rare ], [ {b}, %common ]") for a, b in zip(chosen, fast, strict=True)]


def _return(w: Writer, results: list[str], returned: str, type_: str) -> None:
    if len(results) == 1:
        w.do(f"ret {returned} {results[0]}")
        return
    structure = "poison"
    for index, value in enumerate(results):
        structure = w.let(f"insertvalue {returned} {structure}, {type_} {value}, {index}")
    w.do(f"ret {returned} {structure}")


def _define(attributes: str, name: str, ops: tuple[str, ...], dtype: str, arity: int, w: Writer) -> str:
    type_ = vector(w.lanes, dtype)
    parameters = ", ".join(f"{type_} {operand}" for operand in OPERANDS[:arity])
    body = "\n".join(w.lines)
    returned = results_type(ops, dtype, w.lanes)
    return f"define internal fastcc {returned} @{name}({parameters}) {attributes} #0 {{\n{body}\n}}\n"

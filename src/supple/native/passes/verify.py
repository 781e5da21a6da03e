"""The verifier: what must hold of every program, checked between passes."""

from supple.native.graph import CONSTANT, INPUT, TYPES, Graph
from supple.native.operations import ARITY, PREDICATES, TYPED
from supple.native.program import Program

LEAVES = (CONSTANT, INPUT)


class MalformedProgramError(Exception):
    """A pass has made a program that means nothing: a defect of the compiler, not of its user."""


def verify(program: Program) -> None:
    """Check operations, order of evaluation, types, inputs and outputs."""
    graph = program.graph
    for node, args in enumerate(graph.args):
        if any(not 0 <= arg < node for arg in args):
            raise MalformedProgramError(f"node {node} = {graph.op[node]}{args} reads what is not made before it")
    live = program.live
    for node in live:
        fault = _fault(graph, node)
        if fault:
            arguments = ", ".join(map(str, graph.args[node]))
            raise MalformedProgramError(f"node {node} = {graph.op[node]}({arguments}) {fault}")
    known = {node for leaf in program.inputs for node in leaf.ravel().tolist()}
    unknown = [node for node in live if graph.op[node] == INPUT and node not in known]
    if unknown:
        raise MalformedProgramError(f"node {unknown[0]} is an input of no argument")


def _fault(graph: Graph, node: int) -> str | None:
    """What is wrong with a node, or None."""
    op, args, dtype = graph.op[node], graph.args[node], graph.dtype[node]
    if dtype not in TYPES:
        return f"has the unknown type {dtype}"
    if (graph.value[node] is not None) != (op == CONSTANT):
        return "is a constant without a value, or has a value without being one"
    if len(args) != (0 if op in LEAVES else ARITY.get(op, -1)):
        return "is no operation on so many operands"
    return _type_fault(op, [graph.dtype[arg] for arg in args], dtype)


def _type_fault(op: str, operands: list[str], dtype: str) -> str | None:
    if op in LEAVES or op in TYPED:
        return None
    if op == "select":
        if operands[0] != "bool":
            return "chooses by what is not a truth value"
        operands = operands[1:]
    if op == "pow":
        operands = operands[:1]
    if len(set(operands)) > 1:
        return f"mixes {' and '.join(operands)}"
    if dtype != ("bool" if op in PREDICATES else operands[0]):
        return f"gives {dtype} from {operands[0]}"
    return None

"""A program as one module of LLVM's assembly language: chunks of straight-line code and what calls them."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from supple.native.graph import CONSTANT
from supple.native.machine.handler import write_handler
from supple.native.machine.instructions import INSTRUCTIONS, LIBRARY
from supple.native.machine.kernels import define_kernel, kernel_name, results_type, vector
from supple.native.machine.order import Call, Item, order
from supple.native.machine.places import Places
from supple.native.machine.target import Target
from supple.native.machine.writer import Writer
from supple.native.program import Program

# Operations per function: LLVM's time grows faster than a function's length.
CHUNK = 500

SIGNATURE = "(ptr noalias %inputs, ptr noalias %outputs, ptr noalias %frame)"
ARGUMENTS = "(ptr %inputs, ptr %outputs, ptr %frame)"


@dataclass(frozen=True)
class Body:
    """The functions that compute one state, or one in each lane, and how they use the frame."""

    text: str
    chunks: int
    places: Places


def split(items: Sequence[Item]) -> list[list[Item]]:
    """Chunks of about equal length."""
    count = max(1, round(len(items) / CHUNK))
    bounds = [len(items) * k // count for k in range(count + 1)]
    return [list(items[first:last]) for first, last in itertools.pairwise(bounds)]


def reads(program: Program, item: Item) -> tuple[int, ...]:
    """The nodes that an item reads."""
    return tuple(arg for row in item.arguments for arg in row) if isinstance(item, Call) else program.graph.args[item]


def makes(item: Item) -> tuple[int, ...]:
    """The nodes that an item makes."""
    return tuple(node for row in item.results for node in row) if isinstance(item, Call) else (item,)


def write_body(program: Program, target: Target, lanes: int) -> Body:
    """The chunks, the kernels that they call, and `body`, which calls them one after another."""
    places = Places(program, lanes)
    per_call = 1 if lanes > 1 else target.vector_bits // 64
    chunks = split(order(program, per_call))
    last_read = {node: k for k, chunk in enumerate(chunks) for item in chunk for node in reads(program, item)}
    kernels: dict[str, str] = {}
    texts = []
    for k, chunk in enumerate(chunks):
        made = [node for item in chunk for node in makes(item)]
        for node in made:
            if last_read.get(node, -1) > k:
                places.keep(node)
        texts.append(_write_chunk(program, places, chunk, k, kernels))
        for node in {node for item in chunk for node in reads(program, item)}:
            if last_read[node] == k and places.keeps(node):
                places.drop(node)
    calls = "\n".join(f"  call void @chunk{k}{ARGUMENTS}" for k in range(len(chunks)))
    body = f"define internal void @body{SIGNATURE} #0 {{\n{calls}\n  ret void\n}}\n"
    return Body("\n".join([*kernels.values(), *texts, body]), len(chunks), places)


def _write_chunk(program: Program, places: Places, items: list[Item], number: int, kernels: dict[str, str]) -> str:
    graph = program.graph
    w = Writer(places.lanes)
    values: dict[int, str] = {}
    pointers: dict[int, str] = {}

    def read(node: int) -> str:
        if node not in values:
            is_constant = graph.op[node] == CONSTANT
            values[node] = (
                w.constant(graph.value[node], graph.dtype[node]) if is_constant else places.load(w, node, pointers)
            )
        return values[node]

    if number == 0:
        for node in places.loose_outputs:
            places.store(w, node, read(node))
    for item in items:
        if isinstance(item, Call):
            rows = [[read(arg) for arg in row] for row in item.arguments]
            for nodes, results in zip(item.results, _write_call(w, item, rows, kernels), strict=True):
                values.update(zip(nodes, results, strict=True))
        else:
            args = graph.args[item]
            operands = [read(arg) for arg in args]
            values[item] = INSTRUCTIONS[graph.op[item]](w, graph.dtype[item], graph.dtype[args[-1]], *operands)
        for node in makes(item):
            places.store(w, node, values[node])
    body = "\n".join(w.lines)
    return f"define internal void @chunk{number}{SIGNATURE} #0 {{\n{body}\n  ret void\n}}\n"


def _write_call(w: Writer, call: Call, rows: list[list[str]], kernels: dict[str, str]) -> list[list[str]]:
    """The results of a call, one list per argument."""
    lanes = w.lanes if w.lanes > 1 else 1 << (len(rows) - 1).bit_length()
    arity = len(rows[0])
    name = kernel_name(call.ops, call.dtype, lanes)
    if name not in kernels:
        kernels[name] = define_kernel(call.ops, call.dtype, lanes, arity)
    type_, returned = vector(lanes, call.dtype), results_type(call.ops, call.dtype, lanes)
    is_packed = lanes != w.lanes
    operands = [
        _pack(w, call.dtype, lanes, [row[k] for row in rows]) if is_packed else rows[0][k] for k in range(arity)
    ]
    given = ", ".join(f"{type_} {operand}" for operand in operands)
    result = w.let(f"call fastcc {returned} @{name}({given})")
    parts = [result]
    if len(call.ops) > 1:
        parts = [w.let(f"extractvalue {returned} {result}, {k}") for k in range(len(call.ops))]
    if not is_packed:
        return [parts]
    return [[w.let(f"extractelement {type_} {part}, i32 {k}") for part in parts] for k in range(len(rows))]


def _pack(w: Writer, dtype: str, lanes: int, values: list[str]) -> str:
    """Numbers side by side; the first fills the lanes that are left."""
    type_, scalar = vector(lanes, dtype), vector(1, dtype)
    packed = "poison"
    for lane in range(lanes):
        value = values[lane] if lane < len(values) else values[0]
        packed = w.let(f"insertelement {type_} {packed}, {scalar} {value}, i32 {lane}")
    return packed


def finish(parts: Sequence[str], target: Target) -> str:
    """A module of functions with what all of them refer to."""
    return "\n".join(
        [
            f'target triple = "{target.triple}"',
            *LIBRARY,
            *parts,
            f"attributes #0 = {{ {target.attributes} }}",
            '!0 = !{!"branch_weights", i32 1, i32 1048576}',
            "!1 = !{}",
        ]
    )


def write_single(program: Program, target: Target) -> tuple[str, Body]:
    """The module of `one(inputs, outputs, frame)`: tables of the leaves' addresses, and memory to work in."""
    body = write_body(program, target, 1)
    one = f"define void @one{SIGNATURE} #0 {{\n  call void @body{ARGUMENTS}\n  ret void\n}}\n"
    handler = write_handler(len(program.inputs), len(program.outputs), f"call void @body{ARGUMENTS}")
    return finish([body.text, one, handler], target), body

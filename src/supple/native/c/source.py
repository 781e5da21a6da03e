"""A program as a C file and its header."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.native.c.expressions import Definitions
from supple.native.c.kernels import assign, call_kernel
from supple.native.c.types import C_TYPES, literal
from supple.native.graph import CONSTANT, INPUT
from supple.native.machine.frame import Frame
from supple.native.machine.module import makes, reads, split
from supple.native.machine.order import Call, Item, order
from supple.native.program import Program
from supple.native.signature import Leaf, Signature


@dataclass(frozen=True)
class Parameter:
    """One array of the C function."""

    name: str
    leaf: Leaf

    @property
    def size(self) -> int:
        """How many numbers it holds; one at least, for C has no empty arrays."""
        return max(1, int(np.prod(self.leaf.shape)))

    @property
    def type(self) -> str:
        """Its type in C."""
        return C_TYPES[self.leaf.dtype.name]


@dataclass(frozen=True)
class Interface:
    """The C function's name and its arrays."""

    name: str
    inputs: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]

    @property
    def declaration(self) -> str:
        """The function's head."""
        parts = [f"const {p.type} {p.name}[{p.size}]" for p in self.inputs]
        parts += [f"{p.type} {p.name}[{p.size}]" for p in self.outputs]
        return f"void {self.name}({', '.join([*parts, f'{self.name}_workspace *w'])})"


def interface(name: str, signature: Signature) -> Interface:
    """Names for the arrays of a function, from where they stand in its arguments and result."""
    taken = {name}

    def parameters(leaves: Sequence[Leaf]) -> tuple[Parameter, ...]:
        return tuple(Parameter(_identifier(leaf.name, taken), leaf) for leaf in leaves)

    return Interface(name, parameters(signature.inputs), parameters(signature.outputs))


def _identifier(text: str, taken: set[str]) -> str:
    """A new name in C that says what an array is: argument[0].q is argument_0_q."""
    stem = "_".join(re.findall("[A-Za-z0-9]+", text))
    name = next(name for k in itertools.count(1) if (name := stem if k == 1 else f"{stem}_{k}") not in taken)
    taken.add(name)
    return name


@dataclass
class Workspace:
    """Arrays for the values that pass from one function to the next, one per type."""

    frames: dict[str, Frame]
    places: dict[int, tuple[str, int]]

    def keep(self, node: int, dtype: str) -> None:
        """Give a value a place."""
        self.places[node] = (dtype, self.frames.setdefault(dtype, Frame()).reserve(1))

    def drop(self, node: int) -> None:
        """The place is free again."""
        dtype, index = self.places.pop(node)
        self.frames[dtype].release(index, 1)

    def element(self, node: int) -> str:
        """The place of a value in C."""
        dtype, index = self.places[node]
        return f"w->{dtype}s[{index}]"


def write_source(program: Program, face: Interface) -> tuple[str, str]:
    """The C file and the header."""
    workspace, defined, chunks = Workspace({}, {}), Definitions(), []
    items = split(order(program, 1))
    last_read = {node: k for k, chunk in enumerate(items) for item in chunk for node in reads(program, item)}
    for k, chunk in enumerate(items):
        for node in (node for item in chunk for node in makes(item) if last_read.get(node, -1) > k):
            workspace.keep(node, program.graph.dtype[node])
        chunks.append(_write_chunk(program, face, workspace, defined, chunk, k))
        for node in {node for item in chunk for node in reads(program, item)}:
            if last_read[node] == k and node in workspace.places:
                workspace.drop(node)
    calls = [f"    chunk{k}({_arguments(face)});" for k in range(len(chunks))]
    main = f"{face.declaration}\n{{\n" + "\n".join(calls) + "\n}\n"
    head = f'#include <math.h>\n#include <stdint.h>\n#include "{face.name}.h"\n'
    return "\n".join([head, *defined.values(), *chunks, main]), _header(face, workspace)


def _arguments(face: Interface) -> str:
    return ", ".join([*(p.name for p in (*face.inputs, *face.outputs)), "w"])


def _header(face: Interface, workspace: Workspace) -> str:
    guard = f"{face.name.upper()}_H"
    members = [f"    {C_TYPES[dtype]} {dtype}s[{frame.size}];" for dtype, frame in sorted(workspace.frames.items())]
    lines = [
        f"/* Written by Supple. {face.name} allocates nothing, keeps no state, and calls nothing but <math.h>: it may",
        "   run in several threads at once, each with a workspace of its own. Arrays are in C's order; results may not",
        "   overlap arguments. Compile with fused multiply-add where the processor has it (-march=native on x86). */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "#include <stdint.h>",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        "",
        "typedef struct {",
        *(members or ["    char unused;"]),
        f"}} {face.name}_workspace;",
        "",
        *(f"/* {p.name}: {p.leaf.name}, of shape {p.leaf.shape} */" for p in (*face.inputs, *face.outputs)),
        f"{face.declaration};",
        "",
        "#ifdef __cplusplus",
        "}",
        "#endif",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def _write_chunk(
    program: Program, face: Interface, workspace: Workspace, defined: Definitions, items: list[Item], number: int
) -> str:
    graph = program.graph
    values: dict[int, str] = {}
    stores = _stores(program, face)
    lines: list[str] = []

    def read(node: int) -> str:
        if node not in values:
            if graph.op[node] == CONSTANT:
                values[node] = literal(graph.value[node], graph.dtype[node])
            elif node in workspace.places:
                values[node] = workspace.element(node)
            else:
                values[node] = sources[node]
        return values[node]

    sources = {
        node: f"{p.name}[{index}]"
        for p, nodes in zip(face.inputs, program.inputs, strict=True)
        for index, node in enumerate(nodes.ravel().tolist())
    }
    if number == 0:
        loose = [node for node in stores if graph.op[node] in (CONSTANT, INPUT)]
        lines += [f"{place} = {read(node)};" for node in loose for place in stores[node]]
    for item in items:
        for arg in reads(program, item):
            read(arg)
        made = makes(item)
        values.update({node: f"t{node}" for node in made})
        if isinstance(item, Call):
            for row, results in zip(item.arguments, item.results, strict=True):
                lines.append(f"{C_TYPES[item.dtype]} {', '.join(values[node] for node in results)};")
                operands = [values[arg] for arg in row]
                lines.append(call_kernel(defined, item.ops, item.dtype, operands, [values[node] for node in results]))
        else:
            lines.append(assign(defined, graph, item, values))
        for node in made:
            kept = [workspace.element(node)] if node in workspace.places else []
            lines += [f"{place} = {values[node]};" for place in (*kept, *stores.get(node, ()))]
    used = {word for line in lines for word in re.findall(r"[A-Za-z_]\w*", line)}
    names = [p.name for p in (*face.inputs, *face.outputs)] + ["w"]
    lines += [f"(void){name};" for name in names if name not in used]
    head = face.declaration.replace(f"void {face.name}(", f"static void chunk{number}(", 1)
    return head + "\n{\n" + "\n".join(f"    {line}" for line in lines) + "\n}\n"


def _stores(program: Program, face: Interface) -> dict[int, list[str]]:
    """Where each output goes."""
    stores: dict[int, list[str]] = {}
    for p, nodes in zip(face.outputs, program.outputs, strict=True):
        for index, node in enumerate(nodes.ravel().tolist()):
            stores.setdefault(node, []).append(f"{p.name}[{index}]")
    return stores

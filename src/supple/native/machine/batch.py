"""A program over a batch of states, as many at a time as a register has lanes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.native.machine.handler import write_handler
from supple.native.machine.module import ARGUMENTS, Body, finish, write_body
from supple.native.machine.places import POINTER_BYTES
from supple.native.machine.target import Target
from supple.native.machine.transpose import define_gather, define_scatter
from supple.native.machine.types import BITS
from supple.native.program import Program


@dataclass(frozen=True)
class Leaf:
    """One array of a state: where its address and its vectors are, how many numbers of how many bits it has."""

    table: str
    position: int
    offset: int
    size: int
    bits: int

    def rows(self, state: str) -> str:
        """Instructions that find the leaf's rows of a state, `%name`, and its vectors, `%name.v`."""
        name = f"%{self.table}{self.position}.{state}"
        return f"""  {name}.p = getelementptr i8, ptr %{self.table}, i64 {self.position * POINTER_BYTES}
  {name}.a = load ptr, ptr {name}.p
  {name}.o = mul i64 %{state}, {self.size * self.bits // 8}
  {name} = getelementptr i8, ptr {name}.a, i64 {name}.o
  {name}.v = getelementptr i8, ptr %frame, i64 {self.offset}"""

    def call(self, function: str, state: str, *others: str) -> str:
        """A call of a function of the rows, the vectors and other integers."""
        name = f"%{self.table}{self.position}.{state}"
        arguments = ", ".join([f"ptr {name}", f"ptr {name}.v", *(f"i64 {other}" for other in others)])
        return f"{self.rows(state)}\n  call void @{function}({arguments})"


def write_batch(program: Program, target: Target, lanes: int, is_batched: Sequence[bool]) -> tuple[str, Body]:
    """The module of `many(inputs, outputs, frame, first, last)`: the states [first, last) of a batch.

    Leaves that are not batched are the same for every state. At the end, where fewer states are left
    than there are lanes, the last state fills the lanes that are left over.
    """
    body = write_body(program, target, lanes)
    inputs = _leaves(program, "inputs", program.inputs, body.places.input_offsets)
    outputs = _leaves(program, "outputs", program.outputs, body.places.output_offsets)
    varying = [leaf for leaf in inputs if is_batched[leaf.position]]
    shared = [leaf for leaf in inputs if not is_batched[leaf.position]]
    movers = {(leaf.size, leaf.bits): define_gather(leaf.size, leaf.bits, lanes) for leaf in varying}
    texts = [*movers.values()]
    movers = {(leaf.size, leaf.bits): define_scatter(leaf.size, leaf.bits, lanes) for leaf in outputs}
    texts += movers.values()
    for bits in sorted({leaf.bits for leaf in [*inputs, *outputs]}):
        texts += [_define_fill(bits, lanes), _define_spill(bits, lanes)]
    many = "call void @many(ptr %inputs, ptr %outputs, ptr %frame, i64 0, i64 %states)"
    counted = next(position for position, varies in enumerate(is_batched) if varies)
    texts += [
        _write_loop(varying, shared, outputs, lanes),
        write_handler(len(program.inputs), len(program.outputs), many, counted),
    ]
    return finish([body.text, *texts], target), body


def _leaves(program: Program, table: str, arrays: Sequence[np.ndarray], offsets: Sequence[int]) -> list[Leaf]:
    """The leaves that are not empty."""
    return [
        Leaf(table, position, offset, nodes.size, max(8, BITS[program.graph.dtype[nodes.flat[0]]]))
        for position, (nodes, offset) in enumerate(zip(arrays, offsets, strict=True))
        if nodes.size
    ]


def _write_loop(varying: list[Leaf], shared: list[Leaf], outputs: list[Leaf], lanes: int) -> str:
    def calls(kind: str, leaves: list[Leaf]) -> str:
        return "\n".join(leaf.call(f"{kind}_{leaf.size}_{leaf.bits}", "state") for leaf in leaves)

    def partial(kind: str, leaves: list[Leaf], state: str, count: str) -> str:
        return "\n".join(leaf.call(f"{kind}_{leaf.bits}", state, str(leaf.size), count) for leaf in leaves)

    parameters = "ptr noalias %inputs, ptr noalias %outputs, ptr noalias %frame, i64 %first, i64 %last"
    return f"""define void @many({parameters}) #0 {{
entry:
  %zero = add i64 0, 0
{partial("fill", shared, "zero", "1")}
  %any = icmp slt i64 %first, %last
  br i1 %any, label %loop, label %end
loop:
  %state = phi i64 [ %first, %entry ], [ %next, %done ]
  %left = sub i64 %last, %state
  %whole = icmp sge i64 %left, {lanes}
  br i1 %whole, label %gather, label %fill
gather:
{calls("gather", varying)}
  br label %compute
fill:
  %fewer = add i64 %state, 0
{partial("fill", varying, "fewer", "%left")}
  br label %compute
compute:
  call void @body{ARGUMENTS}
  br i1 %whole, label %scatter, label %spill
scatter:
{calls("scatter", outputs)}
  br label %done
spill:
  %last_few = add i64 %state, 0
{partial("spill", outputs, "last_few", "%left")}
  br label %done
done:
  %next = add i64 %state, {lanes}
  %more = icmp slt i64 %next, %last
  br i1 %more, label %loop, label %end
end:
  ret void
}}
"""


def _define_fill(bits: int, lanes: int) -> str:
    """Rows to vectors, of fewer states than lanes: the last one is repeated."""
    copy = f"""  %is_left = icmp slt i64 %lane, %count
  %final = sub i64 %count, 1
  %row = select i1 %is_left, i64 %lane, i64 %final
  %before = mul i64 %row, %size
  %from = add i64 %before, %element
  %start = mul i64 %element, {lanes}
  %to = add i64 %start, %lane
  %source = getelementptr i{bits}, ptr %rows, i64 %from
  %target = getelementptr i{bits}, ptr %vectors, i64 %to"""
    return _define_partial(f"fill_{bits}", bits, str(lanes), copy)


def _define_spill(bits: int, lanes: int) -> str:
    """Vectors to rows, of fewer states than lanes."""
    copy = f"""  %start = mul i64 %element, {lanes}
  %from = add i64 %start, %lane
  %before = mul i64 %lane, %size
  %to = add i64 %before, %element
  %source = getelementptr i{bits}, ptr %vectors, i64 %from
  %target = getelementptr i{bits}, ptr %rows, i64 %to"""
    return _define_partial(f"spill_{bits}", bits, "%count", copy)


def _define_partial(name: str, bits: int, lanes: str, copy: str) -> str:
    """A function that copies number by number: for each element, each of so many lanes."""
    return f"""define internal void @{name}(ptr %rows, ptr %vectors, i64 %size, i64 %count) #0 {{
entry:
  br label %elements
elements:
  %element = phi i64 [ 0, %entry ], [ %next_element, %end_of_lanes ]
  br label %lanes
lanes:
  %lane = phi i64 [ 0, %elements ], [ %next_lane, %lanes ]
{copy}
  %number = load i{bits}, ptr %source
  store i{bits} %number, ptr %target
  %next_lane = add i64 %lane, 1
  %more_lanes = icmp slt i64 %next_lane, {lanes}
  br i1 %more_lanes, label %lanes, label %end_of_lanes
end_of_lanes:
  %next_element = add i64 %element, 1
  %more_elements = icmp slt i64 %next_element, %size
  br i1 %more_elements, label %elements, label %end
end:
  ret void
}}
"""

"""Where values lie in memory: inputs, outputs, and what passes from one function to the next."""

from collections.abc import Iterator
from dataclasses import dataclass

from supple.native.graph import CONSTANT, INPUT
from supple.native.machine.frame import Frame
from supple.native.machine.types import BYTES
from supple.native.machine.writer import Writer
from supple.native.program import Program

POINTER_BYTES = 8


@dataclass(frozen=True)
class Element:
    """One number of one leaf."""

    leaf: int
    index: int


class Places:
    """Addresses of the nodes of a program, for one state or for one state in each lane.

    One state is read from and written to the caller's arrays, leaf by leaf. Of a batch, the states at
    hand stand in the frame, one vector per element: `input_offsets` and `output_offsets` say where each
    leaf begins.
    """

    def __init__(self, program: Program, lanes: int) -> None:
        graph = program.graph
        self.graph = graph
        self.lanes = lanes
        self.frame = Frame()
        self.inputs = {
            node: Element(leaf, index)
            for leaf, nodes in enumerate(program.inputs)
            for index, node in enumerate(nodes.ravel().tolist())
        }
        self.outputs: dict[int, list[Element]] = {}
        for leaf, nodes in enumerate(program.outputs):
            for index, node in enumerate(nodes.ravel().tolist()):
                self.outputs.setdefault(node, []).append(Element(leaf, index))
        self._offsets: dict[int, int] = {}
        self.input_offsets: list[int] = []
        self.output_offsets: list[int] = []
        if lanes > 1:
            self.input_offsets = [self._block(nodes.ravel().tolist()) for nodes in program.inputs]
            self.output_offsets = [self._block(nodes.ravel().tolist()) for nodes in program.outputs]

    def _block(self, nodes: list[int]) -> int:
        return self.frame.block(sum(self.bytes(node) for node in nodes))

    def bytes(self, node: int) -> int:
        """The bytes of a value over all lanes."""
        return BYTES[self.graph.dtype[node]] * self.lanes

    def keep(self, node: int) -> None:
        """Give a value a place in the frame."""
        self._offsets[node] = self.frame.reserve(self.bytes(node))

    def drop(self, node: int) -> None:
        """The place is free again."""
        self.frame.release(self._offsets.pop(node), self.bytes(node))

    def keeps(self, node: int) -> bool:
        """Whether a value has a place in the frame of its own."""
        return node in self._offsets

    @property
    def loose_outputs(self) -> Iterator[int]:
        """Outputs that no instruction makes: constants and inputs."""
        return (node for node in self.outputs if self.graph.op[node] in (CONSTANT, INPUT))

    def load(self, w: Writer, node: int, pointers: dict[int, str]) -> str:
        """Read a value; `pointers` holds the leaves' addresses that this function has read already."""
        if node in self._offsets:
            address = self._at(w, "%frame", self._offsets[node])
        else:
            place = self.inputs[node]
            if self.lanes > 1:
                address = self._at(w, "%frame", self.input_offsets[place.leaf] + place.index * self.bytes(node))
            else:
                if place.leaf not in pointers:
                    pointers[place.leaf] = self._pointer(w, "%inputs", place.leaf)
                address = self._at(w, pointers[place.leaf], place.index * self.bytes(node))
        return w.load(self.graph.dtype[node], address)

    def store(self, w: Writer, node: int, value: str) -> None:
        """Write a value to where later functions and the caller look for it."""
        dtype = self.graph.dtype[node]
        if node in self._offsets:
            w.store(dtype, value, self._at(w, "%frame", self._offsets[node]))
        for place in self.outputs.get(node, ()):
            if self.lanes > 1:
                address = self._at(w, "%frame", self.output_offsets[place.leaf] + place.index * self.bytes(node))
            else:
                address = self._at(w, self._pointer(w, "%outputs", place.leaf), place.index * self.bytes(node))
            w.store(dtype, value, address)

    def _at(self, w: Writer, base: str, offset: int) -> str:
        return w.let(f"getelementptr i8, ptr {base}, i64 {offset}")

    def _pointer(self, w: Writer, table: str, leaf: int) -> str:
        return w.let(f"load ptr, ptr {self._at(w, table, leaf * POINTER_BYTES)}, align 8, !invariant.load !1")

"""LLVM's assembly language, written line by line: values of one lane, or of one lane per state of a batch."""

import struct

from supple.native.graph import Scalar
from supple.native.machine.frame import ALIGNMENT
from supple.native.machine.types import BITS, BYTES, SCALAR_TYPES, STORED_TYPES


class Writer:
    """The body of one function. Every value is a vector of `lanes` numbers, or a number if that is 1."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        self.lines: list[str] = []
        self._count = 0

    def type(self, dtype: str) -> str:
        """LLVM's name of a type, over all lanes."""
        return self.over_lanes(SCALAR_TYPES[dtype])

    def over_lanes(self, scalar: str) -> str:
        """A vector of one of LLVM's types, one per lane."""
        return scalar if self.lanes == 1 else f"<{self.lanes} x {scalar}>"

    def suffix(self, dtype: str) -> str:
        """How a type is called in the name of an intrinsic function."""
        scalar = f"f{BITS[dtype]}" if dtype.startswith("float") else SCALAR_TYPES[dtype]
        return scalar if self.lanes == 1 else f"v{self.lanes}{scalar}"

    def let(self, expression: str) -> str:
        """A new value."""
        self._count += 1
        name = f"%t{self._count}"
        self.lines.append(f"  {name} = {expression}")
        return name

    def do(self, statement: str) -> None:
        """An instruction without a result."""
        self.lines.append(f"  {statement}")

    def label(self, name: str) -> None:
        """The start of a block."""
        self.lines.append(f"{name}:")

    def name(self, stem: str) -> str:
        """A new name for a block."""
        self._count += 1
        return f"{stem}{self._count}"

    def constant(self, value: Scalar, dtype: str) -> str:
        """A constant in every lane."""
        text = literal(value, dtype)
        return text if self.lanes == 1 else f"splat ({SCALAR_TYPES[dtype]} {text})"

    def intrinsic(self, name: str, dtype: str, *operands: str, result: str | None = None) -> str:
        """The value of one of LLVM's intrinsic functions whose operands are all of one type."""
        type_, returned = self.type(dtype), self.type(result or dtype)
        suffix = self.suffix(dtype) if result is None else f"{self.suffix(result)}.{self.suffix(dtype)}"
        arguments = ", ".join(f"{type_} {operand}" for operand in operands)
        return self.let(f"call {returned} @llvm.{name}.{suffix}({arguments})")

    def load(self, dtype: str, address: str) -> str:
        """The value at an address, aligned as values over all lanes are."""
        stored = self.over_lanes(STORED_TYPES[dtype])
        value = self.let(f"load {stored}, ptr {address}, align {self._alignment(dtype)}")
        return value if dtype != "bool" else self.let(f"trunc {stored} {value} to {self.type(dtype)}")

    def store(self, dtype: str, value: str, address: str) -> None:
        """Write a value to an address."""
        stored = self.over_lanes(STORED_TYPES[dtype])
        if dtype == "bool":
            value = self.let(f"zext {self.type(dtype)} {value} to {stored}")
        self.do(f"store {stored} {value}, ptr {address}, align {self._alignment(dtype)}")

    def _alignment(self, dtype: str) -> int:
        return min(ALIGNMENT, BYTES[dtype] * self.lanes)


def literal(value: Scalar, dtype: str) -> str:
    """A number as LLVM reads it: floats by their bits, those of a double whatever their type."""
    if dtype == "bool":
        return "true" if value else "false"
    if dtype.startswith("float"):
        return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
    return str(int(value))

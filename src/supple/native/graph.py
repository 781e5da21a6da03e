"""The scalar graph: what a program is once arrays have vanished.

A node is an index into four parallel lists: its operation, the nodes it reads, its type, and its
value if it is a constant. Nodes are hash-consed (the same operation on the same operands is the
same node) and are created after what they read, so index order is an order of evaluation.
"""

import math
from typing import Any

import numpy as np

CONSTANT = "constant"
INPUT = "input"

FLOATS = frozenset({"float64", "float32"})
SIGNED = frozenset({"int8", "int16", "int32", "int64"})
UNSIGNED = frozenset({"uint8", "uint16", "uint32", "uint64"})
INTEGERS = SIGNED | UNSIGNED
TYPES = FLOATS | INTEGERS | {"bool"}

Scalar = float | int | bool
Key = tuple[str, str, tuple[int, ...]]


def _round_float32(value: Scalar) -> float:
    with np.errstate(over="ignore"):
        return float(np.float32(value))


def _wrap(bits: int, signed: bool):
    modulus, low = 1 << bits, (1 << (bits - 1) if signed else 0)
    return lambda value: (int(value) + low) % modulus - low


# A Python number as the nearest (float) or congruent (integer) number of the type.
NORMALISE = {
    "float64": float,
    "float32": _round_float32,
    "bool": bool,
    **{name: _wrap(np.iinfo(name).bits, name in SIGNED) for name in INTEGERS},
}


class Graph:
    """Hash-consed scalar nodes. `node` stores what it is told; `fold` holds the algebra."""

    def __init__(self) -> None:
        self.op: list[str] = []
        self.args: list[tuple[int, ...]] = []
        self.dtype: list[str] = []
        self.value: list[Any] = []  # None of what is not a constant
        self._known: dict[Key, int] = {}
        self._constants: dict[str, dict[Scalar | str, int]] = {name: {} for name in TYPES}

    def __len__(self) -> int:
        return len(self.op)

    def node(self, op: str, dtype: str, args: tuple[int, ...]) -> int:
        """The node that applies `op` to `args`, new or known."""
        key = (op, dtype, args)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._append(op, dtype, args, None)
        return known

    def constant(self, value: Scalar, dtype: str) -> int:
        """The node of a constant; 0.0 and -0.0 are different nodes, all NaN are one."""
        value = NORMALISE[dtype](value)
        known = self._constants[dtype]
        key = repr(value) if value == 0 or math.isnan(value) else value
        if key not in known:
            known[key] = self._append(CONSTANT, dtype, (), value)
        return known[key]

    def input(self, dtype: str) -> int:
        """A new input; inputs are never shared."""
        return self._append(INPUT, dtype, (), None)

    def _append(self, op: str, dtype: str, args: tuple[int, ...], value: Scalar | None) -> int:
        self.op.append(op)
        self.args.append(args)
        self.dtype.append(dtype)
        self.value.append(value)
        return len(self.op) - 1

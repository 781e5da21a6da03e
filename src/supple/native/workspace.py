"""Memory for calls of machine code: arrays, tables of their addresses, and a frame."""

import ctypes
from collections.abc import Sequence

import numpy as np

from supple.native.machine.frame import ALIGNMENT
from supple.native.machine.link import Native


def address(array: np.ndarray) -> int:
    """Where an array's numbers begin."""
    return array.__array_interface__["data"][0]


class Table:
    """The addresses of arrays, which it keeps alive."""

    def __init__(self, arrays: Sequence[np.ndarray]) -> None:
        self.arrays = tuple(arrays)
        self._table = (ctypes.c_void_p * len(self.arrays))(*map(address, self.arrays))
        self.address = ctypes.addressof(self._table)


class Frame:
    """Memory in which a function works, aligned to a cache line."""

    def __init__(self, size: int) -> None:
        self._memory = np.empty(size + ALIGNMENT, np.uint8)
        self.address = -(-address(self._memory) // ALIGNMENT) * ALIGNMENT


class Bound:
    """A compiled function tied to arrays: a call reads `inputs` and writes `outputs`, and does nothing else in Python.

    It is for one thread at a time.
    """

    def __init__(self, native: Native, inputs: Table, outputs: Table, frame: Frame, result: object) -> None:
        self._native = native  # or its memory would be freed with the function that was bound
        self._call = native.call
        self._tables = (inputs, outputs, frame)
        self._addresses = (inputs.address, outputs.address, frame.address)
        self.inputs = inputs.arrays
        self.outputs = outputs.arrays
        self.result = result

    def __call__(self) -> None:
        """Compute `result` anew from what the inputs hold now."""
        self._call(*self._addresses)

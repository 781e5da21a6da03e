"""Choosing by a number that is known at run time only: trees of selects.

Two trees do it. One compares the number with the middle of what is left, as in a search; the other
moves the rows by powers of two, one bit of the number after the other, so that the elements of a
window share their moves. The cheaper one is taken.
"""

from collections.abc import Iterator

import numpy as np

from supple.native.lowering import Lowering, Nodes


def choose(lowering: Lowering, index: Nodes, rows: Nodes) -> Nodes:
    """rows[i], where i is the index moved inside; the index broadcasts against a row."""
    return window(lowering, index, rows, 1)[0]


def window(lowering: Lowering, start: Nodes, rows: Nodes, size: int) -> Nodes:
    """rows[s : s + size], where s is the start moved inside: min(max(start, 0), len(rows) - size)."""
    last, row = len(rows) - size, rows[:1].size
    by_comparison = last * (start.size + size * row)
    by_bits = 2 * (1 + last.bit_length()) * start.size + row * sum(moved for _, moved, _ in _moves(len(rows), size))
    return (_compare if by_comparison <= by_bits else _move)(lowering, start, rows, size)


def _compare(lowering: Lowering, start: Nodes, rows: Nodes, size: int) -> Nodes:
    dtype = lowering.graph.dtype[start.flat[0]]

    def between(low: int, high: int) -> Nodes:
        """The window, if its start is one of low, …, high - 1."""
        if high - low == 1:
            return rows[low : low + size]
        middle = (low + high) // 2
        beyond = lowering.map("le", lowering.constants(middle, dtype), start)
        return lowering.map("select", beyond, between(middle, high), between(low, middle))

    return between(0, len(rows) - size + 1)


def _move(lowering: Lowering, start: Nodes, rows: Nodes, size: int) -> Nodes:
    dtype = lowering.graph.dtype[start.flat[0]]
    zero, last = (lowering.constants(value, dtype) for value in (0, len(rows) - size))
    inside = lowering.map("min", lowering.map("max", start, zero), last)
    for step, moved, kept in _moves(len(rows), size):
        bit = lowering.map("ne", lowering.map("and", inside, lowering.constants(step, dtype)), zero)
        front = lowering.map("select", bit, rows[step : step + moved], rows[:moved])
        rows = np.concatenate([front, rows[moved:kept]])
    return rows


def _moves(count: int, size: int) -> Iterator[tuple[int, int, int]]:
    """Steps that bring a window of `size` among `count` rows to the front.

    For each: its length, a power of two; how many rows it may replace (further ones are beyond the
    end); and how many rows later steps can still reach.
    """
    for bit in reversed(range((count - size).bit_length())):
        step = 1 << bit
        kept = min(count, step - 1 + size)
        yield step, min(kept, count - step), kept

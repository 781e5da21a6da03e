"""Rules of sorting: networks of comparisons and exchanges."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from supple.native.graph import FLOATS
from supple.native.lowering import RULES, Lowering, Nodes, rule

Precedes = Callable[[Sequence[Nodes], Sequence[Nodes]], Nodes]  # (row, row) → truth values

# Roughly the operations of one `precedes`.
COMPARISON = 3


def _ordered(lowering: Lowering, columns: Sequence[Nodes], precedes: Precedes, first: int) -> list[Nodes]:
    """Columns (of rows along axis 0) in order, of which the first few rows are wanted; ties keep their order.

    Exchanges of neighbours, which keep ties, or Batcher's merges, which need a number in each row to
    do so: whichever costs less.
    """
    count = len(columns[0])
    neighbours, merges = list(_neighbours(count, first)), list(_merges(count))
    exchange = COMPARISON + 2 * len(columns)
    if len(neighbours) * exchange <= len(merges) * (exchange + COMPARISON + 5):
        return _exchanged(lowering, columns, precedes, neighbours)
    shape = [-1] + [1] * (columns[0].ndim - 1)
    number = np.broadcast_to(lowering.constants(np.arange(count), "int32").reshape(shape), columns[0].shape)

    def strictly(a: Sequence[Nodes], b: Sequence[Nodes]) -> Nodes:
        tied = lowering.map("and", lowering.map("not", precedes(b, a)), lowering.map("lt", a[-1], b[-1]))
        return lowering.map("or", precedes(a, b), tied)

    return _exchanged(lowering, [*columns, number], strictly, merges)[:-1]


def _exchanged(
    lowering: Lowering, columns: Sequence[Nodes], precedes: Precedes, network: Sequence[tuple[int, int]]
) -> list[Nodes]:
    columns = [np.array(column) for column in columns]
    for low, high in network:
        a, b = [column[low] for column in columns], [column[high] for column in columns]
        swap = precedes(b, a)
        for column, one, other in zip(columns, a, b, strict=True):
            column[low], column[high] = (
                lowering.map("select", swap, other, one),
                lowering.map("select", swap, one, other),
            )
    return columns


def _neighbours(count: int, first: int) -> Iterator[tuple[int, int]]:
    """Bubbles from the end, one for each row that is wanted."""
    for top in range(min(first, count - 1)):
        for row in range(count - 1, top, -1):
            yield row - 1, row


def _merges(count: int) -> Iterator[tuple[int, int]]:
    """Batcher's merge exchange (Knuth, The Art of Computer Programming 3, algorithm 5.2.2 M)."""
    top = 1 << (count - 1).bit_length() >> 1
    p = top
    while p:
        q, r, distance = top, 0, p
        while True:
            for row in range(count - distance):
                if row & p == r:
                    yield row, row + distance
            if q == p:
                break
            distance, q, r = q - p, q >> 1, p
        p >>= 1


def _less(lowering: Lowering, a: Nodes, b: Nodes) -> Nodes:
    """a before b: numbers by size, zeros of either sign equal, NaN behind all."""
    if lowering.graph.dtype[a.flat[0]] not in FLOATS:
        return lowering.map("lt", a, b)
    return lowering.map("and", lowering.map("not", lowering.map("le", b, a)), lowering.map("eq", a, a))


@rule("sort")
def _sort(lowering: Lowering, *operands: Nodes, dimension: int, num_keys: int, **_: Any) -> list[Nodes]:
    """Rows in the order of their first keys; always stable, which is allowed where it is not asked for."""
    if not operands[0].size:
        return list(operands)

    def precedes(a: Sequence[Nodes], b: Sequence[Nodes]) -> Nodes:
        result = _less(lowering, a[num_keys - 1], b[num_keys - 1])
        for x, y in zip(a[num_keys - 2 :: -1], b[num_keys - 2 :: -1], strict=True) if num_keys > 1 else ():
            decided, greater = _less(lowering, x, y), _less(lowering, y, x)
            result = lowering.map("or", decided, lowering.map("and", lowering.map("not", greater), result))
        return result

    columns = [np.moveaxis(operand, dimension, 0) for operand in operands]
    return [np.moveaxis(column, 0, dimension) for column in _ordered(lowering, columns, precedes, len(columns[0]))]


def _flipped(lowering: Lowering, bits: Nodes) -> Nodes:
    """All bits but the sign, inverted where the sign is set; done twice it is the identity."""
    dtype = lowering.graph.dtype[bits.flat[0]]
    rest = np.iinfo(dtype).max
    sign = lowering.map("shift_right_arithmetic", bits, lowering.constants(np.iinfo(dtype).bits - 1, dtype))
    return lowering.map("xor", bits, lowering.map("and", sign, lowering.constants(rest, dtype)))


def _total_order(lowering: Lowering, a: Nodes) -> Nodes:
    """Integers in IEEE's total order of floats: -NaN, -∞, …, -0, 0, …, ∞, NaN; other numbers as they are."""
    dtype = lowering.graph.dtype[a.flat[0]]
    if dtype not in FLOATS:
        return a
    return _flipped(lowering, lowering.map("bitcast", a, dtype=dtype.replace("float", "int")))


def _in_total_order(op: str):
    def lower(lowering: Lowering, a: Nodes, b: Nodes) -> Nodes:
        return lowering.map(op, _total_order(lowering, a), _total_order(lowering, b)) if a.size else a

    return lower


RULES.update({f"{op}_to": _in_total_order(op) for op in ("lt", "le", "eq")})


@rule("top_k")
def _top_k(lowering: Lowering, a: Nodes, *, k: int, axis: int) -> list[Nodes]:
    """The k greatest in total order, and where they stand; of equals the first."""
    rows = np.moveaxis(a, axis, 0)
    if not rows[:k].size:
        return [np.moveaxis(rows[:k], 0, axis)] * 2
    dtype = lowering.result.dtype.name
    keys, numbers = _greatest(lowering, _total_order(lowering, rows), k, lambda a, b: lowering.map("lt", b[0], a[0]))
    values = lowering.map("bitcast", _flipped(lowering, keys), dtype=dtype) if dtype in FLOATS else keys
    return [np.moveaxis(part, 0, axis) for part in (values, numbers)]


@rule("approx_top_k")
def _approximate_top_k(
    lowering: Lowering, a: Nodes, *, k: int, reduction_dimension: int, is_max_k: bool, **_: Any
) -> list[Nodes]:
    """The k greatest or least, exactly."""
    axis = reduction_dimension % a.ndim
    if lowering.result.shape[axis] != k:
        raise lowering.refusal("it returns more candidates than asked for (aggregate_to_topk=False)")
    rows = np.moveaxis(a, axis, 0)
    first, second = (1, 0) if is_max_k else (0, 1)
    found = _greatest(lowering, rows, k, lambda *pair: lowering.map("lt", pair[first][0], pair[second][0]))
    return [np.moveaxis(part, 0, axis) for part in found]


def _greatest(lowering: Lowering, rows: Nodes, k: int, precedes: Precedes) -> list[Nodes]:
    """The first k rows in order, and their numbers."""
    dtype = lowering.equation.outvars[1].aval.dtype
    numbers = lowering.constants(np.arange(len(rows)), dtype).reshape([-1] + [1] * (rows.ndim - 1))
    columns = [rows, np.broadcast_to(numbers, rows.shape)]
    return [column[:k] for column in _ordered(lowering, columns, precedes, k)]

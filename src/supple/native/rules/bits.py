"""Rules of primitives that read numbers as bits."""

from typing import Any

import numpy as np

from supple.native.lowering import Lowering, Nodes, rule


@rule("bitcast_convert_type")
def _bitcast(lowering: Lowering, a: Nodes, *, new_dtype: Any) -> Nodes:
    """The same bits as another type; narrower numbers are the last axis, the lowest bits first."""
    if not a.size:
        return np.empty(lowering.result.shape, dtype=np.int64)
    dtype = np.dtype(new_dtype)
    old, new = 8 * np.dtype(lowering.graph.dtype[a.flat[0]]).itemsize, 8 * dtype.itemsize
    if old > new:
        whole = lowering.map("bitcast", a, dtype=f"uint{old}")
        shifts = lowering.constants(np.arange(0, old, new), f"uint{old}")
        parts = lowering.map("shift_right_logical", whole[..., None], shifts)
        a = lowering.map("convert", parts, dtype=f"uint{new}")
    elif old < new:
        parts = lowering.map("convert", lowering.map("bitcast", a, dtype=f"uint{old}"), dtype=f"uint{new}")
        shifts = lowering.constants(np.arange(0, new, old), f"uint{new}")
        a = lowering.reduce("or", lowering.map("shift_left", parts, shifts), [a.ndim - 1])
    return lowering.map("bitcast", a, dtype=dtype.name)


@rule("reduce_precision")
def _reduce_precision(lowering: Lowering, a: Nodes, *, exponent_bits: int, mantissa_bits: int) -> Nodes:
    """Rounding, half to even, to fewer bits: what is too great becomes infinite, what is subnormal zero."""
    kept = np.finfo(lowering.result.dtype)
    if exponent_bits >= kept.nexp and mantissa_bits >= kept.nmant:
        return a
    word = f"uint{kept.bits}"

    def number(value: int) -> Nodes:
        return lowering.constants(value, word)

    bits = lowering.map("bitcast", a, dtype=word)
    sign = lowering.map("and", bits, number(1 << (kept.bits - 1)))
    size = lowering.map("xor", bits, sign)
    if mantissa_bits < kept.nmant:
        dropped = kept.nmant - mantissa_bits
        last = lowering.map("and", lowering.map("shift_right_logical", size, number(dropped)), number(1))
        size = lowering.map("add", size, lowering.map("add", last, number((1 << (dropped - 1)) - 1)))
        size = lowering.map("and", size, number((1 << kept.bits) - (1 << dropped)))
    if exponent_bits < kept.nexp:
        middle, reach = (1 << (kept.nexp - 1)) - 1, (1 << (exponent_bits - 1)) - 1
        infinite = lowering.map("le", number(middle + reach + 1 << kept.nmant), size)
        size = lowering.map("select", infinite, number((1 << kept.nexp) - 1 << kept.nmant), size)
        vanishes = lowering.map("lt", size, number(middle - reach + 1 << kept.nmant))
        size = lowering.map("select", vanishes, number(0), size)
    rounded = lowering.map("bitcast", lowering.map("or", sign, size), dtype=lowering.result.dtype.name)
    return lowering.map("select", lowering.map("ne", a, a), a, rounded)

"""Rules of primitives that act on each element alone."""

from typing import Any

import numpy as np

from supple.native.fold import integer_pow, square
from supple.native.graph import SIGNED
from supple.native.lowering import RULES, Lowering, Nodes, rule
from supple.native.rules.choice import choose

# Primitives that have the name of their operation.
SAME = [
    "add",
    "sub",
    "mul",
    "div",
    "neg",
    "rem",
    "max",
    "min",
    "abs",
    "sign",
    "sqrt",
    "cbrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log1p",
    "logistic",
    "pow",
    "erf",
    "erfc",
    "erf_inv",
    "lgamma",
    "floor",
    "ceil",
    "nextafter",
    "is_finite",
    "lt",
    "le",
    "eq",
    "ne",
    "and",
    "or",
    "xor",
    "not",
    "shift_left",
    "shift_right_logical",
    "shift_right_arithmetic",
    "clz",
    "population_count",
]


def _elementwise(op: str):
    def lower(lowering: Lowering, *operands: Nodes, **_: Any) -> Nodes:
        return lowering.map(op, *operands)

    return lower


RULES.update({name: _elementwise(name) for name in SAME})
RULES["add_any"] = _elementwise("add")


@rule("gt")
def _greater(lowering: Lowering, a: Nodes, b: Nodes) -> Nodes:
    return lowering.map("lt", b, a)


@rule("ge")
def _greater_equal(lowering: Lowering, a: Nodes, b: Nodes) -> Nodes:
    return lowering.map("le", b, a)


@rule("rsqrt")
def _reciprocal_sqrt(lowering: Lowering, a: Nodes, **_: Any) -> Nodes:
    return lowering.map("reciprocal", lowering.map("sqrt", a))


@rule("square")
def _square(lowering: Lowering, a: Nodes) -> Nodes:
    return lowering.shaped([square(lowering.graph, node) for node in a.ravel().tolist()], a.shape)


@rule("integer_pow")
def _integer_pow(lowering: Lowering, a: Nodes, *, y: int) -> Nodes:
    return lowering.shaped([integer_pow(lowering.graph, node, y) for node in a.ravel().tolist()], a.shape)


@rule("mulhi")
def _high_product(lowering: Lowering, a: Nodes, b: Nodes) -> Nodes:
    """The higher half of the bits of a·b."""
    dtype = lowering.result.dtype.name
    if np.iinfo(dtype).bits == 64:
        return _high_product_of_64(lowering, a, b)
    product = lowering.map("mul", lowering.map("convert", a, dtype="int64"), lowering.map("convert", b, dtype="int64"))
    half = lowering.constants(np.iinfo(dtype).bits, "int64")
    return lowering.map("convert", lowering.map("shift_right_arithmetic", product, half), dtype=dtype)


def _high_product_of_64(lowering: Lowering, a: Nodes, b: Nodes) -> Nodes:
    """The same from products of halves: (x₁·2³² + x₀)·(y₁·2³² + y₀), and for signed a < 0, a = x - 2⁶⁴."""
    dtype, word = lowering.result.dtype.name, "uint64"
    half, mask = lowering.constants(32, word), lowering.constants(0xFFFFFFFF, word)
    x, y = (lowering.map("bitcast", operand, dtype=word) for operand in (a, b))
    (x0, y0), (x1, y1) = (
        [lowering.map(op, operand, number) for operand in (x, y)]
        for op, number in (("and", mask), ("shift_right_logical", half))
    )
    lowest = lowering.map("shift_right_logical", lowering.map("mul", x0, y0), half)
    middle = lowering.map("add", lowering.map("mul", x1, y0), lowest)
    cross = lowering.map("add", lowering.map("mul", x0, y1), lowering.map("and", middle, mask))
    high = lowering.map("mul", x1, y1)
    for part in (middle, cross):
        high = lowering.map("add", high, lowering.map("shift_right_logical", part, half))
    zero = lowering.constants(0, dtype)
    for sign, other in ((a, y), (b, x)) if dtype in SIGNED else ():
        borrowed = lowering.map("select", lowering.map("lt", sign, zero), other, lowering.constants(0, word))
        high = lowering.map("sub", high, borrowed)
    return lowering.map("bitcast", high, dtype=dtype)


@rule("round")
def _round(lowering: Lowering, a: Nodes, *, rounding_method: int) -> Nodes:
    return lowering.map("round_even" if int(rounding_method) == 1 else "round_away", a)


@rule("clamp")
def _clamp(lowering: Lowering, low: Nodes, a: Nodes, high: Nodes) -> Nodes:
    return lowering.map("min", lowering.map("max", low, a), high)


@rule("select_n")
def _select_n(lowering: Lowering, which: Nodes, *cases: Nodes) -> Nodes:
    """Of many cases the first for numbers below zero and the last for numbers beyond the end, as in XLA."""
    if len(cases) == 1 or not cases[0].size:
        return cases[0]
    if lowering.graph.dtype[which.flat[0]] == "bool":
        return lowering.map("select", which, cases[1], cases[0])
    return choose(lowering, which, np.stack(cases))


@rule("convert_element_type")
def _convert(lowering: Lowering, a: Nodes, *, new_dtype: Any, **_: Any) -> Nodes:
    return lowering.map("convert", a, dtype=np.dtype(new_dtype).name)


@rule("copy", "stop_gradient", "device_put", "name", "optimization_barrier", "sharding_constraint")
def _identity(lowering: Lowering, *operands: Nodes, **_: Any) -> Nodes | list[Nodes]:
    return list(operands) if lowering.equation.primitive.multiple_results else operands[0]

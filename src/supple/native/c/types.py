"""The types of the scalar graph in C's words, and constants."""

import math

from supple.native.graph import FLOATS, SIGNED, TYPES, Scalar

C_TYPES = {
    name: {"bool": "uint8_t", "float32": "float", "float64": "double"}.get(name, f"{name}_t") for name in sorted(TYPES)
}


def unsigned(dtype: str) -> str:
    """The unsigned type of an integer's width, in which arithmetic wraps around."""
    return C_TYPES[dtype.replace("int", "uint") if dtype in SIGNED else dtype]


def literal(value: Scalar, dtype: str) -> str:
    """A constant that C reads to the same bits: floats in hexadecimal."""
    if dtype not in FLOATS:
        return _integer(int(value), dtype)
    suffix = "f" if dtype == "float32" else ""
    if math.isnan(value):
        return f"({C_TYPES[dtype]})NAN"
    if math.isinf(value):
        return f"({C_TYPES[dtype]}){'-' if value < 0 else ''}INFINITY"
    text = float(value).hex() + suffix
    return f"({text})" if text.startswith("-") else text


def _integer(value: int, dtype: str) -> str:
    if dtype == "bool":
        return str(value)
    if dtype == "int64" and value == -(2**63):
        return "(-INT64_C(9223372036854775807) - 1)"
    return f"({C_TYPES[dtype]}){'' if dtype in SIGNED else 'U'}INT64_C({value})"

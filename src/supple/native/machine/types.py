"""The types of the scalar graph in LLVM's words."""

from supple.native.graph import TYPES

BITS = {name: 8 if name == "bool" else int(name.lstrip("uintfloa")) for name in TYPES}
SCALAR_TYPES = {
    name: {"bool": "i1", "float32": "float", "float64": "double"}.get(name, f"i{BITS[name]}") for name in TYPES
}
# A truth value is a byte in memory.
STORED_TYPES = {name: "i8" if name == "bool" else scalar for name, scalar in SCALAR_TYPES.items()}
BYTES = {name: bits // 8 for name, bits in BITS.items()}

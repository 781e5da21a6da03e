"""The C expression of each operation of the graph; `operations.py` says what they mean.

What C leaves undefined or to the machine (overflow, shifts beyond the width, division by zero, conversions of
numbers that are too large) is written out, in small functions that are defined where they are needed.
"""

from collections.abc import Callable

from supple.native.c.types import C_TYPES, unsigned
from supple.native.graph import FLOATS, INTEGERS, SIGNED
from supple.native.machine.types import BITS

Definitions = dict[str, str]  # name of a function → its definition

# expression(definitions, type of the result, type of the last operand, *operands) → C
Expression = Callable[..., str]


def _helper(defined: Definitions, name: str, result: str, parameters: str, body: str) -> str:
    """The name of a small function, which is defined if it is not yet."""
    defined.setdefault(name, f"static {result} {name}({parameters})\n{{\n{body}\n}}\n")
    return name


def _arithmetic(symbol: str) -> Expression:
    """Of floats as it stands; of integers without a sign, so that it wraps around."""

    def write(_: Definitions, __: str, dtype: str, a: str, b: str) -> str:
        if dtype in FLOATS:
            return f"{a} {symbol} {b}"
        return f"({C_TYPES[dtype]})((uint64_t){a} {symbol} (uint64_t){b})"

    return write


def _compared(symbol: str) -> Expression:
    return lambda _, __, ___, a, b: f"{a} {symbol} {b}"


def _bitwise(symbol: str) -> Expression:
    return lambda _, result, __, a, b: f"({C_TYPES[result]})({a} {symbol} {b})"


def _library(name: str) -> Expression:
    """A function of <math.h>."""
    return lambda _, __, dtype, *operands: f"{name}{'f' if dtype == 'float32' else ''}({', '.join(operands)})"


def _neg(_: Definitions, __: str, dtype: str, a: str) -> str:
    return f"-{a}" if dtype in FLOATS else f"({C_TYPES[dtype]})(0 - (uint64_t){a})"


def _not(_: Definitions, __: str, dtype: str, a: str) -> str:
    return f"!{a}" if dtype == "bool" else f"({C_TYPES[dtype]})~(uint64_t){a}"


def _reciprocal(_: Definitions, __: str, dtype: str, a: str) -> str:
    return f"1.0{'f' if dtype == 'float32' else ''} / {a}"


def _quotient(kind: str) -> Expression:
    """Division by 0 gives -1 or the dividend, and by -1 the opposite or 0, without overflow."""

    def write(defined: Definitions, _: str, dtype: str, a: str, b: str) -> str:
        if dtype in FLOATS:
            return f"{a} / {b}" if kind == "div" else _library("fmod")(defined, dtype, dtype, a, b)
        type_, symbol = C_TYPES[dtype], "/" if kind == "div" else "%"
        at_zero = f"({type_})-1" if kind == "div" else "a"
        at_minus_one = f"({type_})(0 - (uint64_t)a)" if kind == "div" else "0"
        signed = f"    if (b == -1)\n        return {at_minus_one};\n" if dtype in SIGNED else ""
        body = f"    if (b == 0)\n        return {at_zero};\n{signed}    return ({type_})(a {symbol} b);"
        name = _helper(defined, f"{kind}_{dtype}", type_, f"{type_} a, {type_} b", body)
        return f"{name}({a}, {b})"

    return write


def _extreme(kind: str) -> Expression:
    """NaN if either is; +0 is more than -0."""

    def write(defined: Definitions, _: str, dtype: str, a: str, b: str) -> str:
        type_, symbol = C_TYPES[dtype], ">" if kind == "max" else "<"
        body = f"    return a {symbol} b ? a : b;"
        if dtype in FLOATS:
            one, other = ("b", "a") if kind == "max" else ("a", "b")
            body = (
                f"    if (a != a || b != b)\n        return a + b;\n    if (a == b)\n"
                f"        return signbit(a) ? {one} : {other};\n{body}"
            )
        return f"{_helper(defined, f'{kind}_{dtype}', type_, f'{type_} a, {type_} b', body)}({a}, {b})"

    return write


def _abs(_: Definitions, __: str, dtype: str, a: str) -> str:
    if dtype in FLOATS:
        return f"fabs{'f' if dtype == 'float32' else ''}({a})"
    return f"({C_TYPES[dtype]})({a} < 0 ? 0 - (uint64_t){a} : (uint64_t){a})" if dtype in SIGNED else a


def _sign(_: Definitions, __: str, dtype: str, a: str) -> str:
    negative = f"{a} < 0 ? -1 : {a}" if dtype in FLOATS or dtype in SIGNED else a
    return f"{a} > 0 ? 1 : {negative}"


def _is_finite(_: Definitions, __: str, dtype: str, a: str) -> str:
    return f"fabs{'f' if dtype == 'float32' else ''}({a}) < INFINITY"


def _shift(name: str) -> Expression:
    def write(defined: Definitions, _: str, dtype: str, a: str, b: str) -> str:
        type_, bits = C_TYPES[dtype], BITS[dtype]
        inside = f"(uint64_t)b < {bits}"
        body = {
            "shift_left": f"    return {inside} ? ({type_})((uint64_t)a << b) : 0;",
            "shift_right_logical": f"    return {inside} ? ({type_})(({unsigned(dtype)})a >> b) : 0;",
            "shift_right_arithmetic": (
                f"    int count = {inside} ? (int)b : {bits - 1};\n"
                f"    uint64_t moved = (uint64_t)({unsigned(dtype)})a >> count;\n"
                f"    uint64_t ones = (a >> {bits - 1}) & 1 ? ~(~UINT64_C(0) >> (63 - {bits - 1}) >> count) : 0;\n"
                f"    return ({type_})(moved | ones);"
            ),
        }[name]
        return f"{_helper(defined, f'{name}_{dtype}', type_, f'{type_} a, {type_} b', body)}({a}, {b})"

    return write


def _counting(name: str, start: str, step: str, count: str) -> Expression:
    """A loop that counts bits: from `start`, `count` for every step until nothing is left."""

    def write(defined: Definitions, _: str, dtype: str, a: str) -> str:
        type_ = C_TYPES[dtype]
        body = (
            f"    int count = {start.format(bits=BITS[dtype])};\n    uint64_t rest;\n"
            f"    for (rest = ({unsigned(dtype)})a; rest; {step})\n        {count};\n    return ({type_})count;"
        )
        return f"{_helper(defined, f'{name}_{dtype}', type_, f'{type_} a', body)}({a})"

    return write


def _bitcast(defined: Definitions, result: str, dtype: str, a: str) -> str:
    source, target = C_TYPES[dtype], C_TYPES[result]
    if dtype in INTEGERS and result in INTEGERS:
        return f"({target}){a}"
    body = f"    union {{ {source} from; {target} to; }} bits;\n    bits.from = a;\n    return bits.to;"
    return f"{_helper(defined, f'{result}_of_bits_of_{dtype}', target, f'{source} a', body)}({a})"


def _convert(defined: Definitions, result: str, dtype: str, a: str) -> str:
    """Floats to integers truncate, saturate, and take NaN to 0."""
    source, target = C_TYPES[dtype], C_TYPES[result]
    if result == "bool":
        return f"{a} != 0"
    if dtype not in FLOATS or result in FLOATS:
        return f"({target}){a}"
    bits = BITS[result] - (result in SIGNED)
    above, suffix = 2.0**bits, "f" if dtype == "float32" else ""
    highest, lowest = (f"{result.upper()}_MAX", f"{result.upper()}_MIN" if result in SIGNED else "0")
    below = f"a < {(-above).hex()}{suffix}" if result in SIGNED else "a <= 0"
    body = (
        f"    if (a != a)\n        return 0;\n    if ({below})\n        return {lowest};\n"
        f"    return a >= {above.hex()}{suffix} ? {highest} : ({target})a;"
    )
    return f"{_helper(defined, f'{result}_of_{dtype}', target, f'{source} a', body)}({a})"


EXPRESSIONS: dict[str, Expression] = {
    "add": _arithmetic("+"),
    "sub": _arithmetic("-"),
    "mul": _arithmetic("*"),
    "div": _quotient("div"),
    "rem": _quotient("rem"),
    "neg": _neg,
    "reciprocal": _reciprocal,
    "fma": _library("fma"),
    "sqrt": _library("sqrt"),
    "floor": _library("floor"),
    "ceil": _library("ceil"),
    "round_even": _library("rint"),
    "round_away": _library("round"),
    "lgamma": _library("lgamma"),
    "max": _extreme("max"),
    "min": _extreme("min"),
    "abs": _abs,
    "sign": _sign,
    "is_finite": _is_finite,
    "lt": _compared("<"),
    "le": _compared("<="),
    "eq": _compared("=="),
    "ne": _compared("!="),
    "and": _bitwise("&"),
    "or": _bitwise("|"),
    "xor": _bitwise("^"),
    "not": _not,
    "shift_left": _shift("shift_left"),
    "shift_right_logical": _shift("shift_right_logical"),
    "shift_right_arithmetic": _shift("shift_right_arithmetic"),
    "clz": _counting("clz", "{bits}", "rest >>= 1", "--count"),
    "population_count": _counting("population_count", "0", "rest &= rest - 1", "++count"),
    "select": lambda _, __, ___, condition, chosen, otherwise: f"{condition} ? {chosen} : {otherwise}",
    "bitcast": _bitcast,
    "convert": _convert,
}

"""The instructions that compute each operation of the graph; `operations.py` says what they mean."""

from collections.abc import Callable

from supple.native.graph import FLOATS, SIGNED
from supple.native.machine.types import BITS, SCALAR_TYPES
from supple.native.machine.writer import Writer

# instruction(writer, type of the result, type of the last operand, *operands) → value
Instruction = Callable[..., str]

INSTRUCTIONS: dict[str, Instruction] = {}

# Functions of C's library that instructions call; LLVM itself calls fmod for remainders.
LIBRARY = ("declare double @lgamma(double)", "declare float @lgammaf(float)")


def instruction(name: str) -> Callable[[Instruction], Instruction]:
    """Enter a function into the table under the name of its operation."""

    def enter(function: Instruction) -> Instruction:
        INSTRUCTIONS[name] = function
        return function

    return enter


def _plain(of_float: str, of_signed: str, of_unsigned: str | None = None) -> Instruction:
    """One instruction, whose name depends on the type."""

    def write(w: Writer, _: str, dtype: str, a: str, b: str) -> str:
        is_unsigned = dtype not in FLOATS and dtype not in SIGNED
        name = of_float if dtype in FLOATS else (of_unsigned or of_signed) if is_unsigned else of_signed
        return w.let(f"{name} {w.type(dtype)} {a}, {b}")

    return write


def _of_float(intrinsic: str) -> Instruction:
    return lambda w, _, dtype, *operands: w.intrinsic(intrinsic, dtype, *operands)


def _logic(name: str) -> Instruction:
    return lambda w, _, dtype, a, b: w.let(f"{name} {w.type(dtype)} {a}, {b}")


INSTRUCTIONS.update(
    {
        "add": _plain("fadd", "add"),
        "sub": _plain("fsub", "sub"),
        "mul": _plain("fmul", "mul"),
        "lt": _plain("fcmp olt", "icmp slt", "icmp ult"),
        "le": _plain("fcmp ole", "icmp sle", "icmp ule"),
        "eq": _plain("fcmp oeq", "icmp eq"),
        "ne": _plain("fcmp une", "icmp ne"),
        "and": _logic("and"),
        "or": _logic("or"),
        "xor": _logic("xor"),
        "fma": _of_float("fmuladd"),
        "sqrt": _of_float("sqrt"),
        "floor": _of_float("floor"),
        "ceil": _of_float("ceil"),
        "round_even": _of_float("roundeven"),
        "round_away": _of_float("round"),
        "population_count": _of_float("ctpop"),
    }
)


@instruction("neg")
def _neg(w: Writer, _: str, dtype: str, a: str) -> str:
    if dtype in FLOATS:
        return w.let(f"fneg {w.type(dtype)} {a}")
    return w.let(f"sub {w.type(dtype)} {w.constant(0, dtype)}, {a}")


@instruction("not")
def _not(w: Writer, _: str, dtype: str, a: str) -> str:
    return w.let(f"xor {w.type(dtype)} {a}, {w.constant(True if dtype == 'bool' else -1, dtype)}")


@instruction("reciprocal")
def _reciprocal(w: Writer, _: str, dtype: str, a: str) -> str:
    return w.let(f"fdiv {w.type(dtype)} {w.constant(1.0, dtype)}, {a}")


@instruction("div")
def _div(w: Writer, _: str, dtype: str, a: str, b: str) -> str:
    return _quotient(w, dtype, a, b, "div")


@instruction("rem")
def _rem(w: Writer, _: str, dtype: str, a: str, b: str) -> str:
    return _quotient(w, dtype, a, b, "rem")


def _quotient(w: Writer, dtype: str, a: str, b: str, kind: str) -> str:
    """Quotient or remainder; of integers by 0 it is -1 or a, by -1 it is -a or 0, where the processor would trap."""
    type_, zero = w.type(dtype), w.constant(0, dtype)
    if dtype in FLOATS:
        return w.let(f"f{kind} {type_} {a}, {b}")
    by_zero = w.let(f"icmp eq {type_} {b}, {zero}")
    at_zero = w.constant(-1, dtype) if kind == "div" else a
    if dtype not in SIGNED:
        safe = _select(w, dtype, by_zero, w.constant(1, dtype), b)
        return _select(w, dtype, by_zero, at_zero, w.let(f"u{kind} {type_} {a}, {safe}"))
    by_minus_one = w.let(f"icmp eq {type_} {b}, {w.constant(-1, dtype)}")
    special = w.let(f"or {w.type('bool')} {by_zero}, {by_minus_one}")
    result = w.let(f"s{kind} {type_} {a}, {_select(w, dtype, special, w.constant(1, dtype), b)}")
    at_minus_one = w.let(f"sub {type_} {zero}, {a}") if kind == "div" else zero
    return _select(w, dtype, by_zero, at_zero, _select(w, dtype, by_minus_one, at_minus_one, result))


def _select(w: Writer, dtype: str, condition: str, chosen: str, otherwise: str) -> str:
    type_ = w.type(dtype)
    return w.let(f"select {w.type('bool')} {condition}, {type_} {chosen}, {type_} {otherwise}")


@instruction("select")
def _select_of(w: Writer, dtype: str, _: str, condition: str, chosen: str, otherwise: str) -> str:
    return _select(w, dtype, condition, chosen, otherwise)


@instruction("max")
def _max(w: Writer, _: str, dtype: str, a: str, b: str) -> str:
    return _extreme(w, dtype, "max", a, b)


@instruction("min")
def _min(w: Writer, _: str, dtype: str, a: str, b: str) -> str:
    return _extreme(w, dtype, "min", a, b)


def _extreme(w: Writer, dtype: str, kind: str, a: str, b: str) -> str:
    if dtype == "bool":
        return w.let(f"{'or' if kind == 'max' else 'and'} {w.type(dtype)} {a}, {b}")
    name = f"{kind}imum" if dtype in FLOATS else f"{'s' if dtype in SIGNED else 'u'}{kind}"
    return w.intrinsic(name, dtype, a, b)


@instruction("abs")
def _abs(w: Writer, _: str, dtype: str, a: str) -> str:
    if dtype in FLOATS:
        return w.intrinsic("fabs", dtype, a)
    return w.intrinsic("smax", dtype, a, _neg(w, dtype, dtype, a)) if dtype in SIGNED else a


@instruction("sign")
def _sign(w: Writer, _: str, dtype: str, a: str) -> str:
    """1, -1, or the operand itself: 0 of either sign, NaN."""
    zero = w.constant(0, dtype)
    result = _select(w, dtype, INSTRUCTIONS["lt"](w, "bool", dtype, zero, a), w.constant(1, dtype), a)
    if dtype not in FLOATS and dtype not in SIGNED:
        return result
    return _select(w, dtype, INSTRUCTIONS["lt"](w, "bool", dtype, a, zero), w.constant(-1, dtype), result)


@instruction("is_finite")
def _is_finite(w: Writer, _: str, dtype: str, a: str) -> str:
    magnitude = w.intrinsic("fabs", dtype, a)
    return w.let(f"fcmp olt {w.type(dtype)} {magnitude}, {w.constant(float('inf'), dtype)}")


@instruction("lgamma")
def _lgamma(w: Writer, _: str, dtype: str, a: str) -> str:
    """A call of C's library for each lane: see `LIBRARY`."""
    scalar, name = SCALAR_TYPES[dtype], "lgammaf" if dtype == "float32" else "lgamma"
    if w.lanes == 1:
        return w.let(f"call {scalar} @{name}({scalar} {a})")
    result = "poison"
    for lane in range(w.lanes):
        number = w.let(f"extractelement {w.type(dtype)} {a}, i32 {lane}")
        value = w.let(f"call {scalar} @{name}({scalar} {number})")
        result = w.let(f"insertelement {w.type(dtype)} {result}, {scalar} {value}, i32 {lane}")
    return result


def _shift(name: str, beyond: str) -> Instruction:
    """A shift; by counts outside the width the processor's own differ, so those are chosen apart."""

    def write(w: Writer, _: str, dtype: str, a: str, b: str) -> str:
        type_, width = w.type(dtype), BITS[dtype]
        inside = w.let(f"icmp ult {type_} {b}, {w.constant(width, dtype)}")
        if beyond == "sign":
            count = _select(w, dtype, inside, b, w.constant(width - 1, dtype))
            return w.let(f"{name} {type_} {a}, {count}")
        count = _select(w, dtype, inside, b, w.constant(0, dtype))
        return _select(w, dtype, inside, w.let(f"{name} {type_} {a}, {count}"), w.constant(0, dtype))

    return write


INSTRUCTIONS.update(
    {
        "shift_left": _shift("shl", "zero"),
        "shift_right_logical": _shift("lshr", "zero"),
        "shift_right_arithmetic": _shift("ashr", "sign"),
    }
)


@instruction("clz")
def _clz(w: Writer, _: str, dtype: str, a: str) -> str:
    type_ = w.type(dtype)
    return w.let(f"call {type_} @llvm.ctlz.{w.suffix(dtype)}({type_} {a}, i1 false)")


@instruction("bitcast")
def _bitcast(w: Writer, result: str, dtype: str, a: str) -> str:
    return a if w.type(result) == w.type(dtype) else w.let(f"bitcast {w.type(dtype)} {a} to {w.type(result)}")


@instruction("convert")
def _convert(w: Writer, result: str, dtype: str, a: str) -> str:
    source, target = w.type(dtype), w.type(result)
    if result == "bool":
        test = "fcmp une" if dtype in FLOATS else "icmp ne"
        return w.let(f"{test} {source} {a}, {w.constant(0, dtype)}")
    if dtype in FLOATS and result in FLOATS:
        return w.let(f"{'fpext' if result == 'float64' else 'fptrunc'} {source} {a} to {target}")
    if dtype in FLOATS:
        kind = "fptosi" if result in SIGNED else "fptoui"
        return w.intrinsic(f"{kind}.sat", dtype, a, result=result)
    if result in FLOATS:
        return w.let(f"{'sitofp' if dtype in SIGNED else 'uitofp'} {source} {a} to {target}")
    return _resize(w, result, dtype, a)


def _resize(w: Writer, result: str, dtype: str, a: str) -> str:
    """An integer, or a truth value, as an integer of another width."""
    wide, narrow = BITS[result], 1 if dtype == "bool" else BITS[dtype]
    if wide == narrow:
        return a
    kind = "trunc" if wide < narrow else "sext" if dtype in SIGNED else "zext"
    return w.let(f"{kind} {w.type(dtype)} {a} to {w.type(result)}")

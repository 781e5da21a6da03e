"""Floating-point numbers taken apart: bits, signs, exponents, rounding to integers."""

from dataclasses import dataclass

from supple.native.math.value import Value, where


@dataclass(frozen=True)
class Format:
    """How a type of floating-point numbers lies in memory."""

    name: str
    bits: int
    fraction: int  # stored bits of the significand

    @property
    def integer(self) -> str:
        """The signed integer type of the same width."""
        return f"int{self.bits}"

    @property
    def sign_bit(self) -> int:
        """The sign alone."""
        return 1 << (self.bits - 1)

    @property
    def bias(self) -> int:
        """The stored exponent of numbers in [1, 2)."""
        return (1 << (self.bits - self.fraction - 2)) - 1

    @property
    def smallest_normal(self) -> float:
        """The smallest number of full precision."""
        return 2.0 ** (1 - self.bias)

    @property
    def half(self) -> int:
        """Half of the bits of a significand, of which the first one is not stored."""
        return (self.fraction + 2) // 2

    @property
    def rounder(self) -> float:
        """1.5·2^fraction: the sum with a number far smaller is that number's nearest integer, in the low bits."""
        return 1.5 * 2.0**self.fraction


FORMATS = {"float32": Format("float32", 32, 23), "float64": Format("float64", 64, 52)}


def format_of(x: Value) -> Format:
    """The format of a value of floating-point type."""
    return FORMATS[x.dtype]


def bits_of(x: Value) -> Value:
    """The bits of a float as a signed integer."""
    return x.apply("bitcast", dtype=format_of(x).integer)


def float_of(bits: Value) -> Value:
    """The float that has these bits."""
    return bits.apply("bitcast", dtype=bits.dtype.replace("int", "float"))


def flip_sign(x: Value, sign: Value) -> Value:
    """x, negated where the integer `sign` is the sign bit rather than zero."""
    return float_of(bits_of(x) ^ sign)


def sign_of(x: Value) -> Value:
    """The sign bit of x, alone, as an integer."""
    return bits_of(x) & format_of(x).sign_bit


def with_sign(magnitude: Value, sign: Value) -> Value:
    """A number that is not negative, or has that sign already, with the sign of another."""
    return float_of(bits_of(magnitude) | sign_of(sign))


def without_low_bits(x: Value, count: int) -> Value:
    """x truncated: its last `count` bits are zero, so that products of such numbers are exact."""
    return float_of(bits_of(x) & -(1 << count))


def shortened(x: Value) -> Value:
    """x without the second half of its digits: the product of two such numbers is exact."""
    return without_low_bits(x, format_of(x).half)


def power_of_two(biased: Value) -> Value:
    """2^(biased - bias), from an exponent with bias in the low bits of an integer; bits above it are shifted out."""
    return float_of(biased << FORMATS[biased.dtype.replace("int", "float")].fraction)


def split_normal(x: Value, low: float) -> tuple[Value, Value]:
    """(m, k + bias as an integer) with x = m·2^k, m in [low, 2·low), for x > 0 of full precision; low in (½, 1)."""
    form = format_of(x)
    one = form.bias << form.fraction
    lowest = int(low * 2.0 ** (form.fraction + 1)) + ((form.bias - 2) << form.fraction)
    shifted = bits_of(x) + (one - lowest)
    return float_of((shifted & ((1 << form.fraction) - 1)) + lowest), shifted >> form.fraction


def float_of_exponent(biased: Value, bias: Value | float) -> Value:
    """A small integer that is not negative as a float, less a bias (to which 2^fraction has been added)."""
    form = FORMATS[biased.dtype.replace("int", "float")]
    # The integer as the low bits of a float whose unit is 1.
    return float_of(biased | ((form.bias + form.fraction) << form.fraction)) - bias


def split_exponent(x: Value, low: float) -> tuple[Value, Value]:
    """(m, k as a float) with x = m·2^k, m in [low, 2·low), for finite x > 0; low in (½, 1)."""
    form = format_of(x)
    small = x < form.smallest_normal
    digits = form.fraction + 1
    mantissa, biased = split_normal(where(small, x * 2.0**digits, x), low)
    bias = 2.0**form.fraction + form.bias
    return mantissa, float_of_exponent(biased, where(small, x.constant(bias + digits), bias))

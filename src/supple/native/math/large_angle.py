"""Reduction of angles of any size by multiples of π/2 (Payne and Hanek), for the rare large argument.

|x| = M·2^e with an integer M of 53 bits. Of the binary places of 2/π only a window matters: those
before it make multiples of four quarter turns. M times the window, modulo 2^192, is the number of
quarter turns modulo 4 with 190 binary places, of which no float leaves more than 62 zeros in front.
"""

from supple.native.math.bits import bits_of, flip_sign, sign_of, without_low_bits
from supple.native.math.coefficients import TWO_OVER_PI_PLACES
from supple.native.math.value import Value, fma, where

LIMB = 2**32 - 1

# π/2 as a number of 26 bits and the rest.
HALF_PI_HIGH = 1.5707963109016418
HALF_PI_LOW = 1.5893254773528196e-08


def window(start: Value) -> list[Value]:
    """192 bits from the given one of 64 zeros followed by the places of 2/π, in words of 64 bits, first to last."""
    words = [start.constant(word) for word in (0, *TWO_OVER_PI_PLACES)]
    for stage, needed in zip((16, 8, 4, 2, 1), (19, 11, 7, 5, 4), strict=True):
        moved = (start & (64 * stage)).differs(0)
        words += [start.constant(0)] * (needed + stage - len(words))
        words = [where(moved, words[k + stage], words[k]) for k in range(needed)]
    for count in (32, 16, 8, 4, 2, 1):
        moved = (start & count).differs(0)
        shifted = [(a << count) | (b >> (64 - count)) for a, b in zip(words, [*words[1:], words[-1]], strict=True)]
        words = [where(moved, new, old) for new, old in zip(shifted, words, strict=True)]
    return words[:3]


def product(factor: Value, words: list[Value]) -> tuple[Value, Value]:
    """The first 128 bits of a 64-bit number times 192 bits, modulo 2^192."""
    limbs = [part for word in reversed(words) for part in (word & LIMB, word >> 32)]
    total = [factor.constant(0)] * len(limbs)
    for offset, digit in enumerate((factor & LIMB, factor >> 32)):
        carry = factor.constant(0)
        for place in range(offset, len(limbs)):
            column = digit * limbs[place - offset] + total[place] + carry
            total[place], carry = column & LIMB, column >> 32
    return (total[5] << 32) | total[4], (total[3] << 32) | total[2]


def fraction_of_turn(high: Value, low: Value) -> tuple[Value, Value]:
    """128 bits as a signed fraction in [-½, ½), a float and what it lacks."""
    upper = high.apply("bitcast", dtype="int64").apply("shift_right_arithmetic", 32).apply("convert", dtype="float64")
    parts = [part.apply("convert", dtype="float64") for part in (high & LIMB, low >> 32, low & LIMB)]
    first, second = upper * 2.0**-32, parts[0] * 2.0**-64
    total = first + second
    rest = (second - (total - first)) + fma(parts[1], 2.0**-96, parts[2] * 2.0**-128)
    nearest = total + rest
    return nearest, rest - (nearest - total)


def reduce_large(x: Value) -> tuple[Value, Value, Value]:
    """(n as an integer, its last bits; r; what r lacks) with x = n·π/2 + r, for 2^11 < |x|, float64; NaN for ∞."""
    bits = abs(x).apply("bitcast", dtype="uint64")
    significand = (bits & (2**52 - 1)) | 2**52
    # x = significand·2^(e - 1075) with e the stored exponent; the window begins where the product counts two.
    high, low = product(significand, window((bits >> 52) - (1075 - 62)))
    quadrant = ((high + 2**61) >> 62).apply("bitcast", dtype="int64")
    turn, lack = fraction_of_turn((high << 2) | (low >> 62), low << 2)
    short = without_low_bits(turn, 27)
    most = short * HALF_PI_HIGH
    rest = fma(short, HALF_PI_LOW, (turn - short + lack) * (HALF_PI_HIGH + HALF_PI_LOW))
    r = most + rest
    tail = rest - (r - most)
    sign = sign_of(x)
    negative = sign.differs(0)
    quadrant = where(negative, bits_of(x).constant(0) - quadrant, quadrant)
    return quadrant, flip_sign(r, sign) + (x - x), flip_sign(tail, sign)

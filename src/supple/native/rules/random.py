"""Rules of random keys and bits.

Keys are split and drawn from by JAX's own functions of words, which are traced and inlined; only
the hash itself is written out here.
"""

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax.extend.random import threefry_prng_impl

from supple.native.keys import WORD, pack, unpack
from supple.native.lowering import Lowering, Nodes, rule

# Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011: Threefry-2x32 with 20 rounds.
ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
PARITY = 0x1BD11BDA


@rule("threefry2x32")
def _threefry(lowering: Lowering, k1: Nodes, k2: Nodes, x1: Nodes, x2: Nodes) -> list[Nodes]:
    """Two words hashed by a key of two words: five times four rounds, the key added before and between."""
    parity = lowering.constants(PARITY, WORD)
    schedule = (k1, k2, lowering.map("xor", lowering.map("xor", k1, k2), parity))
    x1, x2 = lowering.map("add", x1, k1), lowering.map("add", x2, k2)
    for block in range(5):
        for rotation in ROTATIONS[block % 2]:
            x1 = lowering.map("add", x1, x2)
            x2 = lowering.map("xor", x1, _rotated(lowering, x2, rotation))
        x1 = lowering.map("add", x1, schedule[(block + 1) % 3])
        number = lowering.map("add", schedule[(block + 2) % 3], lowering.constants(block + 1, WORD))
        x2 = lowering.map("add", x2, number)
    return [x1, x2]


def _rotated(lowering: Lowering, word: Nodes, distance: int) -> Nodes:
    left = lowering.map("shift_left", word, lowering.constants(distance, WORD))
    return lowering.map("or", left, lowering.map("shift_right_logical", word, lowering.constants(32 - distance, WORD)))


@rule("iota_2x32_shape")
def _counters(lowering: Lowering, *, shape: tuple[int, ...]) -> list[Nodes]:
    """The number of each element, as its high and its low word."""
    numbers = np.arange(np.prod(shape, dtype=np.int64)).reshape(shape)
    return [lowering.constants(part.astype(WORD), WORD) for part in (numbers >> 32, numbers & 0xFFFFFFFF)]


@rule("random_wrap")
def _wrap(lowering: Lowering, words: Nodes, **_: Any) -> Nodes:
    return pack(lowering.graph, words)


@rule("random_unwrap")
def _unwrap(lowering: Lowering, keys: Nodes) -> Nodes:
    return unpack(lowering.graph, keys)


@rule("random_clone")
def _clone(_lowering: Lowering, keys: Nodes) -> Nodes:
    return keys


def _each(lowering: Lowering, function: Callable[..., Any], *operands: Nodes) -> Nodes:
    """A function of JAX on each row of the operands, traced and inlined."""
    types = (lowering.graph.dtype[operand.flat[0]] if operand.size else WORD for operand in operands)
    rows = [jax.ShapeDtypeStruct(operand.shape, dtype) for operand, dtype in zip(operands, types, strict=True)]
    return lowering.evaluate(jax.make_jaxpr(jax.vmap(function))(*rows), operands)[0]


@rule("random_seed")
def _seed(lowering: Lowering, seeds: Nodes, **_: Any) -> Nodes:
    words = _each(lowering, threefry_prng_impl.seed, seeds.reshape(-1))
    return pack(lowering.graph, words).reshape(seeds.shape)


@rule("random_split")
def _split(lowering: Lowering, keys: Nodes, *, shape: tuple[int, ...]) -> Nodes:
    words = unpack(lowering.graph, keys.reshape(-1))
    split = _each(lowering, lambda key: threefry_prng_impl.split(key, shape), words)
    return pack(lowering.graph, split).reshape((*keys.shape, *shape))


@rule("random_fold_in")
def _fold_in(lowering: Lowering, keys: Nodes, numbers: Nodes) -> Nodes:
    keys, numbers = np.broadcast_arrays(keys, numbers)
    words = unpack(lowering.graph, keys.reshape(-1))
    folded = _each(lowering, threefry_prng_impl.fold_in, words, numbers.reshape(-1))
    return pack(lowering.graph, folded).reshape(keys.shape)


@rule("random_bits")
def _bits(lowering: Lowering, keys: Nodes, *, bit_width: int, shape: tuple[int, ...]) -> Nodes:
    words = unpack(lowering.graph, keys.reshape(-1))
    bits = _each(lowering, lambda key: threefry_prng_impl.random_bits(key, bit_width, shape), words)
    return bits.reshape((*keys.shape, *shape))

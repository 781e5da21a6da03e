"""Typed random keys: while a program is lowered, a key is one node that holds its two words.

So everything that moves elements (slices, gathers, loops) moves keys too, and a key of a finished
program, as input or output, is an array of words with a trailing axis of 2, in `uint32`.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from supple.native.fold import build
from supple.native.graph import Graph

KEY = "key<fry>"  # the type's name: keys of threefry, JAX's default
WORD = "uint32"


def is_key(array: Any) -> bool:
    """Whether an array, or what stands for it, has a type of random keys."""
    dtype = getattr(array, "dtype", None)
    return dtype is not None and jnp.issubdtype(dtype, jax.dtypes.prng_key)


def numbers(leaf: Any) -> np.ndarray:
    """A leaf of arguments as numpy; typed keys as their words."""
    return np.asarray(jax.random.key_data(leaf) if is_key(leaf) else leaf)


def pack(graph: Graph, words: np.ndarray) -> np.ndarray:
    """Keys (…) from words (…, 2)."""
    pairs = words.reshape(-1, 2).tolist()
    keys = [graph.node("key", KEY, (high, low)) for high, low in pairs]
    return np.array(keys, dtype=np.int64).reshape(words.shape[:-1])


def unpack(graph: Graph, keys: np.ndarray) -> np.ndarray:
    """Words (…, 2) of keys (…)."""
    words = [_words(graph, key) for key in keys.ravel().tolist()]
    return np.array(words, dtype=np.int64).reshape((*keys.shape, 2))


def _words(graph: Graph, key: int) -> tuple[int, ...]:
    """The two words of a key, which may have been chosen from keys."""
    if graph.op[key] == "key":
        return graph.args[key]
    condition, one, other = graph.args[key]
    pairs = zip(_words(graph, one), _words(graph, other), strict=True)
    return tuple(build(graph, "select", (condition, *pair)) for pair in pairs)

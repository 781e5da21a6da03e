"""Arguments of JAX for compiled functions: traced or concrete, of the shapes and types compiled for."""

from typing import Any

import jax
import jax.numpy as jnp

from supple.native import xla
from supple.native.callee import Callee
from supple.native.keys import is_key
from supple.native.primitive import call
from supple.native.signature import Leaf, Signature

assert xla


def in_jax(signature: Signature, callee: Callee, arguments: tuple[Any, ...]) -> Any:
    """The result for one state, as JAX's arrays."""
    for leaf in (*signature.inputs, *signature.outputs):
        if jax.dtypes.canonicalize_dtype(leaf.dtype) != leaf.dtype:
            raise TypeError(
                f"{leaf.name} is of type {leaf.dtype}, but JAX computes in 32 bits: "
                "use jax.enable_x64(True), or compile with dtype=numpy.float32"
            )
    leaves = signature.leaves(arguments)
    arrays = [_array(leaf, value) for leaf, value in zip(signature.inputs, leaves, strict=True)]
    return signature.result(call(callee, arrays))


def _array(leaf: Leaf, value: Any) -> jax.Array:
    array = jnp.asarray(jax.random.key_data(value) if is_key(value) else value)
    leaf.fits(array.shape, array.dtype)
    return jax.lax.convert_element_type(array, leaf.dtype)

"""How XLA finds compiled functions: as targets of its foreign function interface, on the CPU."""

import hashlib
import threading
from typing import Any, NoReturn

import jax
import numpy as np
from jax.interpreters import mlir

from supple.native.callee import Callee
from supple.native.machine.frame import ALIGNMENT
from supple.native.machine.link import Native
from supple.native.primitive import compiled_p, result_shapes
from supple.native.source import Loaded, Variant

# XLA knows no way to forget a target, so the code of one stays in memory.
_targets: dict[str, Native] = {}
_lock = threading.Lock()


def _target(loaded: Loaded) -> str:
    """The name under which XLA knows a function: of its code, for XLA keeps programs on disk by such names."""
    name = "supple_" + hashlib.sha256(loaded.image.code).hexdigest()
    with _lock:
        if name not in _targets:
            jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(loaded.native.handler), platform="cpu")
            _targets[name] = loaded.native
    return name


def _call(*arrays: jax.Array, callee: Callee, count: int | None, variant: Variant) -> list[jax.Array]:
    """The call as XLA makes it: with memory to work in as one more result."""
    loaded = callee.source.load(variant)
    memory = jax.ShapeDtypeStruct((loaded.image.frame_bytes + ALIGNMENT,), np.uint8)
    results = jax.ffi.ffi_call(_target(loaded), [*result_shapes(callee, count), memory])(*arrays)
    return list(results[:-1])


def _refuse(context: Any, *_operands: Any, **_parameters: Any) -> NoReturn:
    platforms = ", ".join(context.module_context.platforms)
    raise NotImplementedError(
        f"a compiled function runs on the CPU, not on {platforms}: use the function that was compiled, or jax.jit with "
        "arrays on jax.devices('cpu')"
    )


mlir.register_lowering(compiled_p, _refuse)
mlir.register_lowering(compiled_p, mlir.lower_fun(_call, multiple_results=True), platform="cpu")

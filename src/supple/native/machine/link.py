"""Machine code in this process's memory, as functions that ctypes calls without the interpreter's lock."""

import ctypes
import functools
import itertools
import threading
from collections.abc import Callable
from typing import Any

from llvmlite import binding as llvm

from supple.native.machine.target import host, target_machine

_ARGUMENTS = {"one": (ctypes.c_void_p,) * 3, "many": (*(ctypes.c_void_p,) * 3, ctypes.c_int64, ctypes.c_int64)}

_lock = threading.Lock()
_serial = itertools.count()


@functools.cache
def _linker() -> Any:
    return llvm.create_lljit_compiler(target_machine(host()), use_jit_link=True)


class Native:
    """A function in memory, and `handler`, by which XLA calls it; the memory is freed with this object."""

    def __init__(self, code: bytes, symbol: str) -> None:
        builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process()
        builder.export_symbol(symbol).export_symbol("handler")
        with _lock:
            self._library = builder.link(_linker(), f"supple{next(_serial)}")
        self.address: int = self._library[symbol]
        self.handler: int = self._library["handler"]
        self.call: Callable[..., None] = ctypes.CFUNCTYPE(None, *_ARGUMENTS[symbol])(self.address)

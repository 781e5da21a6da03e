"""CasADi: C of its functions of our own articulated-body algorithm; what it generates, and for batches, by lanes."""

import ctypes
from collections.abc import Callable, Sequence

import casadi as ca
import numpy as np
from c_compiler import address, build
from casadi_dynamics import forward_function, gradient_function
from casadi_lanes import lanes_task
from case import FORWARD, GRADIENT, Case, Task
from timing import NativeLoop


def task(function: ca.Function, arguments: Sequence[np.ndarray]) -> Task:
    """A loop over the generated function: f(arguments, results, integer memory, memory, 0)."""
    generator = ca.CodeGenerator("generated")
    generator.add(function)
    library = build(generator.dump())
    results = [np.zeros(function.size1_out(k)) for k in range(function.n_out())]
    given, written = table(arguments, function.sz_arg()), table(results, function.sz_res())
    integers, numbers = np.zeros(function.sz_iw() + 1, np.int64), np.zeros(function.sz_w() + 1)
    addresses = [ctypes.addressof(given), ctypes.addressof(written), integers.ctypes.data, numbers.ctypes.data, 0]
    memory = library, arguments, given, written, integers, numbers
    run = NativeLoop(address(library, function.name()), addresses, *memory)
    return Task(run, lambda: np.concatenate(results)[None])


def table(arrays: Sequence[np.ndarray], size: int) -> ctypes.Array[ctypes.c_void_p]:
    """The addresses of arrays, in a table with room for more."""
    return (ctypes.c_void_p * size)(*(array.ctypes.data for array in arrays))


TASKS: dict[str, Callable[[Case], Task]] = {
    "forward": lambda case: task(forward_function(case.fused), case.one(FORWARD)),
    "gradient": lambda case: task(gradient_function(case.fused), case.one(GRADIENT)),
    "forward batch": lambda case: lanes_task(forward_function(case.fused), case.all(FORWARD)),
    "gradient batch": lambda case: lanes_task(gradient_function(case.fused), case.all(GRADIENT)),
}

"""CasADi's functions as C with a state in each lane of a vector register: what a batch costs at least.

Every scalar is a vector of gcc's; sines and cosines are polynomials (those of `supple.native.math`, for angles of
moderate size). States stand in blocks of one per lane, each of its numbers in a vector of its own: the layout that
suits the machine, where Supple takes rows of states, one after another.
"""

from collections.abc import Sequence

import casadi as ca
import numpy as np
from c_compiler import address, build
from case import Task
from timing import NativeLoop

from supple.native.machine.target import host
from supple.native.math.coefficients import COSINE, HALF_PI, SINE

OPERATIONS = {
    ca.OP_ASSIGN: "{0}",
    ca.OP_ADD: "{0} + {1}",
    ca.OP_SUB: "{0} - {1}",
    ca.OP_MUL: "{0} * {1}",
    ca.OP_DIV: "{0} / {1}",
    ca.OP_NEG: "-{0}",
    ca.OP_INV: "1.0f / {0}",
    ca.OP_SQ: "{0} * {0}",
    ca.OP_TWICE: "{0} + {0}",
    ca.OP_SIN: "turn({0}, 0)",
    ca.OP_COS: "turn({0}, 1)",
}

# Sine of x + quarters · π/2: x is brought to ±π/4, and the last two bits of the whole quarters choose the polynomial
# and the sign. Adding and subtracting 1.5 · 2²³ rounds; the sum's last bits are those of the integer.
TURN = """
static inline vector turn(vector x, int quarters) {
  vector shifted = x * 0.636619772f + 12582912.0f;
  vector n = shifted - 12582912.0f;
  vector r = x - n * HALF_PI_0 - n * HALF_PI_1 - n * HALF_PI_2;
  integers k = (integers)shifted + quarters;
  vector z = r * r;
  vector sine = r + r * z * (SINE_0 + z * (SINE_1 + z * SINE_2));
  vector cosine = 1.0f + z * (COSINE_0 + z * (COSINE_1 + z * (COSINE_2 + z * COSINE_3)));
  integers is_odd = -(k & 1);
  integers chosen = ((integers)cosine & is_odd) | ((integers)sine & ~is_odd);
  return (vector)(chosen ^ ((k & 2) << 30));
}
"""


def lanes_task(function: ca.Function, arguments: Sequence[np.ndarray]) -> Task:
    """A loop over blocks of states."""
    lanes, states = host().lanes(np.dtype(np.float32)), len(arguments[0])
    library = build(source(function, lanes))
    given = blocks(np.concatenate(arguments, axis=1), lanes)
    written = aligned((len(given), function.nnz_out(), lanes))
    addresses = given.ctypes.data, written.ctypes.data, len(given)
    run = NativeLoop(address(library, "many"), addresses, library, given, written)
    return Task(run, lambda: written.swapaxes(1, 2).reshape(states, -1).astype(float), "float32", states)


def blocks(values: np.ndarray, lanes: int) -> np.ndarray:
    """(states, numbers) → (states / lanes, numbers, lanes)."""
    result = aligned((len(values) // lanes, values.shape[1], lanes))
    result[...] = values.reshape(-1, lanes, values.shape[1]).swapaxes(1, 2)
    return result


def aligned(shape: tuple[int, ...]) -> np.ndarray:
    """Single-precision memory that starts at a cache line."""
    size = 4 * int(np.prod(shape))
    memory = np.zeros(size + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + size].view(np.float32).reshape(shape)


def source(function: ca.Function, lanes: int) -> str:
    """C in which each of the function's scalars is a vector, and a loop over blocks."""
    tables = {"HALF_PI": HALF_PI, "SINE": SINE, "COSINE": COSINE}
    constants = [
        f"#define {name}_{k} {value!r}f"
        for name, by_type in tables.items()
        for k, value in enumerate(by_type["float32"])
    ]
    return "\n".join(
        [
            f"typedef float vector __attribute__((vector_size({4 * lanes})));",
            f"typedef int integers __attribute__((vector_size({4 * lanes})));",
            *constants,
            TURN,
            "static __attribute__((noinline)) void one(const vector *restrict in, vector *restrict out) {",
            *statements(function),
            "}",
            "void many(const vector *in, vector *out, long count) {",
            f"  for (long k = 0; k < count; k++) one(in + k * {function.nnz_in()}, out + k * {function.nnz_out()});",
            "}",
        ]
    )


def statements(function: ca.Function) -> list[str]:
    """A line of C per instruction; inputs and outputs stand one after another."""
    first_in = np.cumsum([0, *(function.nnz_in(k) for k in range(function.n_in()))])
    first_out = np.cumsum([0, *(function.nnz_out(k) for k in range(function.n_out()))])
    lines = [f"vector {', '.join(f'a{k}' for k in range(function.sz_w()))};"]
    for k in range(function.n_instructions()):
        operation, to, given = function.instruction_id(k), function.instruction_output(k), function.instruction_input(k)
        if operation == ca.OP_CONST:
            lines.append(f"a{to[0]} = {function.instruction_constant(k)!r}f - (vector){{}};")
        elif operation == ca.OP_INPUT:
            lines.append(f"a{to[0]} = in[{first_in[given[0]] + given[1]}];")
        elif operation == ca.OP_OUTPUT:
            lines.append(f"out[{first_out[to[0]] + to[1]}] = a{given[0]};")
        else:
            lines.append(f"a{to[0]} = {OPERATIONS[operation].format(*(f'a{arg}' for arg in given))};")
    return lines

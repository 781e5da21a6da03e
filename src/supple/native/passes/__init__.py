"""Named passes over a program, with the verifier between them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from supple.native.passes.divide import divide
from supple.native.passes.factor import factor
from supple.native.passes.fuse import fuse
from supple.native.passes.share import share
from supple.native.passes.signs import signs
from supple.native.passes.verify import MalformedProgramError, verify
from supple.native.program import Program

__all__ = ["MACHINE_PASSES", "PASSES", "MalformedProgramError", "Pass", "optimise", "verify"]

Pass = Callable[[Program], Program]

# In this order: factoring makes work for sharing; `signs` and `divide` leave the normal form.
PASSES: tuple[Pass, ...] = (share, factor, share, signs, divide)

# For machine code a product and a sum may become one.
MACHINE_PASSES: tuple[Pass, ...] = (*PASSES, fuse)


def optimise(program: Program, passes: Sequence[Pass] = PASSES) -> Program:
    """Run passes and note in `history` how many operations each has left."""
    verify(program)
    for run in passes:
        result = run(program)
        verify(result)
        program = replace(result, history=(*program.history, (run.__name__, result.arithmetic)))
    return program

"""The compiler: from a JAX function to a scalar graph, and from there to machine code."""

from supple.native.compiled import Compiled, Stats, compile  # noqa: A004
from supple.native.errors import NotCompilable
from supple.native.interpret import as_function, interpret
from supple.native.lower import Constant, lower
from supple.native.program import Program

__all__ = ["Compiled", "Constant", "NotCompilable", "Program", "Stats", "as_function", "compile", "interpret", "lower"]

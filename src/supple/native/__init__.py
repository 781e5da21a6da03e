"""The compiler: from a JAX function to a scalar graph (and, later, to machine code)."""

from supple.native.errors import NotCompilable
from supple.native.interpret import as_function, interpret
from supple.native.lower import Constant, lower
from supple.native.program import Program

__all__ = ["Constant", "NotCompilable", "Program", "as_function", "interpret", "lower"]

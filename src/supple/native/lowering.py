"""Interpretation of a jaxpr over arrays of nodes: shapes vanish, scalars remain."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jax.extend import core, source_info_util

from supple.native.errors import NotCompilable
from supple.native.fold import build
from supple.native.graph import TYPES, Graph
from supple.native.keys import KEY, is_key, numbers, pack

Nodes = np.ndarray  # int64 indices of nodes, in the shape of the array that they stand for
Rule = Callable[..., Nodes | list[Nodes]]

# The line that made an equation is the user's, never one of the compiler that traced it.
source_info_util.register_exclusion(str(Path(__file__).parent))

# One entry per primitive: rule(lowering, *operands, **parameters) → result, or list of results.
RULES: dict[str, Rule] = {}

# Primitives that are known and have no rule: name → why, and what to do instead.
REFUSED: dict[str, str] = {}


def rule(*primitives: str) -> Callable[[Rule], Rule]:
    """Enter a function into the rule table under the names of its primitives."""

    def enter(function: Rule) -> Rule:
        for name in primitives:
            if name in RULES:
                raise ValueError(f"primitive '{name}' has two rules")
            RULES[name] = function
        return function

    return enter


def unsupported(aval: Any) -> str:
    """Why a type is refused."""
    way_out = ""
    if is_key(aval):
        way_out = ": only keys of threefry are, as jax.random.key(…, impl='threefry2x32') makes them"
    elif "complex" in str(aval):
        way_out = ": write real and imaginary parts as arrays of their own"
    elif "float" in str(aval):
        way_out = ": use float32 or float64"
    return f"its type {aval} is not supported{way_out}"


class Lowering:
    """One lowering: the graph that grows, and the equations that are being read, for errors."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._nest: list[Any] = []

    def evaluate(self, closed: core.ClosedJaxpr, operands: Sequence[Nodes]) -> list[Nodes]:
        """The results of a closed jaxpr on arrays of nodes."""
        jaxpr = closed.jaxpr
        values = dict(zip(jaxpr.constvars, map(self.constants, closed.consts), strict=True))
        values.update(zip(jaxpr.invars, operands, strict=True))

        def read(atom: Any) -> Nodes:
            return self._literal(atom) if isinstance(atom, core.Literal) else values[atom]

        for equation in jaxpr.eqns:
            results = self._apply(equation, [read(atom) for atom in equation.invars])
            values.update(zip(equation.outvars, results, strict=True))
        return [read(atom) for atom in jaxpr.outvars]

    def _literal(self, literal: Any) -> Nodes:
        return self.constants(literal.val, literal.aval.dtype)

    def _apply(self, equation: Any, operands: list[Nodes]) -> list[Nodes]:
        name = equation.primitive.name
        self._nest.append(equation)
        if name not in RULES:
            raise self.refusal(REFUSED.get(name, "there is no rule for it"))
        if not any(isinstance(value, core.Jaxpr | core.ClosedJaxpr) for value in equation.params.values()):
            self._check_types(equation)
        results: Any = RULES[name](self, *operands, **equation.params)
        self._nest.pop()
        return [np.asarray(nodes) for nodes in (results if equation.primitive.multiple_results else [results])]

    def _check_types(self, equation: Any) -> None:
        """Refuse what makes types that the graph has not; of an equation with a program inside, that program does."""
        for variable in equation.outvars:
            dtype = getattr(variable.aval, "dtype", None)
            if dtype is None or dtype.name not in TYPES | {KEY}:
                raise self.refusal(unsupported(variable.aval))

    @property
    def equation(self) -> Any:
        """The equation that is being lowered, the innermost of those that contain it."""
        return self._nest[-1]

    def refusal(self, reason: str) -> NotCompilable:
        """The error that says why the current equation cannot be lowered."""
        sources = (source_info_util.summarize(equation.source_info) for equation in reversed(self._nest))
        called = (f"a line of {equation.params['name']}" for equation in self._nest if "name" in equation.params)
        source = next((source for source in sources if source), None) or next(called, "the call")
        return NotCompilable(self._nest[-1].primitive.name if self._nest else "constant", reason, source)

    @property
    def result(self) -> Any:
        """Abstract value (shape and dtype) of the current equation's first result."""
        return self.equation.outvars[0].aval

    def constants(self, value: Any, dtype: Any = None) -> Nodes:
        """Constant nodes in the shape of an array."""
        array = value if is_key(value) else np.asarray(value, dtype=dtype)
        if array.dtype.name not in TYPES | {KEY}:
            raise self.refusal(unsupported(jax.typeof(array)))
        if is_key(array):
            return pack(self.graph, self.constants(numbers(array)))
        constant, dtype = self.graph.constant, array.dtype.name
        return self.shaped([constant(scalar, dtype) for scalar in array.ravel().tolist()], array.shape)

    def known(self, nodes: Nodes) -> np.ndarray | None:
        """The values of nodes if all are constants, else None."""
        flat = [self.graph.value[node] for node in nodes.ravel().tolist()]
        if any(value is None for value in flat):
            return None
        dtype = self.graph.dtype[nodes.flat[0]] if flat else "int32"
        return np.array(flat, dtype=dtype).reshape(nodes.shape)

    def shaped(self, nodes: Sequence[Any], shape: Sequence[int]) -> Nodes:
        """A (possibly nested) list of nodes as an array."""
        return np.array(nodes, dtype=np.int64).reshape(tuple(shape))

    def map(self, op: str, *operands: Nodes, dtype: str | None = None) -> Nodes:
        """An operation on each element; operands broadcast."""
        operands = np.broadcast_arrays(*operands)
        flat = zip(*(operand.ravel().tolist() for operand in operands), strict=True)
        graph = self.graph
        return self.shaped([build(graph, op, args, dtype) for args in flat], operands[0].shape)

    def reduce(self, op: str, nodes: Nodes, axes: Sequence[int]) -> Nodes:
        """Fold axes away with a binary operation, from first to last; they must not be empty."""
        graph = self.graph
        kept = [axis for axis in range(nodes.ndim) if axis not in axes]
        shape = [nodes.shape[axis] for axis in kept]
        rows = np.transpose(nodes, [*kept, *axes]).reshape(int(np.prod(shape)), -1).tolist()
        results = []
        for row in rows:
            total = row[0]
            for node in row[1:]:
                total = build(graph, op, (total, node))
            results.append(total)
        return self.shaped(results, shape)

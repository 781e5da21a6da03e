"""A fingerprint of a jaxpr: equal programs, traced anywhere, have the same."""

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
from jax.extend import core

# Parameters that have no influence on what is computed: how derivatives are taken, where arrays live, names.
IGNORED = frozenset(
    {"jvp_jaxpr_fun", "jvp_jaxpr_thunk", "fwd_jaxpr_thunk", "bwd", "symbolic_zeros", "name", "sharding", "out_sharding"}
    | {"in_shardings", "out_shardings", "in_layouts", "out_layouts", "donated_invars", "ctx_mesh", "resource_env"}
    | {"keep_unused", "inline", "compiler_options_kvs", "policy", "prevent_cse", "differentiated", "linear"}
)


def digest(closed: core.ClosedJaxpr) -> bytes | None:
    """The fingerprint, or None if a parameter has no form that is the same in every process."""
    writer = _Writer()
    try:
        writer.closed(closed)
    except _NoFormError:
        return None
    return writer.hash.digest()


class _NoFormError(Exception):
    pass


class _Writer:
    """Feeds a canonical form to a hash: variables are numbered as they appear."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()

    def write(self, *texts: object) -> None:
        for text in texts:
            self.hash.update(str(text).encode() + b"\0")

    def array(self, value: Any) -> None:
        array = np.asarray(value)
        self.write("array", array.dtype, array.shape)
        self.hash.update(np.ascontiguousarray(array).tobytes())

    def closed(self, closed: core.ClosedJaxpr) -> None:
        self.write("constants", len(closed.consts))
        for constant in closed.consts:
            self.array(constant)
        self.jaxpr(closed.jaxpr)

    def jaxpr(self, jaxpr: core.Jaxpr) -> None:
        numbers: dict[Any, int] = {}

        def bind(variables: Any) -> None:
            for variable in variables:
                numbers[variable] = len(numbers)
                self.write(variable.aval.str_short())

        bind(jaxpr.constvars)
        bind(jaxpr.invars)
        self.write("equations", len(jaxpr.eqns))
        for equation in jaxpr.eqns:
            self.write(equation.primitive.name)
            self.parameter({key: value for key, value in equation.params.items() if key not in IGNORED})
            self._atoms(equation.invars, numbers)
            bind(equation.outvars)
        self._atoms(jaxpr.outvars, numbers)

    def _atoms(self, atoms: Any, numbers: dict[Any, int]) -> None:
        self.write("atoms", len(atoms))
        for atom in atoms:
            if isinstance(atom, core.Literal):
                self.array(np.asarray(atom.val, getattr(atom.aval, "dtype", None)))
            else:
                self.write(numbers[atom])

    def parameter(self, value: Any) -> None:
        """One parameter of an equation, or a part of it."""
        for kind, write in _FORMS:
            if isinstance(value, kind):
                write(self, value)
                return
        text = repr(value)
        if " at 0x" in text or callable(value):
            raise _NoFormError
        self.write(type(value).__name__, text)


def _sequence(writer: _Writer, values: Any) -> None:
    writer.write(type(values).__name__, len(values))
    for value in values:
        writer.parameter(value)


def _mapping(writer: _Writer, values: dict) -> None:
    writer.write("mapping", len(values))
    for key, value in sorted(values.items(), key=lambda item: str(item[0])):
        writer.write(key)
        writer.parameter(value)


_FORMS: tuple[tuple[Any, Callable[[_Writer, Any], None]], ...] = (
    (core.ClosedJaxpr, _Writer.closed),
    (core.Jaxpr, _Writer.jaxpr),
    (np.ndarray, _Writer.array),
    (dict, _mapping),
    ((tuple, list), _sequence),
    (np.dtype, lambda writer, dtype: writer.write(dtype)),
    (type, lambda writer, type_: writer.write(type_.__module__, type_.__qualname__)),
)

"""The numpy arrays in a jaxpr, as copies.

JAX 0.10 converts each numpy array once, to the precision of the trace that met it first, and uses the result in
every other trace for as long as something holds it, in whatever precision. So a jaxpr that is kept must
hold none of those, and one that was made after others must be looked at.
"""

from typing import Any

import jax
import numpy as np
from jax.extend import core


def detach(closed: core.ClosedJaxpr) -> tuple[core.ClosedJaxpr, set[str]]:
    """The same jaxpr with copies of the numpy arrays in it, on every level; and their types."""
    types: set[str] = set()

    def constant(value: Any) -> Any:
        if isinstance(value, jax.Array):
            return value
        types.add(value.dtype.name)
        return np.array(value)

    def parameter(value: Any) -> Any:
        if isinstance(value, core.ClosedJaxpr):
            return core.ClosedJaxpr(inside(value.jaxpr), [constant(value) for value in value.consts])
        if isinstance(value, core.Jaxpr):
            return inside(value)
        return tuple(map(parameter, value)) if type(value) is tuple else value

    def inside(jaxpr: core.Jaxpr) -> core.Jaxpr:
        equations = [
            equation.replace(params={name: parameter(value) for name, value in equation.params.items()})
            for equation in jaxpr.eqns
        ]
        return jaxpr.replace(eqns=equations)

    return parameter(closed), types

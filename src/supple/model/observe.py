"""Observation: the marked values of a computation, beside its result."""

from collections.abc import Callable
from typing import Any

import equinox as eqx
from jaxtyping import Shaped

from supple.model.assembly import assemble_records
from supple.model.errors import NamingError
from supple.model.scope import Scope, Site
from supple.model.tracing import trace
from supple.model.visit import visit_jaxpr
from supple.spatial.arrays import Array


class Observed(eqx.Module):
    """A function that also returns its marked values; made by `observe`.

    It is a pytree with the arrays of `fn` as leaves, so `eqx.filter_jit` takes a system as an argument and does
    not compile again for new parameters. Under `jax.jit`, which hashes it by identity, they are constants.
    """

    fn: Callable[..., Any]

    def __call__(self, *args: Any, **kwargs: Any) -> tuple[Any, dict[str, Shaped[Array, "..."]]]:
        """(fn's result, name → value)."""
        traced = trace(self.fn, args, kwargs)
        outputs, scope = visit_jaxpr(traced.jaxpr, traced.arrays, _look)
        return traced.assemble(outputs), assemble_records(list(scope.records.values()))

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """For `inspect.signature`, by which JAX finds static arguments by name."""
        return self.fn

    __hash__ = object.__hash__
    __eq__ = object.__eq__


def observe(fn: Callable[..., Any]) -> Observed:
    """A function of the same arguments that returns `(fn's result, seen)`, where `seen` maps name to value.

        state, seen = sp.observe(system.step)(state, control)
        seen["joint.force"]

    The sites of one name are assembled into one array. Of a name marked several times, the first is seen (with a
    multi-stage integrator, the first stage). Values marked inside a `scan` are stacked along time, one leading
    axis per scan. A mark that cannot be seen (inside `vmap`, `while`, a custom derivative, or only one branch of a
    `cond`) raises `NamingError`. Compose freely: jit, grad, jvp, vmap and scan, inside or outside.

    Prefer the gradient of an observed function to observing a gradient: of a gradient taken inside `fn` JAX keeps
    only the values that it needs, and moves those that do not change from step to step out of their scan.
    """
    if not callable(fn):
        raise NamingError(f"observe({fn!r:.60}): it is no function; write, for instance, observe(system.step).")
    return Observed(fn)


def _look(site: Site, value: Any, scope: Scope) -> Any:
    scope.record(site, value)
    return value

"""Visiting the marks of a function: see, keep or replace every marked value.

The function is traced to a jaxpr, which is evaluated again, equation by equation, with a visitor called at each
mark. Regions that hold marks (scans, branches, checkpoints) are rebuilt through JAX's public functions around
the visited body, so a visitor may close over anything, network weights or values made outside of a loop included,
and the result can be differentiated, batched, compiled and visited again.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import equinox
import jax
import jax.numpy as jnp
import jaxtyping
import numpy as np
from jax import lax
from jax._src import source_info_util  # the only door to an equation's source line
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, jaxprs_in_params
from jax.extend.core import primitives as jp

from supple.model import naming
from supple.model.errors import NamingError
from supple.model.naming import Mark
from supple.model.scope import Scope, Site

# (site, value, scope) -> the value to go on with: the same object if it is only looked at.
Visitor = Callable[[Site, Any, Scope], Any]

# Files through which a call to `named` passes and that are not the place where the mark was written.
_PASSAGES = (naming.__file__, *(str(Path(str(package.__file__)).parent) for package in (equinox, jaxtyping)), "<")

_REMEDY = {
    jp.while_p: "Write the loop as a scan, or mark its result.",
    jp.custom_jvp_call_p: "Mark the value before or after the function.",
    jp.custom_vjp_call_p: "Mark the value before or after the function.",
    jp.linear_solve_p: "Mark the solution.",
}


def visit_jaxpr(closed: ClosedJaxpr, arguments: Sequence[Any], visit: Visitor) -> tuple[list[Any], Scope]:
    """Evaluate a jaxpr with a visitor called at every mark; returns the outputs and the outermost scope."""
    scope = Scope()
    return _Walk(visit).run(closed, arguments, scope), scope


def find_marks(jaxpr: Jaxpr, loops: tuple[int, ...] = ()) -> Iterator[tuple[Mark, JaxprEqn, tuple[int, ...]]]:
    """All marks in a jaxpr, at any depth, with their equations and the lengths of the scans around them."""
    for eqn in jaxpr.eqns:
        mark = _mark_of(eqn)
        if mark is not None:
            yield mark, eqn, loops
        inner = (*loops, eqn.params["length"]) if eqn.primitive is jp.scan_p else loops
        for region in jaxprs_in_params(eqn.params):
            yield from find_marks(region, inner)


def locate(eqn: JaxprEqn) -> str:
    """File and line that wrote an equation."""
    for frame in source_info_util.user_frames(eqn.source_info.traceback):
        if not frame.file_name.startswith(_PASSAGES):
            return f"{frame.file_name}:{frame.start_line}"
    return "an unknown place"


def _mark_of(eqn: JaxprEqn) -> Mark | None:
    return Mark.decode(eqn.params["name"]) if eqn.primitive is jp.name_p else None


def _concrete(value: Any) -> Any:
    return jnp.asarray(value) if isinstance(value, np.ndarray) else value


class _Walk:
    """One evaluation of a jaxpr under a visitor."""

    def __init__(self, visit: Visitor):
        self._visit = visit

    def run(
        self, closed: ClosedJaxpr, arguments: Sequence[Any], scope: Scope, differentiated: bool = False
    ) -> list[Any]:
        """The outputs of a jaxpr, its marks visited; `differentiated` if it stands inside a derivative."""
        jaxpr = closed.jaxpr
        values = dict(zip([*jaxpr.constvars, *jaxpr.invars], map(_concrete, [*closed.consts, *arguments]), strict=True))

        def read(atom: Any) -> Any:
            return atom.val if isinstance(atom, Literal) else values[atom]

        for eqn in jaxpr.eqns:
            stack = source_info_util.current_name_stack() + eqn.source_info.name_stack
            with source_info_util.user_context(eqn.source_info.traceback, name_stack=stack), eqn.ctx.manager:
                inputs = [read(atom) for atom in eqn.invars]
                outputs = self._evaluate(eqn, inputs, scope, differentiated or _is_differentiated(eqn))
            values.update(zip(eqn.outvars, outputs, strict=True))
        return [read(atom) for atom in jaxpr.outvars]

    def _evaluate(self, eqn: JaxprEqn, inputs: list[Any], scope: Scope, differentiated: bool) -> Sequence[Any]:
        mark = _mark_of(eqn)
        if mark is not None:
            return [self._meet(mark, eqn, inputs[0], scope, differentiated)]
        inside = next((found for region in jaxprs_in_params(eqn.params) for found in find_marks(region)), None)
        if inside is None:
            return _bind(eqn, inputs)
        match eqn.primitive:
            case jp.jit_p | jp.closed_call_p:
                region = eqn.params["jaxpr" if eqn.primitive is jp.jit_p else "call_jaxpr"]
                return self.run(region, inputs, scope, differentiated)
            case jp.scan_p:
                return self._scan(eqn, inputs, scope, differentiated)
            case jp.cond_p:
                return self._branch(eqn, inputs, scope, differentiated)
            case jp.remat_p:
                return self._checkpoint(eqn, inputs, scope, differentiated)
        inner_mark, inner_eqn, _ = inside
        raise NamingError(
            f"{inner_mark.name!r}, marked at {locate(inner_eqn)}, stands inside {eqn.primitive.name!r} "
            f"({locate(eqn)}), where it can be neither observed nor rewritten. "
            + _REMEDY.get(eqn.primitive, "Mark the value outside of it.")
        )

    def _meet(self, mark: Mark, eqn: JaxprEqn, value: Any, scope: Scope, differentiated: bool) -> Any:
        """Let the visitor see a marked value, and mark what it returns, for visitors further out."""
        (aval,) = _shapes(eqn)
        site = Site(mark, aval.dtype, scope.loops, locate(eqn))
        if aval.shape != mark.shape:
            raise NamingError(
                f"{mark.name!r}, marked at {site.where} with shape {mark.shape}, has shape {aval.shape} where it is "
                "reached: it stands inside 'vmap'. Batch the observed or augmented function instead."
            )
        new = self._visit(site, value, scope)
        if new is not value:
            _check_replacement(site, new, differentiated)
        return jp.name_p.bind(new, **eqn.params)

    def _scan(self, eqn: JaxprEqn, inputs: list[Any], scope: Scope, differentiated: bool) -> list[Any]:
        params = eqn.params
        first, split = params["num_consts"], params["num_consts"] + params["num_carry"]
        consts, carry, xs = inputs[:first], inputs[first:split], inputs[split:]
        about = []

        def body(carry: list[Any], x: list[Any]) -> Any:
            inner = scope.enter(params["length"])
            outputs = self.run(params["jaxpr"], [*consts, *carry, *x], inner, differentiated)
            kept, about[:] = inner.leave()
            return outputs[: len(carry)], (outputs[len(carry) :], kept)

        options = {key: params[key] for key in ("length", "reverse", "unroll")}
        carry, (ys, kept) = lax.scan(body, carry, xs, **options)
        scope.take(kept, about, params["length"])
        return [*carry, *ys]

    def _branch(self, eqn: JaxprEqn, inputs: list[Any], scope: Scope, differentiated: bool) -> list[Any]:
        _check_branches(eqn)
        about = []

        def visited(region: ClosedJaxpr) -> Callable[..., Any]:
            def branch(*arguments: Any) -> Any:
                inner = scope.enter()
                outputs = self.run(region, arguments, inner, differentiated)
                kept, about[:] = inner.leave()
                return outputs, kept

            return branch

        outputs, kept = lax.switch(inputs[0], [visited(region) for region in eqn.params["branches"]], *inputs[1:])
        scope.take(kept, about)
        return outputs

    def _checkpoint(self, eqn: JaxprEqn, inputs: list[Any], scope: Scope, differentiated: bool) -> Sequence[Any]:
        params = eqn.params
        if params["differentiated"]:  # the backward pass of a gradient replays what was visited on the way forward
            return _bind(eqn, inputs)
        about = []

        def body(*arguments: Any) -> Any:
            inner = scope.enter()
            outputs = self.run(ClosedJaxpr(params["jaxpr"], ()), arguments, inner, differentiated)
            kept, about[:] = inner.leave()
            return outputs, kept

        outputs, kept = jax.checkpoint(body, policy=params["policy"], prevent_cse=params["prevent_cse"])(*inputs)
        scope.take(kept, about)
        return outputs


def _bind(eqn: JaxprEqn, inputs: list[Any]) -> Sequence[Any]:
    """Evaluate an equation as it is."""
    outputs = eqn.primitive.bind(*inputs, **eqn.primitive.get_bind_params(eqn.params))
    return outputs if eqn.primitive.multiple_results else [outputs]


def _check_branches(eqn: JaxprEqn) -> None:
    """Refuse a branch whose marks differ from another's: what is seen may not depend on the path taken."""
    first, *others = (
        {(mark, loops, _shapes(inner)[0].dtype): inner for mark, inner, loops in find_marks(branch.jaxpr)}
        for branch in eqn.params["branches"]
    )
    for other in others:
        for key in first.keys() ^ other.keys():
            raise NamingError(
                f"{key[0].name!r}, marked at {locate((first | other)[key])} with shape {key[0].shape}, stands in only "
                f"some branches of the 'cond' at {locate(eqn)}. Mark it with one shape in all of them, or after it."
            )


def _check_replacement(site: Site, new: Any, differentiated: bool) -> None:
    name, shape = site.mark.name, site.mark.shape
    if jnp.shape(new) != shape or jnp.result_type(new) != site.dtype:
        raise NamingError(
            f"{name!r}, marked at {site.where}, is {site.dtype}{list(shape)} "
            f"and cannot be replaced by {jnp.result_type(new)}{list(jnp.shape(new))}."
        )
    if differentiated:
        raise NamingError(
            f"{name!r}, marked at {site.where}, is differentiated inside the function and cannot be rewritten there: "
            "its derivative would not follow. Take the gradient of the augmented function instead."
        )


def _is_differentiated(eqn: JaxprEqn) -> bool:
    """Whether an equation comes from a derivative taken inside the traced function, whose tangents go unmarked."""
    return any(
        isinstance(entry, source_info_util.Transform) and entry.name == "jvp"
        for entry in eqn.source_info.name_stack.stack
    )


def _shapes(eqn: JaxprEqn) -> list[Any]:
    """Abstract values of the outputs: shape and dtype."""
    return [variable.aval for variable in eqn.outvars]

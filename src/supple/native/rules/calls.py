"""Rules of primitives that contain programs: calls are inlined, loops over constants unrolled."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from jax.extend import core

from supple.native.lowering import RULES, Lowering, Nodes, rule

# A `while` whose condition stays constant is unrolled at most this often.
LONGEST_UNROLLED_WHILE = 10_000


def closed(jaxpr: Any) -> core.ClosedJaxpr:
    """A jaxpr with its constants, of which an open jaxpr has none."""
    return jaxpr if isinstance(jaxpr, core.ClosedJaxpr) else core.ClosedJaxpr(jaxpr, ())


# Primitives that compute their inner program, and the parameter in which it stands.
CALLS = {
    "jit": "jaxpr",
    "remat2": "jaxpr",
    "composite": "jaxpr",
    "closed_call": "call_jaxpr",
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
    "custom_vmap_call": "call",
    "linear_call": "callee",
}


def _call(parameter: str):
    def lower(lowering: Lowering, *operands: Nodes, **parameters: Any) -> list[Nodes]:
        return lowering.evaluate(closed(parameters[parameter]), operands)

    return lower


RULES.update({name: _call(parameter) for name, parameter in CALLS.items()})


@rule("platform_index")
def _platform(lowering: Lowering, *, platforms: Sequence[Any]) -> Nodes:
    """Which branch of `lax.platform_dependent` is meant for a CPU."""
    return lowering.constants(next(i for i, names in enumerate(platforms) if names is None or "cpu" in names), "int32")


@rule("custom_linear_solve")
def _custom_linear_solve(lowering: Lowering, *operands: Nodes, const_lengths: Any, jaxprs: Any) -> list[Nodes]:
    start = const_lengths.matvec + const_lengths.vecmat
    constants = operands[start : start + const_lengths.solve]
    right_side = operands[start + const_lengths.solve + const_lengths.transpose_solve :]
    return lowering.evaluate(closed(jaxprs.solve), [*constants, *right_side])


@rule("scan")
def _scan(
    lowering: Lowering,
    *operands: Nodes,
    jaxpr: Any,
    length: int,
    reverse: bool,
    num_consts: int,
    num_carry: int,
    **_: Any,
) -> list[Nodes]:
    constants, carry = operands[:num_consts], list(operands[num_consts : num_consts + num_carry])
    sequences = operands[num_consts + num_carry :]
    stacked: list[list[Nodes]] = []
    for index in reversed(range(length)) if reverse else range(length):
        items = [np.asarray(rows[index]) for rows in sequences]
        results = lowering.evaluate(closed(jaxpr), [*constants, *carry, *items])
        carry = results[:num_carry]
        stacked.append(results[num_carry:])
    outputs = lowering.equation.outvars[num_carry:]
    if not stacked:
        return [*carry, *(np.zeros(variable.aval.shape, dtype=np.int64) for variable in outputs)]
    ordered = stacked[::-1] if reverse else stacked
    return [*carry, *(np.stack(rows) for rows in zip(*ordered, strict=True))]


@rule("while")
def _while(
    lowering: Lowering,
    *operands: Nodes,
    cond_jaxpr: Any,
    body_jaxpr: Any,
    cond_nconsts: int,
    body_nconsts: int,
    **_: Any,
) -> list[Nodes]:
    of_condition = operands[:cond_nconsts]
    of_body = operands[cond_nconsts : cond_nconsts + body_nconsts]
    carry: Sequence[Nodes] = operands[cond_nconsts + body_nconsts :]
    for _iteration in range(LONGEST_UNROLLED_WHILE):
        goes_on = lowering.known(lowering.evaluate(closed(cond_jaxpr), [*of_condition, *carry])[0])
        if goes_on is None:
            raise lowering.refusal(
                "how often the loop runs depends on inputs, and such loops are not compiled yet: use lax.scan"
            )
        if not goes_on:
            return list(carry)
        carry = lowering.evaluate(closed(body_jaxpr), [*of_body, *carry])
    raise lowering.refusal(f"it runs more than {LONGEST_UNROLLED_WHILE} times, and long loops are not compiled yet")


@rule("cond")
def _cond(lowering: Lowering, which: Nodes, *operands: Nodes, branches: Sequence[Any], **_: Any) -> list[Nodes]:
    """All branches are evaluated and one is selected, unless the index is known."""
    index = lowering.known(which)
    if index is not None:
        return lowering.evaluate(closed(branches[min(max(int(index), 0), len(branches) - 1)]), operands)
    if any(closed(branch).effects for branch in branches):
        raise lowering.refusal("its branches have effects: remove them")
    results = lowering.evaluate(closed(branches[-1]), operands)
    dtype = lowering.graph.dtype[int(which)]
    for position in range(len(branches) - 2, -1, -1):
        candidates = lowering.evaluate(closed(branches[position]), operands)
        bound = lowering.constants(position, dtype)
        chosen = lowering.map("le", which, bound) if dtype != "bool" else lowering.map("not", which)
        results = [lowering.map("select", chosen, a, b) for a, b in zip(candidates, results, strict=True)]
    return results

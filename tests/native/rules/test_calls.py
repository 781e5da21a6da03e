import jax
import jax.custom_batching
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.custom_derivatives import linear_call

from supple.native import NotCompilable, lower
from supple.native.rules import calls

X = np.array([0.5, -1.5, 2.0])


@jax.custom_jvp
def _own_forward(x):
    return jnp.sin(x) * x


_own_forward.defjvp(lambda primals, tangents: (_own_forward(*primals), 3.0 * tangents[0]))


@jax.custom_vjp
def _own_reverse(x):
    return jnp.cos(x) * x


_own_reverse.defvjp(lambda x: (_own_reverse(x), x), lambda x, g: (5.0 * g * x,))


@jax.custom_batching.custom_vmap
def _own_batch(x):
    return jnp.sin(x) * x


@_own_batch.def_vmap
def _own_batch_rule(axis_size, in_batched, x):
    return _own_batch(x), in_batched[0]


def _linear_solve(x):
    return lax.custom_linear_solve(lambda v: 2.0 * x * v, x + 1, lambda _, b: b / (2.0 * x), symmetric=True)


def _scan(x, reverse=False):
    return lax.scan(lambda carry, row: (carry * row + x, jnp.sin(carry)), x, jnp.stack([x, 2 * x]), reverse=reverse)


def _while(x):
    return lax.while_loop(lambda s: s[0] < 4, lambda s: (s[0] + 1, s[1] * x), (0, x))[1]


CASES = {
    "jit": lambda x: jax.jit(jnp.sin)(x) + jax.jit(lambda y: y * x)(x),
    "remat2": jax.grad(lambda x: jnp.sum(jax.checkpoint(jnp.sin)(x) * x)),
    "remat2 of custom_jvp": jax.grad(lambda x: jnp.sum(jax.checkpoint(lambda y: _own_forward(y) * y)(x))),
    "custom_jvp_call": lambda x: (_own_forward(x), jax.grad(lambda y: _own_forward(y).sum())(x)),
    "custom_vjp_call": lambda x: (_own_reverse(x), jax.grad(lambda y: _own_reverse(y).sum())(x)),
    "custom_vmap_call": _own_batch,
    "linear_call": lambda x: linear_call(lambda r, y: r * y, lambda r, y: r * y, x, 2 * x),
    "composite": lax.composite(lambda y: jnp.sin(y) * y, "supple.test"),
    "platform_index": lambda x: (
        lax.platform_dependent(x, cpu=jnp.sin, default=jnp.cos),
        lax.platform_dependent(x, tpu=jnp.sin, default=jnp.cos),
    ),
    "custom_linear_solve": _linear_solve,
    "gradient of custom_linear_solve": jax.grad(lambda x: _linear_solve(x).sum()),
    "scan": _scan,
    "scan, reverse": lambda x: _scan(x, reverse=True),
    "scan, gradient": jax.grad(lambda x: _scan(x)[0].sum() + _scan(x)[1].sum()),
    "scan of nothing": lambda x: lax.scan(lambda c, row: (c, row), x, x[:0]),
    "fori_loop": lambda x: lax.fori_loop(0, 3, lambda i, c: c * x + i, x),
    "while": _while,
    "map": lambda x: lax.map(lambda row: row * x, x),
    "cond": lambda x: lax.cond(x[0] > 0, jnp.sin, jnp.cos, x),
    "cond, known": lambda x: lax.cond(True, jnp.sin, jnp.cos, x),
    "switch": lambda x: [lax.switch(jnp.int32(x[2]) + k, [jnp.sin, jnp.cos, jnp.tan], x) for k in (-9, -1, 0, 9)],
    "cond, gradient": jax.grad(lambda x: lax.cond(x[0] > 0, jnp.sin, jnp.cos, x).sum()),
    "vmap": jax.vmap(lambda x: lax.cond(x > 0, jnp.sin, jnp.cos, x)),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("sign", [1, -1])
def test_calls_agree_with_jax(case, sign, agrees):
    agrees(CASES[case], sign * X)


def test_every_rule_has_a_case(rules_of, primitives_of):
    used = set().union(*(primitives_of(fn, X) for fn in CASES.values()))
    assert rules_of(calls) - {"closed_call"} <= used  # nothing public makes a closed_call


def test_a_known_branch_costs_only_itself():
    assert lower(CASES["cond, known"], X).stats == {"sin": 3}


def test_a_loop_of_unknown_length_is_refused():
    with pytest.raises(NotCompilable, match=r"'while' at .*test_calls\.py:\d+.*depends on inputs"):
        lower(lambda x: lax.while_loop(lambda c: c < 10, lambda c: c + 1, x), 1.0)


def test_an_endless_loop_is_refused(monkeypatch):
    monkeypatch.setattr(calls, "LONGEST_UNROLLED_WHILE", 20)
    with pytest.raises(NotCompilable, match="more than 20 times"):
        lower(lambda x: lax.while_loop(lambda _: True, lambda c: c + x, x), 1.0)


def test_effects_in_branches_are_refused():
    def shout(x):
        jax.debug.print("{}", x)
        return x

    with pytest.raises(NotCompilable):
        lower(lambda x: lax.cond(x > 0, shout, jnp.sin, x), 1.0)

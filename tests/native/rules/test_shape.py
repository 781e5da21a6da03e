import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from supple.native.rules import shape

A = np.arange(12.0).reshape(3, 4)
CASES = {
    "reshape": lambda a: (a.reshape(2, 6), a.ravel(), lax.reshape(a, (12,), dimensions=(1, 0))),
    "broadcast_in_dim": lambda a: (a[:, None, :] + jnp.zeros((1, 2, 4)), jnp.broadcast_to(a[0], (2, 4))),
    "transpose": lambda a: (a.T, jnp.transpose(a.reshape(3, 2, 2), (2, 0, 1))),
    "squeeze": lambda a: lax.squeeze(a[:1], (0,)),
    "rev": lambda a: a[::-1, ::-1],
    "concatenate": lambda a: jnp.concatenate([a, a[:, :1]], axis=1),
    "stack": lambda a: jnp.stack([a, -a], axis=1),
    "unstack": lambda a: jnp.unstack(a, axis=1),
    "tile": lambda a: jnp.tile(a, (2, 3)),
    "split": lambda a: jnp.split(a, [1, 3], axis=1),
    "slice": lambda a: (a[1:, ::2], lax.slice(a, (0, 1), (3, 4), (2, 3))),
    "pad": lambda a: lax.pad(a, 7.0, ((1, 2, 1), (-1, 0, 2))),
    "pad, cropped": lambda a: lax.pad(a, 7.0, ((-1, -1, 0), (3, -2, 1))),
    "iota": lambda a: a + lax.broadcasted_iota(a.dtype, (3, 4), 1),
    "nothing": lambda a: a[:0],
    "empty": lambda a: jnp.zeros_like(lax.empty((2,), a.dtype)) + lax.empty((2,), a.dtype) * 0,
    "empty2": jax.grad(lambda a: lax.cond(a[0, 0] > 0, jnp.sin, jnp.cos, a).sum()),
}


@pytest.mark.parametrize("case", CASES)
def test_shape_primitives_agree_with_jax_and_cost_nothing(case, agrees):
    program = agrees(CASES[case], A)
    own = {"broadcast_in_dim": 24, "iota": 12, "stack": 12, "empty2": 64}
    assert program.arithmetic <= own.get(case, 0)


def test_every_rule_has_a_case(rules_of, primitives_of):
    used = set().union(*(primitives_of(fn, A) for fn in CASES.values()))
    assert rules_of(shape) <= used

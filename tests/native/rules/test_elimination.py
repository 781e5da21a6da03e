import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from supple.native import lower
from supple.native.rules import elimination

RANDOM = np.random.default_rng(0)
SQUARE = RANDOM.normal(size=(30, 4, 4))
# Small integers: equal pivots, zero columns, singular matrices.
TIES = RANDOM.integers(-2, 3, size=(60, 4, 4)).astype(float)
RIGHT = RANDOM.normal(size=(30, 4, 2))

CASES = {
    "lu": (lax.linalg.lu, SQUARE),
    "lu with ties": (lax.linalg.lu, TIES),
    "lu, high": (lambda a: lax.linalg.lu(a[:, :2]), TIES),
    "lu, wide": (lambda a: lax.linalg.lu(a[:3]), TIES),
    "lu, batched": (lambda a: lax.linalg.lu(jnp.stack([a[:2, :2], a[2:, 2:]])), SQUARE),
    "permutation": (
        lambda i: lax.linalg.lu_pivots_to_permutation(i, 5),
        np.minimum(np.arange(3) + RANDOM.integers(0, 5, size=(40, 3)), 4).astype(np.int32),
    ),
    "solve": (lambda a, b: (jnp.linalg.solve(a, b), jnp.linalg.solve(a.T, b[:, 0])), SQUARE, RIGHT),
    "inverse": (jnp.linalg.inv, SQUARE),
    "determinants": (lambda a: (jnp.linalg.det(a), jnp.linalg.det(a[:2, :2]), jnp.linalg.slogdet(a)), SQUARE),
    "determinants with ties": (jnp.linalg.det, TIES),
    "gradient": (
        jax.grad(lambda a, b: jnp.sum(jnp.linalg.solve(a, b) ** 2) + jnp.linalg.slogdet(a)[1], argnums=(0, 1)),
        SQUARE,
        RIGHT,
    ),
    "gradient of factors": (jax.grad(lambda a: jnp.sum(lax.linalg.lu(a)[0] ** 2)), SQUARE),
    "exponential": (lambda a: jax.scipy.linalg.expm(a / 10, max_squarings=2), SQUARE),
}


@pytest.mark.parametrize("case", CASES)
def test_elimination_agrees_with_jax(case, agrees_on_each):
    """The samples are of full rank or of small integers, so pivots are the same unless they are equal by rounding."""
    fn, *samples = CASES[case]
    agrees_on_each(fn, *samples, rtol=1e-9, atol=1e-10)


def test_elimination_under_vmap(agrees):
    agrees(jax.vmap(jnp.linalg.solve), SQUARE[:2], RIGHT[:2], rtol=1e-10)


def test_every_rule_has_a_case(rules_of, primitives_of):
    used = set().union(*(primitives_of(fn, *(rows[0] for rows in args)) for fn, *args in CASES.values()))
    assert rules_of(elimination) <= used


def test_a_known_matrix_leaves_only_products():
    program = lower(lambda b: jnp.linalg.solve(SQUARE[0], b), np.ones(4))
    assert set(program.stats) <= {"mul", "add", "sub", "neg"}

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from supple.native import NotCompilable, lower
from supple.native.rules import algebra

RANDOM = np.random.default_rng(0)
M = RANDOM.normal(size=(4, 4))
SPD = M @ M.T + 4 * np.eye(4)
RIGHT = RANDOM.normal(size=(4, 2))
SOLVES = [
    (left, low, transposed, unit) for left in (0, 1) for low in (0, 1) for transposed in (0, 1) for unit in (0, 1)
]


@pytest.mark.parametrize(("left", "low", "transposed", "unit"), SOLVES)
def test_triangular_solve(left, low, transposed, unit, agrees):
    b = RIGHT if left else RIGHT.T
    options = {
        "left_side": bool(left),
        "lower": bool(low),
        "transpose_a": bool(transposed),
        "unit_diagonal": bool(unit),
    }
    agrees(lambda a, b: lax.linalg.triangular_solve(a, b, **options), SPD, b, rtol=1e-10)


def test_cholesky(agrees):
    program = agrees(lambda a: jnp.linalg.cholesky(a, symmetrize_input=False), SPD)
    assert program.stats["sqrt"] == 4
    assert program.arithmetic <= 4 + 4 + 6 + 20  # roots, reciprocals, scaling, sums of products


def test_batched_factors_and_solves(agrees):
    stack = np.stack([SPD, 2 * SPD])
    agrees(lambda a, b: jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(a), True), b), stack, np.stack([RIGHT, RIGHT]))


def test_solve_of_a_positive_matrix_and_its_gradients(agrees):
    def solve(a, b):
        return jax.scipy.linalg.solve(a, b, assume_a="pos")

    agrees(solve, SPD, RIGHT[:, 0], rtol=1e-10)
    agrees(jax.grad(lambda a, b: jnp.sum(solve(a, b) ** 2), argnums=(0, 1)), SPD, RIGHT[:, 0], rtol=1e-9)


def test_tridiagonal_solve(agrees):
    low, middle, high = RANDOM.normal(size=(3, 4))
    low[0] = high[-1] = 0.0
    agrees(lax.linalg.tridiagonal_solve, low, middle + 4, high, RIGHT, rtol=1e-10)
    with pytest.raises(NotCompilable, match="perturbed"):
        lower(lambda *args: lax.linalg.tridiagonal_solve(*args, perturb_singular=True), low, middle, high, RIGHT)


def test_every_rule_has_a_case(rules_of):
    assert rules_of(algebra) == {"cholesky", "triangular_solve", "tridiagonal_solve"}

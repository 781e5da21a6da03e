"""Print docs/primitives.md: which primitives of JAX are compiled.

python benchmarks/primitives_table.py > docs/primitives.md
"""

import jax
from jax.extend.core import Primitive, primitives

from supple.native.rules import REFUSED, RULES

INTRODUCTION = """# Primitives

This page is the output of `python benchmarks/primitives_table.py`.

A function is compiled if every primitive in it is. These are all public primitives of JAX {version}, and those behind
its random numbers, calls and callbacks; a primitive that is not listed is refused. A refusal names the primitive, the
line of code that made it, and what to do instead.

- Numbers are `float64`, `float32`, integers of 8 to 64 bits, signed and not, and `bool`. Random keys are those of
  `threefry2x32`, JAX's default; as inputs and outputs of compiled functions they are arrays of two `uint32`.
- Results are those of XLA, also for NaN, infinities, indices outside and integers divided by zero, with two exceptions.
  The algebra of real numbers is applied: 0·x is 0 and x - x is 0 whatever x is, and a zero may change its sign. And
  subnormal numbers are kept, which XLA flushes to zero on a CPU.
- Indices that are constant cost nothing. Reading one of n elements at an index known at run time costs n - 1 selects;
  writing costs a comparison and a select for each place where it could be. Sorting n numbers is a network of about
  n²/2 exchanges, or n·log²(n)/4 of many. LU with pivots adds about n³ selects to its products.

| primitive | compiled | remark |
|---|---|---|"""

# What holds of a compiled primitive besides.
REMARKS = {
    "approx_top_k": "exactly, if aggregate_to_topk=True",
    "cholesky": "of a matrix that is not positive definite, NaN from the pivot on that fails",
    "cond": "all branches run and one result is selected, unless the index is constant",
    "qr": "if pivoting=False",
    "scan": "unrolled",
    "sort": "always stable",
    "tridiagonal_solve": "if perturb_singular=False",
    "while": "unrolled, if how often it runs does not depend on inputs",
}


def main() -> None:
    """Print the page."""
    print(page(), end="")


def page() -> str:
    """The whole page."""
    names = sorted(public() | set(RULES) | set(REFUSED))
    compiled = sum(name in RULES for name in names)
    rows = [f"| `{name}` | {'yes' if name in RULES else 'no'} | {remark(name)} |" for name in names]
    summary = f"\n{len(names)} primitives, {compiled} compiled."
    return "\n".join([INTRODUCTION.format(version=jax.__version__), *rows, summary]) + "\n"


def public() -> set[str]:
    """The primitives that JAX exports."""
    spaces = (jax.lax, jax.lax.linalg, primitives)
    return {value.name for space in spaces for value in vars(space).values() if isinstance(value, Primitive)}


def remark(name: str) -> str:
    """Why a primitive is refused, or what holds of a compiled one besides."""
    return REMARKS.get(name, "") if name in RULES else REFUSED.get(name, "there is no rule for it")


if __name__ == "__main__":
    main()

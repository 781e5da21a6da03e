import jax.numpy as jnp
import numpy as np
import pytest

from supple.native import interpret, lower
from supple.native.graph import Graph
from supple.native.passes import PASSES, MalformedProgramError, optimise, verify
from supple.native.passes.divide import divide
from supple.native.passes.factor import factor
from supple.native.passes.share import LONGEST_CHAIN, share
from supple.native.passes.signs import signs
from supple.native.program import Program

VALUES = np.random.default_rng(0).normal(size=8) + 0.1

# pass, function of eight inputs, operations before and after
CASES = {
    "common factor": (factor, lambda a: a[0] * a[1] + a[0] * a[2], 3, 2),
    "common factor, signs": (factor, lambda a: a[0] * a[1] - a[2] * a[0] - a[3], 4, 3),
    "common constant": (factor, lambda a: 3.0 * a[1] + 3.0 * a[2] - 3.0 * a[3], 5, 3),
    "two common factors": (factor, lambda a: a[0] * a[2] * a[1] + a[0] * a[3] * a[1], 5, 3),
    "most frequent first": (factor, lambda a: a[0] * a[1] + a[1] * a[2] + a[2] * a[3] + a[2] * a[4], 7, 5),
    "products with other uses stay": (factor, lambda a: (a[0] * a[1] + a[0] * a[2], a[0] * a[1], a[0] * a[2]), 3, 3),
    "sums with other uses stay": (factor, lambda a: (a[0] - (a[1] * a[3] + a[2]), jnp.sin(a[1] * a[3] + a[2])), 4, 4),
    "common sum": (share, lambda a: ((a[0] + a[1]) + a[2], (a[0] + a[3]) + a[2]), 4, 3),
    "common difference": (share, lambda a: ((a[0] + a[1]) - a[2], (a[2] + a[3]) - a[0]), 4, 3),
    "common product": (share, lambda a: (a[0] * a[1] * a[2], a[0] * a[3] * a[2]), 4, 3),
    "common square": (share, lambda a: (a[0] * (a[0] * a[1]), a[0] * a[2] * a[0]), 4, 3),
    "three in common": (share, lambda a: (a[0] + a[1] + a[2] + a[3], a[4] + a[3] + a[1] + a[0]), 6, 4),
    "sum inside a sum": (share, lambda a: ((a[0] + a[1]) + a[2], jnp.sin(a[2] + a[0])), 4, 3),
    "negative difference": (signs, lambda a: jnp.sqrt(a[1] - a[0]), 3, 2),
    "negative and added": (signs, lambda a: (jnp.sqrt(a[1] - a[0]), (a[0] - a[1]) + jnp.exp(a[2])), 5, 4),
    "negative product": (signs, lambda a: jnp.exp(a[2] * (a[1] - a[0])), 4, 3),
    "negative constant": (signs, lambda a: jnp.exp(-2.0 * a[1]), 3, 2),
    "negative sum": (signs, lambda a: jnp.exp(-(3.0 * a[0] + a[1])), 4, 3),
    "both signs stay": (signs, lambda a: (jnp.exp(a[1] - a[0]), jnp.exp(a[0] - a[1])), 4, 4),
    "mostly diminished stays": (
        signs,
        lambda a: (jnp.sqrt(a[1] - a[0]), (a[0] - a[1]) - jnp.exp(a[2]), (a[0] - a[1]) - jnp.exp(a[3])),
        7,
        7,
    ),
    "an output stays": (signs, lambda a: (a[0] - a[1], jnp.exp(a[1] - a[0])), 3, 3),
    "single quotient": (divide, lambda a: a[0] / a[1], 2, 1),
    "common denominator": (divide, lambda a: (a[0] / a[1], a[2] / a[1]), 3, 3),
    "quotient of a quotient": (divide, lambda a: a[0] / a[1] / a[2], 4, 2),
}


@pytest.mark.parametrize("case", CASES)
def test_what_each_pass_saves(case):
    run, fn, before, after = CASES[case]
    program = lower(fn, VALUES, passes=())
    better = run(program)
    verify(better)
    if run in (factor, share):  # whose result's signs are not yet settled
        assert (signs(program).arithmetic, signs(better).arithmetic) == (before, after)
    else:
        assert (program.arithmetic, better.arithmetic) == (before, after)
    for one, other in zip(interpret(program, [VALUES]), interpret(better, [VALUES]), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, equal_nan=True)


def test_long_chains_are_left_alone():
    def fn(a):
        return sum(a[k % 8] * (k + 1.5) ** 0.5 for k in range(LONGEST_CHAIN + 10))

    program = lower(fn, VALUES, passes=())
    np.testing.assert_allclose(interpret(share(program), [VALUES])[0], fn(VALUES), rtol=1e-12)


@pytest.mark.parametrize("run", PASSES)
def test_passes_keep_inputs_that_nothing_reads_and_outputs_that_are_inputs(run):
    program = run(lower(lambda x, y: (x, 2.0), 1.0, 3.0, passes=()))
    assert interpret(program, [1.0, 3.0]) == [1.0, 2.0]


def test_sums_deeper_than_pythons_stack():
    def fn(x):
        total = 0.0
        for k in range(3000):
            total = total + np.sqrt(k + 2.0) * x[k % 8] * x[(k + 1) % 8]
        return total

    program = lower(fn, VALUES)
    np.testing.assert_allclose(interpret(program, [VALUES])[0], fn(VALUES), rtol=1e-9)


def _malformed(fault):
    graph = Graph()
    x, i = graph.input("float64"), graph.input("int32")
    nodes = {
        "before it": lambda: graph.node("sin", "float64", (7,)),
        "so many operands": lambda: graph.node("sin", "float64", (x, x)),
        "mixes": lambda: graph.node("add", "float64", (x, i)),
        "gives int32": lambda: graph.node("sin", "int32", (x,)),
        "unknown type": lambda: graph.node("sin", "complex128", (x,)),
        "truth value": lambda: graph.node("select", "float64", (x, x, x)),
        "without a value": lambda: graph.node("constant", "float64", ()),
        "input of no argument": lambda: graph.input("float64"),
    }
    output = nodes[fault]()
    return Program(graph, (np.array(x), np.array(i)), (np.array(output),), None, None)


@pytest.mark.parametrize(
    "fault",
    [
        "before it",
        "so many operands",
        "mixes",
        "gives int32",
        "unknown type",
        "truth value",
        "without a value",
        "input of no argument",
    ],
)
def test_the_verifier_finds_faults(fault):
    with pytest.raises(MalformedProgramError, match=fault):
        verify(_malformed(fault))


def test_a_broken_pass_is_found():
    def spoil(program):
        program.graph.args[program.outputs[0].item()] = (99, 99)
        return program

    with pytest.raises(MalformedProgramError):
        optimise(lower(lambda x: x * x, 2.0, passes=()), [spoil])

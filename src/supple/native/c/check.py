"""A C program that checks an exported function against recorded inputs and results."""

from collections.abc import Sequence

import numpy as np

from supple.native.c.source import Interface, Parameter
from supple.native.c.types import literal
from supple.native.graph import FLOATS


def write_check(face: Interface, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray]) -> str:
    """The program: `inputs` and `outputs` hold several cases, one after another along their first axis.

    It exits with 0 if every result equals the recorded one, or, for floats, is at most 2 units in the last place off;
    elsewhere than here a processor may round sums of products once less.
    """
    cases = len(outputs[0])
    results = cases * sum(int(np.prod(p.leaf.shape)) for p in face.outputs)
    tables = [_table(p, values) for p, values in zip((*face.inputs, *face.outputs), (*inputs, *outputs), strict=True)]
    buffers = [f"    {p.type} {p.name}_found[{p.size}];" for p in face.outputs]
    arguments = [f"{p.name}[k]" for p in face.inputs] + [f"{p.name}_found" for p in face.outputs] + ["&w"]
    checks = []
    for p in face.outputs:
        kind = "real" if p.leaf.dtype.name in FLOATS else "whole"
        size = int(np.prod(p.leaf.shape))
        checks.append(
            f"        for (i = 0; i < {size}; ++i)\n            wrong += !same_{kind}((long double){p.name}_found[i], "
            f"(long double){p.name}[k][i], {_epsilon(p)});"
        )
    functions = {"real": _SAME_REAL, "whole": _SAME_WHOLE}
    needed = [text for kind, text in functions.items() if any(f"same_{kind}(" in check for check in checks)]
    return "\n".join(
        [
            "#include <float.h>",
            "#include <math.h>",
            "#include <stdio.h>",
            f'#include "{face.name}.h"',
            "",
            *tables,
            *needed,
            "int main(void)\n{",
            f"    static {face.name}_workspace w;",
            *buffers,
            "    int k, i, wrong = 0;",
            f"    for (k = 0; k < {cases}; ++k) {{",
            f"        {face.name}({', '.join(arguments)});",
            *checks,
            "    }",
            f'    printf("{face.name}: %d of {results} results differ\\n", wrong);',
            "    return wrong != 0;\n}",
            "",
        ]
    )


def _epsilon(p: Parameter) -> str:
    return {"float32": "FLT_EPSILON", "float64": "DBL_EPSILON"}.get(p.leaf.dtype.name, "0")


def _table(p: Parameter, values: np.ndarray) -> str:
    rows = np.reshape(values, (len(values), -1))
    dtype = p.leaf.dtype.name
    lines = ["    {" + ", ".join([literal(value, dtype) for value in row.tolist()] or ["0"]) + "}," for row in rows]
    return f"static const {p.type} {p.name}[{len(rows)}][{p.size}] = {{\n" + "\n".join(lines) + "\n};\n"


_SAME_REAL = """static int same_real(long double found, long double recorded, long double epsilon)
{
    if (found != found || recorded != recorded)
        return found != found && recorded != recorded;
    return found == recorded || fabsl(found - recorded) <= 2 * epsilon * fabsl(recorded);
}
"""

_SAME_WHOLE = """static int same_whole(long double found, long double recorded, long double epsilon)
{
    return fabsl(found - recorded) <= epsilon;
}
"""

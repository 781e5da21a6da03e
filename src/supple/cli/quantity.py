"""What `supple export` can compute of a robot: functions with example arguments."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    import supple.model.model

Quantity = Literal["aba", "rnea", "mass", "step"]
Call = tuple[Callable[..., Any], tuple[Any, ...]]  # a function and arguments for it

DT = 1e-3  # s, of a step


def function_of(model: "supple.model.model.Model", quantity: Quantity) -> Call:
    """The function of a quantity, of which the model is a constant part; at home, at rest."""
    from supple.dynamics import aba, crba, rnea
    from supple.simulate.simulator import Simulator

    q, v = np.array(model.home), np.zeros(model.nv)
    match quantity:
        case "aba":
            return lambda q, v, force: aba(model, q, v, force), (q, v, v)
        case "rnea":
            return lambda q, v, acceleration: rnea(model, q, v, acceleration), (q, v, v)
        case "mass":
            return lambda q: crba(model, q), (q,)
        case "step":
            system = Simulator(model, contact=None, dt=DT)
            return system.step, (system.init(), np.zeros(model.nu))


def with_gradient(fn: Callable[..., Any], arguments: tuple[Any, ...]) -> Call:
    """The result y, and the gradient of Σ weights·y in every argument; the weights are one argument more, the last."""
    import jax

    def pulled_back(*arguments: Any) -> tuple[Any, Any]:
        *others, weights = arguments
        result, pull_back = jax.vjp(fn, *others)
        return result, pull_back(weights)

    weights = jax.tree.map(lambda result: np.zeros(result.shape, result.dtype), jax.eval_shape(fn, *arguments))
    return pulled_back, (*arguments, weights)

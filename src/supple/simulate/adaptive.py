"""Any solver of Diffrax, with as many steps as it needs within one time step."""

import importlib
from typing import Any

import equinox as eqx
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from jaxtyping import Float

from supple import dynamics
from supple.dynamics.actuation import advance_activation
from supple.model.errors import UnsupportedError
from supple.model.integrator import Integrator, Motion
from supple.model.state import State
from supple.simulate.tangent import displacement_rates
from supple.spatial.arrays import Array


class Diffrax(Integrator):
    """A Diffrax solver, whose step sizes within each `dt` a controller chooses; needs `pip install 'supple[diffrax]'`.

        integrator = Diffrax(diffrax.Tsit5(), diffrax.PIDController(rtol=1e-8, atol=1e-8))

    Of the solver's order, for every joint: the unknown is the displacement from the start of the step, with a rotation
    vector for each ball and free joint (see `displacement_rates`). So quaternions stay unit; a ball must turn by less
    than a whole turn in one `dt`.

    The solver's loop hides the marks: `observe`, `quantities` and `augment` refuse a simulator with this integrator,
    with a `NamingError`. To see the forces in a state, observe a step from it with another integrator.

    `adjoint` is Diffrax's, by default `DirectAdjoint`, which differentiates forward and backward. More than `max_steps`
    steps within one `dt` are Diffrax's error when the step runs.
    """

    solver: Any = eqx.field(static=True)
    controller: Any = eqx.field(static=True)
    adjoint: Any = eqx.field(static=True, default=None)
    max_steps: int = eqx.field(static=True, default=256)

    def __check_init__(self) -> None:
        diffrax = _import_diffrax()
        for name, kind in (("solver", diffrax.AbstractSolver), ("controller", diffrax.AbstractStepSizeController)):
            if not isinstance(getattr(self, name), kind):
                raise UnsupportedError(f"{name}={getattr(self, name)!r:.60} is no diffrax.{kind.__name__}.")

    @property
    def order(self) -> int:
        """The solver's."""
        diffrax = _import_diffrax()
        return self.solver.order(diffrax.ODETerm(lambda *_: 0.0))

    def advance(self, motion: Motion, state: State, dt: Float[Array, ""] | float) -> State:
        """See `Integrator.advance`."""
        diffrax = _import_diffrax()
        model = motion.model
        # one flat vector, since Diffrax refuses the empty tuple that a state without memory has
        start, unravel = ravel_pytree((jnp.zeros_like(state.v), state.v, state.memory))

        def field(t: Any, y: Any, _: Any) -> Any:
            displacement, v, memory = unravel(y)
            q = dynamics.move(model, state.q, displacement)
            rates = motion.rates(State(q, v, state.time + t, memory))
            return ravel_pytree(displacement_rates(model, displacement, rates))[0]

        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(field),
            self.solver,
            t0=0.0,
            t1=dt,
            dt0=dt,
            y0=start,
            stepsize_controller=self.controller,
            adjoint=diffrax.DirectAdjoint() if self.adjoint is None else self.adjoint,
            max_steps=self.max_steps,
        )
        displacement, v, memory = unravel(jnp.asarray(solution.ys)[0])
        if model.na:  # the activations have arrived; what remains is to bring them back into their ranges
            memory = advance_activation(model, memory, jnp.zeros_like(memory), dt)
        return State(dynamics.move(model, state.q, displacement), v, state.time + dt, memory)


def _import_diffrax() -> Any:
    try:
        return importlib.import_module("diffrax")
    except ModuleNotFoundError:
        raise UnsupportedError("Diffrax is not installed; install it with: pip install 'supple[diffrax]'") from None

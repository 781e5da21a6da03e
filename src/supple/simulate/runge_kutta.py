"""The classical Runge-Kutta method."""

from jaxtyping import Float

from supple.model.integrator import Integrator, Motion, Rates
from supple.model.state import State
from supple.simulate.tangent import average, displacement_rates, extrapolate, finish
from supple.spatial.arrays import Array


class RungeKutta4(Integrator):
    """Four evaluations a step, of fourth order for every joint: the classical weights 1, 2, 2, 1. MuJoCo's `RK4`.

    The method of Runge-Kutta-Munthe-Kaas: what is averaged are the rates of the displacement from the start of the
    step, since the velocities of turning frames do not add up (see `displacement_rates`).
    """

    @property
    def order(self) -> int:
        """See `Integrator.order`."""
        return 4

    def advance(self, motion: Motion, state: State, dt: Float[Array, ""] | float) -> State:
        """See `Integrator.advance`."""

        def probe(slope: Rates, span: Float[Array, ""] | float) -> Rates:
            here = extrapolate(motion.model, state, slope, span)
            return displacement_rates(motion.model, span * slope.velocity, motion.rates(here))

        k1 = motion.rates(state)
        k2 = probe(k1, dt / 2)
        k3 = probe(k2, dt / 2)
        k4 = probe(k3, dt)
        return finish(motion.model, state, average([k1, k2, k3, k4], [1.0, 2.0, 2.0, 1.0]), dt)

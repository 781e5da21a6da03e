"""Semi-implicit Euler, and with forces that resist the motion taken at the step's end."""

from jaxtyping import Float

from supple.model.integrator import Integrator, Motion
from supple.model.state import State
from supple.simulate.resistance import resistance_of_dampers, resistance_of_forces
from supple.simulate.tangent import finish_velocity_first
from supple.spatial.arrays import Array

Time = Float[Array, ""] | float


class SemiImplicitEuler(Integrator):
    """Velocities first, then positions with the new velocities: v' = v + h a(q, v), q' = q ⊕ h v'.

    Of first order. It diverges if h d exceeds twice the inertia that a damper d brakes. MuJoCo's `Euler` with the flag
    `eulerdamp` disabled.
    """

    @property
    def order(self) -> int:
        """See `Integrator.order`."""
        return 1

    def advance(self, motion: Motion, state: State, dt: Time) -> State:
        """See `Integrator.advance`."""
        return finish_velocity_first(motion.model, state, motion.rates(state), dt)


class ImplicitDamping(Integrator):
    """Semi-implicit Euler with the joints' dampers taken at the step's end: (M + h diag(d)) a = f − c.

    Of first order; joint dampers of any strength are stable. MuJoCo's `Euler`, its default.
    """

    @property
    def order(self) -> int:
        """See `Integrator.order`."""
        return 1

    def advance(self, motion: Motion, state: State, dt: Time) -> State:
        """See `Integrator.advance`."""
        rates = motion.rates(state, resistance_of_dampers(motion.model, dt))
        return finish_velocity_first(motion.model, state, rates, dt)


class ImplicitFast(Integrator):
    """Semi-implicit Euler with passive and actuator forces taken at the step's end: (M − h ∂f/∂v) a = f − c.

    ∂f/∂v is the symmetric part of the derivative of the model's own forces, at the start of the step; Coriolis forces,
    and what a network adds to a force, are taken at the start. Of first order; dampers, velocity servos and dry
    friction of any strength are stable. MuJoCo's `implicitfast`.
    """

    @property
    def order(self) -> int:
        """See `Integrator.order`."""
        return 1

    def advance(self, motion: Motion, state: State, dt: Time) -> State:
        """See `Integrator.advance`."""
        rates = motion.rates(state, resistance_of_forces(motion, state, dt))
        return finish_velocity_first(motion.model, state, rates, dt)

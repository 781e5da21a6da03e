"""Print the table of docs/integrators.md: how far each integrator is off, and which forces it survives.

python benchmarks/integrators.py
"""

from collections.abc import Callable

import diffrax
import jax
import jax.numpy as jnp
import numpy as np

import supple as sp
from supple import simulate

START = np.array([2.0, 0.5])
DURATION = 1.0  # s
STEPS = (100, 1000, 2000)  # within it
STRONG = 100.0  # N m s/rad
RUNAWAY = 100.0  # rad/s: no double pendulum of a metre turns so fast

ADAPTIVE = simulate.Diffrax(diffrax.Tsit5(), diffrax.PIDController(rtol=1e-8, atol=1e-8))
REFERENCE = simulate.Diffrax(diffrax.Dopri8(), diffrax.PIDController(rtol=1e-13, atol=1e-13))
INTEGRATORS = {
    "SemiImplicitEuler": simulate.SemiImplicitEuler(),
    "ImplicitDamping": simulate.ImplicitDamping(),
    "ImplicitFast": simulate.ImplicitFast(),
    "RungeKutta4": simulate.RungeKutta4(),
    "Diffrax (Tsit5)": ADAPTIVE,
}
Run = Callable[[sp.Model, int], tuple[jax.Array, jax.Array]]


def main() -> None:
    """Print the table."""
    free = sp.robots.double_pendulum()
    damped = sp.replace(free, {"joints.damping": STRONG})
    driven = sp.replace(free, {"actuators.bias": (0.0, 0.0, -STRONG)})
    end, _ = runner(REFERENCE)(free, STEPS[0])
    print("| integrator | order | 10 ms | 1 ms | order seen | damper | servo |")
    print("|---|--:|--:|--:|--:|---|---|")
    for name, integrator in INTEGRATORS.items():
        run = runner(integrator)
        errors = [float(jnp.linalg.norm(run(free, steps)[0] - end)) for steps in STEPS]
        coarse, middle, fine = errors
        seen = "adaptive" if integrator is ADAPTIVE else f"{np.log2(middle / fine):.1f}"
        fates = [fate(run(model, STEPS[0])[1]) for model in (damped, driven)]
        print(f"| {' | '.join([name, str(integrator.order), f'{coarse:.1g}', f'{middle:.1g}', seen, *fates])} |")


def runner(integrator: simulate.Integrator) -> Run:
    """The coordinates after DURATION in a number of steps, and the greatest speed on the way."""

    @jax.jit
    def run(model: sp.Model, steps: int) -> tuple[jax.Array, jax.Array]:
        system = sp.Simulator(model, dt=DURATION / steps, integrator=integrator)

        def advance(_: int, carried: tuple[sp.State, jax.Array]) -> tuple[sp.State, jax.Array]:
            state = system.step(carried[0], jnp.zeros(model.nu))
            return state, jnp.maximum(carried[1], jnp.max(jnp.abs(state.v)))

        state, fastest = jax.lax.fori_loop(0, steps, advance, (system.init(START), jnp.zeros(())))
        return state.q, fastest

    return run


def fate(fastest: jax.Array) -> str:
    """What a greatest speed tells."""
    return "stable" if fastest < RUNAWAY else "diverges"


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    main()

"""The simulator, its integrators, rollouts and linearisation.

| integrator          | order | step                                                     | MuJoCo                     |
|---------------------|-------|----------------------------------------------------------|----------------------------|
| `SemiImplicitEuler` | 1     | explicit forces, velocities first                        | `Euler` without `eulerdamp` |
| `ImplicitDamping`   | 1     | joint dampers at the step's end                          | `Euler`                    |
| `ImplicitFast`      | 1     | all passive and actuator forces at the step's end        | `implicitfast`             |
| `RungeKutta4`       | 4     | four stages                                              | `RK4`                      |
| `Diffrax`           | any   | a Diffrax solver with adaptive steps within each `dt`    | none                       |
"""

from supple.model.integrator import Integrator as Integrator
from supple.simulate.adaptive import Diffrax as Diffrax
from supple.simulate.euler import ImplicitDamping as ImplicitDamping
from supple.simulate.euler import ImplicitFast as ImplicitFast
from supple.simulate.euler import SemiImplicitEuler as SemiImplicitEuler
from supple.simulate.linearize import linearize as linearize
from supple.simulate.rollout import rollout as rollout
from supple.simulate.runge_kutta import RungeKutta4 as RungeKutta4
from supple.simulate.simulator import Simulator as Simulator

"""Robot physics that bends to your data.

`import supple as sp` is cheap: each name below is loaded when it is first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from supple import dynamics as dynamics
    from supple import native as native
    from supple import simulate as simulate
    from supple import spatial as spatial
    from supple import testing as testing
    from supple.describe import robots as robots
    from supple.describe.load import load as load
    from supple.model import sensors as sensors
    from supple.model.batch import batch_axes as batch_axes
    from supple.model.batch import pick as pick
    from supple.model.corruption import corrupt as corrupt
    from supple.model.distributions import Add as Add
    from supple.model.distributions import Draw as Draw
    from supple.model.distributions import LogUniform as LogUniform
    from supple.model.distributions import Normal as Normal
    from supple.model.distributions import Scale as Scale
    from supple.model.distributions import Uniform as Uniform
    from supple.model.model import Model as Model
    from supple.model.naming import named as named
    from supple.model.observe import observe as observe
    from supple.model.paths import leaves as leaves
    from supple.model.paths import replace as replace
    from supple.model.quantities import quantities as quantities
    from supple.model.randomization import randomize as randomize
    from supple.model.save import restore as restore
    from supple.model.save import save as save
    from supple.model.state import State as State
    from supple.model.system import System as System
    from supple.native.compiled import compile as compile  # noqa: A004
    from supple.native.lower import Constant as Constant
    from supple.simulate.linearize import linearize as linearize
    from supple.simulate.rollout import rollout as rollout
    from supple.simulate.simulator import Simulator as Simulator

__version__ = "0.1.0"

_MODULES = {
    "dynamics": "supple.dynamics",
    "native": "supple.native",
    "robots": "supple.describe.robots",
    "sensors": "supple.model.sensors",
    "simulate": "supple.simulate",
    "spatial": "supple.spatial",
    "testing": "supple.testing",
}
_HOMES = {
    "Add": "supple.model.distributions",
    "Constant": "supple.native.lower",
    "Draw": "supple.model.distributions",
    "LogUniform": "supple.model.distributions",
    "Model": "supple.model.model",
    "Normal": "supple.model.distributions",
    "Scale": "supple.model.distributions",
    "Simulator": "supple.simulate.simulator",
    "State": "supple.model.state",
    "System": "supple.model.system",
    "Uniform": "supple.model.distributions",
    "batch_axes": "supple.model.batch",
    "compile": "supple.native.compiled",
    "corrupt": "supple.model.corruption",
    "leaves": "supple.model.paths",
    "linearize": "supple.simulate.linearize",
    "load": "supple.describe.load",
    "named": "supple.model.naming",
    "observe": "supple.model.observe",
    "pick": "supple.model.batch",
    "quantities": "supple.model.quantities",
    "randomize": "supple.model.randomization",
    "replace": "supple.model.paths",
    "restore": "supple.model.save",
    "rollout": "supple.simulate.rollout",
    "save": "supple.model.save",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        value = importlib.import_module(_MODULES[name])
    elif name in _HOMES:
        value = getattr(importlib.import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'supple' has no attribute {name!r}; it has {', '.join(_public_names())}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_public_names()})


def _public_names() -> list[str]:
    return sorted({*_MODULES, *_HOMES})

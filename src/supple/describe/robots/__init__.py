"""Built-in robots, made from primitives: aligned frames, exact zeros, possible inertias."""

from supple.describe.robots.arm import arm as arm
from supple.describe.robots.cartpole import cartpole as cartpole
from supple.describe.robots.humanoid import humanoid as humanoid
from supple.describe.robots.pendulum import double_pendulum as double_pendulum
from supple.describe.robots.pendulum import pendulum as pendulum
from supple.describe.robots.quadruped import quadruped as quadruped
from supple.describe.robots.swimmer import swimmer as swimmer

_MAKERS = (arm, cartpole, double_pendulum, humanoid, pendulum, quadruped, swimmer)


def list() -> tuple[str, ...]:  # noqa: A001 — a public name, read as `robots.list()`
    """The names of the built-in robots; `supple.robots.NAME()` makes one."""
    return tuple(maker.__name__ for maker in _MAKERS)

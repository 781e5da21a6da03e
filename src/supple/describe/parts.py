"""Of a compiled MuJoCo model: which of the option's flags are on, and names for all parts."""

from collections.abc import Callable, Sequence

import mujoco


def flags(compiled: mujoco.MjModel) -> Callable[[str], bool]:
    """A function that tells whether MuJoCo's option flag of that name is on."""
    constraint = bool(compiled.opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT))

    def is_on(name: str) -> bool:
        if constraint and name in {"LIMIT", "FRICTIONLOSS", "EQUALITY"}:
            return False
        return not compiled.opt.disableflags & int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}"))

    return is_on


def part_names(part: str, names: Sequence[str]) -> tuple[str, ...]:
    """The names, with `part_index` for those that have none."""
    taken = set(names)

    def invent(index: int) -> str:
        name = f"{part}_{index}"
        while name in taken:
            name += "_"
        return name

    return tuple(name or invent(index) for index, name in enumerate(names))


def has_passive_forces(compiled: mujoco.MjModel) -> bool:
    """Whether MuJoCo computes any: with springs and dampers off, it leaves out the others too."""
    on = flags(compiled)
    return on("SPRING") or on("DAMPER")

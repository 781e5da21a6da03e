"""Running a system for a while with a progress bar, and keeping what it did."""

import importlib.util
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.cli.destination import writing
from supple.cli.errors import CommandError
from supple.cli.output import note, progress_bar
from supple.dynamics import kinetic_energy, potential_energy
from supple.model.model import Model
from supple.model.state import State
from supple.simulate.rollout import rollout
from supple.simulate.simulator import Simulator
from supple.spatial.arrays import Array
from supple.view.figure import draw_motion

CHUNKS = 50  # steps of the progress bar
LONGEST_CHUNK = 2000  # steps


@dataclass(frozen=True)
class Motion:
    """A simulated motion; row k of every array belongs to `time[k]`, and `control[k]` acts until `time[k + 1]`."""

    time: np.ndarray  # s
    q: np.ndarray
    v: np.ndarray
    control: np.ndarray
    kinetic_energy: np.ndarray  # J
    potential_energy: np.ndarray  # J

    @property
    def energy(self) -> np.ndarray:
        """Mechanical energy, J."""
        return self.kinetic_energy + self.potential_energy

    def summary(self) -> dict[str, Any]:
        """How long it lasted, where it ended, and how far the energy strayed from its start."""
        energy = self.energy
        change = np.max(np.abs(energy - energy[0]))
        return {
            "duration": self.time[-1] - self.time[0],
            "energy": {"start": energy[0], "end": energy[-1], "largest_change": change},
            "q": self.q[-1],
            "v": self.v[-1],
        }


def run(model: Model, q: np.ndarray, v: np.ndarray, steps: int, dt: float, show_progress: bool) -> Motion:
    """Simulate without contact or control, in chunks of one compiled scan.

    Raises `CommandError` with the time and the joint at which the state stops being finite.
    """
    # each chunk tells the states before its steps, and the last one runs over the end: one compilation serves all
    samples = steps + 1
    chunk = max(1, min(LONGEST_CHUNK, -(-samples // CHUNKS)))
    controls = np.zeros((chunk, model.nu))
    system = Simulator(model, contact=None, dt=dt)
    state, parts, done = system.init(q, v), [], 0
    with progress_bar(show_progress) as progress:
        bar = progress.add_task("compiling", total=samples)
        while done < samples:
            state, rows = _advance(system, model, state, controls)
            rows = [np.asarray(values)[: samples - done] for values in rows]
            _check_finite(model, rows, dt)
            parts.append(rows)
            done += len(rows[0])
            progress.update(bar, completed=done, description="simulating")
    time, q, v, kinetic, potential = (np.concatenate(values) for values in zip(*parts, strict=True))
    return Motion(time, q, v, np.zeros((samples, model.nu)), kinetic, potential)


def save(model: Model, motion: Motion, folder: Path) -> list[Path]:
    """Write `motion.npz`, and `motion.png` where matplotlib is installed; returns the files."""
    files = [folder / "motion.npz"]
    with writing(files[0]) as file:
        np.savez_compressed(file, energy=motion.energy, **asdict(motion))
    if importlib.util.find_spec("matplotlib") is None:
        note("no figure is drawn, because matplotlib is missing; install it with: pip install 'supple[plot]'")
        return files
    figure = draw_motion(model, motion.time, motion.q, motion.kinetic_energy, motion.potential_energy)
    files.append(folder / "motion.png")
    with writing(files[1]) as file:
        figure.savefig(file, format="png")
    return files


@jax.jit
def _advance(system: Simulator, model: Model, state: State, controls: Float[Array, "steps nu"]) -> tuple[State, tuple]:
    after = rollout(system, state, controls)
    before = jax.tree.map(lambda first, rest: jnp.concatenate([first[None], rest[:-1]]), state, after)
    kinetic = jax.vmap(kinetic_energy, in_axes=(None, 0, 0))(model, before.q, before.v)
    potential = jax.vmap(potential_energy, in_axes=(None, 0))(model, before.q)
    last = jax.tree.map(lambda values: values[-1], after)
    return last, (before.time, before.q, before.v, kinetic, potential)


def _check_finite(model: Model, rows: list[np.ndarray], dt: float) -> None:
    time, q, v = rows[:3]
    finite = np.isfinite(q).all(axis=1) & np.isfinite(v).all(axis=1)
    if finite.all():
        return
    step, joints = int(np.argmin(finite)), model.joints
    name = next(
        joints.names[i]
        for i, kind in enumerate(joints.kinds)
        if not np.isfinite(q[step, joints.q_starts[i] :][: kind.nq]).all()
        or not np.isfinite(v[step, joints.v_starts[i] :][: kind.nv]).all()
    )
    raise CommandError(
        f"the motion stops being finite at t = {time[step]:.6g} s, in joint '{name}'; try a time step below {dt:g} s, "
        "or look for impossible inertia with `supple show --check`"
    )

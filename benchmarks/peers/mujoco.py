"""MuJoCo's `mj_step`, without contacts and constraints, called in a loop in machine code."""

import ctypes
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np
from c_compiler import address
from case import DT, Case, Task
from timing import NativeLoop


def bare_model(case: Case) -> mujoco.MjModel:
    """The fused robot; neither contact nor constraint, and dampers explicit as in ours."""
    model = case.fused.to_mujoco()
    disable = mujoco.mjtDisableBit
    model.opt.disableflags |= disable.mjDSBL_CONTACT | disable.mjDSBL_CONSTRAINT | disable.mjDSBL_EULERDAMP
    model.opt.timestep = DT
    return model


def undamped_model(case: Case) -> mujoco.MjModel:
    """The same without passive forces, which are no part of forward dynamics as a function of (q, v, τ)."""
    model = bare_model(case)
    model.dof_damping[:], model.jnt_stiffness[:] = 0.0, 0.0
    return model


def step(case: Case) -> Task:
    """A step, always from the first state: what it overwrites is put back every so many steps."""
    model = bare_model(case)
    data = mujoco.MjData(model)
    (library,) = Path(mujoco.__file__).parent.glob("libmujoco.so.*")
    loop = NativeLoop(address(ctypes.CDLL(str(library)), "mj_step"), (model._address, data._address), model, data)

    def run(count: int) -> None:
        data.qpos, data.qvel, data.ctrl = case.q[0], case.v[0], case.control[0]
        loop(count)

    return Task(run, lambda: np.concatenate([data.qpos, data.qvel])[None])


TASKS: dict[str, Callable[[Case], Task]] = {"step": step}

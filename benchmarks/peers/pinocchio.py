"""Pinocchio: its articulated-body algorithm in C++, compiled from its headers for this machine, in a native loop."""

import ctypes
import sysconfig
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pinocchio as pin
from c_compiler import address, build
from case import Case, NotMeasured, Task
from timing import NativeLoop

import supple as sp
from supple.model.joint import JointKind
from supple.testing import PinocchioMap

PREFIX = Path(sysconfig.get_paths()["purelib"], "cmeel.prefix")
FLAGS = (
    "-std=c++17",
    "-DNDEBUG",
    "-fno-gnu-unique",  # or the library that Python has loaded, of another alignment, would lend it functions
    f"-I{PREFIX / 'include'}",
    f"-I{PREFIX / 'include' / 'eigen3'}",
    f"-L{PREFIX / 'lib'}",
    f"-Wl,-rpath,{PREFIX / 'lib'}",
    "-lboost_serialization",
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",  # these two as Pinocchio's own build files say
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
)
AXES = {(1, 0, 0): pin.JointModelRX, (0, 1, 0): pin.JointModelRY, (0, 0, 1): pin.JointModelRZ}


def forward(case: Case) -> Task:
    """Accelerations in the first state."""
    if not (PREFIX / "include" / "eigen3").exists():
        raise NotMeasured("no Eigen: pip install cmeel-eigen")
    library = build(Path(__file__).with_suffix(".cpp").read_text(), "g++", FLAGS)
    robot = pinocchio_model(case.fused)
    mapping = PinocchioMap(case.fused, robot)
    q, v, tau = case.one(("q", "v", "tau"))
    state = mapping.q(q), mapping.v(q, v), mapping.force(q, tau)
    library.robot_new.restype = ctypes.c_void_p
    library.robot_acceleration.restype = ctypes.POINTER(ctypes.c_double)
    pointer = library.robot_new(robot.saveToString().encode(), *(ctypes.c_void_p(x.ctypes.data) for x in state))
    found = np.ctypeslib.as_array(library.robot_acceleration(ctypes.c_void_p(pointer)), (robot.nv,))
    run = NativeLoop(address(library, "robot_accelerate"), (pointer,), library)
    return Task(run, lambda: mapping.acceleration_from(q, v, found)[None])


def pinocchio_model(model: sp.Model) -> pin.Model:
    """A fused robot in Pinocchio's terms, hinges along a coordinate axis as joints of their own kind."""
    robot, bodies, joints = pin.Model(), model.bodies, model.joints
    robot.gravity.linear = np.asarray(model.gravity)
    for k, (name, kind) in enumerate(zip(joints.names, joints.kinds, strict=True)):
        if kind is JointKind.FREE:
            joint, placement = pin.JointModelFreeFlyer(), pin.SE3.Identity()
        else:
            aligned = AXES.get(tuple(joints.axis[k]))
            joint = aligned() if aligned else pin.JointModelRevoluteUnaligned(joints.axis[k])
            placement = pin.SE3(bodies.rotation[k], bodies.position[k])
        index = robot.addJoint(bodies.parents[k] + 1, joint, placement, name)
        xx, xy, xz, yy, yz, zz = bodies.inertia[k]
        about_center = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        inertia = pin.Inertia(bodies.mass[k], bodies.center_of_mass[k], about_center)
        robot.appendBodyToJoint(index, inertia, pin.SE3.Identity())
    return robot


TASKS: dict[str, Callable[[Case], Task]] = {"forward": forward}

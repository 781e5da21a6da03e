"""Every URDF of example-robot-data against an independent reading of the file, and against Pinocchio."""

import functools
import pathlib
import sysconfig
import xml.etree.ElementTree as ET

import numpy as np
import pinocchio
import pytest

from supple.describe import load as loader
from supple.model.errors import DescriptionError
from supple.model.joint import JointKind
from supple.model.model import Model

ROBOTS = pathlib.Path(sysconfig.get_paths()["purelib"], "cmeel.prefix", "share", "example-robot-data", "robots")
FILES = sorted(path for path in ROBOTS.rglob("*.urdf") if path.name != "ur3.urdf")  # which describes nothing
KINDS = {"revolute": JointKind.HINGE, "continuous": JointKind.HINGE, "prismatic": JointKind.SLIDE}

load = functools.cache(loader.load)
urdf = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def numbers(element: ET.Element | None, key: str, default: str = "0 0 0") -> np.ndarray:
    return np.array([float(word) for word in (element.get(key, default) if element is not None else default).split()])


def rotation(rpy: np.ndarray) -> np.ndarray:
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def full(inertia: np.ndarray) -> np.ndarray:
    xx, xy, xz, yy, yz, zz = inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def poses(model: Model) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rotation and position of each body in the world, as described."""
    found = []
    for parent, R, p in zip(model.bodies.parents, model.bodies.rotation, model.bodies.position, strict=True):
        R_parent, p_parent = found[parent] if parent >= 0 else (np.eye(3), np.zeros(3))
        found.append((R_parent @ R, p_parent + R_parent @ p))
    return found


def test_all_are_found() -> None:
    assert len(FILES) + 1 == 69


def test_an_empty_robot_is_refused() -> None:
    with pytest.raises(DescriptionError, match="no links"):
        load(next(ROBOTS.rglob("ur3.urdf")))


@urdf
def test_links_equal_the_file(path: pathlib.Path) -> None:
    model, root = load(path), ET.parse(path).getroot()
    links = {link.get("name"): link for link in root.findall("link")}
    assert sorted(model.bodies.names) == sorted(links)
    for i, name in enumerate(model.bodies.names):
        inertial = links[name].find("inertial")
        if inertial is None:
            assert model.bodies.mass[i] == 0
            assert not model.bodies.inertia[i].any()
            continue
        values = inertial.find("inertia").attrib
        matrix = full(np.array([float(values[key]) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")]))
        origin = inertial.find("origin")
        R = rotation(numbers(origin, "rpy"))
        assert model.bodies.mass[i] == float(inertial.find("mass").get("value"))
        np.testing.assert_allclose(model.bodies.center_of_mass[i], numbers(origin, "xyz"), rtol=0, atol=1e-14)
        atol = 2e-14 * np.abs(matrix).max()
        np.testing.assert_allclose(full(model.bodies.inertia[i]), R @ matrix @ R.T, rtol=0, atol=atol)


@urdf
def test_joints_equal_the_file(path: pathlib.Path) -> None:
    model, root = load(path), ET.parse(path).getroot()
    joints = {joint.get("name"): joint for joint in root.findall("joint")}
    assert sorted(model.joints.names) == sorted(name for name, j in joints.items() if j.get("type") != "fixed")
    for i, name in enumerate(model.joints.names):
        joint = joints[name]
        axis = numbers(joint.find("axis"), "xyz", "1 0 0")
        limit, dynamics = joint.find("limit"), joint.find("dynamics")
        assert model.joints.kinds[i] is KINDS[joint.get("type")]
        assert model.bodies.names[model.joints.bodies[i]] == joint.find("child").get("link")
        np.testing.assert_allclose(model.joints.axis[i], axis / np.linalg.norm(axis), rtol=0, atol=2e-15)
        assert model.joints.damping[i] == numbers(dynamics, "damping", "0")[0]
        assert model.joints.friction_loss[i] == numbers(dynamics, "friction", "0")[0]
        if joint.get("type") == "continuous":
            assert not model.joints.limited[i]
        else:
            lower, upper = numbers(limit, "lower", "0")[0], numbers(limit, "upper", "0")[0]
            assert model.joints.range[i].tolist() == [lower, upper]
            assert model.joints.limited[i] == (lower < upper)
    assert model.actuators.names == model.joints.names
    assert not any(model.actuators.control_limited)


@urdf
def test_frames_equal_the_file_and_are_snapped(path: pathlib.Path) -> None:
    model, root = load(path), ET.parse(path).getroot()
    joint_of = {joint.find("child").get("link"): joint for joint in root.findall("joint")}
    for i, name in enumerate(model.bodies.names):
        joint, parent = joint_of.get(name), model.bodies.parents[i]
        if joint is None:
            assert parent == -1
            assert np.array_equal(model.bodies.rotation[i], np.eye(3))
            continue
        origin = joint.find("origin")
        assert model.bodies.names[parent] == joint.find("parent").get("link")
        assert parent < i
        np.testing.assert_allclose(model.bodies.position[i], numbers(origin, "xyz"), rtol=0, atol=1e-14)
        np.testing.assert_allclose(model.bodies.rotation[i], rotation(numbers(origin, "rpy")), rtol=0, atol=1e-14)
    for values in (model.bodies.rotation, model.joints.axis):
        for target in (0.0, 1.0, -1.0):
            near = np.abs(values - target) <= 1e-14
            assert (values[near] == target).all()


@urdf
def test_link_poses_and_masses_agree_with_pinocchio(path: pathlib.Path) -> None:
    other = pinocchio.buildModelFromUrdf(str(path))
    model = load(path)
    data = other.createData()
    pinocchio.framesForwardKinematics(other, data, pinocchio.neutral(other))
    masses = dict.fromkeys(range(other.njoints), 0.0)
    for i, (name, (R, p)) in enumerate(zip(model.bodies.names, poses(model), strict=True)):
        frame = other.getFrameId(name, pinocchio.FrameType.BODY)
        masses[other.frames[frame].parentJoint] += model.bodies.mass[i]
        np.testing.assert_allclose(R, data.oMf[frame].rotation, rtol=0, atol=1e-12)
        np.testing.assert_allclose(p, data.oMf[frame].translation, rtol=0, atol=1e-12)
    for joint in range(1, other.njoints):
        assert masses[joint] == pytest.approx(other.inertias[joint].mass, abs=1e-12)


@pytest.mark.parametrize("name", ["a1", "talos_reduced", "z1", "anymal-kinova"])
def test_floating_adds_only_a_free_joint(name: str) -> None:
    path = next(ROBOTS.rglob(f"{name}.urdf"))
    fixed, floating = load(path, base="fixed"), load(path, base="floating")
    assert (floating.nq, floating.nv, floating.nu) == (fixed.nq + 7, fixed.nv + 6, fixed.nu)
    assert floating.joints.kinds[0] is JointKind.FREE
    assert floating.joints.bodies[0] == 0
    assert floating.bodies.names == fixed.bodies.names
    assert floating.home[:7].tolist() == [0, 0, 0, 1, 0, 0, 0]
    for field in ("position", "rotation", "mass", "center_of_mass", "inertia"):
        assert np.array_equal(getattr(floating.bodies, field), getattr(fixed.bodies, field))

"""The five robots on which speed is measured, from a planar pendulum to a humanoid."""

import re
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path

import supple as sp

ROBOT_DATA = Path(sysconfig.get_paths()["purelib"], "cmeel.prefix/share/example-robot-data/robots")


def panda() -> sp.Model:
    """The seven joints of a Panda, its fingers welded on."""
    text = (ROBOT_DATA / "panda_description/urdf/panda.urdf").read_text()
    welded = re.sub(r'(<joint name="panda_finger_joint\d" type=)"prismatic"', r'\1"fixed"', text)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "panda.urdf")
        path.write_text(welded)
        return sp.load(path, meshes="skip")


def floating(path: str) -> Callable[[], sp.Model]:
    """A robot of example-robot-data on a free base."""
    return lambda: sp.load(ROBOT_DATA / path, base="floating", meshes="skip")


ROBOTS: dict[str, Callable[[], sp.Model]] = {
    "double pendulum": lambda: sp.robots.pendulum(links=2),
    "5-link pendulum": lambda: sp.robots.pendulum(links=5),
    "panda (7)": panda,
    "laikago floating (18)": floating("laikago_description/urdf/laikago.urdf"),
    "talos floating (38)": floating("talos_data/robots/talos_reduced.urdf"),
}

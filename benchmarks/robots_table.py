"""Print docs/robots.md: how each robot of example-robot-data and gymnasium loads.

python benchmarks/robots_table.py > docs/robots.md
"""

import importlib.metadata
import importlib.util
import pathlib
import sysconfig
from collections.abc import Iterator

import supple as sp
from supple.model.errors import SuppleError

# What a warning says -> what the table says; the first that fits.
KINDS = {
    "effort and velocity limits": "effort and velocity limits not enforced",
    "mimics": "mimic joint ignored",
    "no room between the limits": "empty limits taken as none",
    "collision mesh": "collision meshes skipped",
    "exceeds the sum": "inertia violates the triangle inequality",
    "not all positive": "inertia not positive",
    "inertia but no mass": "inertia without mass",
    "singular mass matrix": "joint with nothing heavy on it",
    "kg is negative": "negative mass",
    "margin of the limits": "margin of limits ignored",
}


def main() -> None:
    """Print the page."""
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("example-robot-data", "gymnasium"))
    print("# Robots that load\n")
    print("This page is the output of `python benchmarks/robots_table.py`.\n")
    print(f"Every URDF and MJCF of {versions}, loaded as it is (`supple.load(FILE)`).")
    print("Impossible inertias and massless links are loaded too, with a warning; `model.check()` refuses them.\n")
    print("| robot | bodies | joints | nq | nv | mass, kg | result | warnings |")
    print("|---|--:|--:|--:|--:|--:|---|---|")
    rows = [row(name, path) for name, path in robots()]
    print("\n".join(rows))
    print(f"\n{len(rows)} files, {sum('| loaded |' in line for line in rows)} loaded.")


def robots() -> Iterator[tuple[str, pathlib.Path]]:
    """Name and file of each robot."""
    share = pathlib.Path(sysconfig.get_paths()["purelib"], "cmeel.prefix", "share", "example-robot-data", "robots")
    for path in sorted(share.rglob("*.urdf")):
        yield path.relative_to(share).as_posix(), path
    gymnasium = importlib.util.find_spec("gymnasium")
    if gymnasium is None or gymnasium.origin is None:
        raise SystemExit("gymnasium is not installed")
    assets = pathlib.Path(gymnasium.origin).parent / "envs" / "mujoco" / "assets"
    for path in sorted(assets.glob("*.xml")):
        yield f"gymnasium/{path.name}", path


def row(name: str, path: pathlib.Path) -> str:
    """One line of the table."""
    try:
        model = sp.load(path)
    except SuppleError as error:
        return f"| {name} | | | | | | refused: {error} | |"
    bodies, joints, mass = len(model.bodies.names), len(model.joints.names), model.bodies.mass.sum()
    return (
        f"| {name} | {bodies} | {joints} | {model.nq} | {model.nv} | {mass:.3f} | loaded | {summary(model.warnings)} |"
    )


def summary(warnings: tuple[str, ...]) -> str:
    """How many warnings of each kind."""
    counts: dict[str, int] = {}
    for warning in warnings:
        kind = next((label for mark, label in KINDS.items() if mark in warning), warning)
        counts[kind] = counts.get(kind, 0) + 1
    return "; ".join(kind if count == 1 else f"{count} × {kind}" for kind, count in counts.items())


if __name__ == "__main__":
    main()

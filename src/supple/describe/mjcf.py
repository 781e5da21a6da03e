"""MJCF: take out what has no effect on the motion and could stop the compiler, such as files that are not there."""

import pathlib
from collections.abc import Iterator

import mujoco
import numpy as np

from supple.describe.contents import is_file
from supple.describe.finding import Finding
from supple.describe.urdf import READABLE_MESHES


def drop_assets(spec: mujoco.MjSpec, *, meshes: str) -> tuple[list[Finding], list[str]]:
    """Replace textures, height fields and skins, and the meshes that cannot or need not be read.

    A mesh from which the compiler infers a body's inertia stays. The other meshes are shapes: kept if `meshes` is
    "load" and they can be read.

    Returns:
        The findings, and why the compiler is likely to fail on the meshes that stay. It may yet find them: in a
        model that is attached from another folder.
    """
    for skin in spec.skins:
        spec.delete(skin)
    for texture in spec.textures:
        texture.file, texture.builtin = "", mujoco.mjtBuiltin.mjBUILTIN_FLAT
        texture.cubefiles = [""] * len(texture.cubefiles)
        texture.width = texture.height = 1
    for field in spec.hfields:
        field.file, field.nrow, field.ncol, field.userdata = "", 2, 2, np.zeros(4)
    needed = {geom.meshname: geom.parent for geom in _weighed_geoms(spec)}
    findings, fears = [], []
    for mesh in spec.meshes:
        trouble = _trouble(spec, mesh)
        name = mesh.name or pathlib.PurePath(mesh.file).stem
        if name not in needed and (trouble or meshes == "skip"):
            _replace(spec, mesh, name)
            if trouble:
                findings.append(Finding(f"mesh {name!r} is skipped: {trouble}", changes_motion=False))
        elif trouble:
            body = f"body {needed[name].name!r}" if needed[name].name else "a body without a name"
            fears.append(f"the inertia of {body} is that of a mesh, and {trouble}; or give the body an <inertial>")
    return findings, fears


def _weighed_geoms(spec: mujoco.MjSpec) -> Iterator[mujoco.MjsGeom]:
    """The geoms with a mesh from which the compiler infers inertia."""
    rule, (first, last) = spec.compiler.inertiafromgeom, spec.compiler.inertiagrouprange
    for geom in spec.geoms:
        body = geom.parent
        inferred = rule == mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE or (
            rule == mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_AUTO and not body.explicitinertial
        )
        has_weight = geom.density != 0 if np.isnan(geom.mass) else geom.mass != 0
        is_body = body.name != spec.worldbody.name
        if geom.meshname and inferred and has_weight and is_body and first <= geom.group <= last:
            yield geom


def _trouble(spec: mujoco.MjSpec, mesh: mujoco.MjsMesh) -> str | None:
    """Why a mesh's file cannot be read, or None."""
    if not mesh.file or mesh.file in spec.assets:
        return None
    name = pathlib.PurePath(mesh.file).name if spec.strippath else mesh.file
    path = pathlib.Path(spec.modelfiledir, spec.meshdir, name)
    if not path.name.lower().endswith(READABLE_MESHES):
        return f"{mesh.file!r} is not in a format that can be read ({', '.join(READABLE_MESHES)})"
    return None if is_file(path) else f"file {str(path)!r} is not found"


def _replace(spec: mujoco.MjSpec, mesh: mujoco.MjsMesh, name: str) -> None:
    """Put weightless points in place of a mesh's geoms, so that what refers to the geoms still finds them."""
    for geom in spec.geoms:
        if geom.meshname == name:
            geom.type, geom.meshname = mujoco.mjtGeom.mjGEOM_SPHERE, ""
            geom.size, geom.mass, geom.density = np.array([1e-3, 0.0, 0.0]), 0.0, 0.0
    spec.delete(mesh)

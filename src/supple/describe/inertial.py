"""Inertial numbers as the file has them, past a compiler that refuses or diagonalises them."""

import dataclasses

import mujoco
import numpy as np
from jaxtyping import Float

from supple.describe.frames import matrix_from_quaternion, snap_zeros
from supple.spatial.arrays import Array
from supple.spatial.symmetric import pack


@dataclasses.dataclass(frozen=True)
class Inertial:
    """Mass (kg), centre of mass (m, body frame) and inertia about it in body axes (kg m²: xx xy xz yy yz zz)."""

    mass: float
    center_of_mass: Float[Array, "3"]
    inertia: Float[Array, "6"]

    @classmethod
    def from_axes(
        cls,
        mass: float,
        center_of_mass: Float[Array, "3"],
        matrix: Float[Array, "3 3"],
        quaternion: Float[Array, "4"],
    ) -> "Inertial":
        """From an inertia matrix in axes that are turned against the body's by `quaternion`."""
        R = matrix_from_quaternion(quaternion)
        inertia = np.array(pack(R @ matrix @ R.T))
        diagonal = np.abs(inertia[[0, 3, 5]]).sum()
        return cls(float(mass), snap_zeros(center_of_mass), snap_zeros(inertia, scale=diagonal))


MASSLESS = Inertial(0.0, np.zeros(3), np.zeros(6))


def compiled_inertial(compiled: mujoco.MjModel, body: int) -> Inertial:
    """The inertial that the compiler made for a body, from its geoms or from the file."""
    return Inertial.from_axes(
        compiled.body_mass[body],
        compiled.body_ipos[body],
        np.diag(compiled.body_inertia[body]),
        compiled.body_iquat[body],
    )


class RawInertials:
    """Takes the inertials out of a spec, leaves placeholders that compile, and returns the raw ones afterwards.

    MuJoCo refuses zero, indefinite and triangle-violating inertias, and rotates the others to principal axes
    with round-off; the physics here needs neither. A body without an inertial is massless in a URDF
    (`missing_is_massless`); in an MJCF its inertial is inferred by the compiler from its geoms.
    """

    def __init__(self, spec: mujoco.MjSpec, *, missing_is_massless: bool):
        self._raw: list[tuple[mujoco.MjsBody, float, Array]] = []
        if not missing_is_massless and _compiler_makes_inertials(spec):
            return
        for body in spec.bodies[1:]:
            if body.explicitinertial or missing_is_massless:
                self._raw.append((body, body.mass, _matrix(body)))
                _put_placeholder(body)

    def restore(self, compiled: mujoco.MjModel) -> dict[int, Inertial]:
        """The raw inertials by the compiled model's body index."""
        return {
            body.id: Inertial.from_axes(mass, compiled.body_ipos[body.id], matrix, compiled.body_iquat[body.id])
            for body, mass, matrix in self._raw
        }


def _matrix(body: mujoco.MjsBody) -> Float[Array, "3 3"]:
    """The file's inertia matrix in the axes of the file's inertial frame."""
    if np.isnan(body.fullinertia[0]):  # MuJoCo's mark for "not given"
        return np.diag(np.array(body.inertia))
    xx, yy, zz, xy, xz, yz = body.fullinertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _put_placeholder(body: mujoco.MjsBody) -> None:
    """A unit sphere keeps the inertial frame as it is: nothing is there to diagonalise."""
    body.explicitinertial = True
    body.mass = 1.0
    body.inertia = np.ones(3)
    body.fullinertia = [np.nan, 0.0, 0.0, 0.0, 0.0, 0.0]
    if np.isnan(body.ipos[0]):
        body.ipos = np.zeros(3)


def _compiler_makes_inertials(spec: mujoco.MjSpec) -> bool:
    """Whether the file orders the compiler to change inertials, or derives other numbers from them."""
    compiler = spec.compiler
    return bool(
        compiler.inertiafromgeom == mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_TRUE
        or compiler.settotalmass > 0
        or compiler.boundmass > 0
        or compiler.boundinertia > 0
        or compiler.balanceinertia
        or compiler.alignfree
        or any(joint.align == mujoco.mjtAlignFree.mjALIGNFREE_TRUE for joint in spec.joints)
        or any(np.any(np.array(joint.springdamper) > 0) for joint in spec.joints)
    )

"""Frames that are fixed to links: those of bodies and sites, and how they move with their link."""

import dataclasses

import jax.numpy as jnp
import numpy as np
from jaxtyping import Float

from supple.dynamics.kinematics import Poses
from supple.dynamics.links import place_bodies
from supple.dynamics.topology import Topology
from supple.dynamics.world import Motion, WorldLinks
from supple.model.model import Model
from supple.spatial.arrays import Array
from supple.spatial.vector import apply, cross, multiply


@dataclasses.dataclass(frozen=True, eq=False)
class Attached:
    """Frames on links, by the cell of the link (or NOWHERE, the world)."""

    cells: np.ndarray  # (frames,)
    rotation: Float[Array, "frames 3 3"]  # R_link_frame
    position: Float[Array, "frames 3"]  # in the link's frame, m

    def __getitem__(self, index: np.ndarray) -> "Attached":
        return Attached(self.cells[index], self.rotation[index], self.position[index])

    def arms(self, world: WorldLinks) -> Float[Array, "frames 3"]:
        """From the link's origin to the frame's, in world axes."""
        return apply(world.rotation[self.cells], self.position)

    def poses(self, world: WorldLinks) -> Poses:
        """The frames in the world's."""
        return Poses(multiply(world.rotation[self.cells], self.rotation), world.position[self.cells] + self.arms(world))

    def velocities(self, world: WorldLinks, links: Motion) -> Float[Array, "frames 6"]:
        """Angular velocity, and linear velocity of the origin, in world axes: ω and v + ω × r."""
        omega = links.angular[self.cells]
        return jnp.concatenate([omega, links.linear[self.cells] + cross(omega, self.arms(world))], axis=-1)

    def accelerations(self, world: WorldLinks, velocities: Motion, accelerations: Motion) -> Float[Array, "frames 6"]:
        """Angular acceleration, and classical acceleration of the origin: α and a + α × r + ω × (ω × r)."""
        omega, alpha, arm = velocities.angular[self.cells], accelerations.angular[self.cells], self.arms(world)
        linear = accelerations.linear[self.cells] + cross(alpha, arm) + cross(omega, cross(omega, arm))
        return jnp.concatenate([alpha, linear], axis=-1)


def attach_bodies(model: Model, tree: Topology) -> Attached:
    """The frames of all bodies."""
    placement = place_bodies(model, tree)
    return Attached(tree.body_cells, placement.rotation, placement.position)


def attach_points(bodies: Attached, index: np.ndarray, points: Float[Array, "n 3"]) -> Attached:
    """Frames parallel to some of the bodies', with their origins at points in those."""
    chosen = bodies[index]
    return Attached(chosen.cells, chosen.rotation, chosen.position + apply(chosen.rotation, points))

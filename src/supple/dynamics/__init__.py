"""Rigid-body dynamics: pure functions of a model and its coordinates."""

from supple.dynamics.aba import aba as aba
from supple.dynamics.aba import solve_mass as solve_mass
from supple.dynamics.actuation import actuator_force as actuator_force
from supple.dynamics.coordinates import difference as difference
from supple.dynamics.coordinates import move as move
from supple.dynamics.crba import crba as crba
from supple.dynamics.energy import kinetic_energy as kinetic_energy
from supple.dynamics.energy import potential_energy as potential_energy
from supple.dynamics.joints import Pose as Pose
from supple.dynamics.joints import place_links as place_links
from supple.dynamics.kinematics import Poses as Poses
from supple.dynamics.kinematics import forward_kinematics as forward_kinematics
from supple.dynamics.links import Links as Links
from supple.dynamics.links import articulate as articulate
from supple.dynamics.passive import passive_force as passive_force
from supple.dynamics.rnea import bias_force as bias_force
from supple.dynamics.rnea import newton_euler as newton_euler
from supple.dynamics.rnea import rnea as rnea

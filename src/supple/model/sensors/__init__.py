"""Sensors on bodies, sites and joints, as MuJoCo has them.

A *frame* is the name of a body or site (`supple.model.lookup.find_frame`), a *joint* the name of a joint.
"""

from supple.model.sensors.force import Force as Force
from supple.model.sensors.force import ForceTorque as ForceTorque
from supple.model.sensors.force import Torque as Torque
from supple.model.sensors.frame import FrameAngularVelocity as FrameAngularVelocity
from supple.model.sensors.frame import FrameLinearVelocity as FrameLinearVelocity
from supple.model.sensors.frame import FrameOrientation as FrameOrientation
from supple.model.sensors.frame import FramePosition as FramePosition
from supple.model.sensors.inertial import Accelerometer as Accelerometer
from supple.model.sensors.inertial import Gyro as Gyro
from supple.model.sensors.inertial import Velocimeter as Velocimeter
from supple.model.sensors.joint import BallOrientation as BallOrientation
from supple.model.sensors.joint import JointEffort as JointEffort
from supple.model.sensors.joint import JointPosition as JointPosition
from supple.model.sensors.joint import JointVelocity as JointVelocity

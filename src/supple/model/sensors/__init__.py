"""Sensors on bodies, sites, joints and actuators, as MuJoCo has them.

A *frame* is the name of a body or site (`supple.model.lookup.find_frame`); a *joint*, an *actuator* and a *body* are
the names of such. A model takes sensors of one's own choice in this way:

    model = dataclasses.replace(model, sensors=(Gyro(name="gyro", frame="trunk"), *model.sensors))
"""

from supple.model.imperfection import Imperfection as Imperfection
from supple.model.sensor import Sensor as Sensor
from supple.model.sensors.actuator import ActuatorForce as ActuatorForce
from supple.model.sensors.actuator import ActuatorPosition as ActuatorPosition
from supple.model.sensors.actuator import ActuatorVelocity as ActuatorVelocity
from supple.model.sensors.force import Force as Force
from supple.model.sensors.force import ForceTorque as ForceTorque
from supple.model.sensors.force import Torque as Torque
from supple.model.sensors.frame import FrameAngularAcceleration as FrameAngularAcceleration
from supple.model.sensors.frame import FrameAngularVelocity as FrameAngularVelocity
from supple.model.sensors.frame import FrameAxis as FrameAxis
from supple.model.sensors.frame import FrameLinearAcceleration as FrameLinearAcceleration
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
from supple.model.sensors.subtree import SubtreeAngularMomentum as SubtreeAngularMomentum
from supple.model.sensors.subtree import SubtreeCenterOfMass as SubtreeCenterOfMass
from supple.model.sensors.subtree import SubtreeLinearVelocity as SubtreeLinearVelocity

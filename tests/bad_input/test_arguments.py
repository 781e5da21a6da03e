"""Arguments from Python that make no sense: one line says which, what it is and what to write instead."""

import json
from collections.abc import Callable
from pathlib import Path

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from safetensors.numpy import load as unpack_tensors
from safetensors.numpy import save as pack_tensors

import supple as sp
from supple import dynamics, robots
from supple.describe import primitives
from supple.describe.builder import RobotBuilder
from supple.model.errors import SuppleError
from supple.simulate import RungeKutta4

ARM = robots.pendulum()
DOG = robots.quadruped()
ARMS = sp.randomize(ARM, jax.random.key(0), {"bodies.mass": sp.Uniform(0.5, 1)}, 3)
KEY = jax.random.key(0)
SYSTEM = sp.Simulator(ARM)
START = SYSTEM.init()
STILL = np.zeros(2)
TORN = eqx.tree_at(lambda m: (m.bodies.mass, m.joints.damping), ARM, (np.ones((3, 2)), np.zeros((4, 2))))
MASS = {"bodies.mass": sp.Uniform(0.5, 1)}


def step(q=STILL, v=STILL, time=0.0, memory=(), control=STILL) -> sp.State:
    return SYSTEM.step(sp.State(q, v, time, memory), control)


def roll(controls) -> sp.State:
    return sp.rollout(SYSTEM, START, controls)


def jacobian(body: str | int) -> object:
    return jax.eval_shape(lambda q: dynamics.body_jacobian(ARM, q, body), STILL)  # without compiling


def build(joint: dict | None = None, motor: dict | None = None, **body) -> sp.Model:
    builder = RobotBuilder("r")
    builder.body("a", **{"solids": [primitives.sphere(0.1, mass=1)], **body})
    builder.joint("j", "a", **(joint or {}))
    builder.motor("m", "j", **(motor or {}))
    return builder.build()


CALLS: dict[str, tuple[Callable[[], object], str]] = {
    # systems
    "no model": (lambda: sp.Simulator("robot.urdf"), "'robot.urdf' is no model; write one"),
    "zero dt": (lambda: sp.Simulator(ARM, dt=0), "dt=0: a time step is a positive number"),
    "negative dt": (lambda: sp.Simulator(ARM, dt=jnp.array(-1.0)), "dt=.*a time step is a positive number"),
    "NaN dt": (lambda: sp.Simulator(ARM, dt=np.nan), "dt=nan: a time step is a positive number"),
    "infinite dt": (lambda: sp.Simulator(ARM, dt=np.inf), "dt=inf: a time step is a positive number"),
    "dt in words": (lambda: sp.Simulator(ARM, dt="fast"), "dt='fast': a time step is a positive number"),
    "no dt": (lambda: sp.Simulator(ARM, dt=None), "dt=None: a time step is a positive number"),
    "two dts": (lambda: sp.Simulator(ARM, dt=np.ones(2)), "dt=.*a time step is a positive number"),
    "complex dt": (lambda: sp.Simulator(ARM, dt=1j), "dt=1j: a time step is a positive number"),
    "integrator by name": (lambda: sp.Simulator(ARM, integrator="rk4"), "integrator='rk4' is none; write one"),
    "integrator class": (lambda: sp.Simulator(ARM, integrator=RungeKutta4), "is none; write one"),
    "contact by name": (lambda: sp.Simulator(ARM, contact="soft"), "contact='soft': .* write contact=None"),
    "batch of models": (lambda: sp.Simulator(ARMS).init(), "a batch of 3 models; batch init and step"),
    "torn batch": (lambda: sp.Simulator(TORN).init(), "bodies.mass has 3, joints.damping has 4"),
    "impossible leaf": (lambda: sp.Simulator(sp.replace(ARM, {"mass": np.inf})).init(), "mass of 'link_0' is inf"),
    # states and controls
    "q too long": (lambda: SYSTEM.init(q=np.zeros(3)), r"q has shape \(3,\), but this model needs \(2,\)"),
    "q a number": (lambda: SYSTEM.init(q=1.0), r"q has shape \(\), but this model needs \(2,\)"),
    "q a batch": (lambda: SYSTEM.init(q=np.zeros((4, 2))), r"q has shape \(4, 2\).*jax.vmap"),
    "q in words": (lambda: SYSTEM.init(q=["1", "2"]), r"q is \['1', '2'\]; write an array of 2 numbers"),
    "q ragged": (lambda: SYSTEM.init(q=[[1], [2, 3]]), "write an array of 2 numbers"),
    "q complex": (lambda: SYSTEM.init(q=[1j, 0]), "write an array of 2 numbers"),
    "q beyond floats": (lambda: SYSTEM.init(q=[10**400, 0]), "write an array of 2 numbers"),
    "q NaN": (lambda: SYSTEM.init(q=[0, np.nan]), r"q\[1\], of joint 'hinge_1', is nan"),
    "v infinite": (lambda: SYSTEM.init(v=[np.inf, 0]), r"v\[0\], of joint 'hinge_0', is inf"),
    "no quaternion": (lambda: sp.Simulator(DOG).init(q=np.zeros(19)), "quaternion of length zero; without a turn"),
    "control too long": (lambda: step(control=np.zeros(3)), r"control has shape \(3,\), but this model needs \(2,\)"),
    "control in words": (lambda: step(control=np.array(["a", "b"])), "control is .* write an array of 2 numbers"),
    "no control": (lambda: step(control=None), "control is None; write an array of 2 numbers"),
    "control NaN": (lambda: step(control=[0, np.nan]), r"control\[1\], of actuator 'hinge_1', is nan"),
    "state NaN": (lambda: step(q=[np.nan, 0]), r"state.q\[0\], of joint 'hinge_0', is nan"),
    "state in words": (lambda: step(q="ab"), "state.q is 'ab'; write an array"),
    "time in words": (lambda: step(time="now"), "state.time is 'now'; write a number of seconds"),
    "no time": (lambda: step(time=None), "state.time is None; write a number of seconds"),
    "time NaN": (lambda: step(time=np.nan), "state.time is nan"),
    "foreign memory": (lambda: step(memory=jnp.ones(7)), "state.memory .* this model has none; start from"),
    "no state": (lambda: SYSTEM.step(None, STILL), "state is None; write a State"),
    "another robot's state": (
        lambda: SYSTEM.step(sp.Simulator(DOG).init(), STILL),
        r"state.q has shape \(19,\), but this model needs \(2,\)",
    ),
    "controls too wide": (lambda: roll(np.zeros((5, 3))), r"control has shape \(3,\), but this model needs \(2,\)"),
    "controls of one step": (lambda: roll(np.zeros(2)), r"controls has shape \(2,\); write .* \(steps, nu\)"),
    "controls NaN": (lambda: roll(np.full((5, 2), np.nan)), r"controls\[0, 0\] is nan"),
    "controls in words": (lambda: roll("abc"), "controls is 'abc'; write an array"),
    "rollout of a model": (lambda: sp.rollout(ARM, START, np.zeros((5, 2))), "is no system; write one"),
    "rollout of words": (lambda: sp.rollout(SYSTEM, sp.State("a", "b", 0.0), np.zeros((5, 2))), "state.q is 'a'"),
    "linearize a model": (lambda: sp.linearize(ARM, START, STILL), "is no system; write one"),
    "linearize at nothing": (lambda: sp.linearize(SYSTEM, None, STILL), "state is None; write a State"),
    "linearize in words": (lambda: sp.linearize(SYSTEM, START, "up"), "control is 'up'; write an array"),
    # dynamics
    "dynamics of nothing": (lambda: dynamics.crba(None, STILL), "crba: None is no model"),
    "dynamics of a batch": (lambda: dynamics.crba(ARMS, STILL), "crba: this is a batch of 3 models; .*jax.vmap"),
    "dynamics of a number": (lambda: dynamics.aba(ARM, STILL, STILL, 1.0), "aba: tau is 1.0; write a numpy or JAX"),
    "dynamics of words": (lambda: dynamics.crba(ARM, np.array(["a", "b"])), "crba: q holds <U1; write real"),
    "dynamics complex": (lambda: dynamics.crba(ARM, 1j * STILL), "crba: q holds complex128; write real"),
    "dynamics too long": (lambda: dynamics.crba(ARM, np.zeros(3)), r"crba: q has shape \(3,\).* needs \(2,\)"),
    "unknown body": (lambda: jacobian("link_2"), "no body 'link_2'; did you mean"),
    "body 9": (lambda: jacobian(9), "no body 9; they are numbered from 0 to 1"),
    # leaves
    "unknown leaf": (lambda: sp.replace(ARM, {"bodies.mas": 1}), "no leaf 'bodies.mas'; did you mean bodies.mass"),
    "leaf of a long name": (lambda: sp.replace(ARM, {"m" * 10**5: 1}), "no leaf 'm.* … .*there are"),
    "unknown part": (lambda: sp.replace(ARM, {"mass[lnk_0]": 1}), "no part is called 'lnk_0'; did you mean link_0"),
    "leaf in words": (lambda: sp.replace(ARM, {"mass": "heavy"}), "'heavy' does not fit"),
    "leaf NaN": (lambda: sp.replace(ARM, {"mass": np.nan}), "not a number"),
    "leaf beyond floats": (lambda: sp.replace(ARM, {"mass": 10**400}), "does not fit"),
    "leaf of another shape": (lambda: sp.replace(ARM, {"mass": [1, 2, 3]}), r"it takes numbers of shape \(2,\)"),
    "leaves of a file": (lambda: sp.replace("robot.urdf", {"mass": 1}), "'robot.urdf' has no leaves by name"),
    "leaves of nothing": (lambda: sp.replace(None, {"mass": 1}), "None has no leaves by name"),
    "changes by number": (lambda: sp.replace(ARM, {1: 2}), "not given by the names of leaves"),
    "random typo": (lambda: sp.randomize(ARM, KEY, {"bodies.mas": sp.Uniform(0, 1)}), "did you mean bodies.mass"),
    "random without a key": (lambda: sp.randomize(ARM, 0, MASS), r"one key such as jax.random.key\(0\), not 0"),
    "random number": (lambda: sp.randomize(ARM, KEY, {"mass": 1.0}), "neither a distribution nor"),
    "random axis": (lambda: sp.randomize(ARM, KEY, {"axis": sp.Uniform(0, 1)}), "cannot be varied number by number"),
    "random negative mass": (lambda: sp.randomize(ARM, KEY, {"mass": sp.Uniform(-2, -1)}), "a mass of -.* was drawn"),
    "half a copy": (lambda: sp.randomize(ARM, KEY, MASS, 1.5), "count=1.5, but it needs a whole number"),
    "copies of a file": (lambda: sp.randomize("robot.urdf", KEY, MASS), "'robot.urdf' has no leaves by name"),
    "inverted distribution": (lambda: sp.Uniform(2, 1), "from 2 to 1 is empty; swap"),
    "endless distribution": (lambda: sp.LogUniform(1, np.inf), "both must be finite"),
    "distribution of words": (lambda: sp.Normal("a", 1), "both must be finite numbers, and 'a' is none"),
    "scale by a number": (lambda: sp.Scale(3), "write a distribution"),
    "copy beyond a batch": (lambda: sp.pick(ARMS, 3), "no copy 3: this is a batch of 3"),
    "check of a batch": (ARMS.check, "a batch of 3; check one of them"),
    "batch to MuJoCo": (ARMS.to_mujoco, "a batch of 3; make an MjModel of one"),
    "too deep for MuJoCo": (lambda: robots.pendulum(links=1001).to_mujoco(), "it is 1001 levels deep"),
    # names
    "observe a name": (lambda: sp.observe("joint.force"), r"observe\('joint.force'\): it is no function"),
    "quantities of a model": (lambda: sp.quantities(ARM), "it is no system; write one"),
    "name in capitals": (lambda: sp.named("Force", STILL), "'Force' is not a name: write a dotted lowercase"),
    "name in two lines": (lambda: sp.named("a.b\n", STILL), "is not a name"),
    "name of a dict": (lambda: sp.named("a.b", {}), "marks a dict: a quantity is one array"),
    "rows by half": (lambda: sp.named("a.b", STILL, parts=((0, 1.5), 2)), "write rows and their total"),
    "rows by name": (lambda: sp.named("a.b", STILL, parts="x"), "write rows and their total"),
    "a row twice": (lambda: sp.named("a.b", STILL, parts=((0, 0), 2)), "write different indices from 0 to 1"),
    # robots
    "no links": (lambda: robots.pendulum(links=0), "links=0, but it needs at least 1"),
    "links in words": (lambda: robots.swimmer(links="two"), "links='two', but it is a whole number"),
    "negative length": (lambda: robots.pendulum(length=-1), "length -1 is no positive number"),
    "one length": (lambda: robots.double_pendulum(lengths=(1,)), "but it has two"),
    "zero axis": (lambda: build({"axis": (0, 0, 0)}), "joint 'j': its axis is zero; write a direction"),
    "axis of two": (lambda: build({"axis": (0, 1)}), r"joint 'j': axis is \(0, 1\); write numbers of shape \(3,\)"),
    "joint kind by name": (lambda: build({"kind": "hinge"}), "kind='hinge' is none; write one"),
    "damping in words": (lambda: build({"damping": "low"}), "joint 'j': damping is 'low'; write a number"),
    "negative damping": (lambda: build({"damping": -1}), "joint 'j': damping -1 is negative"),
    "armature NaN": (lambda: build({"armature": np.nan}), "joint 'j': armature is nan; every number must be finite"),
    "inverted limits": (lambda: build({"limits": (1, -1)}), "joint 'j': range from 1 to -1 is empty"),
    "one limit": (lambda: build({"limits": 1}), r"joint 'j': limits is 1; write numbers of shape \(2,\)"),
    "seven gears": (lambda: build(motor={"gear": 7 * (1.0,)}), r"actuator 'm': gear is .* write numbers of shape"),
    "gear in words": (lambda: build(motor={"gear": "x"}), r"actuator 'm': gear is \('x',\); write numbers"),
    "no solids": (lambda: build(solids=()), "joint 'j': nothing with inertia hangs on it"),
    "solids in words": (lambda: build(solids="box"), "body 'a': solids='box'; write a list"),
    "turned and stretched": (lambda: build(rotation=np.ones((3, 3))), "body 'a': its rotation is not a rotation"),
    "position in words": (lambda: build(position="top"), "body 'a': position is 'top'; write numbers"),
    "body on nothing": (lambda: build(parent="b"), "no body 'b'; there are: world"),
    "gravity in words": (lambda: RobotBuilder("r", gravity="down"), "gravity is 'down'; write numbers"),
    "negative radius": (lambda: primitives.sphere(-1, mass=1), "its lengths must be positive, and -1 is not"),
    "neither mass nor density": (lambda: primitives.sphere(1), "give either its mass or its density"),
}  # fmt: skip


@pytest.mark.parametrize("case", CALLS)
def test_calls(case: str):
    call, message = CALLS[case]
    refuse(call, message)


def refuse(call: Callable[[], object], message: str) -> None:
    """`call` must fail in one line of bearable length."""
    with pytest.raises(SuppleError, match=message) as error:
        call()
    assert len(str(error.value).splitlines()) == 1
    assert len(str(error.value)) < 2100


def test_a_rollout_takes_the_precision_of_its_system():
    states = sp.rollout(SYSTEM, sp.State(np.zeros(2, np.float32), np.zeros(2, int), 0), np.zeros((2, 2)))
    assert states.q.dtype == states.v.dtype == states.time.dtype == np.float64


def test_a_robot_without_joints_stands_still():
    block = sp.Simulator(sp.load('<mujoco><worldbody><body><geom size="1"/></body></worldbody></mujoco>'))
    state = jax.jit(sp.Simulator.step)(block, block.init(), np.zeros(0))
    assert state.q.shape == state.v.shape == (0,)
    assert state.time == 1e-3


def tampered(**changes: str) -> bytes:
    """A saved pendulum with other metadata, and an array more."""
    sp.save(ARM, "good.supple")
    content = Path("good.supple").read_bytes()
    about = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])["__metadata__"]
    arrays = dict(unpack_tensors(content))
    for name, value in changes.items():
        if name == "array":
            arrays[value] = np.ones(3)
        elif name == "version":
            about["version"] = value
        else:
            assert f'"{name}": ' in about["structure"]
            head, _, tail = about["structure"].partition(f'"{name}": ')
            about["structure"] = f'{head}"{name}": {value}{tail[tail.index("]") + 1 :]}'
    return pack_tensors(arrays, metadata=about)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": "2"}, "in format 2, but this is 1; upgrade Supple"),
        ({"version": "0"}, "not one that Supple saved"),
        ({"version": "9" * 5000}, "not one that Supple saved"),
        ({"array": "bodies.charm"}, "no place for the array 'bodies.charm'"),
        ({"parents": "null"}, r"bodies.parents is None, not tuple\[int, ...\]"),
        ({"kinds": "[1, 2]"}, r"joints.kinds is \(1, 2\), not"),
        ({"limited": "[false]"}, "joints.limited has 1 entries, but there are 2 names"),
        ({"tendons": "[-1]"}, "actuators.tendons has 1 entries, but there are 2 names"),
    ],
)
def test_tampered_models(changes: dict, message: str):
    Path("robot.supple").write_bytes(tampered(**changes))
    refuse(lambda: sp.load("robot.supple"), f"robot.supple: .*{message}")
    refuse(lambda: sp.restore("robot.supple"), f"robot.supple: .*{message}")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (".", "Is a directory"),
        ("", "Is a directory"),
        ("absent/robot", "No such file or directory"),
        ("file/robot", "Not a directory"),
        ("device", "it is a device; name a file"),
        ("r" * 300, "File name too long"),
        ("a\0b", "embedded null"),
        (None, "None is no path; write the name of a file"),
    ],
)
def test_places(path, message: str):
    Path("file").write_text("")
    Path("device").symlink_to("/dev/full")  # so that a mistake would replace the link, not the device
    before = set(Path().iterdir())
    refuse(lambda: sp.save(ARM, path), message)
    refuse(lambda: sp.restore(path), message)
    assert set(Path().iterdir()) == before
    assert Path("device").is_symlink()


def test_ten_thousand_bodies_move():
    deep = robots.pendulum(links=10_000)
    sp.save(deep, "deep.supple")
    assert sp.load("deep.supple").nv == sp.Simulator(deep).init().q.size == 10_000

"""Sites and bodies as named frames, against MuJoCo's."""

from typing import Any

import jax
import jax.numpy as jnp
import mujoco
import numpy as np
from sensor_scene import random_states, scene

from supple import dynamics
from supple.model.model import Model

SITES = ("ground", "top", "tip")
TOLERANCE = 1e-9


def evaluate(model: Model, q: Any, v: Any) -> dict[str, Any]:
    return {
        frame: (
            *dynamics.frame_pose(model, q, frame),
            dynamics.frame_velocity(model, q, v, frame),
            dynamics.frame_jacobian(model, q, frame),
        )
        for frame in (*SITES, "plate", "world")
    }


def test_frames_equal_mujocos_sites() -> None:
    model, peer = scene()
    states = random_states(model, count=100)
    got = jax.jit(jax.vmap(evaluate, in_axes=(None, 0, 0)))(model, states.q, states.v)
    data = mujoco.MjData(peer)
    for i, (q, v) in enumerate(zip(states.q, states.v, strict=True)):
        data.qpos, data.qvel = q, v
        mujoco.mj_forward(peer, data)
        for site in SITES:
            index = peer.site(site).id
            linear, angular = np.zeros((2, 3, peer.nv))
            mujoco.mj_jacSite(peer, data, linear, angular, index)
            jacobian = np.concatenate([angular, linear])
            expected = data.site_xmat[index].reshape(3, 3), data.site_xpos[index], jacobian @ v, jacobian
            for here, there in zip(got[site], expected, strict=True):
                np.testing.assert_allclose(here[i], there, rtol=0, atol=TOLERANCE * np.abs(there).max(initial=1.0))
        np.testing.assert_allclose(got["plate"][1][i], data.body("plate").xpos, atol=TOLERANCE)
    for value, nothing in zip(got["world"], (np.eye(3), 0.0, 0.0, 0.0), strict=True):
        np.testing.assert_array_equal(value, jnp.broadcast_to(nothing, value.shape))

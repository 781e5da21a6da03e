import json

import numpy as np
import pytest


def test_demo_writes_a_motion_and_a_figure(supple, tmp_path):
    outcome = supple("simulate", "--duration", "0.5", "--out", tmp_path / "new" / "pendulum", "--json")
    assert outcome.status == 0, outcome.err
    summary = json.loads(outcome.out)
    folder = tmp_path / "new" / "pendulum"
    assert summary["files"] == [str(folder / "motion.npz"), str(folder / "motion.png")]
    assert sorted(path.name for path in folder.iterdir()) == ["motion.npz", "motion.png"]
    assert (folder / "motion.png").read_bytes().startswith(b"\x89PNG")
    with np.load(folder / "motion.npz") as motion:
        assert motion["q"].shape == motion["v"].shape == (501, 2)
        assert motion["q"].dtype == np.float64
        np.testing.assert_allclose(motion["time"], np.arange(501) * 1e-3, atol=1e-12)
        np.testing.assert_array_equal(motion["q"][0], [1.2, 0.4])
        np.testing.assert_array_equal(motion["energy"], motion["kinetic_energy"] + motion["potential_energy"])
        np.testing.assert_allclose(motion["q"][-1], summary["q"])


def test_chunks_and_their_padding_do_not_show(supple, arm, tmp_path):
    # 151 samples make chunks of 4, and the last one runs over the end
    words = ("simulate", arm, "--duration", "0.150", "--q", "0.3,0.01", "--v", "0 1", "--out")
    assert supple(*words, tmp_path / "long").status == 0
    with np.load(tmp_path / "long" / "motion.npz") as motion:
        time, q, v, control = motion["time"], motion["q"], motion["v"], motion["control"]
    assert len(time) == len(q) == len(v) == len(control) == 151
    np.testing.assert_allclose(np.diff(time), 1e-3, rtol=1e-9)
    # semi-implicit Euler, joint by joint
    np.testing.assert_allclose(np.diff(q, axis=0), 1e-3 * v[1:], atol=1e-12)
    np.testing.assert_array_equal(v[0], [0, 1])


def test_seed_repeats_and_respects_ranges(supple, arm, tmp_path):
    starts = []
    for folder, seed in (("a", 3), ("b", 3), ("c", 4)):
        supple("simulate", arm, "--seed", seed, "--duration", "0.05", "--dt", "0.01", "--out", tmp_path / folder)
        with np.load(tmp_path / folder / "motion.npz") as motion:
            starts.append(motion["q"][0])
    np.testing.assert_array_equal(starts[0], starts[1])
    assert np.all(starts[0] != starts[2])
    assert abs(starts[0][0]) <= 1


def test_summary_for_people(supple, arm, tmp_path):
    outcome = supple("simulate", arm, "--duration", "0.05", "--dt", "0.01", "--out", tmp_path / "m")
    assert outcome.status == 0
    for word in ("arm, 2 joints", "5 steps", "energy", "motion.npz", "motion.png"):
        assert word in outcome.out


def test_divergence_names_time_and_joint_and_writes_nothing(supple, arm, tmp_path):
    words = ("simulate", arm, "--q", "0.1,0", "--v", "1e200,1e200", "--dt", "0.01", "--duration", "0.5")
    outcome = supple(*words, "--out", tmp_path / "m")
    assert outcome.status == 1
    assert "t = 0.01 s" in outcome.err
    assert "'shoulder'" in outcome.err or "'reach'" in outcome.err
    assert not (tmp_path / "m").exists()


def test_floating_box_falls(supple, box, tmp_path):
    words = ("simulate", box, "--base", "floating", "--duration", "0.1", "--q", "0,0,5, 1,0,0,0", "--out")
    assert supple(*words, tmp_path / "m").status == 0
    with np.load(tmp_path / "m" / "motion.npz") as motion:
        # semi-implicit Euler: n (n + 1) / 2 steps of g dt²
        np.testing.assert_allclose(motion["q"][-1][:3], [0, 0, 5 - 9.81e-6 * 100 * 101 / 2], atol=1e-9)


def test_quaternion_that_is_no_rotation_is_wrong_use(supple, box, tmp_path):
    words = ("simulate", box, "--base", "floating", "--duration", "0.01", "--out", tmp_path / "m", "--q")
    outcome = supple(*words, "0,0,0, 0,0,0,0")
    assert outcome.status == 2
    assert "quaternion" in outcome.err


def test_without_matplotlib_there_is_a_note(supple, arm, tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    outcome = supple("simulate", arm, "--duration", "0.05", "--dt", "0.01", "--out", tmp_path / "m")
    assert outcome.status == 0
    assert "supple[plot]" in outcome.err
    assert [path.name for path in (tmp_path / "m").iterdir()] == ["motion.npz"]

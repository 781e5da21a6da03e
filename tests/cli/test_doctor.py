import json


def test_doctor_is_healthy(supple, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    outcome = supple("doctor", "--json")
    report = json.loads(outcome.out)
    assert outcome.status == 0, outcome.err
    assert report["healthy"]
    findings = {finding["name"]: finding for finding in report["findings"]}
    assert {"versions", "compiler", "float64", "cache", "mujoco", "self-test", "extra plot"} <= findings.keys()
    assert "jax 0.10" in findings["versions"]["detail"]
    assert (tmp_path / "supple").is_dir()


def test_doctor_reports_all_and_fails_when_something_is_sick(supple, tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    outcome = supple("doctor")
    assert outcome.status == 1
    assert "cache" in outcome.err
    assert "failed  cache" in outcome.out
    assert "self-test" in outcome.out


def test_self_test_can_fail(supple, monkeypatch):
    monkeypatch.setattr("supple.cli.doctor.TOLERANCE", 0.0)
    assert "self-test" in supple("doctor").err

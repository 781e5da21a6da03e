import json


def test_doctor_is_healthy(supple, tmp_path, monkeypatch):
    monkeypatch.delenv("SUPPLE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    outcome = supple("doctor", "--json")
    report = json.loads(outcome.out)
    assert outcome.status == 0, outcome.err
    assert report["healthy"]
    findings = {finding["name"]: finding for finding in report["findings"]}
    assert {"versions", "compiler", "float64", "cache", "mujoco", "self-test", "extra plot"} <= findings.keys()
    assert "jax 0.10" in findings["versions"]["detail"]
    assert (tmp_path / "supple").stat().st_mode & 0o777 == 0o700  # or the cache would not be used


def test_doctor_looks_where_the_cache_is(supple, tmp_path, monkeypatch):
    for folder, said in ((tmp_path / "code", "code can be written"), ("off", "off, as SUPPLE_CACHE says")):
        monkeypatch.setenv("SUPPLE_CACHE", str(folder))
        findings = json.loads(supple("doctor", "--json").out)["findings"]
        assert said in next(finding["detail"] for finding in findings if finding["name"] == "cache")


def test_doctor_reports_all_and_fails_when_something_is_sick(supple, tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("SUPPLE_CACHE", str(blocked / "cache"))
    outcome = supple("doctor")
    assert outcome.status == 1
    assert "cache" in outcome.err
    assert "failed  cache" in outcome.out
    assert "self-test" in outcome.out


def test_self_test_can_fail(supple, monkeypatch):
    monkeypatch.setattr("supple.cli.doctor.TOLERANCE", 0.0)
    assert "self-test" in supple("doctor").err

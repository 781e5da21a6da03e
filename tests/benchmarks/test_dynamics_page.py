"""The page about speed: goals, cells and durations."""

import pytest
from dynamics_page import REASONS, cell, duration, judge, page
from timing import Figure

ROBOT = "laikago floating (18)"


def seconds(value: float) -> Figure:
    return Figure(value, value)


@pytest.mark.parametrize(("theirs", "verdict"), [(0.92, "met"), (0.90, "MISSED")])
def test_goal_is_a_factor_of_a_peers_speed(theirs: float, verdict: str):
    row = {"Supple": seconds(1e-6), "CasADi": seconds(theirs * 1e-6), "Pinocchio": "not installed"}
    assert judge("forward", ROBOT, row) == {"CasADi": f"CasADi {theirs:.2f} (0.91): {verdict}"}


@pytest.mark.parametrize(("ours", "verdict"), [(3.9, "met"), (4.1, "MISSED")])
def test_goal_is_a_limit_of_seconds(ours: float, verdict: str):
    assert judge("compile", ROBOT, {"Supple": seconds(ours)}) == {"the limit": f"(4 s): {verdict}"}


def test_engine_that_cannot_be_measured_says_why():
    row = {"Supple": seconds(1e-6), "CasADi": "not installed"}
    assert cell(row, "CasADi") == "not installed"
    assert cell(row, "MJX") == ""
    assert judge("forward", ROBOT, {"Supple": "failed", "CasADi": seconds(1e-6)}) == {}


def test_page_gives_the_reason_of_what_is_missed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(REASONS, ("step", "MuJoCo"), "of a reason")
    table = {("step", ROBOT, "Supple"): seconds(1e-6), ("step", ROBOT, "MuJoCo"): seconds(2e-6)}
    text = page(table)
    assert f"| step | {ROBOT} | 1 µs (1 µs) |" in text
    assert "2 µs (2 µs) 2.00×" in text
    assert "MuJoCo 2.00 (2.50): MISSED" in text
    assert "Missed, step against MuJoCo: of a reason." in text
    table["step", ROBOT, "MuJoCo"] = seconds(3e-6)
    assert "Missed" not in page(table)


@pytest.mark.parametrize(
    ("value", "text"), [(1.234e-9, "1.23 ns"), (9.996e-7, "1 µs"), (2.5e-6, "2.5 µs"), (0.05, "50 ms"), (12.0, "12 s")]
)
def test_durations_have_three_digits(value: float, text: str):
    assert duration(value) == text

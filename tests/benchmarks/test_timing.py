"""Loops that are timed call what they should, as often as they should."""

import ctypes

import pytest
from timing import NativeLoop, measure, python_loop


def test_native_loop_calls_so_many_times_with_its_arguments():
    calls = []
    signature = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 3)
    function = signature(lambda *arguments: calls.append(arguments))
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    NativeLoop(address, (3, 5))(4)
    assert calls == [(3, 5, 0)] * 4


def test_python_loop_calls_so_many_times():
    calls = []
    python_loop(lambda: calls.append(1))(3)
    assert len(calls) == 3


def test_measure_tells_the_median_and_the_least_of_one_call(monkeypatch: pytest.MonkeyPatch):
    """A clock by which a call takes a millisecond, and every other repetition twice that."""
    now, repetitions = 0.0, []

    def run(count: int) -> None:
        nonlocal now
        repetitions.append(count)
        now += 1e-3 * count * (1 + len(repetitions) % 2)

    monkeypatch.setattr("time.perf_counter", lambda: now)
    figure = measure(run, 40)
    assert figure.minimum == pytest.approx(1e-3)
    assert figure.median == pytest.approx(1.5e-3)
    assert figure.per(10).median == pytest.approx(1.5e-4)

"""MuJoCo's reader and compiler, with their warnings caught and their errors made ours."""

import contextlib
import pathlib
import re
import warnings
from collections.abc import Iterator, Sequence

import mujoco

from supple.describe.finding import Finding
from supple.model.errors import DescriptionError
from supple.model.mujoco_model import DEEPEST

_CHAFF = re.compile(r"(?:XML )?Error: |(?:; )?Element name '', id \d+|, line 0\b")


def read_text(text: str, label: str, lines: Sequence[int] | None = None) -> tuple[mujoco.MjSpec, list[Finding]]:
    """A spec from XML text; `lines` are the true lines of the text's lines."""
    with _caught() as notes:
        try:
            return mujoco.MjSpec.from_string(text), notes
        except (ValueError, RuntimeError) as error:
            raise _refusal(error, label, lines) from error


def read_file(path: pathlib.Path, label: str) -> tuple[mujoco.MjSpec, list[Finding]]:
    """A spec from an XML file in UTF-8, whatever its name is."""
    if path.suffix != ".xml":  # MuJoCo would not know how to read it
        spec, notes = read_text(path.read_text("utf-8-sig"), label)
        spec.modelfiledir = str(path.parent)
        return spec, notes
    with _caught() as notes:
        try:
            return mujoco.MjSpec.from_file(str(path)), notes
        except (ValueError, RuntimeError) as error:
            raise _refusal(error, label, None) from error


def compile_spec(spec: mujoco.MjSpec, label: str, fears: Sequence[str] = ()) -> tuple[mujoco.MjModel, list[Finding]]:
    """The compiled model of a spec; `fears` are what is known to be wrong if it cannot be compiled."""
    _check_levels(spec, label)
    with _caught() as notes:
        try:
            return spec.compile(), notes
        except (ValueError, RuntimeError) as error:
            if fears:
                raise DescriptionError(f"{label}: {fears[0]}") from error
            raise _refusal(error, label, None) from error


def _check_levels(spec: mujoco.MjSpec, label: str) -> None:
    bodies, level = list(spec.worldbody.bodies), 1
    while bodies:
        if level > DEEPEST:
            raise DescriptionError(f"{label}: it is more than {DEEPEST} levels deep, which MuJoCo cannot compile")
        bodies, level = [child for body in bodies for child in body.bodies], level + 1


@contextlib.contextmanager
def _caught() -> Iterator[list[Finding]]:
    """Turn MuJoCo's warnings into findings, which otherwise go to the terminal and a file MUJOCO_LOG.TXT."""
    notes: list[Finding] = []

    def note(message: str) -> None:
        notes.append(Finding(f"MuJoCo: {_one_line(message)}", changes_motion=False))

    previous = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(note)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield notes
    finally:
        mujoco.set_mju_user_warning(previous)
    for warning in caught:
        if "deprecated" not in str(warning.message):  # honoured all the same
            note(str(warning.message))


def _refusal(error: Exception, label: str, lines: Sequence[int] | None) -> DescriptionError:
    text = str(error)
    if lines is not None:
        head, separator, number = text.rstrip().rpartition(", line ")
        if separator and number.isdigit() and int(number) <= len(lines):
            text = f"{head}, line {lines[int(number) - 1]}"
    return DescriptionError(f"{label}: MuJoCo refuses it: {_CHAFF.sub('', _one_line(text))}")


def _one_line(text: str) -> str:
    return "; ".join(line.strip() for line in text.splitlines() if line.strip())

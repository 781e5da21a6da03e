"""What a reader noticed about a description, and what becomes of it."""

import dataclasses
from collections.abc import Sequence

from supple.model.errors import UnsupportedError


@dataclasses.dataclass(frozen=True)
class Finding:
    """Something in a description that the model does not honour.

    `changes_motion` tells whether the robot would move otherwise if it were honoured: such a finding is an
    error under `strict=True`. Every finding is listed in `Model.warnings`.
    """

    text: str
    changes_motion: bool = True


def raise_if_strict(findings: Sequence[Finding], label: str, *, strict: bool) -> None:
    """Raise `UnsupportedError` naming every finding that changes the motion."""
    grave = [finding.text for finding in findings if finding.changes_motion]
    if strict and grave:
        raise UnsupportedError(f"{label}: {'; '.join(grave)} (strict=False loads the robot all the same)")

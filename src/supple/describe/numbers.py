"""Numbers that a user writes for a part of a robot."""

from typing import Any

import numpy as np

from supple.model.errors import ModelError


def check_numbers(what: str, values: Any, *shape: int, endless: bool = False) -> None:
    """`ModelError` unless these are finite numbers (or infinite ones, if `endless`) of that shape."""
    try:
        array = np.array(values)
    except ValueError:
        array = np.array("rows of different lengths")
    if array.shape != shape or array.dtype.kind not in "biuf":
        wanted = f"numbers of shape {shape}" if shape else "a number"
        raise ModelError(f"{what} is {values!r:.60}; write {wanted}")
    if not (np.isfinite(array) | (endless & ~np.isnan(array))).all():
        raise ModelError(f"{what} is {values!r:.60}; every number must be finite")

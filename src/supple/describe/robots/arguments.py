"""What a user may ask of a built-in robot."""

import math
import operator
from typing import Any

from supple.model.errors import ModelError


def read_count(what: str, value: Any, least: int) -> int:
    """A whole number that is not below `least`."""
    try:
        count = operator.index(value)
    except TypeError:
        raise ModelError(f"{what}={value!r:.60}, but it is a whole number") from None
    if count < least:
        raise ModelError(f"{what}={count}, but it needs at least {least}")
    return count


def read_positive(what: str, value: Any) -> float:
    """A positive, finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, str) or not (math.isfinite(number) and number > 0):
        raise ModelError(f"{what} {value!r:.60} is no positive number")
    return number

"""The library's exceptions: one clear line that says what, where and what to do."""

_LONGEST = 2000  # characters of an error's line


def one_line(text: str) -> str:
    """The text in one line; from the middle of a very long one, which quotes what was wrong, something is left out."""
    line = " ".join(part.strip() for part in text.splitlines())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]} … {line[-_LONGEST // 2 :]}"


class SuppleError(Exception):
    """The parent of every error that Supple raises on purpose; it reads as one line, whatever it quotes."""

    def __str__(self) -> str:
        return one_line(Exception.__str__(self))


class ModelError(SuppleError):
    """A model is physically impossible or inconsistent."""


class DescriptionError(SuppleError):
    """A robot's description cannot be read."""


class UnsupportedError(SuppleError):
    """A description asks for something that Supple cannot do and that changes the motion."""


class NamingError(SuppleError):
    """A mark (`named`) is malformed, or stands where `observe` and `augment` cannot honour it."""


class StateError(SuppleError):
    """A state or a control does not fit its system, or is not a number."""


class StorageError(SuppleError):
    """A saved model or system cannot be written or read."""

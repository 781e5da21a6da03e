"""The library's exceptions: one clear line that says what, where and what to do."""


class SuppleError(Exception):
    """The parent of every error that Supple raises on purpose; it reads as one line, whatever it quotes."""

    def __str__(self) -> str:
        return " ".join(line.strip() for line in Exception.__str__(self).splitlines())


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

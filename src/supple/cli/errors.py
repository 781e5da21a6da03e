"""How commands fail: each error is one line, and says which exit status it stands for."""

import typer

from supple.model.errors import one_line


class CommandError(Exception):
    """The command was understood but could not be done (exit status 1)."""

    exit_code = 1


class UsageError(CommandError):
    """The command line asks for something that makes no sense (exit status 2)."""

    exit_code = 2


def describe_error(error: Exception) -> str:
    """The error in one line: what was wrong, where, and what to do.

    Errors that neither Supple nor the operating system raised on purpose are announced as unexpected, by their type.
    """
    if isinstance(error, typer.TyperException):
        return one_line(f"{error.format_message().rstrip('.')} (see 'supple --help')")
    if isinstance(error, OSError) or type(error).__module__.startswith("supple."):
        return one_line(str(error))
    return one_line(f"unexpected {type(error).__name__}: {error} (run again with --debug to see where)")


def exit_status(error: Exception) -> int:
    """1 where the command failed, 2 where it was used wrongly."""
    status = getattr(error, "exit_code", 1)
    return status if isinstance(status, int) else 1

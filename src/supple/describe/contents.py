"""The contents of a robot's file, before they are parsed."""

import pathlib

from supple.model.errors import DescriptionError
from supple.model.files import read_whole

_LONGEST_PATH = 200  # characters that an error shows
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_FORMATS = "robots are read from URDF, MJCF, and files that supple.save wrote"


def read_content(path: pathlib.Path) -> bytes:
    """The bytes of a file or pipe; `DescriptionError` if there is none."""
    text = str(path)
    shown = repr(text if len(text) <= _LONGEST_PATH else f"{text[:50]}…")  # it may be text that is no path
    try:
        return read_whole(path)
    except FileNotFoundError as error:
        where = "" if path.is_absolute() else f" (in {str(pathlib.Path.cwd())!r})"
        raise DescriptionError(f"cannot read {shown}: {error.strerror}{where}") from error
    except IsADirectoryError as error:
        raise DescriptionError(f"cannot read {shown}: {error.strerror}; name a file in it") from error
    except OSError as error:
        raise DescriptionError(f"cannot read {shown}: {error.strerror}") from error


def is_file(path: pathlib.Path) -> bool:
    """Whether a file is there; a name that no file can have, such as one that is too long, is that of none."""
    try:
        return path.is_file()
    except OSError:
        return False


def check_markup(text: str | bytes, label: str) -> None:
    """`DescriptionError` for what is no XML at all."""
    content = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if not content.strip():
        raise DescriptionError(f"{label}: it is empty; {_FORMATS}")
    if not content.startswith(_BOMS) and not content.lstrip().startswith(b"<"):
        beginning = ascii(content.lstrip()[:20].decode("latin-1"))
        raise DescriptionError(f"{label}: it is no XML, for it begins with {beginning}; {_FORMATS}")


def check_utf8(text: str | bytes, label: str) -> None:
    """`DescriptionError` for an MJCF in another encoding, which MuJoCo would misread."""
    try:
        content = text if isinstance(text, str) else text.decode()
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise DescriptionError(
            f"{label}, line {line}: MuJoCo reads UTF-8, and this is not; save it in UTF-8"
        ) from error
    if "\0" in content:
        raise DescriptionError(f"{label}: MuJoCo reads UTF-8, and this looks like UTF-16; save it in UTF-8")

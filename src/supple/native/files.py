"""Writing files so that a reader sees the whole file or none."""

import tempfile
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file under another name in its folder, and give it its own when it is whole."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as file:
        partial = Path(file.name)
        try:
            file.write(content)
            file.close()
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)

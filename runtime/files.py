"""Writing files whole or not at all."""

import os
from pathlib import Path


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file, text as UTF-8, as ``path`` + ``.tmp`` and then renamed: complete or not at all; raises OSError."""
    draft = Path(f"{path}.tmp")
    try:
        with open(draft, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)

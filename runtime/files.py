"""Writing files whole or not at all, reading packed ones, and removing whatever stands in the way."""

import errno
import gzip
import os
import shutil
import subprocess
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TextIO

#: What reading a file of open_text() may raise: it is not there, damaged, or no text.
UNREADABLE = (OSError, EOFError, zlib.error, UnicodeDecodeError)


def open_text(path: Path) -> TextIO:
    """Open a file of UTF-8 text to read, unpacked where its name ends in .gz; this and reading raise UNREADABLE."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a file, text as UTF-8, as ``path`` + ``.tmp`` and then renamed: complete or not at all; raises OSError."""
    draft = Path(f"{path}.tmp")
    # It may be the rest of a killed process, or a link, through which we must not write.
    draft.unlink(missing_ok=True)
    try:
        with open(draft, "xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def remove_all(path: str | Path) -> None:
    """Remove a file, or a directory with all in it, however deep and whatever its permissions; nothing there is fine.

    A link is removed, not what it leads to. Raises OSError when something is left.
    """
    with suppress(OSError):
        os.unlink(path)
    if not os.path.lexists(path):
        return
    with suppress(OSError, RecursionError):
        shutil.rmtree(path)
        return
    # These follow no links, and know no depth at which they stop.
    for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
        subprocess.run([*command, "--", os.fspath(path)], stderr=subprocess.DEVNULL, check=False)
    if os.path.lexists(path):
        raise OSError(errno.EBUSY, "cannot be removed", os.fspath(path))

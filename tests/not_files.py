"""What may stand where a file is expected, and must be refused at once."""

import os
import socket
from collections.abc import Callable
from pathlib import Path


def _socket(path: Path) -> None:
    # Its address may have some 100 characters.
    before = os.getcwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(before)


def _too_large(path: Path) -> None:
    path.touch()
    os.truncate(path, 5 << 30)


#: What makes each at a path where nothing is.
NOT_FILES: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "socket": _socket,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "directory": Path.mkdir,
    "too large": _too_large,
}

"""Objects that can be in the place of a file, and must be refused immediately."""

import os
import socket
from collections.abc import Callable
from pathlib import Path


def _socket(path: Path) -> None:
    # The address of a socket has at most about 100 characters.
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


#: By name of a kind, the function that creates it at an unused path.
NOT_FILES: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "socket": _socket,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "directory": Path.mkdir,
    "too large": _too_large,
}

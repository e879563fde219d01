"""The host's side of ``input.txt`` and ``output.txt``; player.main is the program's side."""

import os
import stat
import sys
from contextlib import suppress
from itertools import islice
from pathlib import Path

from arena.match.host import MOST_BYTES
from arena.match.reply import useful_line
from notation.host_file import INPUT_FILE, OUTPUT_FILE
from runtime.files import remove_all
from runtime.plain import AT_ONCE

#: Refuses links; Windows lacks the flag.
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)

#: The command that deletes directories with any permissions.
_CLEAR = ("/bin/sh", "-c", 'chmod -R u+rwx -- "$@"; rm -rf -- "$@"', "sh")

#: Maximum number of entries of a directory that are checked for a misplaced answer.
_FIRST_ENTRIES = 100


def clearing(directory: Path) -> list[str]:
    """Return the command that removes directories in place of the two files, or [].

    The program determines how long that takes, so run it on the program's clock, before put_question(). On Windows
    put_question() removes them.
    """
    if sys.platform == "win32":
        return []
    names = [name for name in (INPUT_FILE, OUTPUT_FILE) if stat.S_ISDIR(_mode(directory / name))]
    return [*_CLEAR, *names] if names else []


def _mode(path: Path) -> int:
    with suppress(OSError):
        return path.lstat().st_mode
    return 0


def _open_again(directory: Path) -> None:
    """Give the owner back all rights in a directory."""
    mode = _mode(directory)
    if stat.S_ISDIR(mode) and mode & 0o700 != 0o700:
        directory.chmod(0o700)


def put_question(directory: Path, text: str) -> None:
    """Delete the files of the last move and write ``input.txt``; keep all other files.

    Makes a deleted, closed or replaced directory again, and removes anything in place of the two files. Raises OSError.
    """
    if directory.is_symlink() or not directory.is_dir():
        remove_all(directory)
        directory.mkdir(parents=True)
    _open_again(directory)
    for name in (INPUT_FILE, OUTPUT_FILE):
        remove_all(directory / name)
    with (directory / INPUT_FILE).open("xb") as file:
        file.write(text.encode("ascii"))


def take_answer(directory: Path) -> str | None:
    """Return the beginning of ``output.txt``, or None without a plain file of that name.

    Bytes that are not UTF-8 are escaped (``surrogateescape``).
    """
    try:
        _open_again(directory)
        # Opening a named pipe would block, and a link may lead to files of others.
        if not _NO_LINKS and (directory / OUTPUT_FILE).is_symlink():
            return None
        descriptor = os.open(directory / OUTPUT_FILE, os.O_RDONLY | AT_ONCE | _NO_LINKS)
    except OSError:
        return None
    try:
        is_plain = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return os.read(descriptor, MOST_BYTES).decode("utf-8", "surrogateescape") if is_plain else None
    finally:
        os.close(descriptor)


def astray(directory: Path) -> str:
    """Return a message naming the subfolder where a program wrote its answer, or "".

    Checks only the first entries: a program can leave any number.
    """
    with suppress(OSError), os.scandir(directory) as entries:
        for entry in islice(entries, _FIRST_ENTRIES):
            path = Path(entry.path, OUTPUT_FILE)
            if entry.is_dir(follow_symlinks=False) and path.is_file() and not path.is_symlink():
                return useful_line(f"it wrote {entry.name}/{OUTPUT_FILE} instead of {OUTPUT_FILE}")
    return ""

"""The host's side of the two files through which it talks to a player's program; player.files is the other."""

from pathlib import Path

from arena.match.answer import MOST_BYTES
from player.files import INPUT_FILE, OUTPUT_FILE


def put_question(directory: Path, text: str) -> None:
    """Delete the files of the last move and write ``input.txt``; all other files stay."""
    for name in (INPUT_FILE, OUTPUT_FILE):
        (directory / name).unlink(missing_ok=True)
    (directory / INPUT_FILE).write_bytes(text.encode("ascii"))


def take_answer(directory: Path) -> str | None:
    """Return the beginning of ``output.txt``, or None when there is no plain file of that name.

    Bytes that are no UTF-8 are escaped (``surrogateescape``).
    """
    path = directory / OUTPUT_FILE
    try:
        # Opening a named pipe would wait for ever.
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return file.read(MOST_BYTES).decode("utf-8", "surrogateescape")
    except OSError:
        return None

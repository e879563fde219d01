"""The host's side of the two files through which it talks to a player's program; player.files is the other."""

from pathlib import Path

from player.files import INPUT_FILE, OUTPUT_FILE

#: The host needs the first few characters of a player's answer, however much it wrote.
_MOST_BYTES = 1000


def put_question(directory: Path, text: str) -> None:
    """Delete the files of the last move and write ``input.txt``; all other files stay."""
    for name in (INPUT_FILE, OUTPUT_FILE):
        (directory / name).unlink(missing_ok=True)
    (directory / INPUT_FILE).write_bytes(text.encode("ascii"))


def take_answer(directory: Path) -> str | None:
    """Return the text of ``output.txt``, cut off after 1000 bytes, or None when it cannot be read."""
    path = directory / OUTPUT_FILE
    try:
        # Opening a named pipe would wait for ever.
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return None

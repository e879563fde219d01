"""The two files through which the host and a player's program talk."""

from pathlib import Path

from solver.position import SIZE, IllegalMove, Position, move_name, parse_rows, points_of

INPUT, OUTPUT = "input.txt", "output.txt"

#: The host needs the first few characters of a player's answer, however much it wrote.
_MOST_BYTES = 1000


def put_question(directory: Path, text: str) -> None:
    """Delete the files of the last move and write ``input.txt``; all other files stay."""
    for name in (INPUT, OUTPUT):
        (directory / name).unlink(missing_ok=True)
    (directory / INPUT).write_bytes(text.encode("ascii"))


def take_answer(directory: Path) -> str | None:
    """Return the text of ``output.txt``, cut off after 1000 bytes, or None when it cannot be read."""
    path = directory / OUTPUT
    try:
        # Opening a named pipe would wait for ever.
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return None


def read_question(directory: Path) -> Position:
    """Return the position that ``input.txt`` shows to a player's program.

    The file does not carry the ply: the position has the least that fits (0 on an untouched
    board, else 1 for White and 2 for Black). Ko point and PASS follow from the two boards.
    Raises OSError, and ValueError saying what is wrong with the text.
    """
    lines = (directory / INPUT).read_text("ascii").splitlines()
    if len(lines) != 1 + 2 * SIZE or lines[0] not in ("1", "2"):
        raise ValueError("want a colour, 1 or 2, and ten rows")
    before = parse_rows(lines[1 : 1 + SIZE])
    now = parse_rows(lines[1 + SIZE :])
    colour = int(lines[0])
    if colour == 1 and not any(before + now):
        return Position()
    position = Position(*now, None, 3 - colour, before == now)
    return position._replace(ko=_ko_point(position, before))


def write_answer(directory: Path, move: int) -> None:
    """Write ``output.txt``."""
    (directory / OUTPUT).write_text(move_name(move), "ascii")


def _ko_point(position: Position, before: tuple[int, int]) -> int | None:
    """Return the point whose play would bring back the board before the opponent's last move."""
    lost = before[0] & ~position.black if position.black_to_move else before[1] & ~position.white
    for point in points_of(lost):
        try:
            after = position.play(point)
        except IllegalMove:
            continue
        if (after.black, after.white) == before:
            return point
    return None

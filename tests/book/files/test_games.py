"""Files of logged games that cannot be read are refused with one line that states the file and its line."""

import gzip
import json
from pathlib import Path

import pytest

from little_go.book.files.games import GamesError, LoggedGame, read_games

GAME = LoggedGame("greedy", 1, ("2,2",), 2, "max", "0" * 25)


def line(**changes: object) -> bytes:
    keys = ("staff_agent", "staff_color", "moves", "winner", "reason", "final")
    return json.dumps(dict(zip(keys, GAME._replace(**changes), strict=True))).encode() + b"\n"  # type: ignore[arg-type]


def test_a_file_is_read_packed_or_not(tmp_path: Path) -> None:
    (tmp_path / "games").write_bytes(line() * 2)
    (tmp_path / "games.gz").write_bytes(gzip.compress(line()))
    assert read_games(tmp_path / "games") == [GAME._replace(winner=0, reason="", final="")] * 2
    assert read_games(tmp_path / "games.gz", whole=True) == [GAME]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{}\n", "line 1 is not a logged game"),
        (line() + b"nonsense\n", "line 2 is not a logged game"),
        (line() + line(winner=3), "line 2 is not a logged game"),
        (line(colour=0), "line 1 is not a logged game"),
        (b"\xff\xfe\n", "cannot be read"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "games").write_bytes(content)
    with pytest.raises(GamesError, match=words):
        read_games(tmp_path / "games", whole=True)


@pytest.mark.parametrize("name", ["missing", "missing.gz", "foreign.gz", "damaged.gz"])
def test_unreadable_files_are_refused(tmp_path: Path, name: str) -> None:
    # The file is not packed by gzip, although its name says so.
    (tmp_path / "foreign.gz").write_bytes(b"no gzip")
    (tmp_path / "damaged.gz").write_bytes(b"\x1f\x8b\x08" + bytes(7) + b"\x07")
    with pytest.raises(GamesError, match="line 1 is not a logged game" if name == "foreign.gz" else "cannot be read"):
        read_games(tmp_path / name)

"""Boards that people draw."""

import pytest

from notation.board import shows_rows


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("X.O..", True),
        # Of another size, which is refused as a board, not as moves.
        ("...", True),
        ("| X . O . . . . . . |", True),
        ("X.O../.....", True),
        ("2,2 1,1", False),
        ("XOXOX, a note", False),
    ],
)
def test_a_row_of_any_board_is_found(text: str, shown: bool) -> None:
    assert shows_rows(text) == shown

"""Drawn boards."""

import pytest

from little_go.notation.faults import NotationError
from little_go.notation.ports import Ports
from little_go.notation.texts import lines_of, rows_of


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("X.O..", True),
        # A board of another size, which is refused with a message about a board and not about moves.
        ("...", True),
        ("| X . O . . . . . . |", True),
        ("X.O../.....", True),
        ("2,2 1,1", False),
        ("XOXOX, a note", False),
    ],
)
def test_a_row_of_any_board_is_found(text: str, shown: bool) -> None:
    ports = Ports(text)
    try:
        found = len(rows_of(ports, lines_of(ports, ports.fold(text), 0))["rows"]) > 0
    except NotationError:
        found = True
    assert found == shown

"""The status of a store as text: the known results of the games from the empty board."""

from typing import Any

from little_go.generator.report.status import _games


def test_a_game_has_a_line_with_its_winner_its_best_move_and_its_value() -> None:
    rows: list[dict[str, Any]] = [
        {"plies": 24, "winner": "Black", "best_move": "2,2", "lo": 3, "hi": 3},
        {"plies": 12, "winner": "White", "best_move": None, "lo": -24, "hi": 2},
        {"plies": 10, "winner": None, "best_move": None, "lo": -24, "hi": 24},
    ]
    assert _games(rows, 2.5) == [
        "Games from the empty board, komi 2.5 (value: stones Black - White)",
        "  24 plies: Black wins with 2,2, value +3",
        "  12 plies: White wins, value +2 or less",
        "  10 plies: undecided, value unknown",
    ]


def test_without_a_game_it_says_so() -> None:
    assert _games([], 2.5) == ["No game has been started yet."]
    assert _games([], -0.5)[0].startswith("Black wins at once")

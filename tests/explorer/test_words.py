"""The functions of the page that return words and tables, run in Node.js."""

from typing import Any

import pytest

from tests.explorer.vectors import PageModules

EXACT, BLACK, WHITE, BY_MORE, OPEN = ({"lo": lo, "hi": hi} for lo, hi in ((3, 3), (3, 24), (-24, 2), (5, 24), (-1, 4)))

AFTER_CENTRE = {"black": 1 << 12, "white": 0, "ply": 1, "ko": -1, "passed": False}
PLIES = [{**AFTER_CENTRE, "ply": ply} for ply in range(4)]
CORNERS = {
    "black": 1 | 1 << 12 | 1 << 18 | 1 << 24, "white": 1 << 4 | 1 << 6 | 1 << 20, "ply": 8, "ko": None, "passed": False
}  # fmt: skip
PUZZLES = [
    {"id": 0, "themes": ["ko"], "wrong": 0.1},
    {"id": 1, "themes": ["pass"], "wrong": 0.9},
    {"id": 2, "themes": ["ko"], "wrong": 1},
]

#: The name of a function of the page, its arguments, and its result.
ANSWERS: list[tuple[str, list[Any], Any]] = [
    ("resultOf", [3], "B+0.5"),
    ("resultOf", [2], "W+0.5"),
    ("stones", [1], "1 stone"),
    ("points", [2], "2 points"),
    ("shortResult", [EXACT], "B+0.5"),
    ("shortResult", [WHITE], "W+"),
    ("shortResult", [OPEN], "?"),
    ("resultText", [BLACK], "Black wins"),
    ("resultText", [WHITE], "White wins"),
    ("resultText", [BY_MORE], "B+2.5 or more"),
    ("resultText", [{"lo": -24, "hi": 1}], "W+1.5 or more"),
    ("winnerText", [OPEN], "Not known"),
    ("spokenResult", [EXACT], "Black wins by 0.5"),
    ("spokenResult", [{"lo": -2, "hi": -2}], "White wins by 4.5"),
    ("spokenResult", [BLACK], "Black wins"),
    ("marginText", [EXACT], "Black ends 3 stones ahead; White has a komi of 2.5."),
    ("marginText", [{"lo": 1, "hi": 1}], "Black ends 1 stone ahead, short of the komi of 2.5."),
    ("marginText", [{"lo": 0, "hi": 0}], "Equal numbers of stones at the end; the komi of 2.5 decides."),
    ("marginText", [{"lo": -1, "hi": -1}], "White ends 1 stone ahead, and has a komi of 2.5."),
    ("marginText", [OPEN], "Who wins is not proved yet."),
    ("marginText", [BLACK], "By how much is not known yet."),
    ("marginText", [BY_MORE], "By how much is not known yet: B+2.5 or more."),
    ("nodesText", [1], "1 node"),
    ("nodesText", [9_999], "9999 nodes"),
    ("nodesText", [12_345], "12 k nodes"),
    ("nodesText", [1_250_000], "1.3 M nodes"),
    ("tookText", [{"seconds": 12, "nodes": 1}], ", after 12 s and 1 node"),
    ("tookText", [{"seconds": 12, "nodes": 0}], ""),
    ("secondsText", [0.009], "under 0.01 s"),
    ("secondsText", [1.234], "1.23 s"),
    ("movesText", [[6, 16]], "1,1 = 3,1"),
    ("nodesText", [10_000], "10 k nodes"),
    ("nodesText", [999_999], "1000 k nodes"),
    ("nodesText", [1_000_000], "1.0 M nodes"),
    ("nodesText", [0], "0 nodes"),
    ("tookText", [None], ""),
    ("secondsText", [0.01], "0.01 s"),
    ("secondsText", [9.99], "9.99 s"),
    ("secondsText", [10], "10 s"),
    ("marginText", [{"lo": -24, "hi": 1}], "By how much is not known yet: W+1.5 or more."),
    ("marginText", [{"lo": 2, "hi": 2}], "Black ends 2 stones ahead, short of the komi of 2.5."),
    ("marginText", [{"lo": 4, "hi": 4}], "Black ends 4 stones ahead; White has a komi of 2.5."),
    ("percent", [0.99], "99 %"),
    ("percent", [0], "0 %"),
    ("percent", [0.995], "more than 99 %"),
    ("percent", [0.994], "more than 99 %"),
    ("percent", [0.126], "13 %"),
    ("turnText", [{"ply": 1}], "White to move"),
    ("plyText", [1, 12], "Black plays 2,2"),
    ("plyText", [2, 25], "White passes"),
    ("inputText", [CORNERS, AFTER_CENTRE], "1\n00000\n00000\n00100\n00000\n00000\n10002\n02000\n00100\n00010\n20001"),
    ("inputText", [AFTER_CENTRE, None], None),
    ("inputText", [{**AFTER_CENTRE, "passed": True}, None], "2" + "\n00000\n00000\n00100\n00000\n00000" * 2),
    ("inputText", [{**AFTER_CENTRE, "black": 0, "ply": 0}, None], "1" + "\n00000" * 10),
    (
        "fragmentOf",
        [{"start": CORNERS, "moves": [25, 5], "at": 1}],
        "from=X___O_O_____X_____X_O___X.8.-.-&moves=PASS.1,0&at=1",
    ),
    ("endingText", ["max"], "all plies played"),
    ("endingText", ["moon"], "moon"),
    ("lostText", [{"reason": "resigned", "move": None}, 4], "White wins at ply 5: Black resigned."),
    (
        "lostText",
        [{"reason": "invalid_ko", "move": "1,2"}, 5],
        "Black wins by a fault at ply 6: White played 1,2, which brings back the board of one move before"
        " (the ko rule).",
    ),
    ("lostText", [{"reason": "moon", "move": None}, 4], "White wins by a fault at ply 5: Black wrote no move (moon)."),
    *(
        ("lostText", [{"reason": reason, "move": "1,2"}, 4], f"White wins by a fault at ply 5: Black {deed}.")
        for reason, deed in [
            ("invalid_occupied", "played 1,2, where there is a stone already"),
            ("invalid_suicide", "played 1,2, where its stone would have no empty point beside it (suicide)"),
            ("invalid_off_board", "played 1,2, which is not on the board"),
            ("malformed", "gave an answer that is not a move"),
            ("missing", "wrote no move"),
            ("timeout", "took too long for its move"),
            ("forfeit", "lost by a fault that the file does not name"),
            ("moon", "played 1,2, which the rules forbid"),
        ]
    ),
    ("shown", ["a" * 20], f"“{'a' * 20}”"),
    ("shown", ["a" * 21], f"“{'a' * 20}…”"),
    ("notRead", [[]], []),
    ("notRead", [["one"] * 5], ["Not read: “one”."] * 5),
    ("notRead", [["one"] * 6], [*["Not read: “one”."] * 5, "Not read: 1 more part."]),
    ("notRead", [["one"] * 7], [*["Not read: “one”."] * 5, "Not read: 2 more parts."]),
    ("notRead", [["a" * 60, "b" * 61]], [f"Not read: “{'a' * 60}”.", f"Not read: “{'b' * 60}…”."]),
    (
        "notRead",
        [["one", "two\nthree", "four\r\nfive\rsix"]],
        [
            "Not read: “one”.",
            "Not read: “two” and 1 more line.",
            "Not read: “four” and 2 more lines.",
        ],
    ),
    # A part may not be taken at once with the part before it, and a part in the part before it is not taken again.
    ("partsOf", ["abc. def", [[0, 3], [5, 8]]], [["abc. def", True]]),
    ("partsOf", ["abc.. def", [[0, 3], [6, 9]]], [["abc", True], ["..", False], [" def", True]]),
    ("partsOf", ["abcdef", [[0, 4], [2, 3], [4, 6]]], [["abcdef", True]]),
    ("partsOf", ["", []], []),
    # A move is drawn with a probability in proportion to its weight. The sum of the weights need not be 1.
    *(
        ("drawn", [{"moves": [5, 6, 7], "weights": [1, 2, 1]}, chance], move)
        for chance, move in [(0, 5), (0.24, 5), (0.25, 6), (0.74, 6), (0.75, 7), (0.99, 7), (1, 7)]
    ),
    # The bounds of the position, after the move, and after the other moves.
    ("pointsLost", [True, EXACT, EXACT, []], [0, 0]),
    ("pointsLost", [True, OPEN, BLACK, []], [0, 0]),
    ("pointsLost", [True, BLACK, OPEN, [WHITE, BLACK]], [0, 25]),
    ("pointsLost", [False, WHITE, {"lo": 4, "hi": 5}, [{"lo": -2, "hi": 9}]], [2, 7]),
    ("lossText", [{"lost": [0, 0]}], "best"),
    ("lossText", [{"lost": [1, 1]}], "1 point"),
    ("lossText", [{"lost": [2, 5]}], "2 or more"),
    ("lossText", [{"lost": [0, 5]}], ""),
    ("moveLabel", [{"lost": [0, 0], "fact": EXACT}, 12], "2,2: Black wins by 0.5, best move"),
    ("moveLabel", [{"lost": [3, 3], "fact": WHITE}, 25], "PASS: White wins, loses 3 points"),
    ("moveLabel", [{"lost": [0, 4], "fact": OPEN}, 0], "0,0: winner not known"),
    (
        "asCsv",
        [[{"move": "1,2", "value": None, "alike": []}, {"move": 'a "b"', "value": 5, "alike": ["3,1", "3,2"]}]],
        'move,value,alike\r\n"1,2",,\r\n"a ""b""",5,"3,1 3,2"\r\n',
    ),
    ("asCsv", [[]], "move\r\n"),
    # A blank that is cut off is a part too, because the parts are the whole text.
    ("partsOf", ["  so B4 ok ", [[5, 7]]], [["  ", True], ["so", False], [" B4 ", True], ["ok", False], [" ", True]]),
    # The stones of a line, up to the first that falls on another. A PASS counts as a move, but is not drawn.
    ("ghostsOf", [AFTER_CENTRE, [6, 25, 7, 12, 8]], [[6, 1, 1], [7, 1, 3]]),
    ("ghostsOf", [AFTER_CENTRE, [6, 7, 6, 8]], [[6, 1, 1], [7, 0, 2]]),
    ("fitting", [PUZZLES, "", ""], [0, 1, 2]),
    ("fitting", [PUZZLES, "4", ""], [1, 2]),
    ("fitting", [PUZZLES, "", "ko"], [0, 2]),
    ("fitting", [PUZZLES, "4", "ko"], [2]),
]

#: By function: the parts of a result that are compared.
LISTED = {
    "partsOf": lambda part: [part["text"], part["taken"]],
    "ghostsOf": lambda ghost: [ghost["point"], ghost["colour"], ghost["number"]],
    "fitting": lambda puzzle: puzzle["id"],
}


@pytest.fixture(scope="module")
def answers(page_modules: PageModules) -> list[Any]:
    return page_modules.ask("tables", [{"name": name, "given": given} for name, given, _ in ANSWERS])


def test_every_function_answers_as_listed(answers: list[Any]) -> None:
    wrong = [
        (row, answer)
        for row, answer in zip(ANSWERS, answers, strict=True)
        if row[2] != (list(map(LISTED[row[0]], answer)) if row[0] in LISTED else answer)
    ]
    assert not wrong


def test_lines_of_json_are_games_and_too_many_are_refused(page_modules: PageModules) -> None:
    line = '{"moves": ["2,2", "1,1"]}\n'
    (two,) = page_modules.ask("games", [line * 2])
    assert [game["moves"] for game in two] == [[12, 6]] * 2
    (read,) = page_modules.ask("readers", [(line * 5001).encode().hex()])
    assert read["message"] == "5001 games are too many: at most 5000 at once"


def test_a_line_of_json_has_a_note_on_its_own_rest_alone(page_modules: PageModules) -> None:
    lines = ['{"moves": ["2,2", "1,1"]}', '{"moves": ["2,2"], "elo": 1500}', '{"moves": ["3,3"]}']
    (games,) = page_modules.ask("games", ["\n" + "\n".join(lines) + "\n"])
    assert [game["note"] for game in games] == ["", 'Not read: “"elo": 1500”.', ""]


def test_the_plies_of_a_line_have_the_value_after_their_move_and_what_it_lost(page_modules: PageModules) -> None:
    def fact(value: int, nodes: int | None) -> dict[str, Any]:
        return {"lo": value, "hi": value, "claims": [{"lo": value, "hi": value, "source": "atlas", "nodes": nodes}]}

    line = {"moves": [12, 25], "positions": [PLIES[0], PLIES[1]]}
    first, second = page_modules.ask(
        "tables", [{"name": "plyRows", "given": [line, [fact(3, 0), fact(3, 70), fact(5, 0)]]}]
    )[0]
    assert {name: first[name] for name in ("ply", "mover", "move", "value", "lost_least", "nodes")} == {
        "ply": 1, "mover": "Black", "move": "2,2", "value": 3, "lost_least": 0, "nodes": 70,
    }  # fmt: skip
    assert {name: second[name] for name in ("ply", "mover", "move", "value", "lost_most", "nodes")} == {
        "ply": 2, "mover": "White", "move": "PASS", "value": 5, "lost_most": 2, "nodes": None,
    }  # fmt: skip


def test_what_is_new_about_a_position_is_brought_back_as_far_as_it_tells_something(page_modules: PageModules) -> None:
    """If conclusions reach the empty board, its lower bound becomes 0, because a PASS there ends the game."""
    lines = [
        {"moves": [12], "told": [3, 24]},
        {"moves": [12, 0], "told": [-24, 2]},
        {"moves": [12, 0, 7], "told": [5, 5]},
    ]
    assert page_modules.ask("carriedBack", lines) == [
        [[3, 24], [3, 24]],
        [[0, 24], [-24, 2], [-24, 2]],
        [[-24, 24], [-24, 24], [5, 24], [5, 5]],
    ]

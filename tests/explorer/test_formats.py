"""The page reads texts and writes SGF: what it shows of each text of a table, and the messages about refused texts."""

import json
from pathlib import Path
from typing import Any

import pytest

from little_go.solver.family import Variant
from tests.explorer.vectors import NoNode, PageModules, modules_of, open_modules
from tests.notation.test_refusals import REFUSED
from tests.refusals import with_remedies

#: A row has a text, and either ``is``, what the page shows of its games, or ``again``, the SGF that the page writes. A
#: message about a refused text contains the names of the remedies.
ROWS: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("texts.jsonl").read_text("utf-8").splitlines()
]


def rows_with(name: str) -> list[dict[str, Any]]:
    return [{"text": row["text"], "is": shown_of(row) if name == "is" else [row[name]]} for row in ROWS if name in row]


def shown_of(row: dict[str, Any]) -> Any:
    return with_remedies(row["is"]) if isinstance(row["is"], str) else row["is"]


@pytest.mark.parametrize(("kind", "name"), [("opened", "is"), ("rewritten", "again")])
def test_the_page_shows_and_writes_what_it_reads(page_modules: PageModules, kind: str, name: str) -> None:
    rows = rows_with(name)
    found = page_modules.ask(kind, [row["text"] for row in rows])
    assert [(row["text"], one) for row, one in zip(rows, found, strict=True) if row["is"] != one] == []


def test_the_page_refuses_a_text_with_the_words_of_the_command(page_modules: PageModules) -> None:
    # The command states the place of an illegal move too, and refuses a komi that no game has.
    found = page_modules.ask("opened", [text for text, _ in REFUSED])
    quotes = str.maketrans('“”"', "'''")
    wrong = []
    for (text, said), one in zip(REFUSED, found, strict=True):
        told = one.partition(": ")[2].translate(quotes).replace("…", "...")
        if not said.translate(quotes).endswith(told) and "komi 7" not in text:
            wrong.append((text, said, told))
    assert wrong == []


#: Bytes, and the text that they contain.
BYTES = [
    ("2,2 ä".encode(), "2,2 ä"),
    ("2,2 ä".encode("latin-1"), "2,2 ä"),
    ("2,2 ä".encode("utf-16"), "2,2 ä"),
    (b"\xfe\xff" + "2,2 ä".encode("utf-16-be"), "2,2 ä"),
    (b"\xfe2,2", "þ2,2"),
    ("(;CA[Shift_JIS]C[碁])".encode("shift-jis"), "(;CA[Shift_JIS]C[碁])"),
    ("(; ca [ gb2312 ]C[棋])".encode("gb2312"), "(; ca [ gb2312 ]C[棋])"),
    ("(;CA[UTF-8]C[碁])".encode(), "(;CA[UTF-8]C[碁])"),
    (b"(;CA[latin9]C[\xe4])", "(;CA[latin9]C[ä])"),
    (b"(;CA[unknown]C[\xe4])", "(;CA[unknown]C[ä])"),
    (b"(;XCA[gb2312]C[\xe4])", "(;XCA[gb2312]C[ä])"),
    (b" " * (1 << 16) + "CA[gb2312]ä".encode(), " " * (1 << 16) + "CA[gb2312]ä"),
    (b"", ""),
]


def test_the_page_decodes_a_file(page_modules: PageModules) -> None:
    assert page_modules.ask("decoded", [content.hex() for content, _ in BYTES]) == [text for _, text in BYTES]


def test_the_start_of_the_game_has_one_form(page_modules: PageModules) -> None:
    # Then the page offers the moves as text, and a game from the start as its own.
    texts = [
        "https://x.org/explorer.html#from=_________________________.0.-.-",
        "864691128455135232",
        "(;SZ[5];B[cc];AE[cc])",
    ]
    for (game,) in page_modules.ask("opened", texts):
        assert "start" not in game
        assert "does not tell the ply" not in game.get("note", "")


def test_a_computed_line_begins_with_the_side_to_move(page_modules: PageModules) -> None:
    black, white = page_modules.ask("computed", [["(;SZ[5];B[cc])", at, [[18, 0, 11]]] for at in ([], [12])])
    assert ";B[dd]C[Better: W+2.5.];W[aa];B[bc]" in black["once"]
    assert ";W[dd]C[Better: W+2.5.];B[aa];W[bc]" in white["once"]


def test_the_page_of_another_game_reads_and_writes_that_game(tmp_path: Path) -> None:
    own = "#moves={}&plies=8&komi=-1.5"
    try:
        with open_modules(modules_of(Variant(8, -1.5), tmp_path)) as modules:
            texts = [
                own.format(""),
                own.format("2,2.1,1"),
                "#moves=2,2",
                "#moves=2,2&plies=8",
                "2,2 1,1",
            ]
            shown = modules.ask("opened", texts)
            read = modules.ask("readers", [text.encode().hex() for text in texts[:2]])
            values = [("resultOf", [-1]), ("resultOf", [-2]), ("shortResult", [{"lo": -1, "hi": 24}])]
            said = modules.ask("tables", [{"name": name, "given": given} for name, given in values])
    except NoNode as error:
        pytest.skip(str(error))
    other = "other-game: it is of a game of {}, and this page of 8 plies, komi -1.5"
    assert shown == [
        [{"title": "Link"}],
        [{"title": "Link", "moves": "2,2 1,1"}],
        other.format("24 plies, komi 2.5"),
        other.format("8 plies, komi 2.5"),
        [{"title": "Pasted moves", "moves": "2,2 1,1"}],
    ]
    for text, moves, told in zip(texts, ("", "2,2 1,1"), read, strict=False):
        link, _, record, *others = told["written"]
        assert link == f"explorer.html{text}"
        assert {**json.loads(record), "black": None, "white": None}.items() >= {"plies": 8, "komi": -1.5}.items()
        assert f'little-go query --moves "{moves}" --plies 8 --komi -1.5' in others
    assert said == ["B+0.5", "W+0.5", "B+"]


#: The beginning, the repeated sign and the end of a text at its greatest length, and why a text with one more sign is
#: refused.
LIMITS = [
    ("(", "(", ";SZ[5])", 100_000, "more than 100000 variations and games: give one game alone"),
    ("2,2", " ", "1,1", 200_000, "longer than 200000 signs: give the position alone"),
    ('{"moves": ["2,2"], "note": "', "x", '"}', 200_000, "longer than 200000 signs: give the position alone"),
]


def test_a_text_has_a_greatest_length(page_modules: PageModules) -> None:
    for begin, sign, end, most, said in LIMITS:
        times = most - len(begin) - (0 if sign == "(" else len(end))
        fits = begin + sign * times + end
        longer = begin + sign * (times + 1) + end
        one, other = page_modules.ask("opened", [fits, longer])
        assert said not in str(one)
        assert other == f"damaged: {said}"


def test_an_address_before_a_link_is_read_up_to_its_greatest_length(page_modules: PageModules) -> None:
    address = "https://x.org/explorer.html"
    texts = ["a" * (most - len(address)) + f"{address}#moves=2,2" for most in (300, 301)]
    assert [game.get("left") for (game,) in page_modules.ask("opened", texts)] == [None, "a"]

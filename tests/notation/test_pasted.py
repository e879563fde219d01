"""Texts that people paste (``pasted.jsonl``), and the parts of a text that a reader parses and skips.

A vector has ``form``, ``input``, and either ``position`` or ``error``, which is a fault's word or ``any``; ``also`` has
other right answers.
"""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from little_go.notation.faults import NotationError
from little_go.notation.forms import read
from little_go.notation.parsed import ParsedPosition, read_input
from little_go.solver.family import COURSE
from little_go.solver.position import Position, move_name, points_of
from tests.explorer.vectors import PageModules
from tests.notation.test_vectors import READERS, VECTORS, raw

PASTED: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("pasted.jsonl").read_text("utf-8").splitlines()
]
#: A decorator that runs a test with each row of the file. ``-k ID`` selects the row.
each_row = pytest.mark.parametrize("vector", PASTED, ids=lambda vector: vector["id"])

#: The words in the file that stand for any fault.
ANY = ("any", "x")

BOARD = ". . . . .\n. O . . .\n. . X . .\n. . . . .\n. . . . .\n"


def described(position: Position) -> dict[str, Any]:
    """Return a position in the form of the file."""
    sides = ([move_name(point) for point in points_of(mask)] for mask in position[:2])
    ko = None if position.ko is None else move_name(position.ko)
    return dict(zip(("black", "white"), sides, strict=True)) | {
        "ply": position.ply,
        "passed": position.passed,
        "ko": ko,
    }


def is_right(vector: dict[str, Any], found: dict[str, Any]) -> bool:
    """Return whether an answer, which is a position or an error, is one of the right answers."""
    for answer in (vector, *vector.get("also", ())):
        if answer.get("error") in ANY and "error" in found:
            return True
        if found == {key: answer[key] for key in ("error", "position") if key in answer}:
            return True
    return False


def read_by_python(vector: dict[str, Any]) -> dict[str, Any]:
    reader = partial(read_input, ply=vector.get("ply")) if vector["form"] == "input_txt" else read
    try:
        return {"position": described(reader(vector["input"].encode(), COURSE).position)}
    except NotationError as error:
        return {"error": error.fault}


def read_by_page(page_modules: PageModules, texts: list[str]) -> list[dict[str, Any]]:
    answers = page_modules.ask("readers", [text.encode("utf-8", "surrogatepass").hex() for text in texts])
    return [
        {"error": each["fault"]} if each["fault"] else each | {"position": described(Position(**each["position"]))}
        for each in answers
    ]


def test_the_rows_have_different_ids() -> None:
    assert len({vector["id"] for vector in PASTED}) == len(PASTED) >= 138


@each_row
def test_python_reads_it_right(vector: dict[str, Any]) -> None:
    found = read_by_python(vector)
    assert is_right(vector, found), found


@each_row
def test_the_page_reads_it_right_and_as_python_does(vector: dict[str, Any], page_modules: PageModules) -> None:
    (answer,) = read_by_page(page_modules, [vector["input"]])
    found = {key: value for key, value in answer.items() if key in ("error", "position")}
    # The page has no option for the ply of an input.txt.
    if "ply" not in vector:
        assert is_right(vector, found), found
        assert found == read_by_python(vector)


def placed(text: str) -> ParsedPosition | None:
    try:
        return read(text.encode(), COURSE)
    except NotationError:
        return None


def check_parts(text: str) -> ParsedPosition | None:
    """Read a text, and check that the parsed and the skipped parts are the whole text, and that the parsed parts are
    enough.
    """
    found = placed(text)
    if found is None:
        return None
    assert "".join(part.text for part in found.parts) == text.lstrip("\ufeff")
    # Without its skipped pairs, an object is not JSON.
    if not text.lstrip("\ufeff \r\n").startswith("{"):
        again = read("".join(part.text for part in found.parts if part.is_taken).encode(), COURSE)
        assert (again.position, again.game, again.left_out) == (found.position, found.game, ())
    return found


def test_taken_and_left_out_make_up_each_text(page_modules: PageModules) -> None:
    texts = [raw(vector).decode() for vector in VECTORS if vector["form"] in READERS and "encoding" not in vector]
    texts += [vector["input"] for vector in PASTED]
    # Two games, one per line.
    texts.append('{"moves": "2,2"}\n{"moves": "C3 B4"}\n')
    answers = read_by_page(page_modules, texts)
    read_count = 0
    for text, answer in zip(texts, answers, strict=True):
        found = check_parts(text)
        if "position" in answer:
            assert "".join(part["text"] for part in answer["parts"]) == text.lstrip("\ufeff")
        if found is not None and "position" in answer and "(" not in text:
            read_count += 1
            assert answer["left"] == [*found.left_out], text
    assert read_count > 250


#: A strategy of pieces of texts: rows, lines of known and unknown forms, moves, links, beginnings of JSON and SGF, and
#: random characters.
_PIECES = st.one_of(
    st.sampled_from(
        [
            *BOARD.splitlines(), BOARD, BOARD.replace(".", "_"), "...../.O.../..X../...../.....",
            "  0 1 2 3 4", "0 . X . . .", "White to move", "Black to move", "2 of 24 plies played, Black (X) to move.",
            "2 of 8 plies played, Black (X) to move; komi 0.5.", "The game is over.", "Next player: Black", "Bob: hi!",
            "White played B4, Black to move", "$$B title", "> ", "2,2 1,1", "C3B4", "X 2,2  O 1,1", "1. 2,2", "PASS",
            "mistake:", "Better:", "explorer.html#moves=2,2.1,1", "&at=1", "&mode=play&x=7", "%23moves%3D2%2C2",
            "play B C3", "play w B4", "undo", "(;SZ[5]", ";B[cc]", ";W[bb]", ")", '{"moves": "2,2"', ', "seed": 3', "}",
            "1", "00000", "02000", "[[0, 0, 0, 0, 0]", "--moves '2,2' --komi 2.5", "little-go query ",
        ]
    ),
    st.text(max_size=8),
)  # fmt: skip
_TEXTS = st.lists(st.tuples(_PIECES, st.sampled_from(["\n", "\n", " ", "", "\r\n"])), max_size=9).map(
    lambda pieces: "".join(piece + end for piece, end in pieces)
)


@given(_TEXTS)
@example(f"White played B4, Black to move\n{BOARD}")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_taken_and_left_out_make_up_any_text(page_modules: PageModules, text: str) -> None:
    found = check_parts(text)
    (answer,) = read_by_page(page_modules, [text])
    assert ("error" in answer) == (found is None)
    if found is not None:
        assert answer["position"] == described(found.position)
        assert "".join(part["text"] for part in answer["parts"]) == text.lstrip("\ufeff")
        if "(" not in text:
            assert answer["left"] == [*found.left_out]

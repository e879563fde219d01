"""All readers are tested with one file of vectors: Python's, the built script's under Python 3.7, and the page's in
Node.js.

A vector has ``form`` and ``input``, perhaps ``encoding`` (of an SGF's bytes) and ``ply`` (an option), and either
``error``, the fault's word, or the position: ``board``, plies played ``at``, ``ko``, ``passed``. If the reader that
determines the form itself has a different result, ``front`` has it: an error, or null for another position.
"""

import json
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from little_go.arena.gtp.engine import Engine
from little_go.arena.review.reading import positions_of
from little_go.arena.review.reading import read_games as read_played
from little_go.book.files.games import GamesError
from little_go.notation.board import read_board
from little_go.notation.faults import NotationError
from little_go.notation.forms import read
from little_go.notation.movetext import after_moves, read_moves
from little_go.notation.parsed import ParsedPosition, read_input
from little_go.notation.record import read_json, read_key, read_link
from little_go.notation.sgf import read_sgf
from little_go.player.__main__ import ROOT
from little_go.player.build import SCRIPT
from little_go.solver.family import COURSE
from little_go.solver.position import GAME_PLIES, Position
from tests.explorer.vectors import PageModules
from tests.notation.generated import FILE as GENERATED
from tests.notation.generated import expected, text
from tools.programs import find_python

BY_HAND = Path(__file__).with_name("by_hand.jsonl")
VECTORS: list[dict[str, Any]] = [
    json.loads(line) for file in (BY_HAND, GENERATED) for line in file.read_text("utf-8").splitlines()
]
FAULTS = {
    "damaged", "not-a-move", "off-board", "wrong-colour", "illegal", "too-long", "unreachable", "ambiguous", "not-5x5",
    "other-game",
}  # fmt: skip

READERS: dict[str, Callable[[dict[str, Any]], ParsedPosition]] = {
    "moves": lambda vector: after_moves(vector["input"], ply=vector.get("ply"), game=COURSE),
    "board": lambda vector: read_board(vector["input"], COURSE, vector.get("ply")),
    "input": lambda vector: read_input(vector["input"], COURSE, vector.get("ply")),
    "sgf": lambda vector: read_sgf(raw(vector), COURSE, vector.get("ply")),
    "json": lambda vector: read_json(vector["input"], COURSE),
    "key": lambda vector: read_key(vector["input"], COURSE),
    "link": lambda vector: read_link(vector["input"], COURSE),
}


def raw(vector: dict[str, Any]) -> bytes:
    """Return the input's bytes."""
    content: bytes = vector["input"].encode(vector.get("encoding", "utf-8"))
    return content


def wanted(vector: dict[str, Any]) -> dict[str, Any]:
    """Return the expected result of the form's reader."""
    return {key: vector[key] for key in ("error", "board", "at", "ko", "passed") if key in vector}


def of_form(*forms: str) -> list[Any]:
    return [pytest.param(vector, id=vector["id"]) for vector in VECTORS if vector["form"] in forms]


def said(reader: Callable[[], ParsedPosition]) -> dict[str, Any]:
    try:
        return expected(reader().position)
    except NotationError as error:
        return {"error": error.fault, **({"lines": str(error)} if "\n" in str(error) else {})}


def test_there_are_enough_and_none_is_there_twice() -> None:
    assert len(VECTORS) >= 400
    assert [name for name, times in Counter(vector["id"] for vector in VECTORS).items() if times > 1] == []
    assert {vector["error"] for vector in VECTORS if "error" in vector} == FAULTS


def test_the_generated_ones_follow_from_the_seed() -> None:
    assert GENERATED.read_text("utf-8") == text()


@pytest.mark.parametrize("form", READERS)
def test_the_reader_of_a_form(form: str) -> None:
    vectors = [vector for vector in VECTORS if vector["form"] == form]
    found = {vector["id"]: said(partial(READERS[form], vector)) for vector in vectors}
    assert found == {vector["id"]: wanted(vector) for vector in vectors}
    assert len(vectors) > 10


@pytest.mark.parametrize("form", READERS)
def test_the_front_door(form: str) -> None:
    for vector in (each for each in VECTORS if each["form"] == form):
        found = said(partial(read, raw(vector), COURSE, vector.get("ply")))
        if "front" not in vector:
            assert found == wanted(vector), vector["id"]
        elif vector["front"] is None:
            assert "error" not in found, vector["id"]
        else:
            assert found == {"error": vector["front"]}, vector["id"]


@pytest.mark.parametrize("form", READERS)
def test_reviews_take_every_form(form: str, tmp_path: Path) -> None:
    """A review's game ends with the position, even if it begins with another one."""
    vectors = [vector for vector in VECTORS if vector["form"] == form and not {"ply", "front"} & vector.keys()]
    path = tmp_path / "game"
    for vector in vectors:
        path.write_bytes(raw(vector))
        try:
            game = next(read_played([str(path)]))
        except GamesError:
            assert "error" in vector, vector["id"]
        else:
            illegal = vector.get("error") in ("illegal", "too-long")
            assert illegal or expected(positions_of(game.state)[-1]) == wanted(vector), vector["id"]
    assert len(vectors) > 10


@pytest.mark.parametrize("vector", of_form("gtp"))
def test_gtp(vector: dict[str, Any]) -> None:
    engine = Engine(None, game=COURSE)
    answers = [engine.respond(line) or "" for line in vector["input"].splitlines()]
    failed = next((answer for answer in answers if answer.startswith("?")), None)
    assert (
        expected(engine._position) == wanted(vector) if failed is None else failed.count("\n") == 2 and vector["error"]
    )


#: A program that runs in the built script's namespace, reads vectors, and prints the results of the script's parser.
_ASK_SCRIPT = """
import json, runpy, sys
names = runpy.run_path(sys.argv[1])
for line in sys.stdin.buffer.read().decode("utf-8").splitlines():
    try:
        question = names["parse_question"](json.loads(line).encode("utf-8"), names["COURSE"])
        fault = question.fault and question.fault.fault
        print(json.dumps([fault, list(question.position(question.least_ply))]))
    except names["NotationError"] as error:
        print(json.dumps([error.fault, None]))
"""


def test_the_script_of_python_3_7() -> None:
    python = find_python("3.7")
    if python is None:
        pytest.skip("no CPython 3.7 here")
    vectors = [vector for vector in VECTORS if vector["form"] == "input" and "ply" not in vector]
    lines = "".join(json.dumps(vector["input"]) + "\n" for vector in vectors)
    command = [python, "-c", _ASK_SCRIPT, str(ROOT / SCRIPT)]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(vectors) > 40
    for vector, (fault, position) in zip(vectors, answers, strict=True):
        assert ({"error": fault} if fault else expected(Position(*position))) == wanted(vector), vector["id"]


@pytest.mark.parametrize("vector", [*of_form("input")])
def test_the_player_answers_whatever_board_can_be_read(
    vector: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from little_go.player.main import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LITTLE_GO_CPU", "0.000001")
    (tmp_path / "input.txt").write_bytes(raw(vector))
    readable = vector.get("error") not in ("damaged", "not-5x5")
    assert main() == (0 if readable else 2)
    assert (tmp_path / "output.txt").exists() == readable


def test_the_page(page_modules: PageModules) -> None:
    vectors = [vector for vector in VECTORS if vector["form"] in READERS and "ply" not in vector]
    answers = page_modules.ask("readers", [raw(vector).hex() for vector in vectors])
    assert len(answers) == len(vectors) > 380
    wrong = []
    for vector, answer in zip(vectors, answers, strict=True):
        found = {"error": answer["fault"]} if answer["fault"] else expected(Position(**answer["position"]))
        front = vector.get("front", wanted(vector))
        told = {"error": front} if isinstance(front, str) else front
        if found != told and (told is not None or "error" in found):
            wrong.append((vector["id"], vector["input"], told, answer))
        *whole, host_file = answer.get("written") or [None]
        at = found.get("at", GAME_PLIES)
        # An input.txt does not contain its ply, and a host does not call a player after the end.
        again = [partial(read, each, COURSE) for each in whole] + [partial(read, host_file, COURSE, at)] * bool(
            host_file and at < GAME_PLIES
        )
        wrong += [(vector["id"], reader.args, found, said(reader)) for reader in again if said(reader) != found]
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "2,2 " * 75_000,
        "PASS " * 75_000,
        "1" * 300_000 + "x",
        "#" * 300_000,
        "#moves=" * 45_000,
        "( " * 150_000 + "x",
        "(;SZ[5]" + ";B[aa]" * 50_000,
        "(;" + "(;B[]" * 60_000,
        "(;C[" + "[" * 300_000,
        "\n" * 300_000 + ".",
        ". " * 150_000,
        "X" * 300_000 + "\n.....",
        "--moves " * 40_000,
        "{" * 300_000,
        '{"moves": "' + "C3 " * 100_000 + '"}',
        "1\n" + "0" * 300_000,
        "." * 5 + " to move black" * 20_000,
    ],
    ids=lambda text: text[:12].strip(),
)
def test_hostile_texts_cost_a_line_and_little_time(text: str) -> None:
    def cpu_of_a_loop() -> float:
        before = time.process_time()
        assert sum(sign == "\0" for _ in range(10) for sign in text) == 0
        return (time.process_time() - before) / 10

    def cost_in_loops() -> float:
        loop = cpu_of_a_loop()
        before = time.process_time()
        for reader in (partial(read, text, COURSE), partial(read_moves, text)):
            with suppress(NotationError):
                reader()
        return (time.process_time() - before) / max(loop, cpu_of_a_loop())

    # A reader that backtracks takes thousands of loops. sgfmill, which reads SGF twice, takes 100. An attempt may take
    # longer on a busy machine.
    assert any(cost_in_loops() < 250 for _ in range(5))
    with pytest.raises(NotationError) as caught:
        read(text, COURSE)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300

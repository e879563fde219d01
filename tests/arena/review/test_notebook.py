"""The notebook of the kinds of mistakes that a player makes."""

import json
from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner

from little_go.arena.__main__ import main
from little_go.arena.review.notebook import MOST_PUZZLES, notebook
from little_go.arena.review.review import Mistake
from little_go.book.answers.judging import MOST_KINDS
from little_go.book.answers.query import Knowledge
from little_go.book.answers.reasons import Reason, reason
from little_go.book.files.puzzles import read_puzzles
from little_go.solver.family import COURSE, Variant
from little_go.solver.native.explain import OTHER, PASSES
from little_go.solver.position import PASS, START


def mistakes(kinds: Sequence[tuple[str, int, bool]], game: Variant = COURSE) -> list[Mistake]:
    known = Knowledge(START, None, game=game)
    return [
        Mistake(1, START, 0, known, known, cost, True, decisive, reason=Reason("capture", "", "", kind))
        for kind, cost, decisive in kinds
    ]


def test_the_kinds_that_cost_most_come_first() -> None:
    drawn = [("misses a cut", 2, False), ("loses stones later", 3, False), ("misses a cut", 2, True), (OTHER, 9, True)]
    drawn += [("lets stones live", 1, False), ("misses an eye", 1, False), ("misses an eye", 0, False)]
    found = notebook(mistakes(drawn))
    assert [(entry.kind, entry.mistakes, entry.decisive, entry.cost) for entry in found] == [
        ("misses a cut", 2, 1, 4),
        ("loses stones later", 1, 0, 3),
        ("misses an eye", 2, 0, 1),
    ]
    assert len(found) == MOST_KINDS
    assert found[0].worst.decisive


def test_the_puzzles_are_of_the_kind() -> None:
    (entry,) = notebook(mistakes([("loses stones later", 3, False)]))
    assert len(entry.puzzles) == MOST_PUZZLES
    puzzles = read_puzzles()
    for number in entry.puzzles:
        puzzle = puzzles[number - 1]
        assert reason(puzzle.position, puzzle.refutation, puzzle.solution, COURSE).kind == entry.kind


def test_another_game_has_no_puzzles() -> None:
    (entry,) = notebook(mistakes([("loses stones later", 3, False)], Variant(10, 0.5)))
    assert entry.puzzles == ()


def test_a_pass_is_a_kind_without_a_reason() -> None:
    known = Knowledge(START, None, game=COURSE)
    (entry,) = notebook([Mistake(1, START, PASS, known, known, 1, exact=True, decisive=False)])
    assert entry.kind == PASSES


#: Two late games from ply 16 on, in which Black and White make mistakes.
GAMES = [
    "2,2 1,2 1,1 2,3 1,3 2,1 0,2 3,2 1,2 2,4 3,1 3,0 2,0 3,3 0,0",
    "0,1 2,2 1,3 1,1 2,3 2,1 2,0 3,2 3,0 3,1 4,4 3,3 3,4 4,1 1,2 1,4 0,3 4,3 1,0",
]


def test_a_review_of_several_games_ends_with_the_notebook(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    lines = [json.dumps({"black": "ann", "white": "bob", "moves": moves.split()}) for moves in GAMES]
    (folder / "games.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    page = tmp_path / "page.html"
    text = CliRunner().invoke(main, ["review", str(folder), "--nodes", "1000", "--html", str(page)])
    assert text.exit_code == 0, text.output
    assert "notebook: what to learn first" in text.output
    assert "Puzzles of this kind: little-go puzzle" in text.output
    assert "Notebook: what to learn first" in page.read_text("utf-8")
    told = CliRunner().invoke(main, ["review", str(folder), "--nodes", "1000", "--json"])
    agents = json.loads(told.output.splitlines()[-1])["agents"]
    for agent in agents.values():
        counted = {each["kind"]: (each["mistakes"], each["cost"]) for each in agent["kinds"]}
        assert all((each["mistakes"], each["cost"]) == counted[each["kind"]] for each in agent["notebook"])
    assert any(agent["notebook"] for agent in agents.values())

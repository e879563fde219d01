"""Reviews of games of another length and komi: values and mistakes agree with plain minimax."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from little_go.arena.__main__ import main
from little_go.arena.commands.play import open_evaluator
from little_go.arena.match.host import states_of
from little_go.arena.review.adviser import Adviser
from little_go.arena.review.review import Evaluator
from little_go.book.files.writer import BookLine, verdict_of, write_book
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import parse_move
from little_go.solver.symmetry import key_of
from tests.solver import minimax

EIGHT, TEN = Variant(8, 0.5), Variant(10, -1.5)

#: The number of plies left from which on plain minimax judges a game.
LATE = 2


def run(*arguments: str, entry: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, entry)


def options(game: Variant) -> tuple[str, ...]:
    return "--plies", str(game.plies), "--komi", str(game.komi)


def games(game: Variant, count: int, seed: int) -> list[str]:
    """Play random games, and return their records as lines of JSON."""
    played = run(
        *("play", "--black", "random", "--white", "random", "--jsonl", "-"),
        *("--games", str(count), "--seed", str(seed), "--no-boards", *options(game)),
    )
    assert played.exit_code == 0, played.output
    return played.stdout.splitlines()


def judged(names: list[str], game: Variant) -> tuple[dict[int, int], set[tuple[int, int, bool]]]:
    """Return the values by ply, and for each mistake the ply, the cost, and whether it lost the win.

    Plies before LATE plies left are omitted.
    """
    state = minimax.START._replace(left=game.plies)
    values: dict[int, int] = {}
    mistakes = set()
    for ply, name in enumerate(names, 1):
        move = parse_move(name)
        following = minimax.after(state, None if move == 25 else move)
        assert following is not None
        if state.left <= LATE:
            before, after = minimax.value(state), minimax.value(following)
            values |= {ply - 1: before, ply: after}
            if before != after:
                mistakes.add((ply, abs(before - after), (before > game.komi) != (after > game.komi)))
        state = following
    return values, mistakes


def reviewed(lines: list[str], folder: Path, *arguments: str) -> list[dict[str, Any]]:
    (folder / "games.jsonl").write_text("\n".join(lines))
    done = run("review", str(folder / "games.jsonl"), "--json", "--table", "16MiB", *arguments)
    assert done.exit_code == 0, done.output
    return list(map(json.loads, done.stdout.splitlines()[:-1]))


@pytest.mark.parametrize("game", [EIGHT, pytest.param(TEN, marks=pytest.mark.system)], ids=str)
def test_values_and_mistakes_are_those_of_plain_minimax(game: Variant, tmp_path: Path) -> None:
    lines, decisive = games(game, 12, seed=7), 0
    for line, review in zip(lines, reviewed(lines, tmp_path), strict=True):
        values, mistakes = judged(json.loads(line)["moves"], game)
        assert {ply: review["plies"][ply]["value"] for ply in values} == values
        told = {(each["ply"], each["cost"], each["decisive"]) for each in review["mistakes"]}
        assert {each for each in told if each[0] > game.plies - LATE} == mistakes
        assert [each["position"]["ply"] for each in review["plies"]] == list(range(game.plies + 1))
        assert review["winner"] == json.loads(line)["winner"]
        winner_at_the_end = "Black" if review["plies"][-1]["value"] > game.komi else "White"
        assert winner_at_the_end == review["winner"]
        lost = [ply for ply, _, is_decisive in mistakes if is_decisive]
        assert not lost or review["turning_point"] == max(lost)
        decisive += len(lost)
    assert decisive > 1


#: A game of the course's length that White wins at once.
COURSES = {"black": "a", "white": "b", "moves": [], "winner": "White", "reason": "missing", "detail": ""}


def test_a_file_of_several_games_has_each_judged_by_its_own(tmp_path: Path) -> None:
    mixed = {game: games(game, 2, seed=3) for game in (EIGHT, TEN)} | {COURSE: [json.dumps(COURSES)]}
    together = reviewed([line for lines in mixed.values() for line in lines], tmp_path)
    assert [len(each["plies"]) for each in together] == [9, 9, 11, 11, 1]
    alone = [review for lines in mixed.values() for review in reviewed(lines, tmp_path)]
    for one, other in zip(together, alone, strict=True):
        for key in ("winner", "turning_point"):
            assert one[key] == other[key]
        for told, again in zip(one["mistakes"], other["mistakes"], strict=True):
            assert (told["ply"], told["cost"], told["decisive"]) == (again["ply"], again["cost"], again["decisive"])
    assert together[-1]["fault"]["was_winning"] is True
    assert together[-1]["plies"][0]["value"] == 3


MOVES = ("2,2", "1,1", "1,2", "PASS", "3,3", "0,0", "0,1", "4,4")


def test_moves_are_of_the_game_that_the_options_name() -> None:
    text = run("review", *options(EIGHT), *MOVES).stdout
    assert text.splitlines()[:3] == ["Black (X) - White (O)", "Black wins 4 : 3.5 (max)", ""]
    assert "start        W+0.5\n" in text
    assert " 4 O PASS    B+0.5  <- costs 1 and the win\n" in text
    assert "Turning point: ply 8" in text
    by_komi = run("review", "--plies", "8", "--komi", "2.5", *MOVES).stdout
    assert " 4 O PASS    W+1.5  <- costs 1\n" in by_komi
    assert "White wins 5.5 : 4 (max)" in by_komi


def test_sgf_and_pictures_have_length_and_komi(tmp_path: Path) -> None:
    sgf, svg, html = (tmp_path / name for name in ("a.sgf", "a.svg", "a.html"))
    done = run("review", *options(EIGHT), "--sgf", str(sgf), "--svg", str(svg), "--html", str(html), *MOVES)
    assert done.exit_code == 0, done.output
    text = sgf.read_text()
    assert "KM[0.5]" in text
    assert "RE[B+0.5]" in text
    assert "8 plies" in text.replace("\n", " ")
    again = run("review", str(sgf))
    assert again.stdout.splitlines()[2:] == run("review", *options(EIGHT), *MOVES).stdout.splitlines()[2:]
    assert ">8</text>" in svg.read_text()
    assert ">10</text>" not in svg.read_text()
    page = html.read_text()
    assert "<p>Games of 8 plies, komi 0.5.</p>" in page
    assert "a game has 8 plies, and Black plays the odd ones" in page


def test_other_games_than_those_asked_about_are_refused(tmp_path: Path) -> None:
    sgf, lines = tmp_path / "a.sgf", tmp_path / "a.jsonl"
    run("review", *options(EIGHT), "--sgf", str(sgf), *MOVES)
    lines.write_text("\n".join(games(EIGHT, 1, seed=1)))
    for path, which in ((sgf, ""), (lines, "game 1: ")):
        refused = run("review", *options(TEN), str(path))
        assert refused.exit_code == 2
        assert refused.stdout == ""
        (line,) = refused.stderr.splitlines()
        assert line.endswith(f"{which}it is of a game of 8 plies, komi 0.5, and this one is of 10 plies, komi -1.5")
    refused = run("review", "--plies", "9", "2,2")
    assert refused.stderr.splitlines()[-1] == "Error: 9 plies: games have an even number of plies, 2 to 24"


def test_a_book_of_the_game_is_asked(tmp_path: Path) -> None:
    book = tmp_path / "eight.json"
    line = BookLine(key_of(EIGHT.start), 12, verdict_of(EIGHT.start, -24, 0, EIGHT))
    write_book([line], book, EIGHT)
    done = run("review", "--json", "--nodes", "1", "--book", str(book), *options(EIGHT), *MOVES)
    assert json.loads(done.stdout.splitlines()[0])["plies"][0]["hi_from"][-1] == "book book.json"


def test_tournaments_are_reviewed(tmp_path: Path) -> None:
    page, out = tmp_path / "page.html", tmp_path / "out"
    sides = ("tournament", "random", "greedy", "--games", "2", "--out", str(out), "--review", "--html", str(page))
    assert run(*sides, *options(TEN)).exit_code == 0
    reviews = list(map(json.loads, (out / "review.jsonl").read_text().splitlines()))
    assert [len(each["plies"]) for each in reviews] == [11, 11, 11, 11]
    for review in reviews:
        values, mistakes = judged([each["move"] for each in review["plies"][1:]], TEN)
        assert {ply: review["plies"][ply]["value"] for ply in values} == values
        assert {(m["ply"], m["cost"], m["decisive"]) for m in review["mistakes"] if m["ply"] > 10 - LATE} == mistakes
    assert " of 10" in (out / "review.txt").read_text()
    assert "KM[-1.5]" in next(out.glob("sgf/*.sgf")).read_text()
    assert "Games of 10 plies, komi -1.5." in page.read_text()


def test_a_person_gets_advice_in_another_game() -> None:
    shown = run("play", "--black", "human", "--white", "greedy", *options(EIGHT), entry="hint\nvalues\nresign\n").stdout
    assert "Lost against best play; most stubborn is" in shown
    assert "W+0.5 (kernel)" in shown
    adviser = Adviser(lambda: Evaluator([], 100_000, 16), [1])
    state = states_of(MOVES[:5], game=EIGHT)[-1]
    assert adviser.values(state)[0] == "B+0.5 here: Black (X) wins by half a point, komi included."
    assert adviser.why(state)[0] == "Ply 4: White plays PASS, costs 1 and the win (passes)."


def test_the_book_that_ships_says_nothing_of_other_games() -> None:
    evaluator = open_evaluator(1000).for_game(EIGHT)
    assert evaluator.known(EIGHT.start).choice is None

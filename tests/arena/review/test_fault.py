"""A fault that ended a game is the decisive mistake: it is reported first and counted once."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from little_go.arena.__main__ import main
from little_go.arena.course.grading import SCHEMES
from little_go.arena.review.annotated import annotated_sgf, curve_svg
from little_go.arena.review.fault import FAULT_KINDS
from little_go.arena.review.page import report_page
from little_go.arena.review.reading import from_record, read_games
from little_go.arena.review.review import Evaluator, Review, review
from little_go.arena.review.summary import AgentSummary, summarise
from little_go.arena.review.text import review_text, summary_text
from little_go.book.answers.sources import session_sources
from little_go.solver.position import OCCUPIED
from tests.arena.review.test_page import Parsed

AGENT = Path(__file__).parents[1] / "agents" / "programs" / "three_faults.py"

#: A game whose mistakes are explained quickly.
SHORT: dict[str, Any] = {"plies": 10, "komi": 0.5}

#: A ko: White captures at 1,2, and Black must not recapture at 1,1.
KO = "0,1 0,2 1,0 1,3 2,1 2,2 1,2 1,1"


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator(session_sources(None), 20_000)


def reviewed(
    evaluator: Evaluator, moves: str, reason: str = "", winner: int = 0, detail: str = "", **more: str | float
) -> Review:
    """Return the review of a game. more: other keys of the game's record."""
    record = {"black": "me", "white": "you", "moves": moves.split(), "winner": winner, "reason": reason}
    return review(from_record("a game", {**record, "detail": detail, **more}), evaluator)


def words(lines: list[str]) -> str:
    return " ".join(" ".join(lines).split())


def test_an_occupied_point_in_a_won_game_is_the_decisive_mistake(evaluator: Evaluator) -> None:
    """Black is winning, and plays on an occupied point."""
    each = reviewed(evaluator, "2,2 1,1 2,2")
    assert each.mistakes == ()
    told = words(review_text(each))
    turning = (
        "Turning point: ply 3, a fault: Black played 2,2, where there is a stone already. It lost the game at once; "
        "Black was winning (B+0.5)."
    )
    counts = "Mistakes: Black 1 (a fault: plays on an occupied point); White 0."
    assert words(summary_text(each)) == f"Result: White wins (invalid_occupied: 2,2 is {OCCUPIED}). {turning} {counts}"
    board = words(each.positions[-1].diagram().split("\n"))
    rule = "Rule: A stone may only be put on an empty point."
    assert f"Ply 3: Black played 2,2, where there is a stone already. {board} {rule}" in told
    record = each.record()
    assert record["turning_point"] == 3
    fault = record["fault"]
    assert {key: fault[key] for key in ("ply", "mover", "move", "reason", "was_winning")} == {
        **{"ply": 3, "mover": "Black", "move": "2,2", "reason": "invalid_occupied", "was_winning": True},
    }
    page = Parsed(report_page(summarise([each]))).words
    assert page.index("Plays on an occupied point: 1 game lost") < page.index("Opponents")
    assert "Ply 3 against you: Black played 2,2, where there is a stone already" in page
    assert b"A stone may only be put on an empty point." in annotated_sgf(each)
    assert "ply 3: Black played 2,2" in curve_svg(each)


CASES = [
    ("2,2 2,2", "", 0, "", "White played 2,2, where there is a stone already"),
    (
        *(f"{KO} 1,2", "", 0, ""),
        "Black played 1,2 to take 1,1, which had just taken a stone at 1,2: this repeats the board before that capture",
    ),
    (
        *("0,1 4,4 1,0 0,0", "", 0, ""),
        "White played 0,0, where its stone would have no empty point beside it and would take nothing",
    ),
    ("2,2 5,0", "", 0, "", "White played 5,0, which is not on the board"),
    ("2,2", "missing", 1, "NameError: x (a.py, line 1)", "White wrote no move: NameError: x (a.py, line 1)"),
    (
        "2,2",
        "timeout",
        1,
        "killed for CPU time: 10.01 s of CPU (limit 10 s)",
        "took too long for its move: killed for CPU",
    ),
    ("2,2", "malformed", 1, "output.txt reads 'x'", "gave an answer that is not a move: output.txt reads 'x'"),
    ("2,2", "unfinished(timeout/no output?)", 1, "", "White wrote no move (unfinished(timeout/no output?))"),
]


@pytest.mark.parametrize(("moves", "reason", "winner", "detail", "deed"), CASES, ids=[case[4][:20] for case in CASES])
def test_every_fault_is_named_with_what_was_done(
    evaluator: Evaluator, moves: str, reason: str, winner: int, detail: str, deed: str
) -> None:
    each = reviewed(evaluator, moves, reason, winner, detail, **SHORT)
    assert each.fault is not None
    assert each.turning_point is each.fault or each.turning_point == each.fault
    assert deed in each.fault.deed
    told = words(review_text(each))
    assert f"Ply {each.fault.ply}: {each.fault.deed}." in told
    assert each.fault.rule in told
    page = " ".join(Parsed(report_page(summarise([each]))).words.split())
    assert each.fault.deed in page
    assert each.fault.rule in page


def test_who_resigns_a_lost_game_makes_no_fault(evaluator: Evaluator) -> None:
    assert reviewed(evaluator, "2,2", "resigned", 1).fault is None
    won = reviewed(evaluator, "2,2 PASS", "resigned", 2, **SHORT)
    assert won.fault is not None
    assert won.fault.kind == "resigns a won game"
    assert "Turning point: ply 3, a fault: Black resigned." in words(summary_text(won))


def test_each_lost_game_is_counted_once(evaluator: Evaluator) -> None:
    """Two games were lost by a fault, and one by a mistake. In one of the two Black had lost the win before."""
    games = [
        reviewed(evaluator, "2,2 1,1 2,2"),
        reviewed(evaluator, "1,1 2,2 1,1"),
        reviewed(evaluator, "PASS"),
    ]
    summary = summarise(games)["me"]
    assert (summary.lost, len(summary.faults), summary.threw_away) == (3, 2, 1)
    assert summary.losses_text() == "3 lost: 2 by a fault, 1 thrown away from a win"
    against = summary.against["you"]
    assert (against.faults, against.threw_away) == (2, 1)
    assert summary.mistakes_text().startswith("4 mistakes (2 faults among them)")
    assert sum(count for count, _, _ in summary.by_kind().values()) == 4
    assert sum(count for count, _, _ in summary.by_ply().values()) == 4
    record = summary.record()
    assert (record["lost"], record["faults"], record["threw_away"]) == (3, 2, 1)
    assert [(each["games"], each["reason"]) for each in record["lost_by"]] == [(2, "invalid_occupied")]
    text = summary.text("me")
    assert text[0] == "me: 3 games, 3 lost: 2 by a fault, 1 thrown away from a win"
    assert text.index("  lost by a fault") < text.index("  worst moves")


def test_the_games_of_several_faults_are_grouped_and_the_commonest_comes_first(evaluator: Evaluator) -> None:
    games = [
        reviewed(evaluator, "2,2 1,1 2,2"),
        *(
            reviewed(evaluator, "2,2 1,1", "missing", 2, detail=detail)
            for detail in ("KeyError: 1", "KeyError: 1", "no file")
        ),
    ]
    groups = [(len(alike), alike[0][0].detail or alike[0][0].kind) for alike in summarise(games)["me"].by_fault()]
    assert groups[0] == (2, "KeyError: 1")
    assert sorted(groups[1:]) == [(1, f"2,2 is {OCCUPIED}"), (1, "no file")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_in_a_page_with_faults(
    evaluator: Evaluator, browser: Any, violations: Callable[[Any], list[str]], scheme: str
) -> None:
    games = [
        reviewed(evaluator, "2,2 1,1 2,2"),
        reviewed(evaluator, "1,1 2,2", "missing", 2),
        reviewed(evaluator, "PASS"),
    ]
    context = browser.new_context(color_scheme=scheme, offline=True)
    page = context.new_page()
    page.set_content(report_page(summarise(games)))
    assert violations(page) == []
    context.close()


def test_every_kind_of_fault_has_a_row() -> None:
    assert set(FAULT_KINDS) <= set(AgentSummary().by_kind())


def test_several_games_say_in_a_line_each_how_they_ended(tmp_path: Path) -> None:
    """If a result takes two lines, it is printed once."""
    detail = "a long complaint of a program that says more than fits a line, and says it again and again"
    record = {"black": "me", "white": "you", "moves": ["2,2"], "winner": 1, "reason": "missing", "detail": detail}
    path = tmp_path / "games.jsonl"
    path.write_text(2 * (json.dumps(record) + "\n"))
    out = CliRunner().invoke(main, ["review", str(path)], catch_exceptions=False).stdout
    assert "Result:" not in out
    assert len(re.findall(r"^games.jsonl, game \d: ", out, re.MULTILINE)) == 2


# A student's agent with three planted faults

#: The faults in the order of the page, with the words on each for a reader who does not play Go.
PLANTED = [
    (
        r"Takes too long: 3 games lost",
        r"White took too long for its move: killed for CPU time: 0\.\d\d s of CPU \(limit 0\.4 s\)",
        "The host stops a program that exceeds a limit of time",
    ),
    (
        r"Breaks the ko rule: 1 game lost",
        r"played (\d,\d) to take \d,\d, which had just taken a stone at \1: this repeats the board before that capture",
        "A stone that has just taken a single stone may not be taken back at once",
    ),
    (
        r"Plays 1,1 at ply 1: 3 wins given away",
        r"Black's 1,1 gives away 5 points and the win; 2,2 keeps the win\.",
        "A ply is one move of one side",
    ),
]


#: Games of such an agent, up to the fault: its moves, the winner, the reason, and the agent's colour.
PLANTED_GAMES = [
    *3 * [("2,2", 1, "timeout", "white")],
    ("1,1 0,3 0,2 1,4 2,2 2,3 1,3 1,2 1,3", 2, "invalid_ko", "black"),
    *2 * [("1,1", 1, "resigned", "black")],
]


def test_the_commonest_fault_comes_first_in_words_without_go(evaluator: Evaluator) -> None:
    detail = "killed for CPU time: 0.41 s of CPU (limit 0.4 s), 0.9 s by the clock (limit 40 s)"
    games = [
        reviewed(
            evaluator, moves, why, winner, detail * (why == "timeout"), **{"black": "you", "white": "you", side: "me"}
        )
        for moves, winner, why, side in PLANTED_GAMES
    ]
    check_that_all_are_first(report_page({"me": summarise(games)["me"]}))


@pytest.mark.long
def test_three_planted_faults_are_named_first_in_words_without_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page of the grading and the page of a review are checked."""
    # With the course's ten seconds for a move, the slow ply would take half a minute, and this machine may be busy.
    monkeypatch.setitem(SCHEMES, 2020, SCHEMES[2020]._replace(move_cpu=0.4))
    monkeypatch.setattr("little_go.arena.commands.game_options.CLOCK", 100.0)
    # With this seed the agent breaks the ko rule in one game. If the course's agents change, find another such seed.
    grade = ["grade", f"me={AGENT}", "--scheme", "2020", "--submit", "--games", "1", "--seed", "7"]
    games = tmp_path / "out" / "games.jsonl"
    pages = tmp_path / "grade.html", tmp_path / "review.html"
    for words in (
        [*grade, "--out", str(games.parent), "--html", str(pages[0])],
        ["review", str(games), "--html", str(pages[1])],
    ):
        done = CliRunner().invoke(main, words, catch_exceptions=False)
        assert done.exit_code == 0, done.stderr
    for game in read_games([str(games)]):
        assert game.state.moves[0] == "1,1" or game.white == "me"
    for page in pages:
        check_that_all_are_first(page.read_text("utf-8"))


def check_that_all_are_first(page: str) -> None:
    told = " ".join(Parsed(page).words.split())
    section = told[told.index("6 games; 4 lost: 4 by a fault; ") :]
    first = section[section.index("What to repair first") : section.index("Opponents")]
    places = [found.start() for head, _, _ in PLANTED if (found := re.search(head, first))]
    assert len(places) == len(PLANTED)
    assert places == sorted(places)
    assert places[0] == len("What to repair first ")
    for head, deed, rule in PLANTED:
        assert re.search(deed, first), head
        assert rule in told, head
    # The numbered list contains a board for each fault.
    numbered = page[page.index('<ol class="cards">') : page.index("</ol>")]
    assert numbered.count("<svg") == numbered.count("<li>") >= 3

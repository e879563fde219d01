"""Reviews: their values agree with the kernel, their mistakes with the definition, and their texts with both."""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from sgfmill import sgf

from little_go.arena.__main__ import main
from little_go.arena.review.annotated import annotated_sgf, curve_svg
from little_go.arena.review.reading import GameToReview, positions_of, read_games
from little_go.arena.review.review import Evaluator, Mistake, Review, partial_reviews, review, with_progress
from little_go.arena.review.summary import AgentSummary, summarise
from little_go.arena.review.text import mistake_text, partial_review_lines, review_text, summary_text
from little_go.book.answers.sources import session_sources
from little_go.solver.answer import BLACK_WINS
from little_go.solver.bounds import score_text
from little_go.solver.family import COURSE
from little_go.solver.native.explain import KINDS, OTHER
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import OCCUPIED, PASS, move_name, parse_move
from little_go.solver.symmetry import POINT_IMAGE, transform

LOGS = "data/staff_games.jsonl.gz"

#: The number of logged games that are reviewed and checked. Set `LITTLE_GO_REVIEWS=100` for more.
REVIEWS = int(os.environ.get("LITTLE_GO_REVIEWS", "3"))

#: With this number of plies left or fewer, the kernel searches the position again, with another table.
CHECKED_LEFT = 10

#: Enough nodes for nearly all values of the last 10 plies, and few enough for a test of a few seconds.
NODES = 30_000

#: A game of 8 plies in which both sides make mistakes, and its options.
SHORT_GAME = ["2,2", "1,1", "1,2", "PASS", "3,3", "0,0", "0,1", "4,4"]
SHORT = ["--plies", "8", "--komi", "0.5"]


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator([], NODES)


@pytest.fixture(scope="module")
def reviews(evaluator: Evaluator) -> list[Review]:
    """Reviews of logged games, drawn at random among the games that were played out."""
    games = [game for game in read_games([LOGS]) if game.state.result and len(game.state.moves) == 24]
    return [review(game, evaluator) for game in Random(1).sample(games, REVIEWS)]


def test_values_are_the_kernels_ply_by_ply(reviews: list[Review]) -> None:
    kernel = Kernel(open_table(256))
    exact = 0
    for each in reviews:
        assert each.positions == tuple(positions_of(each.state))
        for position, known in zip(each.positions, each.known, strict=True):
            if position.is_over:
                assert known.value == position.margin
            elif position.left <= CHECKED_LEFT:
                value = kernel.value(position).value
                assert value is not None
                assert known.lo <= value <= known.hi
                exact += known.value is not None
            elif known.winner is not None:
                # To confirm a winner takes many nodes, but a few are enough to find many contradictions.
                assert COURSE.winner(kernel.decide(position, BLACK_WINS, node_limit=NODES)) in (None, known.winner)
    print(f"{exact} of {REVIEWS * CHECKED_LEFT} values are exact")
    assert exact >= 0.99 * REVIEWS * CHECKED_LEFT


def test_best_moves_keep_the_value(reviews: list[Review]) -> None:
    kernel = Kernel(open_table(256))
    for each in reviews:
        for position, known in zip(each.positions, each.known, strict=True):
            if known.value is not None and position.left <= CHECKED_LEFT and not position.is_over:
                assert known.best is not None
                after = position.play(known.best)
                assert (after.margin if after.is_over else kernel.value(after).value) == known.value


def test_a_mistake_is_a_move_worse_than_the_best(reviews: list[Review]) -> None:
    """Only the values are used: Black's mistakes lower the value, and White's raise it."""
    kernel, found = Kernel(open_table(256)), 0
    for each in reviews:
        mistakes = {mistake.ply: mistake for mistake in each.mistakes}
        decisive = []
        for ply, (before, after) in enumerate(pairwise(each.known), 1):
            if before.winner and after.winner and before.winner != after.winner:
                decisive.append(ply)
            if before.value is None or after.value is None:
                continue
            cost = (before.value - after.value) * (1 if ply % 2 else -1)
            assert cost >= 0
            assert (ply in mistakes) == (cost > 0)
            if cost:
                assert (mistakes[ply].cost, mistakes[ply].exact) == (cost, True)
                better = each.positions[ply - 1].play(mistakes[ply].instead[0])
                assert (better.margin if better.is_over else kernel.value(better).value) == before.value
                found += 1
        turning = each.turning_point
        assert (turning.ply if turning else None) == (decisive[-1] if decisive else None)
        assert [mistake.ply for mistake in each.mistakes if mistake.decisive] == decisive
    assert found > REVIEWS


def test_a_review_unfolds_and_is_told_as_it_settles(reviews: list[Review]) -> None:
    """No printed line changes later, settled values stay settled, and no game takes more nodes than its limit."""
    evaluator = Evaluator([], game_nodes=40_000)
    stages: list[Review] = []
    told: list[str] = []

    def kept() -> Iterator[Review]:
        for stage in partial_reviews(reviews[0].game, evaluator):
            assert told == review_text(stage)[: len(told)]
            stages.append(stage)
            yield stage

    for line in partial_review_lines(kept()):
        told.append(line)
    assert told == review_text(stages[-1])
    settled = [len(stage.known) - len(stage.open) for stage in stages]
    assert settled == sorted(settled)
    assert settled[0] < settled[-1] == len(stages[-1].known)
    assert [stage.unexplained for stage in stages][-1] == 0
    # The lines of mistakes have no limit of nodes, but the values have one.
    alone = Evaluator([], game_nodes=40_000)
    alone.known_of_all(reviews[0].positions)
    assert alone.searched < 50_000


def test_who_wins_is_asked_where_it_is_open_and_then_all_values(
    reviews: list[Review], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the last 15 plies of this game all winners are found, and more than half of the exact values."""
    monkeypatch.setattr("little_go.arena.review.review.QUICK_NODES", 300)
    monkeypatch.setattr("little_go.arena.review.review.WINNER_NODES", 3_000)
    known = Evaluator([], 20_000).known_of_all(reviews[1].positions[9:])
    assert all(each.winner for each in known)
    assert sum(each.value is not None for each in known) > 8


def game_of(moves: str) -> Review:
    (game,) = read_games(moves.split())
    return review(game, Evaluator(session_sources(None), 20_000))


def a_review(reviews: list[Review]) -> Review:
    return next(each for each in reviews if each.mistakes)


@pytest.mark.system
def test_black_passing_at_once_throws_the_game_away() -> None:
    each = game_of("PASS")
    assert [one.value for one in each.known] == [3, 0]
    assert isinstance(each.turning_point, Mistake)
    assert (each.turning_point.ply, each.turning_point.cost, each.turning_point.kind) == (1, 3, "passes")
    assert move_name(each.turning_point.instead[0]) == "2,2"
    assert summary_text(each) == [
        "Result: White wins 2.5 : 0 (two_passes).",
        "Turning point: ply 1, Black played PASS; 2,2 kept the win.",
        "Mistakes: Black 1 (3 points); White 0.",
    ]


def test_a_review_tells_who_says_so() -> None:
    """Without a search, the certificates and the atlas contain the value of the game."""
    (game,) = read_games(["2,2"])
    ply = review(game, Evaluator(session_sources(None), 1)).record()["plies"][0]
    assert (ply["value"], ply["sources"][0]) == (3, "line")
    assert "certificate game-at-least-3.cert.gz" in ply["lo_from"]
    assert "certificate game-at-most-3.cert.gz" in ply["hi_from"]
    assert "atlas atlas.csv.gz" in ply["lo_from"]


def test_no_line_is_longer_than_sixty(reviews: list[Review]) -> None:
    for each in reviews:
        long = each.game._replace(black="a-very-long-name-of-an-agent/" * 4, white="b" * 90)
        for line in review_text(Review(long, each.positions, each.known, each.mistakes)):
            assert len(line) <= 60


def test_the_sgf_replays_and_has_best_play_as_variations(reviews: list[Review]) -> None:
    for each in reviews:
        game = sgf.Sgf_game.from_bytes(annotated_sgf(each))
        nodes = game.get_main_sequence()
        assert [move_of(node) for node in nodes[1:]] == [move_name(move) for move in each.moves()]
        for known, node in zip(each.known[1:], nodes[1:], strict=True):
            assert (node.get("V") if node.has_property("V") else None) == known.value
        for mistake in each.mistakes:
            parent = nodes[mistake.ply - 1]
            lines = [follow(child) for child in list(parent)[1:]]
            assert lines == ([list(map(move_name, mistake.instead))] if mistake.instead else [])
            assert nodes[mistake.ply].get("BM") == (2 if mistake.decisive else 1)


def test_the_sgf_has_all_that_is_known_of_a_game(tmp_path: Path, reviews: list[Review]) -> None:
    each = reviews[0]
    played = each.game._replace(black="one", white="two", day=date(2024, 2, 29), note="seed 7")
    (tmp_path / "game.sgf").write_bytes(annotated_sgf(replace(each, game=played)))
    (again,) = read_games([str(tmp_path / "game.sgf")])
    assert again._replace(variations={}) == played._replace(source="game.sgf")
    game = sgf.Sgf_game.from_bytes((tmp_path / "game.sgf").read_bytes())
    root = game.get_root()
    assert (root.get("KM"), root.get("RU")) == (2.5, "Little-Go: stones alone count, 24 plies")
    assert root.get("RE") == score_text(each.positions[-1].margin, komi=COURSE.komi)
    assert game.get_last_node().get("C").endswith("(max)")


#: A game that begins after 14 plies, with a mistake of each side, and variations: one has branches, and one is the best
#: move.
SET_UP = b"(;SZ[5]AB[cc][bc]AW[bb][cb]LG[______OO___XX____________.14.-.-];B[dc]" + (
    b"(;W[dd];B[ed])(;W[da]C[mine];B[ae](;W[aa])(;W[]))(;W[tt]))"
)


def test_a_game_that_begins_with_a_position_is_reviewed_from_there(tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_bytes(SET_UP)
    (game,) = read_games([str(tmp_path / "game.sgf")])
    each = review(game, Evaluator([], NODES))
    start = each.positions[0]
    assert (start.ply, len(each.known)) == (14, 4)
    assert {mistake.ply for mistake in each.mistakes} <= {15, 16, 17}
    assert each.mistakes
    for mistake in each.mistakes:
        assert mistake.position == each.positions[mistake.ply - 15]
    told = review_text(each)
    assert told[1:5] == ["The game stops after ply 17", "", "It begins after ply 14 with Black to move:", "  0 1 2 3 4"]
    rows = [line for line in told if re.match(r"1\d [XO] ", line)]
    assert [row[:8] for row in rows] == ["15 X 2,3", "16 O 3,3", "17 X 3,4"]
    assert [bool(re.search("<- costs", row)) for row in rows] == [
        ply in {mistake.ply for mistake in each.mistakes} for ply in (15, 16, 17)
    ]
    summary = summarise([each])
    assert [sorted(summary[name].plies) for name in ("Black", "White")] == [[15, 17], [16]]
    dots = re.findall(r'<circle class="\w+" cx="(\d+)"', curve_svg(each))
    assert [(int(x) - 56) // 30 for x in dots] == [mistake.ply for mistake in each.mistakes]


def test_its_sgf_has_its_start_and_its_variations(tmp_path: Path) -> None:
    """This also holds if a review is reviewed again: no variation occurs twice."""
    path = tmp_path / "game.sgf"
    path.write_bytes(SET_UP)
    for _ in range(2):
        (game,) = read_games([str(path)])
        each = review(game, Evaluator([], NODES))
        path.write_bytes(annotated_sgf(each))
        (again,) = read_games([str(path)])
        assert (again.state, again.state.start) == (game.state, each.positions[0])
        nodes = sgf.Sgf_game.from_bytes(path.read_bytes()).get_main_sequence()
        beside = list(nodes[1])[1:]
        assert [move_of(node) for node in beside][:2] == ["0,3", "PASS"]
        assert "mine" in beside[0].get("C")
        assert sorted(move_of(node) for node in beside[0][0])[:2] == ["0,0", "PASS"]
        for parent in nodes:
            moves = [move_of(node) for node in parent]
            assert len(moves) == len(set(moves))


def test_variations_behind_the_last_move_stay_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"(;SZ[5];B[cc];W[bb](;C[the end])(;B[aa])(;B[ab]))")
    (game,) = read_games([str(path)])
    path.write_bytes(annotated_sgf(review(game, Evaluator([], 1000))))
    (again,) = read_games([str(path)])
    assert again.state == game.state
    assert [line.sequence[0]["B"] for line in again.variations[2]] == [[b"aa"], [b"ab"]]


def test_the_author_s_comments_stay_and_ours_are_written_once(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"(;SZ[5]C[Ann: my game\\] W+0.5?];B[cc]C[good];W[bb];B[dd](;W[aa]C[hm\nhm])(;W[ee]C[aside]))")
    written = []
    for _ in range(2):
        (game,) = read_games([str(path)])
        assert game.comments == {0: "Ann: my game] W+0.5?", 1: "good", 4: "hm\nhm"}
        path.write_bytes(annotated_sgf(review(game, Evaluator([], 1000))))
        nodes = sgf.Sgf_game.from_bytes(path.read_bytes()).get_main_sequence()
        written.append([node.get("C") for node in nodes])
    assert written[0] == written[1]
    root, first, second, _, last = written[0]
    assert root.startswith("Ann: my game] W+0.5?\nLittle-Go: ")
    assert "Result: " in root
    assert first.startswith("good\nLittle-Go: ")
    assert second.startswith("Little-Go: ")
    assert last.startswith("hm\nhm\nLittle-Go: ")


def test_comments_before_a_set_up_of_stones_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"(;SZ[5]C[a game];B[cc]C[dropped];W[bb]C[last];AB[dd]AW[ee]PL[B]C[now];B[aa]C[then])")
    (game,) = read_games([str(path)])
    assert game.comments == {0: "a game\nlast\nnow", 1: "then"}


def test_what_was_taken_for_granted_is_said(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_bytes(b"(;SZ[5]KM[6.5]AB[cc][bc]AW[bb][cb];B[dc];W[dd];B[ed];W[ae];B[ea])")
    done = CliRunner().invoke(main, ["review", str(path), "--nodes", "1000"])
    assert done.stderr.splitlines()[:2] == [
        "game.sgf: it states komi 6.5, and what is said here is for komi 2.5",
        "game.sgf: its set-up does not contain the ply: taking the smallest, 4",
    ]
    # Positions of ply 7 may be stored, so the game continues beyond it.
    assert re.search(r"^not exact after ply (\d+, )*9: ", done.stderr, re.MULTILINE)


def test_a_forfeit_is_told_with_its_reason() -> None:
    game = sgf.Sgf_game.from_bytes(annotated_sgf(game_of("2,2 2,2")))
    assert game.get_root().get("RE") == "B+F"
    assert game.get_last_node().get("C").endswith(f"Black wins (invalid_occupied: 2,2 is {OCCUPIED})")


def move_of(node: object) -> str:
    _, point = node.get_move()  # type: ignore[attr-defined]
    return move_name(PASS if point is None else (4 - point[0]) * 5 + point[1])


def follow(node: object) -> list[str]:
    moves = [move_of(node)]
    while len(node):  # type: ignore[arg-type]
        node = node[0]  # type: ignore[index]
        moves.append(move_of(node))
    return moves


def test_the_curve_is_sound_svg_with_a_dot_a_mistake_whatever_the_names(reviews: list[Review]) -> None:
    each = a_review(reviews)
    each = Review(each.game._replace(black="<&>\x1b[31m\x00\ud800\uffff"), each.positions, each.known, each.mistakes)
    root = ElementTree.fromstring(curve_svg(each))
    dots = [element for element in root.iter() if element.tag.endswith("circle")]
    assert len(dots) == len(each.mistakes)
    points = [element.get("points", "") for element in root.iter() if element.tag.endswith("polyline")]
    known = sum(one.value is not None for one in each.known)
    assert sum(len(run.split()) for run in points) == known


def test_json_has_values_and_mistakes(reviews: list[Review]) -> None:
    each = a_review(reviews)
    record = json.loads(json.dumps(each.record()))
    assert [ply["value"] for ply in record["plies"]] == [one.value for one in each.known]
    assert [mistake["ply"] for mistake in record["mistakes"]] == [mistake.ply for mistake in each.mistakes]


def test_a_kind_is_the_event_of_the_reason(reviews: list[Review]) -> None:
    kinds = {mistake.kind for each in reviews for mistake in each.mistakes}
    assert len(kinds) > 2
    assert kinds <= set(KINDS)
    found = [mistake for each in reviews for mistake in each.mistakes if mistake.reason]
    assert all(mistake.kind == mistake.reason.kind for mistake in found if mistake.reason)
    assert replace(found[0], reason=None).kind == OTHER


def test_the_lines_that_are_shown_have_the_ply_that_is_named(reviews: list[Review]) -> None:
    for mistake in (mistake for each in reviews for mistake in each.mistakes):
        assert mistake.reason is not None
        plies = [int(ply) for ply in re.findall(r"at ply (\d+)", mistake.reason.text)]
        lines = dict(line.split(": ", 1) for line in mistake_text(mistake, 10_000) if ": " in line)
        # The answer follows the mistake itself, so it has one ply less.
        shown = max(len(lines["Better"].split("  ")), 1 + len(lines.get("The answer", "").split("  ")))
        assert all(ply < mistake.ply + shown for ply in plies), lines


def test_mistakes_that_are_alike_are_told_together(reviews: list[Review]) -> None:
    mistake = next(each for review in reviews for each in review.mistakes if each.reason)
    turned = replace(mistake, position=transform(1, mistake.position), move=POINT_IMAGE[1][mistake.move])
    other = replace(mistake, position=mistake.position._replace(ply=mistake.position.ply - 2))
    summary = AgentSummary(mistakes=[mistake, other, turned])
    assert summary.by_move() == [[mistake, turned], [other]]
    assert summary.record()["moves"][0]["times"] == 2
    told = " ".join(" ".join(summary.text("max")).split())
    assert f"ply {mistake.ply}, 2 times: {move_name(mistake.move)} instead of {move_name(mistake.instead[0])}" in told
    assert mistake.reason is not None
    assert mistake.reason.text in told


def test_a_summary_counts_by_ply_and_kind(reviews: list[Review]) -> None:
    summaries = summarise(reviews)
    assert sum(summary.games for summary in summaries.values()) == 2 * len(reviews)
    for name, summary in summaries.items():
        mine = [mistake for each in reviews for mistake in each.mistakes if each.game.agent(mistake.mover) == name]
        assert sum(count for count, _, _ in summary.by_ply().values()) == len(mine)
        assert sum(count for count, _, _ in summary.by_kind().values()) == len(mine)
        assert sum(cost for _, _, cost in summary.by_ply().values()) == sum(mistake.cost for mistake in mine)
        assert summary.lost == sum(
            each.state.result is not None and each.game.agent(3 - each.state.result.winner) == name for each in reviews
        )


def test_the_command_writes_all_it_is_asked_for(tmp_path: Path) -> None:
    moves = SHORT_GAME
    out = [f"--{kind}={tmp_path / f'game.{kind}'}" for kind in ("sgf", "svg", "html")] + ["--nodes", "20000"]
    done = CliRunner().invoke(main, ["review", *SHORT, *moves, *out])
    assert done.exit_code == 0, done.output
    assert re.search(r"^Turning point: ", done.stdout, re.MULTILINE)
    assert [parse_move(name) for name in moves] == [
        parse_move(move_of(node))
        for node in sgf.Sgf_game.from_bytes((tmp_path / "game.sgf").read_bytes()).get_main_sequence()[1:]
    ]
    ElementTree.parse(tmp_path / "game.svg")
    assert "<h2><bdi>Black</bdi></h2>" in (tmp_path / "game.html").read_text("utf-8")
    done = CliRunner().invoke(main, ["review", str(tmp_path / "game.sgf"), "--json", "--nodes", "20000"])
    game, agents = map(json.loads, done.stdout.splitlines())
    assert len(game["plies"]) == 9
    assert set(agents["agents"]) == {"Black", "White"}


def test_what_is_not_exact_is_told_with_what_to_do() -> None:
    # No file contains this position, because no sensible play leads to it.
    moves = ["1,1", "0,0", "4,4", "0,4", "4,0", "1,0", "3,3", "3,4"]
    done = CliRunner().invoke(main, ["review", *moves, "--nodes", "1000"])
    assert done.exit_code == 0, done.output
    assert re.search(
        r"^not exact after ply (7, )?8: give --nodes 500000000 for exact values$", done.stderr, re.MULTILINE
    )


def test_several_games_are_summed_up(tmp_path: Path) -> None:
    game = {"plies": 8, "komi": 0.5, "moves": SHORT_GAME}
    line = {"black": "one", "white": "two", **game, "winner": 1, "reason": "max"}
    (tmp_path / "games.jsonl").write_text(f"{json.dumps(line)}\n" * 2)
    options = ["--nodes", "20000", "--sgf", str(tmp_path / "sgf")]
    done = CliRunner().invoke(main, ["review", str(tmp_path / "games.jsonl"), *options])
    assert done.exit_code == 0, done.output
    assert "one: 2 games" in done.stdout
    assert len(list((tmp_path / "sgf").glob("*.sgf"))) == 2


def test_a_game_that_stops_is_reviewed_as_far_as_it_goes() -> None:
    each = game_of("2,2 1,1")
    assert len(each.known) == 3
    assert review_text(each)[:2] == ["Black (X) - White (O)", "The game stops after ply 2"]
    assert each.record()["winner"] is None
    assert isinstance(each.game, GameToReview)


def test_a_tournament_writes_reviews_on_request(tmp_path: Path) -> None:
    words = ["tournament", "random", "greedy", "--games", "1", "--review", *SHORT]
    assert CliRunner().invoke(main, words).exit_code == 2
    done = CliRunner().invoke(main, [*words, "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    for path in (tmp_path / "sgf").iterdir():
        game = sgf.Sgf_game.from_bytes(path.read_bytes())
        assert game.get_root().has_property("DT")
        assert game.get_root().get("GC").startswith("seed ")
        assert all(node.has_property("V") for node in game.get_main_sequence()[-9:])
    assert "greedy: 2 games" in (tmp_path / "review.txt").read_text()
    lines = (tmp_path / "review.jsonl").read_text().splitlines()
    assert {json.loads(line)["game"] for line in lines} == {"random - greedy, game 0", "greedy - random, game 0"}


def test_a_bad_file_among_others_is_a_line_and_a_code(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;SZ[5];B[cc];W[bb])")
    (tmp_path / "b.sgf").write_text("bad")
    done = CliRunner().invoke(main, ["review", str(tmp_path), "--nodes", "100"])
    assert done.exit_code == 2
    assert f"Error: {tmp_path / 'b.sgf'}: no SGF" in done.stderr.splitlines()[0]
    assert "The game stops after ply 2" in done.stdout
    alone = CliRunner().invoke(main, ["review", str(tmp_path / "b.sgf")])
    assert (alone.exit_code, alone.stdout, alone.stderr.count("\n")) == (2, "", 1)


def test_the_progress_counts_settled_values_and_then_explained_mistakes() -> None:
    stages: Any = [
        SimpleNamespace(open=(1, 2), known=range(5)),
        SimpleNamespace(open=(), mistakes=(1, 2, 3), unexplained=2),
    ]
    shown: list[tuple[str, int, int]] = []
    progress: Any = SimpleNamespace(settled=lambda *words: shown.append(words))
    assert list(with_progress(stages, progress)) == stages
    assert shown == [("values settled", 3, 5), ("mistakes explained", 1, 3)]

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings

from little_go.arena import agents
from little_go.arena.agents import (
    Choose,
    Quit,
    Resigned,
    UndoMove,
    aggressive,
    alphabeta,
    championship,
    greedy,
    human,
    qlearning,
    random,
    run,
)
from little_go.arena.agents.fixed_depth import Style, Weights, best_moves, evaluate
from little_go.arena.learning.littlego import LITTLE_GO, ValueTable, ValueTableError, open_table
from little_go.arena.match.contestant import put_question
from little_go.arena.match.host import OPENING, State, input_text
from little_go.arena.standings.entrants import BUILT_IN, PROGRAMMED
from little_go.solver.answer import BLACK_WINS, LEAST, MOST, Answer
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.position import BY_KO, FULL, OCCUPIED, OFF_BOARD, PASS, SUICIDE, Position, points_of
from tests.arena.helpers import after, states
from tests.arena.match.test_host import KO

ROOT = Path(__file__).parents[3]

#: White is to move and has no legal point, because 0,0 and 4,4 are suicide.
FULL_BOARD = Position(FULL & ~(1 | 1 << 24), 0, None, 23, False)


@pytest.mark.parametrize("name", [name for name in PROGRAMMED if name != "championship"])
@given(state=states())
def test_agents_play_legal_moves_and_pass_only_without_one(name: str, state: State) -> None:
    position = state.position
    move = BUILT_IN[name](position, Random(1))
    assert (move == PASS) == (position.legal_points() == 0)
    assert move in position.legal_moves()


@pytest.mark.parametrize("name", PROGRAMMED)
def test_agents_pass_without_a_legal_point(name: str) -> None:
    assert BUILT_IN[name](FULL_BOARD, Random(1)) == PASS


def test_every_module_of_an_agent_declares_it_under_its_name() -> None:
    """Two modules contain no agent: the common functions of several agents, and the agent whose name has parameters."""
    modules = {path.stem for path in Path(agents.__file__).parent.glob("*.py")}
    assert set(BUILT_IN) == modules - {"__init__", "fixed_depth", "searching"}
    assert list(BUILT_IN) == sorted(BUILT_IN)


@pytest.mark.parametrize("choose", [random.choose, greedy.choose])
def test_agents_choose_every_point_about_equally_often(choose: Choose) -> None:
    rng = Random(1)
    counts = Counter(choose(OPENING.position, rng) for _ in range(5000))
    assert len(counts) == 25
    assert min(counts.values()) > 150
    assert max(counts.values()) < 250


@given(states())
def test_greedy_takes_as_many_stones_as_can_be_taken(state: State) -> None:
    position = state.position

    def taken(move: int) -> int:
        following = position.play(move)
        both = position.black | position.white, following.black | following.white
        return both[0].bit_count() + (move != PASS) - both[1].bit_count()

    most = max(map(taken, position.legal_moves()))
    assert taken(greedy.choose(position, Random(1))) == most


def test_captures_adds_up_all_groups_taken_by_a_point() -> None:
    # The white stones at 0,0 and at 2,0 and 3,0 share one liberty, 1,0.
    state = after("0,1 0,0 2,1 2,0 3,1 3,0 4,0 4,4")
    assert greedy.captures(state.position) == {5: 3}


def test_greedy_does_not_take_the_ko_back() -> None:
    position = after(KO).position
    assert all(greedy.choose(position, Random(seed)) != 6 for seed in range(50))


def test_greedy_chooses_among_equal_captures() -> None:
    state = after("0,1 0,0 4,3 4,4")
    seen = {greedy.choose(state.position, Random(seed)) for seed in range(20)}
    assert seen == {5, 19}


# Aggressive


@given(states())
def test_aggressive_takes_as_many_stones_as_greedy(state: State) -> None:
    position = state.position
    if any(position.legal_points() >> point & 1 for point in greedy.captures(position)):
        assert aggressive.candidates(position) == greedy.candidates(position)


def test_aggressive_aims_at_the_most_stones_with_the_first_point_in_reading_order() -> None:
    # White's stones at 0,0 and 0,1 have two liberties, 0,2 and 1,0; the stone at 4,4 has 3,4 and 4,3.
    position = after("1,1 0,0 2,2 0,1 3,3 4,4").position
    assert set(aggressive.candidates(position)) == {2}


def test_aggressive_prefers_the_centre_among_equal_aims() -> None:
    # Each of the two single white stones can be captured by two moves: at 0,1 and 1,0, or at 3,4 and 4,3.
    assert set(aggressive.candidates(after("2,2 0,0 2,1 4,4").position)) == {1, 19}
    # The stone at 1,2 can be captured at 0,2 and 1,3, which are nearer to the centre.
    assert set(aggressive.candidates(after("2,2 0,0 1,1 1,2").position)) == {2}


def test_aggressive_never_tries_a_pair_whose_second_stone_is_suicide() -> None:
    # Black has stones on all points except 0,0 and 4,4, and White has none. After one of these two moves the other is
    # suicide.
    position = Position(FULL & ~(1 | 1 << 24), 0, None, 22, False)
    assert set(aggressive.candidates(position)) == {0, 24}


# The agents that search


@pytest.mark.parametrize("choose", [aggressive.choose, alphabeta.choose, championship.choose])
def test_agents_open_in_the_centre(choose: Choose) -> None:
    assert choose(OPENING.position, Random(1)) == 12


@given(states())
def test_alphabeta_is_deterministic(state: State) -> None:
    assert alphabeta.choose(state.position, Random(1)) == alphabeta.choose(state.position, Random(2))


def full_search(position: Position, depth: int, mover: int) -> int:
    """Return the mover's best margin in stones after ``depth`` stones, without pruning."""
    points = list(points_of(position.legal_points())) or [PASS]
    if depth == 0 or position.is_over:
        return position.margin if mover == 1 else -position.margin
    scores = [full_search(position.play(point), depth - 1, mover) for point in points]
    return max(scores) if position.mover == mover else min(scores)


@settings(max_examples=15, deadline=None)
@given(states())
def test_search_finds_the_best_moves(state: State) -> None:
    position = state.position
    points = list(points_of(position.legal_points()))
    scores = [full_search(position.play(point), 1, position.mover) for point in points]
    expected = [point for score, point in zip(scores, points, strict=True) if score == max(scores)] or [PASS]
    assert best_moves(position, Style(2, 25, Weights(stones=1))) == expected


def test_search_tries_captures_first_and_then_the_centre() -> None:
    style = Style(1, 1, Weights(stones=0, edge=-1))
    assert best_moves(after("2,2").position, style) == [17]
    assert best_moves(after("0,1 0,0 4,4").position, style) == [12]
    assert best_moves(after("0,1 0,0 4,4 4,3").position, style) == [5]


def positions_for(winner_is_mover: bool, left: int, count: int) -> list[Position]:
    """Return positions with this many plies left, reached by random stones, in which the mover wins or loses."""
    rng, solver = Random(3), ExactSolver()
    found: list[Position] = []
    while len(found) < count:
        position = OPENING.position
        while position.left > left:
            position = position.play(rng.choice(list(points_of(position.legal_points())) or [PASS]))
        if (COURSE.winner(solver.decide(position, 3)) == position.mover) == winner_is_mover:
            found.append(position)
    return found


@pytest.mark.parametrize("left", [1, 8, 11])
def test_championship_does_not_throw_a_won_game_away(left: int) -> None:
    solver = ExactSolver()
    for position in positions_for(True, left, 6):
        after_it = position.play(championship.choose(position, Random(1)))
        winner = COURSE.leader(after_it) if after_it.is_over else COURSE.winner(solver.decide(after_it, 3))
        assert winner == position.mover


def test_championship_makes_a_lost_game_hard_to_win() -> None:
    solver = ExactSolver()

    def holding(child: Position) -> int:
        replies = [child.play(reply) for reply in child.legal_moves()]
        winners = [COURSE.leader(each) if each.is_over else COURSE.winner(solver.decide(each, 3)) for each in replies]
        return winners.count(child.mover)

    for position in positions_for(False, 7, 4):
        children = [position.play(move) for move in position.legal_moves()]
        fewest = min(holding(child) for child in children if not child.is_over)
        assert holding(position.play(championship.choose(position, Random(1)))) == fewest


@pytest.mark.parametrize(
    ("won", "open_moves", "found"),
    [
        pytest.param({7}, {0, 24}, {7}, id="a win that is proven"),
        pytest.param(set(), {0, 24}, {0, 24}, id="else what is not refuted"),
        pytest.param(set(), set(), None, id="else any"),
    ],
)
def test_championship_plays_no_move_that_it_has_refuted(
    monkeypatch: pytest.MonkeyPatch, won: set[int], open_moves: set[int], found: set[int] | None
) -> None:
    """Black is to move after 2,2 0,1, and a slow kernel decides who wins after each move."""
    position = after("2,2 0,1").position
    known = {position.play(move): move for move in position.legal_moves()}

    class Slow:
        nodes = 0

        def __init__(self, table: object) -> None:
            pass

        def decide(self, asked: Position, threshold: int, node_limit: int) -> Answer:
            self.nodes += node_limit
            if asked == position or known[asked] in open_moves or node_limit < 10 * championship.FIRST_ROUND:
                return Answer(LEAST, MOST, None, node_limit)
            lo, hi = (BLACK_WINS, MOST) if known[asked] in won else (LEAST, BLACK_WINS - 1)
            return Answer(lo, hi, None, node_limit)

    monkeypatch.setattr(championship, "Kernel", Slow)
    monkeypatch.setattr(championship, "NODES", 1000 * championship.FIRST_ROUND)
    monkeypatch.setattr(championship, "_best_looking", lambda position, moves: list(moves))
    championship.candidates.cache_clear()
    assert set(championship.candidates(position, COURSE)) == (set(position.legal_moves()) if found is None else found)
    championship.candidates.cache_clear()


def test_championship_plays_on_without_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(championship, "NODES", 1)
    championship.candidates.cache_clear()
    for position in (*positions_for(True, 9, 2), *positions_for(False, 9, 2)):
        assert championship.choose(position, Random(1)) in position.legal_moves()
    championship.candidates.cache_clear()


# The agent that has learnt


def test_qlearning_opens_where_the_courses_does() -> None:
    assert qlearning.candidates(OPENING.position) == [7]


def test_qlearning_draws_among_the_best_shapes_of_the_best_value(monkeypatch: pytest.MonkeyPatch) -> None:
    position = after("2,2").position
    keys = {choice.move: choice.key for choice in LITTLE_GO.choices(position)}

    def best_shapes(key: int) -> list[int]:
        shapes = {move: evaluate(position.play(move), qlearning.SHAPE) for move in keys if keys[move] == key}
        # The evaluation is from the opponent's side, because the opponent moves next.
        return [move for move in shapes if shapes[move] == min(shapes.values())]

    inner, outer = best_shapes(keys[11]), best_shapes(keys[0])
    assert not set(inner) & set(outer)
    # A shape at the edge is not better. If the values of moves differ, the values decide.
    for rank, expected in ((99, inner), (100, inner), (101, outer)):
        table = ValueTable({keys[11]: 100, keys[0]: rank}, 0, 1)
        monkeypatch.setattr(qlearning, "table", lambda table=table: table)
        assert qlearning.candidates(position) == expected


def test_qlearning_without_its_table_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(qlearning, "table", lambda: open_table(tmp_path / "none.json"))
    with pytest.raises(ValueTableError, match=r"none\.json: No such file"):
        qlearning.choose(OPENING.position, Random(1))


# The person at the terminal


@pytest.fixture
def enter(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that sets the lines that a person will enter; Ctrl-D follows them."""

    def set_lines(*lines: str) -> None:
        left = iter(lines)

        def read(prompt: str) -> str:
            print(prompt)
            try:
                return next(left)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", read)

    return set_lines


def test_human_sees_the_board_and_plays(enter: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    enter("2,3")
    assert human.choose(after("2,2").position, Random()) == 13
    out = capsys.readouterr().out
    assert "  0 1 2 3 4\n0 . . . . .\n" in out
    assert "2 . . X . .\n" in out
    assert "White (O), your move" in out


@pytest.mark.parametrize("text", ["PASS", "pass", " PASS "])
def test_human_may_pass(enter: Callable[..., None], text: str) -> None:
    enter(text)
    assert human.choose(after("2,2").position, Random()) == PASS


@pytest.mark.parametrize(
    ("entry", "moves", "words"),
    [
        ("2,2", "2,2", f"Not allowed: 2,2 is {OCCUPIED}."),
        ("0,0", "0,1 4,4 1,0", f"Not allowed: 0,0 is {SUICIDE}."),
        ("1,1", KO, f"Not allowed: 1,1 is {BY_KO}."),
        ("5,5", "", f"5,5 is {OFF_BOARD}: both end at 4. Enter row,column"),
        ("undo", "2,2", "You have made no move that could be undone."),
        ("?", "", "so does Ctrl-D"),
        ("help", "", "rows 1 to 5 from the bottom"),
        ("2;2", "", "? for help"),
        ("22", "", "Enter row,column"),
        ("C3", "2,2", f"Not allowed: 2,2 is {OCCUPIED}."),
        ("F3", "", "Enter row,column"),
        ("hint", "", "There is no advice here."),
    ],
)
def test_human_is_told_what_is_wrong_and_asked_again(
    enter: Callable[..., None], capsys: pytest.CaptureFixture[str], entry: str, moves: str, words: str
) -> None:
    enter(entry, "", "3,4")
    assert human.choose(after(moves).position, Random()) == 19
    assert words in capsys.readouterr().out


@pytest.mark.parametrize(
    ("entry", "point"), [("1,3", 8), ("1 3", 8), ("1, 3", 8), ("D4", 8), ("d4", 8), ("A5", 0), ("E1", 24)]
)
def test_human_names_points_in_several_ways(enter: Callable[..., None], entry: str, point: int) -> None:
    enter(entry)
    assert human.choose(OPENING.position, Random()) == point


def test_human_is_told_of_a_pass_and_what_another_would_come_to(
    enter: Callable[..., None], capsys: pytest.CaptureFixture[str]
) -> None:
    enter("0,1")
    human.choose(after("2,2 1,1 0,0 PASS").position, Random())
    assert "White has passed. If you pass too, the game ends,\nand White wins: X 2, O 3.5.\n" in capsys.readouterr().out


def test_human_may_quit(enter: Callable[..., None]) -> None:
    enter("quit")
    with pytest.raises(Quit):
        human.choose(OPENING.position, Random())


@pytest.mark.parametrize("entries", [(), ("resign",)])
def test_human_resigns_also_by_ending_the_input(enter: Callable[..., None], entries: tuple[str, ...]) -> None:
    enter(*entries)
    with pytest.raises(Resigned):
        human.choose(OPENING.position, Random())


def test_human_may_take_back(enter: Callable[..., None]) -> None:
    enter("undo")
    with pytest.raises(UndoMove):
        human.ask(OPENING.position, "board", may_undo=True, game=COURSE)


# The agents as programs


def call(agent: str, directory: Path, entry: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", f"little_go.arena.agents.{agent}"],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"},
        input=entry,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.parametrize("agent", PROGRAMMED)
def test_program_answers_the_host(tmp_path: Path, agent: str) -> None:
    # White's only legal point is 0,0, because it captures the stone at 0,1.
    state = after("0,1 1,1 4,4 0,2")
    put_question(tmp_path, input_text(state))
    done = call(agent, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    text = (tmp_path / "output.txt").read_text()
    assert text in [f"{p // 5},{p % 5}" for p in points_of(state.position.legal_points())]
    assert (tmp_path / "little_go_memory.json").exists() == BUILT_IN[agent].needs_ply


def test_greedy_program_takes_stones(tmp_path: Path) -> None:
    put_question(tmp_path, input_text(after("0,1 0,2 4,4 1,1 4,3")))
    call("greedy", tmp_path)
    assert (tmp_path / "output.txt").read_text() == "0,0"


def test_a_program_that_needs_the_ply_is_given_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    asked: list[int] = []

    def choose(position: Position, rng: Random) -> int:
        asked.append(position.ply)
        return 12 if position.ply == 0 else PASS

    for moves in ("", "2,2 PASS"):
        put_question(tmp_path, input_text(after(moves)))
        run(choose, needs_ply=True)
    assert asked == [0, 2]


def test_program_keeps_the_ply(tmp_path: Path) -> None:
    for moves in ("", "1,2 PASS"):
        put_question(tmp_path, input_text(after(moves)))
        call("qlearning", tmp_path)
    notes = json.loads((tmp_path / "little_go_memory.json").read_text())["games"]["1"]
    assert [ply for _, ply, _ in notes] == [0, 1, 2, 3]


def test_human_program_asks_and_answers(tmp_path: Path) -> None:
    put_question(tmp_path, input_text(after("2,2")))
    done = call("human", tmp_path, "2,2\n1,1\n")
    assert "2 . . X . ." in done.stdout
    assert (tmp_path / "output.txt").read_text() == "1,1"


def test_human_program_resigns_without_an_output(tmp_path: Path) -> None:
    put_question(tmp_path, input_text(OPENING))
    done = call("human", tmp_path)
    assert (done.returncode, done.stderr) == (1, "resigned\n")
    assert not (tmp_path / "output.txt").exists()


def test_program_without_an_input_says_so(tmp_path: Path) -> None:
    done = call("random", tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("input.txt: cannot be read")
    assert "Traceback" not in done.stderr

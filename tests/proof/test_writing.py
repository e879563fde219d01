"""A certificate is written for a claim, and the independent checker proves it."""

import gzip
import re
import threading
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from little_go.book.answers.strategy import Wins, replies_after
from little_go.proof import strategist
from little_go.proof.__main__ import main
from little_go.solver.exact import ExactSolver
from little_go.solver.family import Variant
from little_go.solver.native.kernel import canonical_key, next_ply
from little_go.solver.position import GAME_PLIES, PASS, START, Position, parse_moves, play_all
from little_go.solver.symmetry import position_of

#: A position with ten plies left, after random moves except the first ones.
PLAYED = "2,2 1,2 2,1 2,3 3,3 1,3 3,4 1,1 1,0 3,2 3,1 1,4 0,0 4,2"


@pytest.fixture(autouse=True)
def small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategist, "TABLE_MIB", 16)
    monkeypatch.setattr(strategist, "LEAF_TABLE_MIB", 16)


@pytest.fixture(scope="module")
def value() -> int:
    found = ExactSolver().value(play_all(START, parse_moves(PLAYED))).value
    assert found is not None
    return found


def write(claim: str, out: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["certificate", "--claim", claim, "--out", str(out), *options])


def check(path: Path) -> Result:
    return CliRunner().invoke(main, ["check", str(path), "--workers", "1"])


def test_a_start_is_first_decided_with_fewer_plies_left() -> None:
    """These results guide the search of the start. Afterwards a table contains them, so each takes few nodes."""
    start = play_all(START, parse_moves(PLAYED)[:-2])
    claim = strategist.Claim(black=True, bound=3)
    with strategist.Strategist(claim, 1, lambda *_: None) as search:
        next(search.strategy([start], 6))
        learned = search._lanes[0].kernel
        other = strategist.Lane(claim, 16).kernel
        position = position_of(canonical_key(start))
        for left in range(strategist.SHORTEST, start.left, 2):
            shorter = position._replace(ply=GAME_PLIES - left)
            counts = [kernel.decide(shorter, claim.threshold).nodes for kernel in (learned, other)]
            assert counts[0] * 10 < counts[1], counts


@pytest.mark.parametrize(
    ("left", "shorter"),
    [(1, []), (8, []), (9, []), (10, [8]), (11, [9]), (13, [9, 11]), (14, [8, 10, 12]), (15, [9, 11, 13])],
)
def test_shorter_games_have_the_same_side_to_move(
    monkeypatch: pytest.MonkeyPatch, left: int, shorter: list[int]
) -> None:
    lane = strategist.Lane(strategist.Claim(black=False, bound=2), 16)
    decided: list[tuple[int, int]] = []

    class Recording:
        def decide(self, position: Position, threshold: int) -> None:
            decided.append((position.left, threshold))

    # With Python 3.14, setattr() cannot replace a method of a compiled class.
    monkeypatch.setattr(lane, "kernel", Recording())
    lane.learn_shorter(Position(ply=GAME_PLIES - left))
    assert decided == [(each, 3) for each in shorter]


def test_one_of_the_symmetric_moves_is_kept() -> None:
    lane = strategist.Lane(strategist.Claim(black=True, bound=0), 16)
    start = Variant(4, 0.5).start
    moves = lane.keeping_moves(start, 1000)
    assert moves == {move: replies_after(start, move) for move in (PASS, 0, 1, 2, 6, 7, 12)}


#: Positions after two plies.
LEVEL = [position_of(key) for key in sorted(next_ply(next_ply([canonical_key(START)])))]


class Searches:
    """The searches and choices of a strategist whose searches keep the given moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, kept: Wins, **limits: int) -> None:
        self._kept = kept
        #: The node limits of the searches for keeping moves.
        self.nodes: list[int] = []
        #: The functions that choose the moves, and the number of orders.
        self.choices: list[tuple[str, int]] = []
        for name, number in limits.items():
            monkeypatch.setattr(strategist, name, number)
        monkeypatch.setattr(strategist.Lane, "learn_shorter", lambda *_: None)
        monkeypatch.setattr(strategist.Lane, "keeping_moves", lambda lane, position, limit: self._keep(limit))
        monkeypatch.setattr(
            strategist, "fewest_replies", lambda wins, orders: self._choose("fewest replies", wins, orders)
        )
        monkeypatch.setattr(
            strategist, "fewest_later", lambda wins, later, orders: self._choose("fewest later", wins, orders)
        )

    def _keep(self, limit: int) -> Wins:
        self.nodes.append(limit)
        return self._kept

    def _choose(self, kind: str, wins: Mapping[Position, Wins], orders: int) -> dict[Position, int]:
        self.choices.append((kind, orders))
        return dict.fromkeys(wins, PASS)

    def run(self, count: int, leaf: int) -> None:
        """Search the first level of a strategy that starts at a number of positions."""
        with strategist.Strategist(strategist.Claim(black=True, bound=3), 1, lambda *_: None) as search:
            assert len(list(islice(search.strategy(LEVEL[:count], leaf), count))) == count


@pytest.mark.parametrize(
    ("count", "nodes", "orders"), [(1, 100, 9), (2, 50, 9), (5, 20, 9), (6, 16, 8), (14, 7, 3), (15, 7, 3), (51, 7, 1)]
)
def test_small_levels_get_longer_searches_and_more_orders(
    monkeypatch: pytest.MonkeyPatch, count: int, nodes: int, orders: int
) -> None:
    limits = {"LEVEL_NODES": 100, "PROBE_NODES": 7, "POSITIONS_TO_ORDER": 50, "MOST_ORDERS": 9}
    searches = Searches(monkeypatch, {PASS: frozenset()}, **limits)
    searches.run(count, leaf=20)
    assert searches.nodes == [nodes] * count
    assert searches.choices == [("fewest replies", orders)]


@pytest.mark.parametrize(
    ("ahead", "moves", "leaf", "kind"),
    [
        (3, 2, 18, "fewest later"),
        (4, 2, 18, "fewest replies"),
        (3, 1, 18, "fewest replies"),
        # The moves of the last level are not chosen to lead to few positions.
        (3, 2, 20, "fewest replies"),
    ],
)
def test_a_small_choice_considers_the_ply_after_the_next(
    monkeypatch: pytest.MonkeyPatch, ahead: int, moves: int, leaf: int, kind: str
) -> None:
    keys = frozenset(canonical_key(position) for position in LEVEL[:ahead])
    searches = Searches(monkeypatch, dict.fromkeys((PASS, 0)[:moves], keys), MOST_AHEAD=3)
    searches.run(2, leaf)
    assert [name for name, _ in searches.choices] == [kind]
    assert len(searches.nodes) == 2 + (ahead if kind == "fewest later" else 0)


@pytest.mark.parametrize(("left", "lanes"), [(22, [0, 0, 0, 0, 0]), (21, [0, 0, 0, 1, 1])])
@pytest.mark.parametrize("workers", [1, 2])
def test_two_lanes_share_a_level_and_its_progress(
    monkeypatch: pytest.MonkeyPatch, left: int, lanes: list[int], workers: int
) -> None:
    shown: list[tuple[int, int, int]] = []
    monkeypatch.setattr(strategist, "ONE_LANE_LEFT", 22)
    positions = [position._replace(ply=GAME_PLIES - left) for position in LEVEL[:5]]
    with strategist.Strategist(
        strategist.Claim(black=True, bound=3), workers, lambda *part: shown.append(part)
    ) as search:
        found = search._each(positions, lambda lane, position: (search._lanes.index(lane), position))
    assert found == list(zip(lanes, positions, strict=True))
    assert all(ply == GAME_PLIES - left and 0 <= done <= total == 5 for ply, done, total in shown)


def test_a_false_claim_in_one_lane_does_not_wait_for_the_other() -> None:
    released, in_time = threading.Event(), []
    level = [position._replace(ply=12) for position in LEVEL[:2]]

    def work(lane: strategist.Lane, position: Position) -> None:
        if position == level[0]:
            raise strategist.FalseClaim("false")
        in_time.append(released.wait(20))

    with strategist.Strategist(strategist.Claim(black=True, bound=3), 2, lambda *_: None) as search:
        try:
            with pytest.raises(strategist.FalseClaim):
                search._each(level, work)
        finally:
            released.set()
    assert in_time == [True]


def test_the_progress_of_a_level_ends_at_its_total(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[int, int, int]] = []
    start = Variant(4, 0.5).start
    with strategist.Strategist(strategist.Claim(black=True, bound=0), 1, lambda *part: shown.append(part)) as search:
        assert len(list(search.strategy([start], 4))) == 1
    assert shown[-1] == (20, 1, 1)


@pytest.mark.parametrize(
    ("sign", "leaf", "words"),
    # In the last case the leaf level is the level of the start.
    [(">=", "6", "or more"), ("<=", "5", "or less"), (">=", "10", "or more")],
)
def test_an_exact_value_is_proved_from_both_sides(tmp_path: Path, value: int, sign: str, leaf: str, words: str) -> None:
    out = tmp_path / "cert.gz"
    done = write(f"black {sign} {value}", out, "--moves", PLAYED, "--left", leaf)
    assert done.exit_code == 0, done.output
    assert re.search(
        rf"cert.gz: black {sign} {value}, [\d,]+ lines, leaves with {leaf} plies left, [\d,]+ bytes", done.output
    )
    proved = check(out)
    assert proved.exit_code == 0, proved.output
    assert f" at {value:+d} {words} after {PLAYED}" in proved.output


def test_a_claim_that_does_not_hold_is_refused_and_nothing_written(tmp_path: Path, value: int) -> None:
    for sign, bound, leaf in ((">=", value + 1, "6"), ("<=", value - 1, "5")):
        done = write(f"black {sign} {bound}", tmp_path / "cert", "--moves", PLAYED, "--left", leaf)
        assert done.exit_code == 1
        assert f"Error: black {sign} {bound} does not hold from " in done.output
    assert not list(tmp_path.iterdir())


@pytest.mark.system
def test_any_number_of_workers_writes_the_same_bytes(
    tmp_path: Path, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strategist, "ONE_LANE_LEFT", 9)
    for workers in ("1", "2", "5"):
        done = write(f"black >= {value}", tmp_path / workers, "--moves", PLAYED, "--left", "4", "--workers", workers)
        assert done.exit_code == 0, done.output
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes() == (tmp_path / "5").read_bytes()


def test_several_starts_share_a_certificate(tmp_path: Path) -> None:
    out = tmp_path / "cert.gz"
    starts = [f"{PLAYED} 2,0", f"{PLAYED} 2,4"]
    most = max(ExactSolver().value(play_all(START, parse_moves(moves))).hi for moves in starts)
    options = [option for moves in starts for option in ("--moves", moves)]
    done = write(f"black <= {most}", out, *options, "--left", "5")
    assert done.exit_code == 0, done.output
    rows = gzip.decompress(out.read_bytes()).decode().splitlines()
    assert rows[2:5] == [f"claim black <= {most}", *(f"start {moves}" for moves in starts)]
    proved = check(out)
    assert proved.exit_code == 0, proved.output


#: The first half of the principal variation.
HALF = "2,2 1,1 1,2 3,1 2,1 3,2 3,0 1,0 0,1 2,0 0,0 2,3"


@pytest.mark.system
@pytest.mark.long
def test_starts_of_different_depths_share_a_certificate(tmp_path: Path) -> None:
    out = tmp_path / "cert"
    done = write("black <= 3", out, "--moves", HALF, "--moves", f"{HALF} 0,2 1,3 0,3", "--left", "7", "--whole")
    assert done.exit_code == 0, done.output
    assert "\nproved: White can keep Black - White at +3 or less" in done.output
    assert check(out).exit_code == 0


def test_what_was_written_is_checked(tmp_path: Path, value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    options = (f"black >= {value}", tmp_path / "cert", "--moves", PLAYED, "--left", "6")
    assert "\nno error in " in write(*options).output
    monkeypatch.setattr(strategist.Lane, "cheapest_move", lambda lane, position: position.legal_moves()[0])
    done = write(*options, "--whole")
    assert done.exit_code == 1
    assert "\nwrong: line " in done.output


def test_a_position_that_has_fewer_plies_left_is_refused(tmp_path: Path) -> None:
    done = write("black <= 3", tmp_path / "cert", "--moves", PLAYED, "--left", "11")
    assert (done.exit_code, len(done.output.splitlines())) == (2, 1)
    assert "--left is 11, but a position of --moves has fewer plies left" in done.output

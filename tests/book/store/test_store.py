"""The store keeps facts and merges them."""

import json
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from little_go.book.store.facts import Contradiction, Fact, StoreError
from little_go.book.store.store import Store, open_store
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import OCCUPIED, PASS, POINTS, START, Position, parse_moves, play_all
from little_go.solver.symmetry import SYMMETRIES, canonical_key, key_of, transform
from tests.book.positions import facts, make_store, open_positions

#: A position with White to move.
AFTER_CENTRE = START.play(12)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "book.db", write=True, game=COURSE) as store:
        yield store


def test_an_unknown_position_is_none_or_keyerror(store: Store) -> None:
    assert store.get(START) is None
    assert START not in store
    with pytest.raises(KeyError):
        store.find(START)


def test_a_fact_comes_back(store: Store) -> None:
    assert store.record([Fact(AFTER_CENTRE, 3, 24, best=7, nodes=10, seconds=0.5)]) == 1
    entry = store.find(AFTER_CENTRE)
    assert (entry.position, entry.lo, entry.hi, entry.nodes, entry.seconds) == (AFTER_CENTRE, 3, 24, 10, 0.5)
    assert entry.best in (7, 11, 13, 17)  # the four points next to the centre are symmetric
    assert (entry.status(COURSE), entry.run, len(store), AFTER_CENTRE in store) == ("decided", None, 1, True)


@pytest.mark.system
@settings(deadline=None, max_examples=20)
@given(st.lists(facts(), max_size=8, unique_by=lambda fact: canonical_key(fact.position)))
def test_every_image_asks_the_same_entry_and_gets_a_legal_move(known: list[Fact]) -> None:
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder, "book.db"), write=True, game=COURSE) as store:
        store.record(known)
        assert len(store) == len(known)
        for fact in known:
            afters = set()
            for symmetry in range(SYMMETRIES):
                image = transform(symmetry, fact.position)
                entry = store.find(image)
                assert entry.position == image
                assert store.get_all([image, image, fact.position]) == {
                    image: entry,
                    fact.position: store.find(fact.position),
                }
                assert (entry.lo, entry.hi, entry.nodes, entry.seconds) == (fact.lo, fact.hi, fact.nodes, fact.seconds)
                if fact.best is None:
                    assert entry.best is None
                else:
                    assert entry.best is not None
                    afters.add(canonical_key(image.play(entry.best)))
            assert afters == (set() if fact.best is None else {canonical_key(fact.position.play(fact.best))})


def test_many_positions_are_looked_up_at_once(store: Store) -> None:
    store.record(Fact(START.play(move).play(24), -1, 1) for move in range(24))
    asked = [START.play(move).play(move ^ 1) for move in range(20)] + [START.play(move).play(24) for move in range(24)]
    assert list(store.get_all(asked)) == [position for position in asked if position in store]
    assert 24 < len(store.get_all(asked)) < len(asked)
    assert store.get_all([]) == {}


def test_bounds_only_tighten(store: Store) -> None:
    store.record([Fact(START, -5, 9)])
    assert store.record([Fact(START, -7, 6), Fact(START, -6, 7)]) == 1
    assert store.record([Fact(START, -24, 24)]) == 0
    entry = store.find(START)
    assert (entry.lo, entry.hi) == (-5, 6)


@settings(deadline=None, max_examples=20)
@given(st.lists(st.tuples(st.integers(-24, 3), st.integers(3, 24)), min_size=1, max_size=6), st.data())
def test_merging_does_not_depend_on_order_or_batches(bounds: list[tuple[int, int]], data: st.DataObject) -> None:
    order = data.draw(st.permutations(bounds))
    cut = data.draw(st.integers(0, len(bounds)))
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder, "book.db"), write=True, game=COURSE) as store:
        store.record(Fact(START, lo, hi, nodes=1) for lo, hi in order[:cut])
        store.record(Fact(START, lo, hi, nodes=1) for lo, hi in order[cut:])
        entry = store.find(START)
    assert (entry.lo, entry.hi) == (max(lo for lo, _ in bounds), min(hi for _, hi in bounds))
    assert entry.nodes == len(bounds)


@pytest.mark.parametrize(
    ("position", "first", "second", "best"),
    [
        pytest.param(START, (-24, 24, 0), (3, 24, 12), 12, id="Black's better proof brings its move"),
        pytest.param(START, (3, 24, 12), (-24, 9, 0), 12, id="Black's move survives a better upper bound"),
        pytest.param(START, (3, 24, 12), (3, 24, 0), 12, id="the first of two equal proofs stays"),
        pytest.param(START, (3, 24, None), (3, 24, 12), 12, id="an equal proof fills the gap"),
        pytest.param(START, (3, 24, None), (-5, 24, 12), None, id="a weaker proof does not vouch for the better bound"),
        pytest.param(START, (3, 24, 12), (5, 24, None), None, id="a better proof without a move leaves none"),
        pytest.param(AFTER_CENTRE, (-24, 24, 0), (-24, 2, PASS), PASS, id="White's better proof brings its move"),
        pytest.param(AFTER_CENTRE, (-24, 2, PASS), (-9, 2, 0), PASS, id="White's move survives a better lower bound"),
    ],
)
def test_the_best_move_keeps_the_movers_side(
    store: Store,
    position: Position,
    first: tuple[int, int, int | None],
    second: tuple[int, int, int | None],
    best: int | None,
) -> None:
    store.record([Fact(position, *first)])
    store.record([Fact(position, *second)])
    assert store.find(position).best == best


@pytest.mark.parametrize("apart", [False, True])
def test_a_contradiction_writes_nothing_of_its_batch(store: Store, apart: bool) -> None:
    batch = [Fact(AFTER_CENTRE, 0, 0), Fact(START, -24, 2)]
    if apart:
        store.record([Fact(START, 3, 24)])
    else:
        batch.append(Fact(START, 3, 24))
    with pytest.raises(Contradiction, match="cannot both be true"):
        store.record(batch)
    assert AFTER_CENTRE not in store
    assert (START in store) == apart


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        (Fact(START, 4, 3), "bounds 4 to 3"),
        (Fact(START, -25, 3), "bounds -25 to 3"),
        (Fact(START, 0, 0, best=26), "the best move, 26, is illegal"),
        (Fact(AFTER_CENTRE, 0, 0, best=12), "the best move, 12, is illegal"),
        (Fact(START.play(PASS), 0, 0), "the game is over"),
        (Fact(Position(black=1, white=1, ply=2), 0, 0), "both a black and a white stone"),
        (Fact(AFTER_CENTRE, 0, 0, moves={12: (0, 0)}), f"2,2 is {OCCUPIED}"),
        (Fact(START, 0, 0, moves={3: (1, 0)}), "bounds 1 to 0"),
    ],
)
def test_a_senseless_fact_is_refused(store: Store, fact: Fact, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        store.record([Fact(START, 0, 1), fact])
    assert len(store) == 0


def test_moves_are_known_from_records_positions_and_the_end_of_the_game(store: Store) -> None:
    store.record([Fact(AFTER_CENTRE, 4, 24, best=7), Fact(START, -24, 24, moves={12: (-24, 9), 0: (-24, 2)})])
    moves = store.moves_of(START)
    assert set(moves) == {12, 0, 4, 20, 24, PASS}  # the four corners are symmetric, so they count as one move
    assert moves[12][:2] == (4, 9)
    assert moves[12].best in AFTER_CENTRE.legal_moves()
    assert moves[24] == (-24, 2, None, 0)
    assert moves[PASS] == (0, 0, None, 0)


def test_moves_that_disagree_with_the_positions_they_lead_to_are_reported(store: Store) -> None:
    store.record([Fact(AFTER_CENTRE, 3, 24), Fact(START, -24, 24, moves={12: (-24, 2)})])
    with pytest.raises(Contradiction):
        store.moves_of(START)


def test_a_move_that_ends_the_game_cannot_have_another_score(store: Store) -> None:
    with pytest.raises(Contradiction):
        store.record([Fact(START, -24, 24, moves={PASS: (1, 24)})])


def test_a_moves_bound_is_a_bound_of_its_position(store: Store) -> None:
    store.record([Fact(START, -24, 24, moves={0: (-9, 2), 12: (3, 24)})])
    assert store.find(START).answer[:3] == (3, 24, 12)
    store.record([Fact(AFTER_CENTRE, -24, 24, moves={0: (5, 20), PASS: (0, 2)})])
    assert store.find(AFTER_CENTRE).answer[:3] == (-24, 2, PASS)
    with pytest.raises(Contradiction):
        store.record([Fact(START, -24, 5, moves={12: (6, 24)})])


@settings(deadline=None, max_examples=20)
@given(open_positions(), st.data())
def test_move_bounds_follow_the_board(position: Position, data: st.DataObject) -> None:
    move = data.draw(st.sampled_from(position.legal_moves()))
    asked = data.draw(st.integers(0, SYMMETRIES - 1))
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder, "book.db"), write=True, game=COURSE) as store:
        margin = position.play(move).margin
        store.record([Fact(position, -24, 24, moves={move: (margin, margin)})])
        image = transform(asked, position)
        known = store.moves_of(image)
        child = canonical_key(position.play(move))
        same = {m for m in image.legal_moves() if canonical_key(image.play(m)) == child}
        assert same
        assert all(known[m][:2] == (margin, margin) for m in same)


def test_statuses_follow_the_bounds(store: Store) -> None:
    middle, corner, side = (START.play(p) for p in (12, 0, 2))
    store.record([Fact(START, 3, 24), Fact(middle, -24, 2), Fact(corner, 2, 3), Fact(side, 1, 1)])
    assert store.count_by_status() == {"exact": 1, "decided": 2, "undecided": 1}
    assert Counter(entry.status(COURSE) for entry in store) == store.count_by_status()
    store.record([Fact(corner, 3, 3)])
    assert store.count_by_status()["undecided"] == 0


def test_a_store_of_another_game_counts_by_its_komi_and_from_its_start(tmp_path: Path) -> None:
    game = Variant(8, -1.5)
    with open_store(tmp_path / "eight.db", write=True, game=game) as store:
        store.record([Fact(game.start, -1, 24), Fact(game.start.play(12), -24, -2), Fact(game.start.play(0), -9, 24)])
        assert store.count_by_ply() == {
            0: {"exact": 0, "decided": 1, "undecided": 0},
            1: {"exact": 0, "decided": 1, "undecided": 1},
        }
        assert store.count_by_status() == {"exact": 0, "decided": 2, "undecided": 1}


def test_a_contradiction_names_the_game_that_its_position_is_of(tmp_path: Path) -> None:
    game = Variant(8, -1.5)
    with open_store(tmp_path / "eight.db", write=True, game=game) as store:
        store.record([Fact(game.start, -1, 24)])
        for fact in (
            Fact(game.start, -24, -2),
            Fact(game.start, -24, -5, moves={12: (3, 24)}),
            Fact(game.start, -24, 24, moves={PASS: (7, 24)}),
        ):
            with pytest.raises(Contradiction) as caught:
                store.record([fact])
            assert json.loads(str(caught.value).split("}: ")[0] + "}")["plies"] == 8
        store.record([Fact(game.start, -24, 24, moves={12: (3, 24)}), Fact(game.start.play(12), -24, 2)])
        with pytest.raises(Contradiction, match=r'"plies": 8, "komi": -1\.5'):
            store.moves_of(game.start)


def test_runs_are_noted_and_credited_with_what_they_improve(store: Store) -> None:
    first, second = store.start_run({"plies": 24}), store.start_run({})
    store.record([Fact(START, 0, 24)], run=first)
    store.record([Fact(START, 0, 24, nodes=5)], run=second)
    assert store.find(START).run == first
    store.record([Fact(START, 0, 9)], run=second)
    assert store.find(START).run == second
    store.end_run(first, "done")
    with pytest.raises(KeyError):
        store.end_run(99, "done")
    with pytest.raises(StoreError, match="FOREIGN KEY"):
        store.record([Fact(START, 0, 8)], run=99)
    with closing(sqlite3.connect(store.path)) as db, db:
        sql = "SELECT parameters, started <= ended, outcome, version <> '' FROM runs ORDER BY id"
        rows = db.execute(sql).fetchall()
    db.close()
    assert rows == [('{"plies": 24}', 1, "done", 1), ("{}", None, None, 1)]


def test_people_can_read_the_tables_with_sql(tmp_path: Path) -> None:
    ko = play_all(START, parse_moves("0,1 0,2 1,0 1,3 1,2 2,2 2,1 1,1"))
    assert ko.ko == 7, "Black may not retake at 1,2"
    corner = START.play(24)
    path = make_store(tmp_path / "book.db", Fact(ko, 3, 3), Fact(AFTER_CENTRE, 3, 24, best=PASS), Fact(corner, -1, 2))
    with closing(sqlite3.connect(path)) as db, db:
        columns = db.execute("SELECT key, black, white, ko, ply, passed FROM positions").fetchall()
        for key, black, white, point, ply, passed in columns:
            assert key_of(Position(black, white, point, ply, bool(passed))) == key
        openings = db.execute("SELECT move, lo, hi, winner, reply FROM openings").fetchall()
        frontier = db.execute("SELECT key FROM frontier").fetchall()
        progress = db.execute("SELECT ply, status, positions FROM progress").fetchall()
        movers = db.execute("SELECT DISTINCT ply, mover FROM positions ORDER BY ply").fetchall()
    db.close()
    assert openings == [("2,2", 3, 24, "Black", "PASS"), ("0,0", -1, 2, "White", None)]
    assert frontier == []
    assert progress == [(1, "decided", 2), (8, "exact", 1)]
    assert movers == [(1, 2), (8, 1)]


def test_no_column_judges_another_game_by_the_course_s_komi(tmp_path: Path) -> None:
    path = make_store(tmp_path / "high.db", Fact(START, 3, 3), game=Variant(24, 4.5))
    with closing(sqlite3.connect(path)) as db, db:
        rows = db.execute("SELECT * FROM positions").fetchall()
        views = db.execute("SELECT name FROM sqlite_schema WHERE type = 'view'").fetchall()
    db.close()
    assert (len(rows), views) == (1, [])
    assert not {"exact", "decided", "undecided", "Black", "White"} & set(rows[0])


def test_every_first_move_can_be_an_opening(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, -24, 24, moves={p: (-24, p - 1) for p in range(1, POINTS)}))
    with closing(sqlite3.connect(path)) as db, db:
        openings = dict(db.execute("SELECT move, hi FROM openings").fetchall())
    db.close()
    assert openings == {"0,0": 3, "0,1": 0, "0,2": 1, "1,1": 5, "1,2": 6, "2,2": 11}


@pytest.mark.parametrize("together", [False, True])
def test_a_contradiction_names_the_workers(store: Store, together: bool) -> None:
    run = store.start_run({})
    makers = [store.note_worker(run, f"tcp://192.0.2.{number}:5", "", "code") for number in (1, 2)]
    one, other = Fact(START, 3, 24, maker=makers[0]), Fact(START, -24, 2, maker=makers[1])
    named = r"worker tcp://192\.0\.2\.1:5 in run 1: .*, and worker tcp://192\.0\.2\.2:5 in run 1: "
    if not together:
        store.record([one], run)
    with pytest.raises(Contradiction, match=named):
        store.record([one, other] if together else [other], run)

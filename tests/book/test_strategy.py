"""A strategy, followed through the choices in the store."""

from pathlib import Path

import pytest

from book.store import Choice, Fact, open_store
from book.strategy import Incomplete, replies, strategy, won_starts
from solver.position import START, Position
from solver.symmetry import canonical_key, position_of
from tests.book.strategies import LEAF, WON, turns, winning_move, work_out


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "book.db"
    work_out(path)
    return path


def test_the_strategy_covers_every_reply_once(db: Path) -> None:
    found = {canonical_key(choice.position): choice for choice in turns(db)}
    assert len(found) == len(turns(db)) > 40
    for choice in found.values():
        for reply in replies(choice):
            assert (reply in found) == (position_of(reply).left >= LEAF)
    assert {choice.position.left for choice in found.values()} == {8, 6, 4}


def test_a_missing_choice_is_named(db: Path) -> None:
    last = position_of(min(replies(turns(db)[0])))
    with open_store(db, write=True) as store:
        store._db.execute("DELETE FROM choices WHERE position = ?", (canonical_key(last),))
        store._db.commit()
    with pytest.raises(Incomplete, match="no move is chosen at ply 18, in"):
        turns(db)


def test_a_finder_fills_in_what_the_store_does_not_hold(tmp_path: Path) -> None:
    asked = []

    def find(position: Position) -> int | None:
        asked.append(position)
        return winning_move(position)

    with open_store(tmp_path / "book.db", write=True) as store:
        start = position_of(canonical_key(WON))
        found = list(strategy(store, [start], LEAF, lambda *_: None, find))
        assert [choice.position for choice in found] == asked
        with pytest.raises(Incomplete, match="no move is chosen at ply 17"):
            list(strategy(store, [start.play(found[0].move)], LEAF, lambda *_: None, find))


def test_a_lost_position_is_no_strategy(tmp_path: Path) -> None:
    lost = WON._replace(ply=17)
    with open_store(tmp_path / "book.db", write=True) as store:
        store.record([Fact(lost, 3, 24, None)])
        store.choose([Choice(lost, 25)])
        with pytest.raises(Incomplete, match="not proven that the mover wins at ply 17"):
            list(strategy(store, [lost], 1, lambda *_: None))


def test_where_a_colour_starts(tmp_path: Path) -> None:
    first = [START.play(move) for move in (0, 1, 2, 6, 7, 12)]
    with open_store(tmp_path / "book.db", write=True) as store:
        for colour in (1, 2):
            with pytest.raises(Incomplete, match=f"it is not proven who wins at ply {colour - 1}, in"):
                won_starts(store, colour)
        store.record([Fact(START, 3, 24, 12), Fact(first[-1], 3, 24, 7)])
        store.record(Fact(position, -24, 2, 12) for position in first[:-2])
        assert won_starts(store, 1) == [START]
        with pytest.raises(Incomplete, match="it is not proven who wins at ply 1, in"):
            won_starts(store, 2)
        store.record([Fact(first[-2], 0, 0, 12)])
        won = won_starts(store, 2)
        assert sorted(map(canonical_key, won)) == sorted(map(canonical_key, first[:-1]))
        assert [canonical_key(position) for position in won] == sorted(map(canonical_key, won))


def test_a_colour_that_wins_nowhere_has_no_start(tmp_path: Path) -> None:
    with open_store(tmp_path / "book.db", write=True) as store:
        store.record([Fact(START, -24, 2)])
        with pytest.raises(Incomplete, match="Black wins no position at its first ply"):
            won_starts(store, 1)

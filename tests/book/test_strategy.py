"""From choices in the store to a certificate that the independent checker proves."""

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner

from book.__main__ import main
from book.certificate import turn_of, write_certificate
from book.store import Choice, Fact, open_store
from book.strategy import Incomplete, children, replies, strategy, won_starts
from solver.exact import ExactSolver
from solver.position import START, Position
from solver.symmetry import canonical_key, position_of

#: Black to move wins by 3, with 8 plies left.
WON = Position(black=1389316, white=4720866, ply=16)
LEAF = 4


def work_out(path: Path) -> None:
    """Store what the pure-Python solver plays in all that can arise down to the leaves, and who wins there."""
    level = {canonical_key(WON)}
    with open_store(path, write=True) as store:
        while level:
            positions = [position_of(key) for key in level if position_of(key).left >= LEAF]
            answers = [ExactSolver().decide(position, 3) for position in positions]
            pairs = list(zip(positions, answers, strict=True))
            store.record([Fact(position, answer.lo, answer.hi, answer.best) for position, answer in pairs])
            choices = [Choice(position, answer.best) for position, answer in pairs if answer.best is not None]
            store.choose(choices)
            level = {key for choice in choices for key in replies(choice)}


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "book.db"
    work_out(path)
    return path


def turns(db: Path) -> list[Choice]:
    with open_store(db) as store:
        return list(strategy(store, [WON], LEAF, lambda *_: None))


def test_the_strategy_covers_every_reply_once(db: Path) -> None:
    found = {canonical_key(choice.position): choice for choice in turns(db)}
    assert len(found) == len(turns(db)) > 40
    for choice in found.values():
        for reply in replies(choice):
            assert (reply in found) == (position_of(reply).left >= LEAF)
    assert {choice.position.left for choice in found.values()} == {8, 6, 4}


def test_its_certificate_is_proved_and_the_same_each_time(db: Path, tmp_path: Path) -> None:
    paths = [tmp_path / "one.cert.gz", tmp_path / "two.cert.gz"]
    for path in paths:
        write_certificate([turn_of(choice.position, choice.move) for choice in turns(db)], path, LEAF)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    done = CliRunner().invoke(main, ["check", str(paths[0]), "--workers", "1"])
    assert done.exit_code == 0, done.output
    assert done.output.startswith("proved: Black wins by 3 or more from 08 ")


def test_a_certificate_of_white_is_proved_from_each_start(tmp_path: Path) -> None:
    after = [position_of(key) for key in children(WON)]
    starts = [position for position in after if ExactSolver().decide(position, 3).winner == 2]
    assert 1 < len(starts) < len(after)
    paths = [tmp_path / "one.cert.gz", tmp_path / "two.cert.gz"]
    with open_store(tmp_path / "book.db", write=True) as store:
        for path, order in zip(paths, (starts, starts[::-1]), strict=True):
            choices = strategy(store, order, 3, lambda *_: None, winning_move)
            write_certificate([turn_of(choice.position, choice.move) for choice in choices], path, 3)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    done = CliRunner().invoke(main, ["check", str(paths[0]), "--workers", "1"])
    assert done.exit_code == 0, done.output
    assert done.output.startswith("proved: White wins (Black is at most 2 ahead) from 07 ")
    assert done.output.partition(": ")[2].count("07 ") == len(starts)


def winning_move(position: Position) -> int | None:
    answer = ExactSolver().decide(position, 3)
    return answer.best if answer.winner == position.mover else None


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


def test_the_command_writes_a_certificate_or_nothing(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "black.cert.gz"
    done = CliRunner().invoke(main, ["certificate", "--db", str(db), "--out", str(out)])
    assert done.exit_code == 1
    assert "it is not proven who wins at ply 0" in done.output
    with open_store(db, write=True) as store:
        store.record([Fact(Position(), 3, 24, 12)])
    done = CliRunner().invoke(main, ["certificate", "--db", str(db), "--out", str(out)])
    assert done.exit_code == 1
    assert "no move is chosen at ply 0" in done.output
    assert not out.exists()
    with open_store(db, write=True) as store:
        store.choose([Choice(Position(), 12)])
    done = CliRunner().invoke(main, ["certificate", "--db", str(db), "--out", str(out), "--leaf", "24"])
    assert done.exit_code == 0, done.output
    assert gzip.decompress(out.read_bytes()).splitlines()[-1] == b"24 ......................... - - 2,2"
    assert "1 lines, leaves with 24 plies left" in done.output
    done = CliRunner().invoke(main, ["certificate", "--db", str(db), "--leaf", "13"])
    assert done.exit_code == 2
    assert "--leaf is 13: Black moves with an even number of plies left" in done.output


def test_the_command_writes_a_certificate_of_white(db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = [START.play(move) for move in (0, 1, 2, 6, 7)]
    with open_store(db, write=True) as store:
        store.record([Fact(START.play(12), 3, 24, 7)])
        store.record(Fact(position, -24, 2, 12) for position in first)
        store.choose(Choice(position, 12) for position in first)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["certificate", "--db", str(db), "--winner", "white", "--leaf", "23"])
    assert done.exit_code == 0, done.output
    assert done.output.endswith("white.cert.gz: 5 lines, leaves with 23 plies left\n")
    rows = gzip.decompress((tmp_path / "white.cert.gz").read_bytes()).decode().splitlines()
    assert [row.removeprefix("start ") for row in rows[2:7]] == [row.removesuffix(" 2,2") for row in rows[-5:]]
    assert rows[7:10] == ["winner white", "leaf 23", "lines 5"]
    done = CliRunner().invoke(main, ["certificate", "--db", str(db), "--winner", "white"])
    assert done.exit_code == 1
    assert "no move is chosen at ply 3" in done.output
    done = CliRunner().invoke(main, ["certificate", "--db", str(db), "--winner", "white", "--leaf", "12"])
    assert done.exit_code == 2
    assert "--leaf is 12: White moves with an odd number of plies left" in done.output

"""From choices in the store to a certificate that the independent checker proves."""

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner

from book.store import Choice, Fact, open_store
from book.strategy import children, strategy
from proof.__main__ import main
from proof.certificate import turn_of, write_certificate
from solver.exact import ExactSolver
from solver.position import START, Position
from solver.symmetry import position_of
from tests.book.strategies import LEAF, WON, turns, winning_move, work_out


@pytest.fixture
def db(tmp_path: Path) -> Path:
    path = tmp_path / "book.db"
    work_out(path)
    return path


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

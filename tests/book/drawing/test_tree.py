"""The picture of the first plies."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from click.testing import CliRunner

from little_go.book.__main__ import main
from little_go.book.drawing.tree import tree_svg
from little_go.book.store.facts import Choice, Fact
from little_go.book.store.store import open_store
from little_go.solver.family import COURSE
from little_go.solver.position import START
from tests.book.positions import make_store


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A store that lacks one first move, and the answers to all replies but one."""
    after = START.play(12)
    facts = [Fact(START, 3, 3, 12), Fact(after, 3, 3, 7), Fact(START.play(0), -24, 2), Fact(START.play(2), -3, -3)]
    path = make_store(tmp_path / "book.db", *facts, Fact(after.play(7), 3, 24, 11))
    with open_store(path, write=True, game=COURSE) as store:
        store.choose([Choice(after.play(7), 11)])
    return path


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]


def test_every_first_move_every_reply_and_our_answers_are_drawn(db: Path) -> None:
    with open_store(db, game=COURSE) as store:
        found = texts(tree_svg(store))
    boards = [text for text in found if not text.endswith(("board", "moves", "one", "answers", "s"))]
    assert boards[0] == "+3"
    assert boards[1:8] == ["0,0 ≤+2", "0,1 ", "0,2 -3", "1,1 ", "1,2 ", "2,2 +3", "PASS +0"]
    assert boards[8:14] == ["0,0 ", "0,1 ", "0,2 ", "1,1 ", "1,2 ≥+3", "PASS "]
    assert boards[14:] == ["2,1 ≥+3"]


def test_the_command_writes_the_picture_or_says_why_not(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "tree.svg"
    done = CliRunner().invoke(main, ["tree", "--db", str(db), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert out.read_text(encoding="utf-8").startswith("<svg")
    empty = make_store(tmp_path / "empty.db", Fact(START, -24, 24, 12))
    done = CliRunner().invoke(main, ["tree", "--db", str(empty), "--out", str(tmp_path / "no.svg")])
    assert done.exit_code == 2
    said = f"the store does not prove who wins the game: first run little-go generator run --db {tmp_path / 'empty.db'}"
    assert done.output.strip() == f"Error: {said}"
    assert not (tmp_path / "no.svg").exists()

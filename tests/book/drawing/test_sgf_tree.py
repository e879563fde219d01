"""The tree of a store in SGF."""

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sgfmill import sgf

from little_go.book.__main__ import main
from little_go.book.drawing.tree import tree_sgf
from little_go.book.store.facts import Fact
from little_go.book.store.store import Store, open_store
from little_go.solver.bounds import score_text
from little_go.solver.family import COURSE, Variant
from little_go.solver.native.kernel import Kernel, next_ply
from little_go.solver.native.table import open_table
from little_go.solver.position import OCCUPIED, PASS, START, Position
from little_go.solver.symmetry import canonical_key, position_of
from tests.book.positions import make_store

# The tree of the first plies of a game of six plies

GAME = Variant(6, 2.5)
SHORT = GAME.start
ALIKE = "Alike: "


@pytest.fixture(scope="module")
def store_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of all positions after the first two plies of the game of six plies."""
    kernel = Kernel(open_table(16))
    keys, facts = [canonical_key(SHORT)], []
    for _ in range(3):
        for key in keys:
            answer = kernel.value(position_of(key))
            facts.append(Fact(position_of(key), answer.lo, answer.hi, answer.best))
        keys = list(next_ply(keys))
    return make_store(tmp_path_factory.mktemp("sgf") / "book.db", *facts, game=GAME)


def tree_of(store: Store, depth: int) -> Any:
    """Return the tree of the short game, whose empty board has the ply 18."""
    return sgf.Sgf_game.from_bytes(tree_sgf(store, depth))


def nodes_of(node: Any, position: Position) -> list[tuple[Any, Position]]:
    """Return a node and all nodes after it, each with its position; the moves are played, so they must be legal."""
    found = [(node, position)]
    for child in node:
        colour, point = child.get_move()
        assert colour == "bw"[position.ply % 2]
        move = PASS if point is None else (4 - point[0]) * 5 + point[1]
        found += nodes_of(child, position.play(move))
    return found


def test_the_tree_has_every_move_and_every_value(store_path: Path) -> None:
    kernel = Kernel(open_table(16))
    with open_store(store_path, game=GAME) as store:
        nodes = nodes_of(tree_of(store, 2).get_root(), SHORT)
    assert len(nodes) == 99
    for node, position in nodes:
        value = position.margin if position.is_over else kernel.value(position).lo
        assert node.get("V") == value
        assert f"{score_text(value, komi=COURSE.komi)}." in node.get("C")
        if position.ply < SHORT.ply + 2 and not position.is_over:
            children = {canonical_key(position.play(move)) for move in position.legal_moves()}
            assert len(node) == len(children)
            alike = sum(
                len(re.findall(r"Alike: (.*)\.", child.get("C"))[0].split())
                for child in node
                if ALIKE in child.get("C")
            )
            assert len(node) + alike == len(position.legal_moves())
            assert "Not in the store" not in node.get("C")


def test_the_main_line_is_best_play(store_path: Path) -> None:
    with open_store(store_path, game=GAME) as store:
        game = tree_of(store, 2)
    assert len({node.get("V") for node in game.get_main_sequence()}) == 1
    assert len(game.get_main_sequence()) == 3


def test_alike_moves_and_what_moves_lose_are_named(store_path: Path) -> None:
    with open_store(store_path, game=GAME) as store:
        root = tree_of(store, 1).get_root()
        value = store.find(SHORT).lo
    comments = {node.get("C") for node in root}
    assert sum("Alike:" in comment for comment in comments) == 5
    assert any("Alike: 0,4 4,0 4,4." in comment for comment in comments)
    for node in root:
        lost = round(value - node.get("V"))
        assert (f"loses {lost} point" in node.get("C")) == bool(lost)


def test_a_move_that_throws_a_win_away_is_marked(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 3), Fact(START.play(12), 3, 24), Fact(START.play(0), -24, 2))
    with open_store(path, game=COURSE) as store:
        root = sgf.Sgf_game.from_bytes(tree_sgf(store, 1)).get_root()
    marks = {node.get_move()[1]: node.has_property("BM") for node in root}
    assert marks == {(2, 2): False, (4, 0): True, None: True}
    assert root.get("C").splitlines()[-1] == "Not in the store: 20 moves."


def test_a_tree_too_large_is_refused(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("little_go.book.drawing.tree.MOST_NODES", 50)
    with (
        open_store(store_path, game=GAME) as store,
        pytest.raises(ValueError, match="more than 50 nodes: give a smaller --depth"),
    ):
        tree_of(store, 2)


def test_the_command_writes_the_tree(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 3), Fact(START.play(12), 3, 3, best=7))
    out = tmp_path / "out.sgf"
    run = CliRunner().invoke(main, ["sgf", "--db", str(path), "--depth", "1", "--out", str(out), "2,2"])
    assert (run.exit_code, run.output) == (0, f"{out}: written to --depth 1: a larger --depth adds plies\n")
    game = sgf.Sgf_game.from_bytes(out.read_bytes())
    assert [node.get_move() for node in game.get_main_sequence()][1] == ("b", (2, 2))
    assert "Proven: Black wins, B+0.5." in game.get_root()[0].get("C")
    bad = CliRunner().invoke(main, ["sgf", "--db", str(path), "2,2 2,2"])
    assert (bad.exit_code, bad.stderr) == (2, f"Error: 2,2 is {OCCUPIED}\n")

"""Served by the command, the page is isolated from other sites, and its workers search with one table."""

from typing import Any

from solver.native.kernel import Kernel
from solver.native.table import open_table
from solver.position import Position, move_name, parse_moves, play_all
from tools.browsing import DESK, Explorer, serve

#: Neither book nor atlas nor a line knows what most moves are worth.
LINE = "0,0 4,4 0,1 4,3 1,0 3,4 2,4 2,2"


def test_workers_share_a_table_and_say_the_same(browser: Any) -> None:
    with serve() as address:
        context = browser.new_context(viewport=DESK)
        explorer = Explorer(context, f"#moves={LINE.replace(' ', '.')}", address)
        assert explorer.do("crossOriginIsolated")
        places = explorer.do("explorer.app.engine.places.map(({ own, table, lines }) => [own, table, lines])")
        assert len(places) == explorer.do("explorer.app.engine.wanted")
        assert len({own for own, *_ in places}) == len(places)
        assert len({(table, lines) for _, table, lines in places}) == 1
        explorer.settle()
        check(explorer, play_all(Position(0, 0, None, 0, False), parse_moves(LINE)))
        assert explorer.complaints == []
        context.close()


def check(explorer: Explorer, position: Position) -> None:
    kernel, shown = Kernel(open_table(64)), explorer.moves()
    assert set(shown) == {move_name(move) for move in position.legal_moves()}
    for move in position.legal_moves():
        value = kernel.value(position.play(move)).value
        assert shown[move_name(move)] == (value, value), move_name(move)

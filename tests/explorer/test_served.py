"""If the command serves the page, the page is isolated from other sites, and its workers share one table."""

import random
from typing import Any

from little_go.book.files.shipped import VALUES
from little_go.book.files.values import read_values
from little_go.notation.record import to_record
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import START, Position, move_name, parse_moves, play_all
from tools.browsing import DESK, Explorer, serve

#: The moves of a position in which neither book nor atlas nor lines contain the values of most moves.
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


def test_the_values_of_ply_7_need_no_search(browser: Any) -> None:
    known = list(read_values(VALUES).later(7).items())
    some = dict(random.Random(7).sample(known, 40))
    with serve() as address:
        context = browser.new_context(viewport=DESK)
        explorer = Explorer(context, "", address)
        explorer.until("explorer.app.facts.levels.get(7)")
        script = "keys => keys.map(key => explorer.app.facts.levels.get(7).value(BigInt(key)))"
        assert explorer.do(script, list(map(str, some))) == list(some.values())
        # After these plies White has stones whose block is among the shipped blocks.
        before = play_all(START, parse_moves("2,2 1,1 1,2 2,1 3,2 1,3"))
        answer = explorer.do("position => explorer.app.facts.about(position).moves", to_record(before, COURSE))
        values = [(move["fact"]["lo"], move["fact"]["hi"]) for move in answer]
        kernel = Kernel(open_table(64))
        assert max(lo for lo, _ in values) == kernel.value(before).value
        assert all(lo == hi for lo, hi in values)
        assert explorer.complaints == []
        context.close()


def check(explorer: Explorer, position: Position) -> None:
    kernel, shown = Kernel(open_table(64)), explorer.moves()
    assert set(shown) == {move_name(move) for move in position.legal_moves()}
    for move in position.legal_moves():
        value = kernel.value(position.play(move)).value
        assert shown[move_name(move)] == (value, value), move_name(move)

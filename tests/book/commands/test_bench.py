"""python -m book bench: the games, the measures, and the table of them."""

import json
from itertools import pairwise

import pytest
from click.testing import CliRunner

from book.__main__ import main
from book.answers.query import Knowledge
from book.commands.bench import Measured, measure, summary
from solver.native.kernel import Kernel
from solver.native.table import open_table
from solver.position import GAME_PLIES, START, move_name
from solver.record import from_record

#: Too short for a search.
NO_TIME = 1e-9


def test_the_games_follow_from_the_seed() -> None:
    first, again, other = (
        [each.knowledge.position for each in measure([], 3, seed, NO_TIME, 16)] for seed in (1, 1, 2)
    )
    assert first == again != other
    assert len(first) == 3 * GAME_PLIES
    for before, after in pairwise(first):
        assert after == START or after in map(before.play, before.legal_moves())


def test_each_position_knows_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    for each in measure([], 1, 0, NO_TIME, 16):
        assert [position.ply for position in each.way] == list(range(each.knowledge.position.ply))


def test_ply_by_ply_half_95_percent_and_all() -> None:
    knowledge = Knowledge(START, None)
    rows = summary(Measured((), knowledge, seconds, 2 * seconds, 10) for seconds in range(20, 0, -1))
    assert rows == [
        {
            **{"ply": 0, "positions": 20, "exact": 20, "p50": 10, "p95": 19, "worst": 20},
            **{"cpu_p50": 20, "cpu_p95": 38, "cpu_worst": 40, "nodes": 200},
        }
    ]


def test_every_move_of_a_late_position_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last plies of a game, as the command tells them, against the kernel."""
    monkeypatch.setattr("book.commands.bench.session_sources", lambda book: [])
    run = CliRunner().invoke(main, ["bench", "--games", "1", "--live", "0.2", "--table", "16MiB", "--json"])
    assert run.exit_code == 0, run.output
    *records, last = map(json.loads, run.stdout.splitlines())
    assert [row["ply"] for row in last["bench"]] == list(range(GAME_PLIES))
    kernel = Kernel(open_table(16))
    for record in records[-4:]:
        position = from_record(record)
        assert record["exact"]
        values = {move_name(move): kernel.value(position.play(move)).value for move in position.legal_moves()}
        assert record["moves"] == values

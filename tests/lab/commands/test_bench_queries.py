"""python -m lab bench-queries: the measurements and their table."""

import json

import pytest
from click.testing import CliRunner

from lab.__main__ import main
from lab.commands.bench import Measured, bench_queries, summary
from lab.speed.bench import drawn_positions
from little_go.book.answers.query import Knowledge
from little_go.notation.record import from_record
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import GAME_PLIES, START, move_name
from tests.options import live_option


def test_half_of_them_95_percent_and_all() -> None:
    measured = [Measured(Knowledge(START, None, game=COURSE), seconds, 2 * seconds, 10) for seconds in range(20, 0, -1)]
    assert summary(0, measured) == {
        **{"ply": 0, "positions": 20, "exact": 20, "p50": 10, "p95": 19, "worst": 20},
        **{"cpu_p50": 20, "cpu_p95": 38, "cpu_worst": 40, "nodes": 200},
    }


@pytest.mark.system
def test_every_move_of_a_late_position_is_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command's output about the last plies of a game agrees with the kernel."""
    monkeypatch.setattr("lab.commands.bench.session_sources", lambda book: [])
    live = live_option(bench_queries, "5m")
    run = CliRunner().invoke(main, ["bench-queries", "--positions", "1", live, "0.2", "--table", "16MiB", "--json"])
    assert run.exit_code == 0, run.output
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    records, rows = lines[::2], lines[1::2]
    assert [from_record(record, COURSE) for record in records] == [position for (position,) in drawn_positions(1)]
    assert [row["ply"] for row in rows] == list(range(GAME_PLIES))
    kernel = Kernel(open_table(16))
    for record, row in zip(records[-4:], rows[-4:], strict=True):
        position = from_record(record, COURSE)
        assert (record["exact"], row["exact"]) == (True, 1)
        values = {move_name(move): kernel.value(position.play(move)).value for move in position.legal_moves()}
        assert record["moves"] == values

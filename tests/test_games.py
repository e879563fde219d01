"""The table of random games: a seed determines them, each is made once, and a row has the records of the steps."""

import json
import subprocess
from pathlib import Path

import pytest

from little_go.maker.folder import JOURNAL
from little_go.solver.family import Variant
from tests.test_layout import ROOT
from tools import games


def test_a_seed_draws_the_same_games_which_nobody_wins_by_a_pass() -> None:
    drawn = games.drawn(12, 16, 62)
    assert drawn == games.drawn(12, 16, 62) != games.drawn(12, 16, 63)
    assert len({*drawn}) == 12
    assert {game.plies for game in drawn} <= {8, 10, 12, 14, 16}
    for game in games.drawn(1000, 24, 1):
        game.check()
        assert 0 < game.komi <= 6.5
    assert len(games.drawn(1000, 24, 1)) == 9 * 7


def test_the_table_has_a_row_for_each_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = {
        "solve": {"winner": "White", "value": 0, "nodes": 1000, "seconds": 1.0},
        "close black": {"nodes": 200, "seconds": 2.0},
        "close white": {"nodes": 30, "seconds": 0.2},
        "book": {"positions": 7, "seconds": 0.0},
        "walk black": {"positions": 10, "most_nodes": 1234, "seconds": 0.0},
        "walk white": {"positions": 90, "most_nodes": 99, "seconds": 0.0},
        "certificate": {"lines": 6, "seconds": 0.0},
    }
    made = []

    def run(command: list[str], **_: object) -> None:
        folder = Path(command[command.index("--out") + 1])
        folder.mkdir(parents=True)
        events = [["begin", "solve"], *(["done", step, noted] for step, noted in steps.items())]
        (folder / JOURNAL).write_text("".join(f"{json.dumps(each)}\n" for each in ({"format": 2}, *events)))
        made.append(command[command.index("make") + 1 :])

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr("sys.argv", ["games", "--games", "2", "--plies", "8", "--seed", "1", "--out", str(tmp_path)])
    games.main()
    head, rule, *rows = capsys.readouterr().out.splitlines()
    drawn = games.drawn(2, 8, 1)
    assert [words[1:4:2] for words in made] == [[str(game.plies), f"{game.komi:g}"] for game in drawn]
    assert head.count("|") == rule.count("|") == rows[0].count("|")
    end = "| White, +0 | 3 s | 1,230 | 7 | 100 | 1,234 | 6 |"
    assert rows == [f"| {game.plies}, {game.komi:g} {end}" for game in drawn]


def test_the_table_in_the_guide_is_of_the_games_that_are_drawn_by_default() -> None:
    text = (ROOT / "docs" / "guides" / "BUILDER.md").read_text("utf-8")
    table = text.partition("<!-- table: sampled -->\n\n")[2].partition("\n\n")[0].splitlines()
    assert table[0] == f"| {' | '.join(games.COLUMNS)} |"
    named = [tuple(map(float, row.split(" | ")[0].strip("| ").split(", "))) for row in table[2:]]
    assert [Variant(int(plies), komi) for plies, komi in named] == games.drawn(12, 16, 62)

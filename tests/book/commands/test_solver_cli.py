"""The command little-go solver."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from little_go.book.commands import solver
from little_go.book.commands.solver import main
from little_go.notation.forms import read
from little_go.notation.parsed import ParsedPosition
from little_go.notation.record import answer_record, to_record
from little_go.solver.bounds import UNKNOWN
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import START, parse_moves, play_all
from tests.options import FROM_LINES
from tests.solver.positions import DATA, known_positions

ROOT = DATA.parents[1]

#: The keys of a position and of its answer. tests/key_lists.toml has their names.
KEYS = [*to_record(START, COURSE), *answer_record(UNKNOWN, [])]


def run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin, catch_exceptions=False)


def records(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def lines_of(*lefts: int) -> str:
    return "".join(json.dumps(to_record(known_positions(left)[0].position, COURSE)) + "\n" for left in lefts)


def test_every_command_has_help() -> None:
    assert "perft" in run("--help").output
    for command in main.commands.values():
        assert command.help
        assert all(getattr(option, "help", None) for option in command.params if option.param_type_name == "option")
        assert run(str(command.name), "-h").exit_code == 0


def test_perft_prints_a_line_for_each_depth() -> None:
    lines = run("perft", "4").output.splitlines()
    assert [line.split()[:2] for line in lines] == [["1", "25"], ["2", "600"], ["3", "13,800"], ["4", "303,424"]]
    assert lines[-1].endswith(" leaves/s")
    assert not lines[-2].endswith(" leaves/s")


def test_perft_counts_the_first_pass_as_any_other() -> None:
    counts = records(run("perft", "4", "--count-pass", "--json"))[0]
    assert counts["leaves"] == [26, 651, 15_650, 361_041]
    assert counts["count_pass"] is True
    assert (counts["black"], counts["ply"]) == (0, 0)


def test_perft_divides_by_move() -> None:
    moves = "2,2 1,1 PASS"
    record = records(run("perft", "3", moves, "--count-pass", "--divide", "--json"))[0]
    position = play_all(START, parse_moves(moves))
    assert {key: record[key] for key in to_record(position, COURSE)} == to_record(position, COURSE)
    assert sum(record["divide"].values()) == record["leaves"][-1]
    assert record["divide"]["PASS"] == 0
    text = run("perft", "3", moves, "--count-pass", "--divide").output
    assert text.startswith(position.diagram())
    assert f"\n0,0 {record['divide']['0,0']:>14,}\n" in text


def test_perft_of_a_finished_game_counts_nothing() -> None:
    assert records(run("perft", "2", "PASS", "--json"))[0]["leaves"] == [0, 0]


def test_value_answers_each_line() -> None:
    found = records(run("value", FROM_LINES, "-", stdin=lines_of(12, 1, 7) + "\n"))
    assert [list(record) for record in found] == [KEYS] * 3
    assert [record["value"] for record in found] == [known_positions(left)[0].value for left in (12, 1, 7)]
    assert [record["sources"] for record in found] == [["kernel"]] * 3
    assert all(record["lo"] == record["value"] == record["hi"] for record in found)


def test_value_lists_what_it_left_out_of_a_line() -> None:
    (found,) = records(run("value", FROM_LINES, "-", stdin=lines_of(1).replace("{", '{"by": "Bob", ', 1)))
    assert [*found] == [*KEYS, "not_read"]
    assert found["not_read"] == ['"by": "Bob"']


def test_value_writes_the_notes_on_each_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_with_notes(text: str, game: Variant) -> ParsedPosition:
        placed = read(text, game)
        return placed._replace(notes=("one note", "another note") if placed.position.left == 4 else ())

    monkeypatch.setattr(solver, "read", read_with_notes)
    path = tmp_path / "positions.jsonl"
    path.write_text(lines_of(3, 4))
    done = run("value", FROM_LINES, str(path))
    assert len(records(done)) == 2
    assert done.stderr == f"{path}, line 2: one note\n{path}, line 2: another note\n"


def test_value_reads_a_file(tmp_path: Path) -> None:
    path = tmp_path / "positions.jsonl"
    path.write_text(lines_of(3, 4))
    assert [record["ply"] for record in records(run("value", FROM_LINES, str(path)))] == [21, 20]


def test_value_of_a_finished_game_is_its_margin() -> None:
    record = records(run("value", "2,2 PASS PASS"))[0]
    assert (record["value"], record["best_move"], record["nodes"]) == (1, None, 0)


def test_at_least_only_decides() -> None:
    position, value, _ = known_positions(12)[0]
    line = json.dumps(to_record(position, COURSE))
    yes = records(run("value", FROM_LINES, "-", "--at-least", str(value), stdin=line))[0]
    no = records(run("value", FROM_LINES, "-", "--at-least", str(value + 1), stdin=line))[0]
    assert yes["lo"] >= value
    assert no["hi"] <= value


def test_engines_agree() -> None:
    native = records(run("value", FROM_LINES, "-", stdin=lines_of(8, 9)))
    python = records(run("value", FROM_LINES, "-", "--engine", "python", stdin=lines_of(8, 9)))
    assert [record["value"] for record in native] == [record["value"] for record in python]


def test_bad_line_is_named_and_earlier_answers_stay() -> None:
    result = run("value", FROM_LINES, "-", stdin=lines_of(3) + '\n{"black": 1}\n' + lines_of(4))
    assert result.exit_code == 2
    assert len(result.stdout.splitlines()) == 1
    assert (
        result.stderr
        == "Error: -, line 3: 'white' is missing: a position has black, white and ply, and may have ko and passed\n"
    )


@pytest.mark.parametrize("lines", ["", "\n \n"])
def test_a_file_without_a_position_is_refused(lines: str) -> None:
    result = run("value", FROM_LINES, "-", stdin=lines)
    assert (result.exit_code, result.output) == (2, "Error: -: no line contains a position\n")


@pytest.mark.usefixtures("no_kernel")
@pytest.mark.parametrize("arguments", [["perft", "2"], ["value", "PASS"]])
def test_missing_kernel_is_one_line(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert (
        result.stderr == "Error: the native kernel is not built for this Python: run make setup in a clone,"
        " or reinstall the package\n"
    )


def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    path = tmp_path / "positions.jsonl"
    path.write_text(lines_of(5, 6))
    command = [sys.executable, "-m", "little_go", "value", FROM_LINES, str(path)]
    piped = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    terminal, stderr = pty.openpty()
    for kind in ("xterm", "dumb"):
        environment = os.environ | {"TERM": kind}
        on_terminal = subprocess.run(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=stderr, check=True, env=environment
        )
        if kind == "xterm":
            assert b"positions" in os.read(terminal, 1 << 16)
    os.close(stderr)
    # A terminal of an editor gets no progress bar, and too little time has passed for a line of text.
    with pytest.raises(OSError, match="Input/output error"):
        os.read(terminal, 1 << 16)
    os.close(terminal)
    assert piped.stderr == b""
    assert piped.stdout == on_terminal.stdout
    assert piped.stdout.count(b"\n") == 2

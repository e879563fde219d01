import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from little_go.arena.__main__ import main
from little_go.arena.course.grading import NEWEST, SCHEMES
from tests.background import start

ROOT = Path(__file__).parents[3]

#: Options for a game whose mistakes are explained quickly.
SHORT = ("--plies", "8", "--komi", "0.5")


def run(*arguments: str, entry: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, entry, catch_exceptions=False)


def play(*arguments: str, black: str = "random", white: str = "greedy", entry: str | None = None) -> Result:
    return run("play", "--black", black, "--white", white, *arguments, entry=entry)


def test_every_command_has_help() -> None:
    assert "play" in run("--help").output
    for command in main.commands.values():
        assert command.help
        assert all(getattr(option, "help", None) for option in command.params)
        assert run(str(command.name), "-h").exit_code == 0


def test_module_is_a_program() -> None:
    done = subprocess.run([sys.executable, "-m", "little_go.arena", "--help"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0
    assert "python -m little_go.arena" in done.stdout


def test_finished_run_exits_0_with_a_summary() -> None:
    result = play("--games", "20")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("20 games: Black wins")
    assert "max 20" in result.stdout


def test_few_games_are_drawn() -> None:
    out = play("--seed", "5").stdout
    assert out.startswith("random (Black, X) - greedy (White, O), seed 5\n")
    assert "  0 1 2 3 4\n0 " in out


def test_boards_can_be_asked_for_and_declined() -> None:
    assert play("--games", "5", "--boards").stdout.count("  0 1 2 3 4") == 5
    assert "  0 1 2 3 4" not in play("--no-boards").stdout


def test_final_board_shows_no_ko() -> None:
    assert "+" not in play("--games", "100", "--boards").stdout


def without_cpu(path: Path) -> list[dict[str, object]]:
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for record in records:
        del record["cpu"]
    return records


def test_jsonl_has_a_line_for_each_game_and_follows_the_seed(tmp_path: Path) -> None:
    first, second, later = tmp_path / "1", tmp_path / "2", tmp_path / "3"
    play("--games", "3", "--seed", "8", "--jsonl", str(first))
    play("--games", "3", "--seed", "8", "--jsonl", str(second))
    play("--games", "1", "--seed", "10", "--jsonl", str(later))
    assert [record["seed"] for record in without_cpu(first)] == [8, 9, 10]
    assert without_cpu(first) == without_cpu(second)
    assert without_cpu(first)[2:] == without_cpu(later)


def test_jsonl_to_standard_output_leaves_it_to_scripts() -> None:
    result = play("--games", "2", "--jsonl", "-")
    assert [json.loads(line)["winner"] for line in result.stdout.splitlines()]
    assert "2 games" in result.stderr


def test_programs_play_each_other(tmp_path: Path) -> None:
    source = "open('output.txt', 'w').write('{}')"
    (tmp_path / "a.py").write_text(source.format("2,2"))
    (tmp_path / "b.py").write_text(source.format("3,3"))
    result = play("--games", "2", black=str(tmp_path / "a.py"), white=str(tmp_path / "b.py"))
    assert result.stdout.count("2,2 3,3 2,2\n") == 2
    assert "invalid_occupied 2" in result.stdout


def test_time_limits_are_kept(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("while True: pass")
    result = play("--cpu", "0.1", "--wall", "100", black=str(tmp_path / "slow.py"))
    assert "timeout 1" in result.stdout
    assert "killed for time: 1 move, for CPU\n" in result.stdout
    assert re.search(r"killed for CPU time: \d+\.\d+ s of CPU \(limit 0\.1 s\), \d+\.\d s by the clock", result.stdout)
    (tmp_path / "slow.py").write_text("import time; time.sleep(60)")
    result = play("--wall", "0.2", black=str(tmp_path / "slow.py"))
    assert "killed for time: 1 move, by the clock\n" in result.stdout
    assert re.search(r"killed by the clock: \d+\.\d s by the clock \(limit 0\.2 s\)", result.stdout)
    assert f"s of CPU (limit {SCHEMES[NEWEST].move_cpu:g} s)" in " ".join(result.stdout.split())


def test_unknown_agent_leaves_an_old_file_alone(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("old\n")
    play("--jsonl", str(tmp_path / "games"), black="nobody")
    assert (tmp_path / "games").read_text() == "old\n"


def test_human_plays_and_sees_the_answers() -> None:
    result = play(*SHORT, black="human", entry="2,2\n")
    assert result.exit_code == 0
    assert "ply 1: Black plays 2,2\nply 2: White plays " in result.stdout
    assert "White wins (resigned)\n" in result.stdout


def test_human_takes_a_move_back() -> None:
    out = play(*SHORT, black="human", white="aggressive", entry="0,1\nundo\n1,0\n").stdout
    assert "Your last move is undone.\n\n  0 1 2 3 4\n0 . . . . .\n" in out
    assert "ply 1: Black plays 1,0\n" in out
    assert "2 . .(O). .\n" in out
    assert "seed 0\n1,0 2,2\n" in out


def test_interrupt_ends_cleanly_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    result = play(black="human")
    assert result.exit_code == 130
    assert "\nThe game is left as it stands, and does not count.\n" in result.stdout
    assert result.stderr == "interrupted\n"


def test_interrupted_run_keeps_whole_lines_and_leaves_no_program(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(
        "import os, time\n"
        "open('games', 'a').write('x')\n"
        "if os.path.getsize('games') == 4:\n"
        "    open(os.environ['SLEEPER'], 'w').write(str(os.getpid()) + ' ' + os.getcwd() + ' .')\n"
        "    time.sleep(60)\n"
        "open('output.txt', 'w').write('PASS')\n"
    )
    sleeper, lines = tmp_path / "sleeper", tmp_path / "lines"
    command = ["arena", "play", "--black", str(tmp_path / "player.py"), "--white", "random"]
    host = start(*command, "--games", "9", "--jsonl", str(lines), env={**os.environ, "SLEEPER": str(sleeper)})
    deadline = time.monotonic() + 50
    while not (sleeper.exists() and sleeper.read_text().endswith(".")):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    host.send_signal(signal.SIGINT)
    out, err = host.communicate(timeout=30)
    assert (host.returncode, err) == (130, "interrupted\n")
    assert out.startswith("3 games: Black wins 0, White wins 3")
    assert [json.loads(line)["reason"] for line in lines.read_text().splitlines()] == ["two_passes"] * 3
    process, directory, _ = sleeper.read_text().split(" ")
    with pytest.raises(ProcessLookupError):
        os.kill(int(process), 0)
    assert not Path(directory).exists()


def test_lines_for_a_full_disk_are_one_line_that_names_it(tmp_path: Path) -> None:
    result = play("--jsonl", "/dev/full")
    assert result.exit_code == 2
    assert result.output.splitlines()[-1] == "Error: /dev/full: No space left on device"


def test_a_clock_that_runs_away_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    # The warden's delay is 0 here, because programs start slowly compared with a clock that runs 500 times as fast.
    monkeypatch.setattr("little_go.arena.match.process._DELAY", 0.0)
    monkeypatch.setattr("little_go.arena.match.process._PATIENCE", 0.0)
    result = play(black=str(ROOT / "my_player3.py"))
    assert result.exit_code == 2
    assert result.output.splitlines()[-1].startswith("Error: the process that runs programs did not start")

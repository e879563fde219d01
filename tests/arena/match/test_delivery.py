import os
from pathlib import Path

from hypothesis import HealthCheck, given, settings

from little_go.arena.match.contestant import put_question, take_answer
from little_go.arena.match.host import OPENING, State, input_text
from little_go.player.main import read_question
from little_go.solver.family import COURSE
from little_go.solver.position import Position
from tests.arena.helpers import after, states
from tests.arena.match.test_host import KO


def test_exact_bytes_of_input_txt(tmp_path: Path) -> None:
    put_question(tmp_path, input_text(after("0,0 4,4")))
    expected = b"1\n10000\n00000\n00000\n00000\n00000\n10000\n00000\n00000\n00000\n00002"
    assert (tmp_path / "input.txt").read_bytes() == expected


def test_both_files_of_the_last_move_are_deleted(tmp_path: Path) -> None:
    (tmp_path / "input.txt").write_text("old and longer than the new one will be" * 10)
    (tmp_path / "output.txt").write_text("0,0")
    put_question(tmp_path, "new")
    assert (tmp_path / "input.txt").read_text() == "new"
    assert not (tmp_path / "output.txt").exists()


def test_a_linked_input_txt_is_replaced_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("kept")
    (tmp_path / "input.txt").symlink_to("kept.txt")
    put_question(tmp_path, "new")
    assert (tmp_path / "kept.txt").read_text() == "kept"


def test_all_other_files_stay(tmp_path: Path) -> None:
    (tmp_path / "step.txt").write_text("7")
    put_question(tmp_path, "new")
    assert (tmp_path / "step.txt").read_text() == "7"


def test_missing_output_is_no_answer(tmp_path: Path) -> None:
    assert take_answer(tmp_path) is None


def test_directory_or_pipe_for_an_output_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "output.txt").mkdir()
    assert take_answer(tmp_path) is None
    (tmp_path / "output.txt").rmdir()
    os.mkfifo(tmp_path / "output.txt")
    assert take_answer(tmp_path) is None


def test_output_that_is_no_text_is_an_answer(tmp_path: Path) -> None:
    (tmp_path / "output.txt").write_bytes(b"\xff\xfe2,3")
    assert take_answer(tmp_path) == "\udcff\udcfe2,3"


def test_huge_output_is_cut_off(tmp_path: Path) -> None:
    (tmp_path / "output.txt").write_bytes(b"2,3\n" + b"x" * 10**6)
    assert take_answer(tmp_path) == "2,3\n" + "x" * (8192 - 4)


def asked(directory: Path) -> Position:
    """Return the position that a player reads there, with the lowest ply that fits."""
    question = read_question(str(directory / "input.txt"), game=COURSE)
    return question.position(question.least_ply)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(states())
def test_a_program_sees_the_position_but_for_the_ply(tmp_path: Path, state: State) -> None:
    put_question(tmp_path, input_text(state))
    seen, true = asked(tmp_path), state.position
    assert seen.ply <= true.ply
    assert seen._replace(ply=0) == true._replace(ply=0)
    assert (seen.mover, seen.legal_points()) == (true.mover, true.legal_points())
    assert seen.pass_ends == true.pass_ends
    seen.check()


def test_a_program_sees_the_ko(tmp_path: Path) -> None:
    put_question(tmp_path, input_text(after(KO)))
    assert asked(tmp_path).ko == 6


def test_untouched_board_is_the_start(tmp_path: Path) -> None:
    put_question(tmp_path, input_text(OPENING))
    assert asked(tmp_path) == Position()

"""The course's module ``host`` in this process: what it prints, its ends of a game, and each part of its board."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).parents[3] / "arena" / "match" / "course_modules"

NAMES = ("host", "read", "write", "random_player")


@pytest.fixture(scope="module")
def host() -> Iterator[ModuleType]:
    """The module as a program imports it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        patch.setattr(sys, "dont_write_bytecode", True)
        for name in NAMES:
            patch.delitem(sys.modules, name, raising=False)
        yield __import__("host")
        for name in NAMES:
            sys.modules.pop(name, None)


class Scripted:
    """A player whose moves are given."""

    def __init__(self, *moves: Any) -> None:
        self.moves = list(moves)
        self.colours: list[int] = []

    def get_input(self, go: Any, piece_type: int) -> Any:
        self.colours.append(piece_type)
        return self.moves.pop(0)


def board_of(host: ModuleType, rows: str, size: int = 5) -> Any:
    go = host.GO(size)
    go.board = [[int(stone) for stone in row] for row in rows.split()]
    return go


def test_a_new_board(host: ModuleType) -> None:
    go = host.GO(5)
    assert (go.n, go.size, go.max_move, go.komi, go.verbose) == (5, 5, 24, 2.5, False)
    assert (go.X_move, go.n_move, go.died_pieces) == (True, 0, [])
    assert go.board == go.previous_board == [[0] * 5] * 5
    assert len({id(row) for row in (*go.board, *go.previous_board)}) == 10
    other = [[1] * 5] * 5
    go.update_board(other)
    assert go.board is other


def test_the_kind_of_a_player(host: ModuleType) -> None:
    assert __import__("random_player").RandomPlayer().type == "random"


def test_the_stones_that_the_last_move_captured(host: ModuleType) -> None:
    go = host.GO(2)
    go.set_board(1, [[1, 2], [0, 1]], [[0, 2], [2, 1]])
    assert (go.died_pieces, go.previous_board, go.board) == ([(0, 0)], [[1, 2], [0, 1]], [[0, 2], [2, 1]])
    assert go.compare_board([[1, 2], [0, 1]], [[1, 2], [0, 1]])
    assert not any(go.compare_board([[0, 0], [0, 0]], other) for other in ([[1, 0], [0, 0]], [[0, 0], [0, 2]]))


def test_neighbours_and_groups(host: ModuleType) -> None:
    go = board_of(host, "110 201 002", 3)
    assert sorted(go.detect_neighbor(0, 0)) == [(0, 1), (1, 0)]
    assert sorted(go.detect_neighbor(1, 1)) == [(0, 1), (1, 0), (1, 2), (2, 1)]
    assert sorted(go.detect_neighbor(2, 2)) == [(1, 2), (2, 1)]
    assert go.detect_neighbor_ally(0, 0) == [(0, 1)]
    assert sorted(go.ally_dfs(0, 1)) == [(0, 0), (0, 1)]
    assert go.ally_dfs(1, 2) == [(1, 2)]
    assert (go.score(1), go.score(2)) == (3, 2)


def test_dead_stones_are_found_and_removed(host: ModuleType) -> None:
    go = board_of(host, "112 222 000", 3)
    assert (go.find_died_pieces(1), go.find_died_pieces(2)) == ([(0, 0), (0, 1)], [])
    assert (go.find_liberty(0, 0), go.find_liberty(1, 1)) == (False, True)
    assert go.remove_died_pieces(1) == [(0, 0), (0, 1)]
    assert go.board == [[0, 0, 2], [2, 2, 2], [0, 0, 0]]


@pytest.mark.parametrize(
    ("rows", "point", "fault"),
    [
        ("00000 00000 00000 00000 00000", (5, 0), "5,0 is not on the board."),
        ("00000 00000 00000 00000 00000", (0, 5), "0,5 is not on the board."),
        ("00000 00000 00000 00000 00000", (-1, 0), "-1,0 is not on the board."),
        ("00000 00000 00000 00000 00000", (0, -1), "0,-1 is not on the board."),
        ("00000 00000 00000 00000 00000", (4, 4), ""),
        ("00000 00000 00200 00000 00000", (2, 2), "there is a stone at 2,2."),
        ("02000 20000 00000 00000 00000", (0, 0), "the stone at 0,0 would have no liberty."),
        ("02100 21000 10000 00000 00000", (0, 0), ""),
    ],
)
def test_why_a_stone_may_not_be_placed(
    host: ModuleType, capsys: pytest.CaptureFixture[str], rows: str, point: tuple[int, int], fault: str
) -> None:
    go = board_of(host, rows)
    assert go.valid_place_check(*point, 1) is not bool(fault)
    assert capsys.readouterr().out == ""
    go.verbose = True
    go.valid_place_check(*point, 1, test_check=True)
    assert capsys.readouterr().out == ""
    go.valid_place_check(*point, 1)
    assert capsys.readouterr().out == (f"Invalid placement: {fault}\n" if fault else "")


def test_ko_forbids_only_the_board_before(host: ModuleType) -> None:
    before = [[0, 1, 2, 0, 0], [1, 2, 0, 2, 0], [0, 1, 2, 0, 0], [0] * 5, [0] * 5]
    now = [[0, 1, 2, 0, 0], [1, 0, 1, 2, 0], [0, 1, 2, 0, 0], [0] * 5, [0] * 5]
    go = host.GO(5)
    go.set_board(2, before, now)
    assert go.died_pieces == [(1, 1)]
    assert go._fault(1, 1, 2) == "1,1 would bring back the board before the last move (KO)."
    go.died_pieces = []
    assert go._fault(1, 1, 2) == ""
    go.set_board(2, [[*row[:4], 1] for row in before], now)
    assert go._fault(1, 1, 2) == ""


def test_the_winner_counts_the_komi(host: ModuleType) -> None:
    assert board_of(host, "111 000 000", 3).judge_winner() == 1
    assert board_of(host, "100 000 000", 3).judge_winner() == 2
    assert board_of(host, "11 00", 2).judge_winner() == 1
    assert board_of(host, "10 00", 2).judge_winner() == 0
    assert board_of(host, "00 00", 2).judge_winner() == 2


def test_a_game_ends_after_its_moves_or_two_passes(host: ModuleType) -> None:
    go = host.GO(3)
    go.previous_board = [[1] * 3] * 3
    assert [go.game_end(1, action) for action in ("MOVE", "PASS")] == [False, False]
    go.previous_board = go.board
    assert [go.game_end(1, action) for action in ("MOVE", "PASS")] == [False, True]
    go.n_move = 7
    assert not go.game_end(1)
    go.n_move = 8
    assert go.game_end(1)


def test_a_printed_game(host: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    black, white = Scripted((0, 0), (1, 1), "PASS"), Scripted((0, 0), (0, 1), "PASS")
    go = host.GO(2)
    assert go.play(black, white, verbose=True) == 1
    assert (black.colours, white.colours) == ([1, 1], [2, 2])
    assert (go.n_move, go.X_move, go.max_move) == (3, False, 3)
    assert capsys.readouterr().out == (
        "----\nX  \n   \n----\n"
        "Invalid placement: there is a stone at 0,0.\n"
        "----\nX O\n   \n----\n"
        "----\nX  \n  X\n----\n"
    )
    quiet = host.GO(5)
    assert quiet.play(Scripted((2, 2), "PASS"), Scripted("PASS")) == 2
    assert (quiet.n_move, quiet.verbose) == (3, False)
    # Black's first PASS ends a game on the empty board.
    assert (host.GO(5).play(Scripted("PASS"), Scripted()), capsys.readouterr().out) == (2, "")


@pytest.mark.parametrize(
    ("rows", "answer", "n_move", "code", "printed", "next_input"),
    [
        ("00000 " * 5, "2,2", 1, 0, "", "2\n" + "00000\n" * 5 + "00000\n00000\n00100\n00000\n00000"),
        ("00000 " * 4 + "00001", "PASS", 1, 0, "", "2\n" + ("00000\n" * 4 + "00001\n") * 2),
        ("00000 " * 5, "PASS", 1, 2, "", None),
        ("00000 " * 5, "5,5", 1, 2, "", None),
        ("00000 " * 5, "x", 1, 2, "output.txt is missing or has no move\n", None),
        ("00000 " * 5, "", 1, 2, "output.txt is missing or has no move\n", None),
        ("11111 11111 01111 00000 00000", "2,0", 24, 1, "", None),
        ("02000 02000 02000 20000 00000", "4,4", 24, 2, "", None),
    ],
)
def test_judge(
    host: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    rows: str,
    answer: str,
    n_move: int,
    code: int,
    printed: str,
    next_input: str | None,
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "\n".join(["1", *["00000"] * 5, *rows.split()])
    Path("input.txt").write_text(text)
    Path("output.txt").write_text(answer)
    with pytest.raises(SystemExit) as ended:
        host.judge(n_move)
    assert (ended.value.code, capsys.readouterr().out) == (code, printed)
    assert Path("input.txt").read_text().split() == (next_input or text).split()


def test_judge_prints_the_board_if_it_is_verbose(
    host: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("input.txt").write_text("\n".join(["2", *["00000"] * 5, "01000", "10000", *["00000"] * 3]))
    for answer, code, printed in (
        ("0,0", 1, "Invalid placement: the stone at 0,0 would have no liberty.\n"),
        ("1,1", 0, "----------\n  X      \nX O      \n         \n         \n         \n----------\n"),
    ):
        Path("output.txt").write_text(answer)
        with pytest.raises(SystemExit) as ended:
            host.judge(3, verbose=True)
        assert (ended.value.code, capsys.readouterr().out) == (code, printed)


def test_a_captured_stone_is_gone_in_the_next_input(
    host: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("input.txt").write_text("\n".join(["1", *["00000"] * 5, "21000", "00000", *["00000"] * 3]))
    Path("output.txt").write_text("1,0")
    with pytest.raises(SystemExit) as ended:
        host.judge(3)
    assert ended.value.code == 0
    words = Path("input.txt").read_text().split()
    assert (words[0], words[1:3], words[6:8]) == ("2", ["21000", "00000"], ["01000", "10000"])

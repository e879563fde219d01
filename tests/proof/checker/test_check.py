"""The certificate's checker: what it proves, and what it must catch, at the right line."""

import ast
import gzip
import hashlib
import json
import random
import re
import subprocess
import sys
from bisect import bisect
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from proof.__main__ import main
from proof.certificate import Turn, turn_of, write_certificate
from proof.checker import check as checker
from proof.checker.check import BadCertificate, Fault, Outcome, Place, State, Tally, check, line_fault, read_certificate
from proof.checker.referee import Referee
from solver.position import PASS, START, Position
from tests.solver import minimax

ROOT = Path(__file__).parents[3]
ORACLE = ROOT / "tests" / "data" / "oracle_positions.jsonl"

#: A game of 8 plies that Black wins, with one first move only.
BOARD = "..OO.OXXXOOXX.OO.X.O.XX.."


class Game(NamedTuple):
    """What a certificate of the tests is about.

    winner: "Black" or "White". leaf: plies left at the leaves, two lines below the starts.
    """

    winner: str
    starts: tuple[minimax.State, ...]
    leaf: int

    @property
    def loser(self) -> str:
        return {"Black": "White", "White": "Black"}[self.winner]

    @property
    def first(self) -> int:
        """Return the number of the first line after the header."""
        return 7 + len(self.starts)

    def won(self, state: minimax.State) -> bool:
        return black_wins(state) == (self.winner == "Black")

    def losing(self, line: str) -> int | None:
        """Return a move with which the winner loses the position of a line."""
        return next(move for move, after in minimax.successors(state_of(line)) if not self.won(after))


# ---- a little solver and a strategy, on the strings of tests.solver.minimax ----


@cache
def black_wins(state: minimax.State) -> bool:
    if state.left == 0:
        return state.board.count("X") - state.board.count("O") >= 3
    after = (child for _, child in minimax.successors(state))
    return any(map(black_wins, after)) if state.mover == "X" else all(map(black_wins, after))


def name(move: int | None) -> str:
    return "PASS" if move is None else f"{move // 5},{move % 5}"


def ko_of(state: minimax.State) -> str:
    """Return the point where a stone is illegal for nothing but the board before."""
    free = state._replace(before="?")
    return next((name(p) for p in range(25) if minimax.after(free, p) and not minimax.after(state, p)), "-")


def turn(state: minimax.State, move: int | None) -> Turn:
    return state.board, ko_of(state), state.passed, state.left, name(move)


def place(state: minimax.State) -> Place:
    return checker.parse_place(f"{state.left:02} {state.board} {ko_of(state)} {'P' if state.passed else '-'}")


def state_of(line: str) -> minimax.State:
    """Return the position of a line without a ko."""
    left, board, ko, passed, _ = line.split()
    assert ko == "-"
    return minimax.State(board, board if passed == "P" else "?", "XO"[int(left) % 2], int(left), passed == "P")


@cache
def game_of(winner: str) -> Game:
    """Return the game, or what follows on three first moves with which Black loses it."""
    start = minimax.State(BOARD, "?", "X", 8, False)
    if winner == "Black":
        return Game(winner, (start,), 4)
    lost = [after for _, after in minimax.successors(start) if not black_wins(after)]
    return Game(winner, tuple(sorted(lost[-3:], key=lambda state: checker.place_text(place(state)))), 3)


@cache
def strategy(game: Game) -> dict[minimax.State, int | None]:
    moves: dict[minimax.State, int | None] = {}
    todo = [*game.starts]
    while todo:
        state = todo.pop()
        if state not in moves:
            moves[state], after = next((move, after) for move, after in minimax.successors(state) if game.won(after))
            if state.left > game.leaf and after.left:
                todo += [reply for _, reply in minimax.successors(after) if reply.left]
    return moves


def turns_of(game: Game) -> list[Turn]:
    return [turn(state, move) for state, move in strategy(game).items()]


@pytest.fixture(scope="module", params=["Black", "White"])
def game(request: pytest.FixtureRequest) -> Game:
    return game_of(request.param)


@pytest.fixture(scope="module")
def good(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("good") / "good"
    assert write_certificate(turns_of(game), path, game.leaf) > 50
    return path


@pytest.fixture
def lines(game: Game, good: Path) -> list[str]:
    return good.read_text("ascii").splitlines()[game.first - 1 :]


def sealed(game: Game, path: Path, lines: list[str]) -> Path:
    """Write lines with a header that fits them."""
    body = "".join(f"{line}\n" for line in lines)
    starts = [f"start {checker.place_text(place(state))}" for state in game.starts]
    head = [checker.MAGIC, checker.RULES, *starts, f"winner {game.winner.lower()}", f"leaf {game.leaf}"]
    head += [f"lines {len(lines)}", f"sha256 {hashlib.sha256(body.encode()).hexdigest()}"]
    path.write_text("".join(f"{row}\n" for row in head) + body, "ascii")
    return path


def fault_of(path: Path) -> Fault:
    """Return the fault that a check finds, whose line must be the one of that number."""
    try:
        certificate = read_certificate(path)
    except BadCertificate as error:
        return error.fault
    fault = check(certificate).fault
    assert fault is not None
    assert path.read_text("ascii").splitlines()[fault.number - 1] == fault.line
    return fault


def of_left(lines: list[str], left: int) -> list[int]:
    return [index for index, line in enumerate(lines) if line.startswith(f"{left:02} ")]


def insert(lines: list[str], line: str) -> int:
    """Put a line where it belongs, and return its index."""
    index = bisect([(-int(other[:2]), other) for other in lines], (-int(line[:2]), line))
    lines.insert(index, line)
    return index


def with_move(line: str, move: int | None) -> str:
    return f"{line.rpartition(' ')[0]} {name(move)}"


def parents(lines: list[str], text: str) -> list[int]:
    """Return the indices of the lines after whose move some reply leads to the position ``text``."""
    found = []
    for index in of_left(lines, int(text[:2]) + 2):
        state = state_of(lines[index])
        after = next(child for move, child in minimax.successors(state) if name(move) == lines[index].split()[-1])
        if any(checker.place_text(place(reply)) == text for _, reply in minimax.successors(after)):
            found.append(index)
    return found


# ---- what is right ----


def test_a_right_certificate_is_proved(game: Game, good: Path, lines: list[str]) -> None:
    certificate = read_certificate(good)
    outcome = check(certificate)
    assert outcome.fault is None
    assert outcome.earlier == 0
    assert outcome.tally[:2] == (len(lines), len(of_left(lines, game.leaf)))
    assert outcome.tally.nodes > 0
    assert (certificate.winner, certificate.loser) == (game.winner, game.loser)
    assert certificate.starts == tuple(checker.place_text(place(state)) for state in game.starts)


def test_writing_is_deterministic_and_refuses_what_is_no_strategy(game: Game, good: Path, tmp_path: Path) -> None:
    turns = turns_of(game)
    mirrored = [(t[0][::-1], "-", t[2], t[3], t[4] if t[4] == "PASS" else name(24 - 5 * int(t[4][0]) - int(t[4][2])))
                for t in turns if t[1] == "-"]  # fmt: skip
    write_certificate(reversed(turns + mirrored), tmp_path / "again", game.leaf)
    assert (tmp_path / "again").read_bytes() == good.read_bytes()
    board, ko, passed, left, move = turns[0]
    other = next(name(p) for p in range(25) if board[p] == "." and name(p) != move)
    with pytest.raises(ValueError, match="two moves for one position"):
        write_certificate([*turns, (board, ko, passed, left, other)], tmp_path / "two", game.leaf)
    for wrong in ([], [*turns, (board, ko, passed, left - 1, "PASS")]):
        with pytest.raises(ValueError, match="as even or odd as the leaf level"):
            write_certificate(wrong, tmp_path / "wrong", game.leaf)
    assert [path.name for path in tmp_path.iterdir()] == ["again"]
    assert turn_of(START, PASS) == ("." * 25, "-", False, 24, "PASS")


def test_a_compressed_certificate_is_read(game: Game, good: Path, tmp_path: Path) -> None:
    packed = tmp_path / "good.gz"
    write_certificate(turns_of(game), packed, game.leaf)
    assert gzip.decompress(packed.read_bytes()) == good.read_bytes()
    assert read_certificate(packed) == read_certificate(good)
    packed.write_bytes(packed.read_bytes()[:-40])
    with pytest.raises(BadCertificate, match="cannot be unpacked"):
        read_certificate(packed)


# ---- what is wrong in substance ----


@pytest.mark.parametrize("above", [4, 2])
def test_a_flipped_move_of_a_node(game: Game, lines: list[str], tmp_path: Path, above: int) -> None:
    index = next(i for i in reversed(of_left(lines, game.leaf + above)) if " P " not in lines[i])
    lines[index] = with_move(lines[index], game.losing(lines[index]))
    fault = fault_of(sealed(game, tmp_path / "bad", lines))
    assert fault.number == game.first + index
    assert re.search(f"missing reply.* {game.loser}'s |ends the game, and {game.loser} wins", fault.why)


def test_a_flipped_move_of_a_leaf(game: Game, lines: list[str], tmp_path: Path) -> None:
    index = next(i for i in of_left(lines, game.leaf)[20:] if " - - " in lines[i])
    lines[index] = with_move(lines[index], game.losing(lines[index]))
    fault = fault_of(sealed(game, tmp_path / "bad", lines))
    assert (fault.number, fault.why[:10]) == (game.first + index, f"{game.loser} wins")


def test_every_missing_line_is_missed(game: Game, lines: list[str], tmp_path: Path) -> None:
    for gone in [*of_left(lines, game.leaf + 2), *of_left(lines, game.leaf)[::9]]:
        text = lines[gone].rpartition(" ")[0]
        fault = fault_of(sealed(game, tmp_path / "bad", lines[:gone] + lines[gone + 1 :]))
        assert fault.number == game.first + min(parents(lines, text))
        assert fault.why.startswith("missing reply")
        assert f" and {game.loser}'s " in fault.why
        assert fault.why.endswith(text)


def test_a_leaf_that_is_not_won(game: Game, lines: list[str], tmp_path: Path) -> None:
    lost = (
        reply
        for node in map(state_of, (lines[index] for index in of_left(lines, game.leaf + 2)))
        for _, after in minimax.successors(node)
        for _, reply in minimax.successors(after)
        if reply.left == game.leaf and not game.won(reply)
    )
    index = insert(lines, f"{checker.place_text(place(next(lost)))} PASS")
    fault = fault_of(sealed(game, tmp_path / "bad", lines))
    assert fault.number == game.first + index
    assert f"{game.loser} wins" in fault.why


def test_a_complete_strategy_for_a_start_that_is_lost(tmp_path: Path) -> None:
    game = game_of("White")
    after = (child for _, child in minimax.successors(minimax.State(BOARD, "?", "X", 8, False)))
    lost = next(child for child in after if black_wins(child))
    moves = dict(strategy(game))
    todo = [lost]
    while todo:
        state = todo.pop()
        if state not in moves:
            children = minimax.successors(state)
            moves[state], child = next((each for each in children if game.won(each[1])), children[0])
            if state.left > game.leaf and child.left:
                todo += [reply for _, reply in minimax.successors(child) if reply.left]
    write_certificate((turn(state, move) for state, move in moves.items()), tmp_path / "bad", game.leaf)
    assert f"start {checker.place_text(place(lost))}\n" in (tmp_path / "bad").read_text("ascii")
    fault = fault_of(tmp_path / "bad")
    assert "Black wins" in fault.why
    wrong = {checker.place_text(place(state)) for state in moves if not game.won(state)}
    assert fault.line.rpartition(" ")[0] in wrong


def test_illegal_moves(game: Game, lines: list[str], tmp_path: Path) -> None:
    index = of_left(lines, game.leaf)[3]
    board = lines[index].split()[1]
    suicide = [p for p in range(25) if board[p] == "." and minimax.after(state_of(lines[index]), p) is None]
    for point in [board.index("O"), board.index("X"), *suicide]:
        lines[index] = with_move(lines[index], point)
        fault = fault_of(sealed(game, tmp_path / "bad", lines))
        assert fault[::2] == (game.first + index, f"{name(point)} is not legal")


def test_a_move_that_ends_the_game_behind(game: Game, lines: list[str], tmp_path: Path) -> None:
    # Black needs three, and two are enough for White.
    black, white = checker.canonical("." * 23 + "XX", "-"), checker.canonical("." * 21 + "X.XX", "-")
    index = insert(lines, f"{game.leaf:02} {black if game.winner == 'Black' else white} P PASS")
    fault = fault_of(sealed(game, tmp_path / "bad", lines))
    assert fault[::2] == (game.first + index, f"PASS ends the game, and {game.loser} wins")


class Everything(frozenset[str]):
    def __contains__(self, item: object) -> bool:
        return True


def test_a_reply_that_ends_the_game_behind(game: Game, good: Path) -> None:
    certificate = replace(read_certificate(good), known=Everything())
    for stones, winner in [("XXX", "Black"), ("XX.", "White")]:
        line = f"{game.leaf + 2:02} {'.' * 22}{stones} - - PASS"
        why = None if winner == game.winner else f"PASS then ends the game, and {winner} wins"
        assert line_fault(certificate, line, Referee()) == why


# ---- what is wrong in form ----


def test_duplicate_and_unsorted_lines(game: Game, lines: list[str], tmp_path: Path) -> None:
    index = next(i for i in of_left(lines, game.leaf)[5:] if " - - " in lines[i])
    twice = [*lines[: index + 1], *lines[index:]]
    want = (game.first + index + 1, "a second line for this position")
    assert fault_of(sealed(game, tmp_path / "bad", twice))[::2] == want
    twice[index + 1] = with_move(lines[index], game.losing(lines[index]))
    assert fault_of(sealed(game, tmp_path / "bad", twice))[::2] == want
    lines[index], lines[index + 1] = lines[index + 1], lines[index]
    fault = fault_of(sealed(game, tmp_path / "bad", lines))
    assert (fault.number, fault.why[:10]) == (game.first + index + 1, "not sorted")


@pytest.mark.parametrize(
    ("below", "line", "why"),
    [
        (0, "O........................ - - 2,2", "not canonical: want "),
        (0, f"{checker.canonical('OX...X' + '.' * 19, '-')} - 2,2", "a white group has no liberty"),
        (0, f"{checker.canonical('XO...O' + '.' * 19, '-')} - 2,2", "a black group has no liberty"),
        (0, "........................O 2,2 - 1,1", "the ko point cannot be one"),
        (-1, "........................O - - 2,2", "it is not MOVER's move: want plies left PARITY"),
        (-4, "X........................ - - 2,2", "as many plies left as at the start, and it is none"),
        (2, "........................O - - 2,2", "fewer plies left than the leaf level"),
        (0, ".......................O - - 2,2", "not a line"),
        (0, "........................0 - - 2,2", "not a line"),
        (0, "........................O - - 2,5", "not a line"),
        (0, "........................O - - 2,2 ", "not a line"),
    ],
)
def test_lines_wrong_in_form(game: Game, lines: list[str], tmp_path: Path, below: int, line: str, why: str) -> None:
    index = insert(lines, f"{game.leaf - below:02} {line}")
    fault = fault_of(sealed(game, tmp_path / "bad", lines))
    assert fault.number == game.first + index
    parity = "even" if game.winner == "Black" else "odd"
    assert fault.why.startswith(why.replace("MOVER", game.winner).replace("PARITY", parity))


@pytest.mark.parametrize(
    ("left", "board", "fault"),
    [
        (4, "..................OX..O.O", None),
        (3, "..................OX..O.O", "no lone black stone has just taken a lone stone there"),
        (3, "..................XO..X.X", None),
        (4, "..................XO..X.X", "no lone white stone has just taken a lone stone there"),
    ],
)
def test_the_ko_is_of_the_colour_that_has_moved(left: int, board: str, fault: str | None) -> None:
    why = checker._place_fault(f"{left:02} {checker.canonical(board, '4,3')} -")
    assert why == (fault and f"the ko point cannot be one: {fault}")


def test_the_starts_come_first(game: Game, lines: list[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    for index in range(len(game.starts)):
        fault = fault_of(sealed(game, bad, lines[:index] + lines[index + 1 :]))
        assert fault.number == game.first + index
        assert fault.why == f"the first lines must be for the starts: here, {lines[index].rpartition(' ')[0]}"
    assert fault_of(sealed(game, bad, ["24 " + "." * 25 + " - - 2,2", *lines])).number == game.first
    for count in range(len(game.starts)):
        want = f"no line for the start, {lines[count].rpartition(' ')[0]}"
        assert read_certificate(sealed(game, bad, lines[:count])).fault == Fault(game.first + count, "", want)


def test_header_faults(game: Game, good: Path, tmp_path: Path) -> None:
    rows = good.read_text("ascii").splitlines()
    bad = tmp_path / "bad"
    winner = game.first - 4
    other = game.loser.lower()
    parity, least, most = ("even", 2, 8) if game.winner == "Black" else ("odd", 1, 7)
    for number, row, why in [
        (1, "little-go certificate 2", "want the header line: little-go certificate 1"),
        (2, "rules 5x5 area komi 2.5 plies 24", "want the header line: rules"),
        (3, f"start {most:02} {BOARD[::-1]} - -", "not canonical"),
        (3, f"start 25 {BOARD} - -", "plies left must be 1 to 24"),
        (winner, "winner grey", "want the header line: winner black or winner white"),
        (winner, f"winner {other}", f"at the start it is not {game.loser}'s move: want plies left"),
        (winner + 1, f"leaf {game.leaf + 1}", f"the leaf level must be {parity}, from {least} to {most}"),
        (winner + 1, f"leaf {most + 2}", f"the leaf level must be {parity}, from {least} to {most}"),
        (winner + 1, "leaf 0", f"the leaf level must be {parity}, from {least} to {most}"),
        (winner + 2, "lines 7", f"{len(rows) - winner - 3} complete lines follow"),
        (winner + 3, "sha256 " + "0" * 64, "what follows has another hash"),
    ]:
        changed = [*rows[: number - 1], row, *rows[number:]]
        bad.write_text("\n".join(changed) + "\n", "ascii")
        fault = fault_of(bad)
        assert (fault.number, fault.line) == (number, row)
        assert fault.why.startswith(why)


def test_starts_out_of_order(tmp_path: Path) -> None:
    game = game_of("White")
    write_certificate(turns_of(game), tmp_path / "good", game.leaf)
    rows = (tmp_path / "good").read_text("ascii").splitlines()
    first, second, third = rows[2:5]
    for changed, number, why in [
        ([first, first, third], 4, "the starts must be sorted, and none of them be there twice"),
        ([second, first, third], 4, "the starts must be sorted, and none of them be there twice"),
        ([first, second, third.replace(" 07 ", " 09 ")], 5, "want as many plies left as at the first start"),
        ([], 3, "at the start it is not White's move: want plies left odd"),
    ]:
        (tmp_path / "bad").write_text("\n".join([*rows[:2], *changed, *rows[5:]]) + "\n", "ascii")
        assert fault_of(tmp_path / "bad")[::2] == (number, why)


def test_truncated_files(game: Game, good: Path, tmp_path: Path) -> None:
    data = good.read_bytes()
    lines = game.first - 2
    for length, number in [(0, 1), (10, 1), (100, 3), (len(data) // 2, lines), (len(data) - 1, lines)]:
        (tmp_path / "bad").write_bytes(data[:length])
        assert fault_of(tmp_path / "bad").number == number


def test_the_first_wrong_line_is_named(
    game: Game, lines: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checker, "CHUNK", 4)
    early, late = (next(i for i in of_left(lines, game.leaf)[at:] if " - - " in lines[i]) for at in (11, 40))
    lines[early] = with_move(lines[early], game.losing(lines[early]))
    lines.insert(late, "nonsense")
    path = sealed(game, tmp_path / "bad", lines)
    certificate = read_certificate(path)
    assert certificate.fault is not None
    assert certificate.fault.number == game.first + late
    for workers in (1, 3):
        fault = check(certificate, workers=workers).fault
        assert fault is not None
        assert fault.number == game.first + early


# ---- running ----


def outcome_of(path: Path) -> Outcome:
    certificate = read_certificate(path)
    return check(certificate, state=State(f"{path}.checked", certificate))


def figures(outcome: Outcome) -> tuple[int, ...]:
    return outcome.tally[:3]


@pytest.fixture
def own(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the right certificate, checked in chunks of four lines."""
    monkeypatch.setattr(checker, "CHUNK", 4)
    path = tmp_path / "own"
    path.write_bytes(good.read_bytes())
    return path


def test_two_workers_find_what_one_finds(own: Path) -> None:
    certificate = read_certificate(own)
    assert figures(check(certificate, workers=2)) == figures(check(certificate, workers=1))


KILLED = """
import os, sys
from proof.checker import check
check.CHUNK = 4
certificate = check.read_certificate(sys.argv[1])
def show(tally):
    if tally.lines >= 20:
        os.kill(os.getpid(), 9)
check.check(certificate, state=check.State(sys.argv[1] + ".checked", certificate), workers=int(sys.argv[2]), show=show)
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_check_goes_on(own: Path, workers: int) -> None:
    whole = figures(check(read_certificate(own)))
    killed = subprocess.run([sys.executable, "-c", KILLED, str(own), str(workers)], cwd=ROOT, check=False)
    assert killed.returncode == -9
    state = Path(f"{own}.checked")
    # Killed while it wrote a line.
    state.write_text(state.read_text("ascii") + "[17, 4, ", "ascii")
    outcome = outcome_of(own)
    assert outcome.earlier >= 16
    assert figures(outcome) == whole
    assert outcome_of(own).earlier == whole[0]


def test_an_interrupted_check_goes_on(own: Path) -> None:
    def stop(tally: Tally) -> None:
        if tally.lines >= 8:
            raise KeyboardInterrupt

    certificate = read_certificate(own)
    for workers in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            check(certificate, workers=workers, state=State(f"{own}.checked", certificate), show=stop)
    assert outcome_of(own).earlier >= 8


def test_a_state_of_something_else_is_not_used(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome_of(own)
    certificate = read_certificate(own)
    assert State(f"{own}.checked", certificate).notice is None
    with monkeypatch.context() as patch:
        patch.setattr(checker, "checker_version", lambda: "another")
        state = State(f"{own}.checked", certificate)
        assert state.notice is not None
        assert not state.done
    before = own.read_bytes()
    with pytest.raises(FileExistsError):
        State(own, certificate)
    assert own.read_bytes() == before


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, arguments)])


def test_cli_says_proved(game: Game, own: Path) -> None:
    result = run(own, "--workers", 2)
    assert result.exit_code == 0
    wins = {"Black": "Black wins by 3 or more", "White": "White wins (Black is at most 2 ahead)"}[game.winner]
    claim = f"proved: {wins} from {', '.join(checker.place_text(place(state)) for state in game.starts)}: "
    assert re.fullmatch(
        re.escape(claim) + r"\d+ lines, \d+ leaves, "
        r"[\d,]+ positions searched, CPU [\d.]+ s, on the clock [\d.]+ s\n",
        result.output,
    )
    again = run(own, "--workers", 1)
    assert re.search(r"\(\d+ of the lines in an earlier run\)\n$", again.output)
    assert sorted(path.name for path in own.parent.iterdir()) == ["own", "own.checked"]


def test_cli_sample_proves_nothing(game: Game, own: Path, lines: list[str]) -> None:
    result = run(own, "--sample", 9, "--seed", 3, "--workers", 1)
    assert result.exit_code == 0
    assert result.output.startswith(f"no error in 9 of {len(lines)} lines (a sample proves nothing); ")
    assert "proved" not in result.output
    assert not Path(f"{own}.checked").exists()
    index = len(lines) - 1
    lines[index] = with_move(lines[index], game.losing(lines[index]))
    bad = sealed(game, own.with_name("bad"), lines)
    assert run(bad, "--sample", 999, "--workers", 1).output.startswith(f"wrong: line {game.first + index}: ")


def test_cli_names_the_wrong_line(game: Game, own: Path, lines: list[str]) -> None:
    lines.insert(9, "nonsense")
    result = run(sealed(game, own, lines), "--state", f"{own}.state", "--workers", 1)
    assert result.exit_code == 1
    assert result.output.splitlines()[-1].startswith(f"wrong: line {game.first + 9}: nonsense: not a line")
    own.write_text("")
    result = run(own)
    assert (result.exit_code, result.output[:25]) == (1, "wrong: line 1: (nothing):")
    result = run(own.with_name("none"))
    assert result.exit_code == 1
    assert re.fullmatch(r"Error: .*none: No such file or directory\n", result.output)


# ---- the referee ----


@pytest.mark.parametrize("module", ["check", "referee"])
def test_nothing_of_the_project_is_imported(module: str) -> None:
    tree = ast.parse((ROOT / "proof" / "checker" / f"{module}.py").read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert all(alias.name in sys.stdlib_module_names for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.module is not None
            allowed = node.module.split(".")[0] in sys.stdlib_module_names or node.module == "proof.checker.referee"
            assert allowed or [alias.name for alias in node.names] == ["referee"]


def random_game(rng: random.Random) -> list[tuple[Place, minimax.State]]:
    """Return a game as the checker and as minimax have it; among few points and keen to capture, for the sake of ko."""
    points = {*rng.sample(range(25), rng.choice([6, 9, 14, 25])), 6, 7}
    state = minimax.START
    if rng.random() < 0.5:
        state = state._replace(board=".XO..XO.O..XO............", left=rng.choice([6, 12]))
    here: Place | None = checker.parse_place(f"{state.left:02} {state.board} - -")
    game = []
    while state.left:
        assert here is not None
        game.append((here, state))
        every = minimax.successors(state)
        choices = [choice for choice in every if choice[0] in points]
        takes = [choice for choice in choices if choice[1].board.count(".") >= state.board.count(".")]
        if takes and rng.random() < 0.7:
            choices = takes
        if not choices or rng.random() < 0.1:
            choices = every[-1:]
        move, state = rng.choice(choices)
        here = checker.follow(here, name(move))
    return game


def test_the_rules_are_those_of_the_second_opinion() -> None:
    rng = random.Random(1)
    kos = 0
    for _ in range(100):
        for here, state in random_game(rng):
            kos += here.ko != 0
            after = {name(move): child for move, child in minimax.successors(state)}
            for move in [*map(name, range(25)), "PASS"]:
                mine, want = checker.follow(here, move), after.get(move)
                assert (mine is None) == (want is None), (state, move)
                if mine and want:
                    board = checker.board_text(mine.black, mine.white)
                    assert (board, mine.left, mine.passed) == (want.board, want.left, want.passed)
    assert kos > 30


def test_the_search_agrees_with_plain_minimax() -> None:
    rng = random.Random(2)
    judge = Referee()
    wins = kos = 0
    for _ in range(200):
        game = random_game(rng)
        late = [pair for pair in game if pair[0].ko or pair[0].left <= 3]
        for here, state in late:
            # A ko met early is taken over into the last plies.
            left = rng.choice([1, 3]) if state.mover == "O" else 2
            want = black_wins(state._replace(left=left))
            wins += want
            kos += here.ko != 0
            assert judge.black_wins(here.black, here.white, here.ko, left, here.passed) == want, here
    assert wins > 20
    assert kos > 20


def test_the_search_agrees_with_the_strategy() -> None:
    judge = Referee()
    for state in [*strategy(game_of("Black")), *strategy(game_of("White"))]:
        for move, child in minimax.successors(state):
            here = place(child)
            want = black_wins(child)
            assert judge.black_wins(here.black, here.white, here.ko, here.left, here.passed) == want, (state, move)


def test_the_search_agrees_with_the_known_values() -> None:
    judge = Referee(entries=20_000)
    for number, row in enumerate(ORACLE.read_text("utf-8").splitlines()):
        record = json.loads(row)
        left = 24 - record["ply"]
        if left <= 8 or (left <= 10 and number % 20 == 0):
            ko = 0 if record["ko"] is None else 1 << record["ko"]
            found = judge.black_wins(record["black"], record["white"], ko, left, record["passed"])
            assert found == (record["value"] >= 3), record


def test_a_first_pass_ends_the_game() -> None:
    assert checker.follow(Place(24, 0, 0, 0, False), "PASS") == Place(0, 0, 0, 0, True)
    assert Position().play(PASS).is_over

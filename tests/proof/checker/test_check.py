"""The checker of certificates: the claims that it proves, and the faults that it must find, with the right line."""

import ast
import gzip
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from bisect import bisect
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from little_go.proof import check as checking
from little_go.proof import strategist as writer
from little_go.proof.__main__ import main
from little_go.proof.check import Outcome, WorkDone, check, open_state
from little_go.proof.checker import certificate as reader
from little_go.proof.checker import rules
from little_go.proof.checker.certificate import BadCertificate, Fault, parse_place, read_certificate
from little_go.proof.checker.rules import Claim, Place, name_of
from little_go.proof.checker.search import Judge
from little_go.proof.compiled import NotCompiled, compiled_checker, load_compiled
from little_go.proof.strategist import write_certificate
from little_go.runtime.display import Display
from little_go.runtime.journal import JournalError
from little_go.solver.exact import ExactSolver
from little_go.solver.position import PASS, Position, parse_move
from tests.solver import minimax

ROOT = Path(__file__).parents[3]
ORACLE = ROOT / "tests" / "data" / "oracle_positions.jsonl"

#: A game of 8 plies that Black wins with only one first move.
BOARD = "..OO.OXXXOOXX.OO.X.O.XX.."

#: All tests share the values of that game, because its positions lead to the same positions.
SOLVER = ExactSolver()


class Game(NamedTuple):
    """The game of a certificate in the tests.

    winner: "Black" or "White". leaf: plies left at the leaves, two lines below the starts.
    """

    winner: str
    starts: tuple[minimax.State, ...]
    leaf: int

    @property
    def loser(self) -> str:
        return {"Black": "White", "White": "Black"}[self.winner]

    @property
    def claim(self) -> Claim:
        """Return the bound that the winner must keep."""
        return Claim(True, 3) if self.winner == "Black" else Claim(False, 2)

    @property
    def heads(self) -> list[str]:
        """Return the header's lines about the starts."""
        return [f"position {name_of(place(state))}" for state in self.starts]

    @property
    def first(self) -> int:
        """Return the number of the first line after the header."""
        return 7 + len(self.starts)

    def won(self, state: minimax.State) -> bool:
        return black_wins(state) == (self.winner == "Black")

    def losing(self, line: str) -> int | None:
        """Return a move after which the winner of a line's position no longer wins."""
        return next(move for move, after in minimax.successors(state_of(line)) if not self.won(after))


# ---- a small solver and a strategy, on the boards of tests.solver.minimax ----


@cache
def black_wins(state: minimax.State) -> bool:
    if state.left == 0:
        return state.board.count("X") - state.board.count("O") >= 3
    after = (child for _, child in minimax.successors(state))
    return any(map(black_wins, after)) if state.mover == "X" else all(map(black_wins, after))


def name(move: int | None) -> str:
    return "PASS" if move is None else f"{move // 5},{move % 5}"


def ko_of(state: minimax.State) -> str:
    """Return the point on which a stone is illegal only because of the board before."""
    free = state._replace(before="?")
    return next((name(p) for p in range(25) if minimax.after(free, p) and not minimax.after(state, p)), "-")


def turn(state: minimax.State, move: int | None) -> tuple[Position, int]:
    here = place(state)
    ko = here.ko.bit_length() - 1 if here.ko else None
    position = Position(here.black, here.white, ko, 24 - state.left, state.passed)
    return position, PASS if move is None else move


def place(state: minimax.State) -> Place:
    return parse_place(f"{state.left:02} {state.board} {ko_of(state)} {'P' if state.passed else '-'}")


@cache
def worth(state: minimax.State) -> int:
    """Return the value for X under best play, by a search that is faster than plain minimax."""
    position, _ = turn(state, None)
    value = position.margin if position.is_over else SOLVER.value(position).value
    assert value is not None
    return value


def state_of(line: str) -> minimax.State:
    """Return the position of a line without a ko."""
    left, board, ko, passed, _ = line.split()
    assert ko == "-"
    return minimax.State(board, board if passed == "P" else "?", "XO"[int(left) % 2], int(left), passed == "P")


@cache
def game_of(winner: str) -> Game:
    """Return the game, or the game after three first moves with which Black loses it."""
    start = minimax.State(BOARD, "?", "X", 8, False)
    if winner == "Black":
        return Game(winner, (start,), 4)
    lost = [after for _, after in minimax.successors(start) if not black_wins(after)]
    return Game(winner, tuple(sorted(lost[-3:], key=lambda state: name_of(place(state)))), 3)


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


def turns_of(game: Game) -> list[tuple[Position, int]]:
    return [turn(state, move) for state, move in strategy(game).items()]


def write(game: Game, path: Path) -> int:
    return write_certificate(writer.Claim(*game.claim), game.heads, turns_of(game), path, game.leaf)


@pytest.fixture(scope="module", params=["Black", "White"])
def game(request: pytest.FixtureRequest) -> Game:
    return game_of(request.param)


@pytest.fixture(scope="module")
def good(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("good") / "good"
    assert write(game, path) > 50
    return path


@pytest.fixture
def lines(game: Game, good: Path) -> list[str]:
    return good.read_text("ascii").splitlines()[game.first - 1 :]


def sealed(game: Game, path: Path, lines: list[str], version: int = 2) -> Path:
    """Write lines with a matching header."""
    body = "".join(f"{line}\n" for line in lines)
    head = [f"little-go certificate {version}", reader.RULES]
    if version == 2:
        head += [f"claim {writer.Claim(*game.claim)}", *game.heads]
    else:
        head += [*(row.replace("position", "start") for row in game.heads), f"winner {game.winner.lower()}"]
    head += [f"leaf {game.leaf}", f"lines {len(lines)}", f"sha256 {hashlib.sha256(body.encode()).hexdigest()}"]
    path.write_text("".join(f"{row}\n" for row in head) + body, "ascii")
    return path


def fault_of(path: Path) -> Fault:
    """Return the fault that a check finds, and check that it is in the line with the given number."""
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
    """Insert a line at its sorted place, and return its index."""
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
        if any(name_of(place(reply)) == text for _, reply in minimax.successors(after)):
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
    assert certificate.claim == game.claim
    assert [start.text for start in certificate.starts] == [name_of(place(state)) for state in game.starts]
    assert not any(start.reached for start in certificate.starts)


def test_format_1_is_still_read(game: Game, lines: list[str], tmp_path: Path) -> None:
    certificate = read_certificate(sealed(game, tmp_path / "old", lines, version=1))
    assert certificate.claim == game.claim
    assert [start.place for start in certificate.starts] == [place(state) for state in game.starts]
    assert check(certificate).fault is None


@pytest.mark.parametrize(
    ("black", "bound", "right"), [(True, 3, True), (True, 4, False), (False, 3, True), (False, 2, False)]
)
def test_bounds_of_the_same_game_from_both_sides(tmp_path: Path, black: bool, bound: int, right: bool) -> None:
    """The value is exactly +3, so any larger claim is refuted, with every strategy."""
    claim = Claim(black, bound)
    start = minimax.State(BOARD, "?", "X", 8, False)
    assert worth(start) == 3
    moves: dict[minimax.State, int | None] = {}
    todo = [start] if black else [child for _, child in minimax.successors(start)]
    leaf = 4 if black else 3
    while todo:
        state = todo.pop()
        if state.left and state not in moves:
            best = max if black else min
            moves[state], after = best(minimax.successors(state), key=lambda each: worth(each[1]))
            if state.left > leaf and after.left:
                todo += [reply for _, reply in minimax.successors(after)]
    head = f"position {name_of(place(start))}"
    turns = (turn(state, move) for state, move in moves.items())
    write_certificate(writer.Claim(*claim), [head], turns, tmp_path / "cert", leaf)
    certificate = read_certificate(tmp_path / "cert")
    assert certificate.claim == claim
    outcome = check(certificate)
    assert (outcome.fault is None) == right
    assert right or "does not keep the bound" in str(outcome.fault) or "ends the game" in str(outcome.fault)


def test_a_start_with_the_other_side_to_move_needs_a_line_for_each_reply(tmp_path: Path) -> None:
    game = game_of("Black")
    node = game.starts[0]
    after = next(child for move, child in minimax.successors(node) if move == strategy(game)[node])
    heads = [f"position {name_of(place(after))}"]
    turns = [turn(state, move) for state, move in strategy(game).items() if state != node]
    write_certificate(writer.Claim(True, 3), heads, turns, tmp_path / "good", game.leaf)
    assert check(read_certificate(tmp_path / "good")).fault is None
    missing, *_ = [each for each in turns if each[0].left == 6]
    write_certificate(
        writer.Claim(True, 3), heads, [each for each in turns if each != missing], tmp_path / "bad", game.leaf
    )
    with pytest.raises(BadCertificate, match=f"leads to {writer.name_of(missing[0])}, which has no line") as error:
        read_certificate(tmp_path / "bad")
    assert error.value.fault.number == 4


def test_lines_that_nothing_needs_are_checked_like_the_others(game: Game, lines: list[str], tmp_path: Path) -> None:
    board = "." * 22 + ("XXX" if game.winner == "Black" else "OOO")
    left = game.leaf + 6
    insert(lines, f"{left:02} {rules.name_of(parse_place(f'{left:02} {board} - P')).split(maxsplit=1)[1]} PASS")
    assert check(read_certificate(sealed(game, tmp_path / "more", lines))).fault is None


def test_starts_are_named_by_the_moves_that_reach_them(tmp_path: Path) -> None:
    path = tmp_path / "cert"
    turns = [(Position(1 << 12, ply=1), 7)]
    write_certificate(writer.Claim(False, 2), ["start 2,2"], turns, path, 23)
    (start,) = read_certificate(path).starts
    assert start == ("2,2", Place(23, 1 << 12, 0, 0, False), True, 4)
    for moves, why in [
        ("2,2 2,2", "'2,2' is not a move of an unfinished game"),
        ("PASS", "'PASS' is not a move of an unfinished game"),
        ("2,2  1,1", "'' is not a move"),
        ("2,5", "'2,5' is not a move"),
        ("", "want the header line: start or position"),
        ("1,2", "there is no line for 23"),
    ]:
        write_certificate(writer.Claim(False, 2), [f"start {moves}".rstrip()], turns, path, 23)
        with pytest.raises(BadCertificate) as error:
            read_certificate(path)
        assert why.split(":")[0] in error.value.fault.why or error.value.fault.why.startswith("want the header line")


def one_line(path: Path, *heads: str) -> Path:
    """Write a certificate of the line by which White answers a first PASS that does not end the game."""
    line = "23 ......................... - P PASS"
    body = f"{line}\n".encode()
    head = ["little-go certificate 2", "rules 5x5 stones-only komi 2.5 plies 24", *heads, "leaf 23", "lines 1"]
    head.append(f"sha256 {hashlib.sha256(body).hexdigest()}")
    path.write_bytes("".join(f"{row}\n" for row in head).encode() + body)
    return path


PASSED = "position 23 ......................... - P"


def test_a_first_pass_that_does_not_end_the_game_does_not_win(tmp_path: Path) -> None:
    result = run(one_line(tmp_path / "a", "claim black <= 0", PASSED))
    assert result.exit_code == 0
    assert "so White wins" in result.output


def refusal(path: Path) -> str:
    with pytest.raises(BadCertificate) as raised:
        read_certificate(path)
    return raised.value.fault.why


def test_a_position_in_the_header_is_canonical(tmp_path: Path) -> None:
    place = "position 23 X........................ - -"
    assert "not canonical" in refusal(one_line(tmp_path / "a", "claim black <= 0", PASSED, place))


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("23 ...................X...XO - -", "a white group has no liberty"),
        ("23 ......................... 0,0 -", "not a possible ko point"),
    ],
)
def test_a_position_in_the_header_keeps_the_rules_of_lines(tmp_path: Path, position: str, why: str) -> None:
    path = one_line(tmp_path / "a", "claim black <= 0", f"position {position}")
    assert why in refusal(path)


def test_a_start_is_the_same_by_its_position_however_it_is_reached(tmp_path: Path) -> None:
    heads = ["claim black <= 0", "start 2,2 1,1 2,3", "start 2,3 1,1 2,2"]
    assert refusal(one_line(tmp_path / "a", *heads)) == "the same start twice"


def test_starts_that_are_images_of_each_other_are_two(tmp_path: Path) -> None:
    path = one_line(tmp_path / "a", "claim black <= 0", "start 0,0", "start 0,4")
    assert "twice" not in refusal(path)


def test_starts_and_positions_may_alternate(tmp_path: Path) -> None:
    path = one_line(tmp_path / "a", "claim black <= 0", "start 0,0", PASSED, "start 0,4")
    assert "there is no line for" in refusal(path)


def test_a_position_in_the_header_follows_as_a_start_does(tmp_path: Path) -> None:
    place = "position 23 ........................X - -"
    assert "there is no line for 23" in refusal(one_line(tmp_path / "a", "claim black <= 0", place))


@pytest.mark.parametrize("bound", ["-0", "+0", "00", "+3", "03"])
def test_a_bound_is_written_one_way(tmp_path: Path, bound: str) -> None:
    assert "want the header line: claim" in refusal(one_line(tmp_path / "a", f"claim black <= {bound}", PASSED))


def test_writing_is_deterministic_and_refuses_what_is_no_strategy(game: Game, good: Path, tmp_path: Path) -> None:
    turns = turns_of(game)
    turned = [
        (
            position._replace(black=flipped(position.black), white=flipped(position.white)),
            move if move == PASS else 24 - move,
        )
        for position, move in turns
        if position.ko is None
    ]
    claim = writer.Claim(*game.claim)
    write_certificate(claim, game.heads, reversed(turns + turned), tmp_path / "again", game.leaf)
    assert (tmp_path / "again").read_bytes() == good.read_bytes()
    position, move = turns[0]
    other = next(
        point for point in position.legal_moves() if writer.line_of(position, point) != writer.line_of(position, move)
    )
    with pytest.raises(ValueError, match="two moves for one position"):
        write_certificate(claim, game.heads, [*turns, (position, other)], tmp_path / "two", game.leaf)
    for wrong in (position._replace(ply=position.ply + 1), position._replace(ply=24 - game.leaf + 2)):
        with pytest.raises(ValueError, match="not a position of the claim's side"):
            write_certificate(claim, game.heads, [*turns, (wrong, PASS)], tmp_path / "wrong", game.leaf)
    assert [path.name for path in tmp_path.iterdir()] == ["again"]


def flipped(stones: int) -> int:
    return int(f"{stones:025b}"[::-1], 2)


def test_the_writer_names_positions_as_the_checker_does() -> None:
    rng = random.Random(4)
    for _ in range(20):
        for here, state in random_game(rng):
            if state.left:
                assert writer.name_of(turn(state, None)[0]) == name_of(here)


def test_a_compressed_certificate_is_read(game: Game, good: Path, tmp_path: Path) -> None:
    packed = tmp_path / "good.gz"
    write(game, packed)
    assert gzip.decompress(packed.read_bytes()) == good.read_bytes()
    assert read_certificate(packed) == read_certificate(good)
    whole = packed.read_bytes()
    for damaged in (whole[:-40], whole[:30], b"", whole + b"more", b"\x1f\x8b" + bytes(50)):
        packed.write_bytes(damaged)
        with pytest.raises(BadCertificate, match="cannot be unpacked"):
            read_certificate(packed)


def test_what_unpacks_without_end_takes_no_more_memory_than_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(bytes(4 * reader.MOST_BYTES), 1))
    program = (
        "import sys; from little_go.proof.checker.certificate import *\n"
        "try: read_certificate(sys.argv[1])\n"
        "except BadCertificate as error: print(error)\n"
        # ru_maxrss is not used, because it includes the memory of the process that started this one.
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    )
    done = subprocess.run([sys.executable, "-c", program, path], cwd=ROOT, capture_output=True, text=True, check=True)
    why, kib = done.stdout.splitlines()
    assert why == "more than 64 MiB"
    assert int(kib) >> 10 < 64 + 64 + 40


def test_a_pipe_or_a_device_is_no_certificate(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), Path("/dev/null")):
        with pytest.raises(BadCertificate, match="not a file"):
            read_certificate(path)


# ---- what is wrong in substance ----


@pytest.mark.parametrize("above", [4, 2])
def test_a_flipped_move_of_a_node(game: Game, lines: list[str], tmp_path: Path, above: int) -> None:
    index = next(i for i in reversed(of_left(lines, game.leaf + above)) if " P " not in lines[i])
    lines[index] = with_move(lines[index], game.losing(lines[index]))
    fault = fault_of(sealed(game, tmp_path / "bad", lines))
    assert fault.number == game.first + index
    assert re.search("the reply .* leads to .*, which has no line|ends the game at ", fault.why)


def test_a_flipped_move_of_a_leaf(game: Game, lines: list[str], tmp_path: Path) -> None:
    index = next(i for i in of_left(lines, game.leaf)[20:] if " - - " in lines[i])
    lines[index] = with_move(lines[index], game.losing(lines[index]))
    fault = fault_of(sealed(game, tmp_path / "bad", lines))
    assert fault[::2] == (game.first + index, f"{lines[index].split()[-1]} does not keep the bound")


def test_every_missing_line_is_missed(game: Game, lines: list[str], tmp_path: Path) -> None:
    for gone in [*of_left(lines, game.leaf + 2), *of_left(lines, game.leaf)[::9]]:
        text = lines[gone].rpartition(" ")[0]
        fault = fault_of(sealed(game, tmp_path / "bad", lines[:gone] + lines[gone + 1 :]))
        assert fault.number == game.first + min(parents(lines, text))
        assert fault.why.endswith(f"leads to {text}, which has no line")


def test_a_leaf_that_is_not_won(game: Game, lines: list[str], tmp_path: Path) -> None:
    lost = (
        reply
        for node in map(state_of, (lines[index] for index in of_left(lines, game.leaf + 2)))
        for _, after in minimax.successors(node)
        for _, reply in minimax.successors(after)
        if reply.left == game.leaf and not game.won(reply)
    )
    index = insert(lines, f"{name_of(place(next(lost)))} PASS")
    fault = fault_of(sealed(game, tmp_path / "bad", lines))
    assert fault.number == game.first + index
    assert "PASS does not keep the bound" in fault.why or "ends the game at" in fault.why


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
    heads = [f"position {name_of(place(lost))}"]
    turns = (turn(state, move) for state, move in moves.items())
    write_certificate(writer.Claim(False, 2), heads, turns, tmp_path / "bad", game.leaf)
    fault = fault_of(tmp_path / "bad")
    assert "does not keep the bound" in fault.why or "ends the game" in fault.why
    wrong = {name_of(place(state)) for state in moves if not game.won(state)}
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
    board, margin = ("." * 23 + "XX", "+2") if game.winner == "Black" else ("." * 21 + "X.XX", "+3")
    index = insert(lines, f"{name_of(parse_place(f'{game.leaf:02} {board} - P'))} PASS")
    fault = fault_of(sealed(game, tmp_path / "bad", lines))
    assert fault[::2] == (game.first + index, f"PASS ends the game at {margin}")


class Everything(frozenset[str]):
    def __contains__(self, item: object) -> bool:
        return True


def test_a_reply_that_ends_the_game_behind(game: Game) -> None:
    for stones, winner in [("XXX", "Black"), ("XX.", "White")]:
        here = parse_place(f"{game.leaf + 2:02} {'.' * 22}{stones} - -")
        why = rules.line_fault(game.claim, here, rules.PASS, Everything())
        behind = f"after PASS, the reply PASS ends the game at +{len(stones.strip('.'))}"
        assert why == (None if winner == game.winner else behind)


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
        (0, "...................X...XO - - 2,2", "a white group has no liberty"),
        (0, "...................O...OX - - 2,2", "a black group has no liberty"),
        (0, "........................O 2,2 - 1,1", "not a possible ko point"),
        (-1, "........................O - - 2,2", "it is not MOVER's move"),
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
    assert fault.why.startswith(why.replace("MOVER", game.winner))


@pytest.mark.parametrize(
    ("left", "board", "fault"),
    [
        (4, "..................OX..O.O", None),
        (3, "..................OX..O.O", "no single black stone can have captured a single stone there"),
        (3, "..................XO..X.X", None),
        (4, "..................XO..X.X", "no single white stone can have captured a single stone there"),
    ],
)
def test_the_ko_is_of_the_colour_that_has_moved(left: int, board: str, fault: str | None) -> None:
    why = reader.place_fault(name_of(parse_place(f"{left:02} {board} 4,3 -")))
    assert why == (fault and f"not a possible ko point: {fault}")


def test_every_start_needs_its_line(game: Game, lines: list[str], tmp_path: Path) -> None:
    for index in range(len(game.starts)):
        with pytest.raises(BadCertificate) as error:
            read_certificate(sealed(game, tmp_path / "bad", lines[:index] + lines[index + 1 :]))
        text = lines[index].rpartition(" ")[0]
        number = next(number for number, row in enumerate(game.heads, 4) if text in row)
        assert error.value.fault[::2] == (number, f"there is no line for {text}")


def test_header_faults(game: Game, good: Path, tmp_path: Path) -> None:
    rows = good.read_text("ascii").splitlines()
    bad = tmp_path / "bad"
    leaf = game.first - 3
    parity, most = ("even", 8) if game.winner == "Black" else ("odd", 7)
    sign = ">=" if game.winner == "Black" else "<="
    for number, row, why in [
        (1, "little-go certificate 3", "want the header line: little-go certificate 1, or 2"),
        (2, "rules 5x5 area komi 2.5 plies 24", "want the header line: rules"),
        (3, "claim black = 3", "want the header line: claim"),
        (3, f"claim black {sign} +3", "want the header line: claim"),
        (3, f"claim black {sign} 03", "want the header line: claim"),
        (3, f"claim black {sign} 25", "the margin is always within -24 to 24"),
        (4, f"position {most:02} {BOARD[::-1]} - -", "not canonical"),
        (4, f"position 25 {BOARD} - -", "plies left must be 1 to 24"),
        (4, f"position 24 {BOARD} - -", "the game starts from the empty board"),
        (4, game.heads[-1], "the same start twice"),
        (leaf, f"leaf {game.leaf + 1}", f"the leaf level must be {parity}"),
        (leaf, f"leaf {most + 2}", "the start "),
        (leaf, "leaf 0", "want the header line: leaf"),
        (leaf, f"leaf 0{game.leaf}", "want the header line: leaf"),
        (leaf + 1, "lines 7", f"{len(rows) - leaf - 2} complete lines follow"),
        (leaf + 1, f"lines 0{len(rows) - leaf - 2}", "want the header line: lines"),
        (leaf + 2, "sha256 " + "0" * 64, "the lines after the header have another hash"),
        (leaf + 2, rows[leaf + 1].upper(), "want the header line: sha256"),
    ]:
        changed = [*rows[: number - 1], row, *rows[number:]]
        if row == game.heads[-1]:
            changed.insert(number, row)
            number += 1
        bad.write_text("\n".join(changed) + "\n", "ascii")
        with pytest.raises(BadCertificate) as error:
            read_certificate(bad)
        fault = error.value.fault
        assert fault.number == number, row
        assert fault.line in row
        assert fault.why.startswith(why), row


def test_format_1_header_faults(game: Game, lines: list[str], tmp_path: Path) -> None:
    rows = sealed(game, tmp_path / "old", lines, version=1).read_text("ascii").splitlines()
    winner = game.first - 4
    for number, row, why in [
        (winner, "winner grey", "want the header line: winner black or winner white"),
        (winner, f"claim {writer.Claim(*game.claim)}", "want the header line: winner black or winner white"),
        (winner, f"winner {game.loser.lower()}", "the leaf level must be"),
    ]:
        changed = [*rows[: number - 1], row, *rows[number:]]
        (tmp_path / "bad").write_text("\n".join(changed) + "\n", "ascii")
        with pytest.raises(BadCertificate, match=why):
            read_certificate(tmp_path / "bad")


def test_without_a_start_format_1_is_about_the_empty_board(tmp_path: Path) -> None:
    body = f"24 {'.' * 25} - - 2,2\n"
    head = ["little-go certificate 1", reader.RULES, "winner black", "leaf 24", "lines 1"]
    head.append(f"sha256 {hashlib.sha256(body.encode()).hexdigest()}")
    (tmp_path / "cert").write_text("\n".join(head) + "\n" + body, "ascii")
    certificate = read_certificate(tmp_path / "cert")
    assert certificate.starts == (("empty", rules.START, True, 0),)
    assert certificate.claim == Claim(True, 3)


def test_truncated_files(game: Game, good: Path, tmp_path: Path) -> None:
    data = good.read_bytes()
    lines = game.first - 2
    for length, number in [(0, 1), (10, 1), (100, 4), (len(data) // 2, lines), (len(data) - 1, lines)]:
        (tmp_path / "bad").write_bytes(data[:length])
        with pytest.raises(BadCertificate) as error:
            read_certificate(tmp_path / "bad")
        assert error.value.fault.number == number


def test_the_first_wrong_line_is_named(
    game: Game, lines: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "CHUNK", 4)
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
    return check(certificate, state=open_state(f"{path}.checked", certificate))


def figures(outcome: Outcome) -> tuple[int, ...]:
    return outcome.tally[:3]


@pytest.fixture
def own(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the correct certificate, checked in chunks of four lines."""
    monkeypatch.setattr(checking, "CHUNK", 4)
    path = tmp_path / "own"
    path.write_bytes(good.read_bytes())
    return path


def test_two_workers_find_what_one_finds(own: Path) -> None:
    certificate = read_certificate(own)
    assert figures(check(certificate, workers=2)) == figures(check(certificate, workers=1))


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_within_a_chunk(own: Path, monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    monkeypatch.setattr(checking, "CHUNK", 100)
    monkeypatch.setattr(checking, "_TICK", 0.0)
    certificate = read_certificate(own)
    shown: list[tuple[int, ...]] = []
    whole = figures(check(certificate, workers=workers, show=lambda tally: shown.append(tally[:3])))
    between = [tally for tally in shown if tally[0] % 100 and tally != whole]
    assert between
    assert any(tally[2] > 0 for tally in between)
    assert shown == sorted(shown)
    assert shown[-1] == whole


KILLED = """
import os, sys
from little_go.proof import check as checking
from little_go.proof.checker.certificate import read_certificate
checking.CHUNK = 4
certificate = read_certificate(sys.argv[1])
def show(tally):
    if tally.lines >= 20:
        os.kill(os.getpid(), 9)
state = checking.open_state(sys.argv[1] + ".checked", certificate)
checking.check(certificate, state=state, workers=int(sys.argv[2]), show=show)
"""


@pytest.mark.system
@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_check_goes_on(own: Path, workers: int) -> None:
    whole = figures(check(read_certificate(own)))
    killed = subprocess.run([sys.executable, "-c", KILLED, str(own), str(workers)], cwd=ROOT, check=False)
    assert killed.returncode == -9
    state = Path(f"{own}.checked")
    # The process was killed while it wrote a line.
    state.write_text(state.read_text("ascii") + "[17, 4, ", "ascii")
    outcome = outcome_of(own)
    assert outcome.earlier >= 16
    assert figures(outcome) == whole
    assert outcome_of(own).earlier == whole[0]


def test_an_interrupted_check_goes_on(own: Path) -> None:
    def stop(tally: WorkDone) -> None:
        if tally.lines >= 8:
            raise KeyboardInterrupt

    certificate = read_certificate(own)
    # Earlier tests in this process may have left threads: dask waits in a thread for the ends of its workers.
    others = set(threading.enumerate())
    for workers in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            check(certificate, workers=workers, state=open_state(f"{own}.checked", certificate), show=stop)
        # At the end of Python, a pool's thread sometimes closed the pipe to which it was writing.
        assert set(threading.enumerate()) <= others
    assert outcome_of(own).earlier >= 8


def test_a_state_of_something_else_is_refused_and_left_alone(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome_of(own)
    certificate = read_certificate(own)
    state = Path(f"{own}.checked")
    before = state.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(checking, "checker_version", lambda: "another")
        with pytest.raises(JournalError, match=r"belongs to a run with checker .+ instead of another: remove the file"):
            open_state(state, certificate)
    with pytest.raises(JournalError, match=r"belongs to a run with certificate .+ instead of another"):
        open_state(state, replace(certificate, digest="another"))
    assert state.read_bytes() == before
    before = own.read_bytes()
    with pytest.raises(JournalError, match="contains something else"):
        open_state(own, certificate)
    assert own.read_bytes() == before


@pytest.mark.parametrize(
    "row",
    [
        "[0, -5000, 0, 0, 0.0]",
        "[0, 4, 4, 10, 0.1]",
        "[0, 4, 0, -10, 0.1]",
        "[0, 4, 0, 10, -0.1]",
        "[0, 4, 0, 10, NaN]",
        "[0, 4, 0, 10, Infinity]",
        "[999, 4, 0, 10, 0.1]",
        "[-1, 4, 0, 10, 0.1]",
        "[true, 4, 0, 10, 0.1]",
        "[0, 4, 0]",
        "nonsense",
        "[" * 100_000,
        "[0, 4, 0, 10, 0.1]\n[0, 4, 0, 10, 0.1]",
    ],
)
def test_a_forged_state_is_refused_in_one_line(own: Path, row: str) -> None:
    certificate = read_certificate(own)
    state = Path(f"{own}.checked")
    open_state(state, certificate)
    forged = state.read_text("ascii") + row + "\n"
    state.write_text(forged, "ascii")
    result = run(own, "--workers", 1, "--notes", state)
    assert result.exit_code == 2
    assert re.fullmatch(
        rf"Error: {re.escape(str(state))}: line \d is broken or forged: .*; remove the file, or name another\n",
        result.output,
    )
    assert state.read_text("ascii") == forged


def forge(own: Path, nodes: int) -> int:
    """Write notes that all lines have been checked, with a number of positions for each chunk; return the number of
    lines.
    """
    certificate = read_certificate(own)
    state = open_state(f"{own}.checked", certificate)
    for number, (indices, _) in checking.chunks_of(certificate).items():
        leaves = sum(int(certificate.lines[index][:2]) == certificate.leaf for index in indices)
        state.add(number, WorkDone(len(indices), leaves, nodes, 0.1))
    return len(certificate.lines)


def test_a_state_is_used_only_where_it_is_asked_for(own: Path) -> None:
    forge(own, 500)
    result = run(own, "--workers", 1)
    assert result.exit_code == 0
    assert "earlier" not in result.output


def test_a_verdict_that_rests_on_notes_says_so_first_and_exits_otherwise(own: Path) -> None:
    lines = forge(own, 500)
    result = run(own, "--workers", 1, "--notes", f"{own}.checked")
    assert result.exit_code == 3
    assert result.output.startswith(f"proved, counting {lines} lines checked earlier, according to {own}.checked: ")


def test_notes_that_are_a_directory_are_refused_in_one_line(own: Path, tmp_path: Path) -> None:
    assert f"File '{tmp_path}' is a directory: see " in run(own, "--workers", 1, "--notes", tmp_path).output
    with pytest.raises(IsADirectoryError):
        open_state(tmp_path, read_certificate(own))


def test_a_link_beside_the_certificate_is_not_followed(own: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    for name in (f"{own}.checked", f"{own}.checked.tmp"):
        Path(name).symlink_to(precious)
    result = run(own, "--workers", 1, "--notes", f"{own}.checked")
    assert result.exit_code == 2
    assert result.output == f"Error: {own}.checked: a link, which is not followed here\n"
    Path(f"{own}.checked").unlink()
    assert run(own, "--workers", 1, "--notes", f"{own}.checked").exit_code == 0
    assert precious.read_text() == "precious"
    os.mkfifo(tmp_path / "pipe")
    result = run(own, "--workers", 1, "--notes", tmp_path / "pipe")
    assert result.output == f"Error: {tmp_path}/pipe: not a plain file\n"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, arguments)])


def test_cli_says_proved(game: Game, own: Path) -> None:
    result = run(own, "--workers", 2)
    assert result.exit_code == 0
    keeps = {
        "Black": "Black can keep Black - White at +3 or more",
        "White": "White can keep Black - White at +2 or less",
    }
    starts = ", ".join(f"from {name_of(place(state))}, which no game is shown to reach" for state in game.starts)
    claim = f"proved: {keeps[game.winner]} {starts}; so {game.winner} wins: "
    assert re.fullmatch(
        re.escape(claim) + r"\d+ lines, \d+ leaves, "
        r"[\d,]+ positions searched by the interpreter, CPU [\d.]+ s, on the clock [\d.]+ s\n",
        result.output,
    )
    assert sorted(path.name for path in own.parent.iterdir()) == ["own"]
    both = run(own, own, "--workers", 1)
    assert both.output.count(f"{own}: proved: ") == 2


CENTRE = 1 << 12


@pytest.mark.parametrize(
    ("place", "is_first"),
    [
        (Place(23, CENTRE, 0, 0, False), True),
        (Place(23, 1, 0, 0, False), True),
        (Place(22, CENTRE, 0, 0, False), False),
        (Place(24, CENTRE, 0, 0, False), False),
        (Place(23, 0, 0, 0, True), False),
        (Place(23, CENTRE | 1, 0, 0, False), False),
        (Place(23, CENTRE, 1, 0, False), False),
        (Place(23, CENTRE, 0, 0, True), False),
    ],
)
def test_a_stated_position_is_reached_only_after_a_first_stone(place: Place, is_first: bool) -> None:
    """For each other start, the report says that no game is shown to reach it."""
    assert reader._is_first_stone(place) == is_first


@pytest.mark.parametrize(
    ("fields", "reached"),
    [
        ({"moves": "2,2 1,1"}, True),
        ({"start": name_of(rules.START)}, True),
        ({"start": name_of(Place(23, CENTRE, 0, 0, False))}, True),
        ({"start": name_of(Place(22, CENTRE, 1, 0, False))}, False),
        ({"start": name_of(Place(10, CENTRE, 1, 0, False))}, False),
    ],
)
def test_a_start_is_reached_by_its_moves_or_known_to_be(fields: dict[str, str | None], reached: bool) -> None:
    assert reader._start(fields, 1, []).reached is reached


def test_cli_sample_proves_nothing(game: Game, own: Path, lines: list[str]) -> None:
    result = run(own, "--sample", 9, "--seed", 3, "--workers", 1)
    assert result.exit_code == 0
    assert result.output.startswith(f"no error in 9 of {len(lines)} lines (a sample is not a proof); ")
    assert "proved" not in result.output
    index = len(lines) - 1
    lines[index] = with_move(lines[index], game.losing(lines[index]))
    bad = sealed(game, own.with_name("bad"), lines)
    assert run(bad, "--sample", 999, "--workers", 1).output.startswith(f"wrong: line {game.first + index}: ")
    assert run(own, "--sample", 9, "--notes", f"{own}.checked").exit_code == 2


def test_cli_names_the_wrong_line(game: Game, own: Path, lines: list[str]) -> None:
    lines.insert(9, "nonsense")
    result = run(sealed(game, own, lines), "--workers", 1)
    assert result.exit_code == 1
    assert result.output.splitlines()[-1].startswith(f"wrong: line {game.first + 9}: nonsense: not a line")
    own.write_text("")
    result = run(own)
    assert (result.exit_code, result.output.startswith(f"Error: {own}: not a certificate: ")) == (2, True)
    result = run(own.with_name("none"))
    assert result.exit_code == 2
    assert re.fullmatch(r"Error: .*none: No such file or directory\n", result.output)


WHITE_LAST = "23 ........................X - -"


@pytest.mark.parametrize(
    ("claim", "starts", "says"),
    [
        (
            Claim(True, 3),
            [("empty", True)],
            "Black can keep Black - White at +3 or more from the empty board; so Black wins",
        ),
        (Claim(True, 2), [("2,2 1,1", True)], "Black can keep Black - White at +2 or more after 2,2 1,1"),
        (Claim(False, 2), [("PASS", True)], "White can keep Black - White at +2 or less after PASS; so White wins"),
        (Claim(False, 3), [(WHITE_LAST, True)], f"White can keep Black - White at +3 or less from {WHITE_LAST}"),
        (
            Claim(False, -4),
            [("0,0", True), (WHITE_LAST, False)],
            "White can keep Black - White at -4 or less "
            f"after 0,0, from {WHITE_LAST}, which no game is shown to reach; so White wins",
        ),
    ],
)
def test_a_claim_in_words(own: Path, claim: Claim, starts: list[tuple[str, bool]], says: str) -> None:
    heads = tuple(reader.Start(text, rules.START, reached, 4) for text, reached in starts)
    text = checking.claim_text(replace(read_certificate(own), claim=claim, starts=heads))
    assert text == says


@pytest.mark.parametrize(
    ("line", "shown"),
    [("", "(nothing)"), ("x" * 80, "x" * 80), ("x" * 81, "x" * 80 + "…"), ("\x1b[2J", "\\x1b[2J")],
)
def test_a_long_or_unprintable_line_is_shown_in_part(
    game: Game, own: Path, lines: list[str], line: str, shown: str
) -> None:
    lines.insert(9, line)
    result = run(sealed(game, own, lines), "--workers", 1)
    assert result.output.splitlines()[-1].startswith(f"wrong: line {game.first + 9}: {shown}: not a line")


def test_only_the_lines_before_a_malformed_line_are_checked(game: Game, own: Path, lines: list[str]) -> None:
    lines.insert(9, "nonsense")
    certificate = read_certificate(sealed(game, own, lines))
    assert list(checking.indices_of(certificate)) == [*range(9)]
    assert list(checking.indices_of(certificate, [0, 8, 9, 10])) == [0, 8]
    assert list(checking.indices_of(replace(certificate, fault=Fault(certificate.first, "nonsense", "")))) == []


@pytest.mark.parametrize("difference", [-1, 0, 1])
def test_more_leaves_than_are_checked_again_are_many(
    game: Game, own: Path, lines: list[str], monkeypatch: pytest.MonkeyPatch, difference: int
) -> None:
    monkeypatch.setattr(checking, "FIRST_LEAVES", len(of_left(lines, game.leaf)) - difference)
    assert checking.has_many_leaves(read_certificate(own)) == (difference > 0)


def test_the_command_shows_its_progress(
    game: Game, own: Path, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[str, float, float | None]] = []
    monkeypatch.setattr(Display, "show", lambda _, *part: shown.append(part))
    assert run(own, "--workers", 1).exit_code == 0
    number, leaves = len(lines), len(of_left(lines, game.leaf))
    assert [(done, total) for _, done, total in shown] == [
        (min(done, number), number) for done in range(0, number + 4, 4)
    ]
    assert shown[0][0] == f"own: 0 of {number} lines, 0 leaves, 0.0 M positions"
    assert shown[-1][0].startswith(f"own: {number} of {number} lines, {leaves} leaves, 0.")


def test_an_interrupted_command_says_how_far_it_came(
    own: Path, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def show(_: Display, __: str, done: float, ___: float) -> None:
        if done == 8:
            raise KeyboardInterrupt

    monkeypatch.setattr(Display, "show", show)
    result = run(own, "--workers", 1)
    assert result.exit_code == 130
    assert result.output == f"interrupted: 8 of {len(lines)} lines checked, no error so far\n"


def test_a_verdict_sums_the_time_of_both_checks(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = Outcome(None, WorkDone(50, 40, 123_456, 1000.25), WorkDone(7, 6, 5, 234.5), 0)
    began = time.monotonic()
    monkeypatch.setattr(checking, "check", lambda *_, **__: outcome)
    output = run(own, "--workers", 1).output
    assert ": 50 lines, 40 leaves, 123,456 positions searched by the interpreter, 7 lines again " in output
    assert " CPU 1,234.8 s, " in output
    clock = re.search(r"on the clock ([\d,.]+) s\n$", output)
    assert clock is not None
    assert float(clock[1].replace(",", "")) <= time.monotonic() - began + 0.1


@pytest.mark.parametrize("options", [["--sample", "9"], ["SECOND"]])
def test_notes_are_of_one_certificate_and_all_its_lines(own: Path, options: list[str]) -> None:
    words = [str(own) if word == "SECOND" else word for word in options]
    result = run(own, *words, "--notes", f"{own}.checked")
    assert (result.exit_code, result.output) == (2, "Error: --notes needs exactly one certificate and no --sample\n")
    assert not Path(f"{own}.checked").exists()


@pytest.mark.parametrize("row", ["[0, 4, 0, 0, 0.0]", "[0, 4, 0, 10, 0.1]"])
def test_notes_of_a_check_are_read(own: Path, row: str) -> None:
    certificate = read_certificate(own)
    with closing(open_state(f"{own}.checked", certificate)):
        pass
    with open(f"{own}.checked", "a", encoding="ascii") as file:
        file.write(f"{row}\n")
    with closing(open_state(f"{own}.checked", certificate)) as state:
        assert state.done == {0: WorkDone(*json.loads(row)[1:])}


# ---- compiled ----


@pytest.fixture(scope="module")
def compiled() -> Path:
    """The folder of the compiled checker; compiling takes a minute."""
    try:
        return compiled_checker()
    except NotCompiled as error:
        pytest.skip(f"the checker is not compiled: {error}")


def test_the_compiled_checker_is_the_same_source(compiled: Path) -> None:
    load_compiled(compiled)
    for module in ("rules", "search", "certificate"):
        copy = compiled / "compiled_checker" / f"{module}.py"
        source = (ROOT / "proof" / "checker" / f"{module}.py").read_text("utf-8")
        assert copy.read_text("utf-8").replace("compiled_checker", "little_go.proof.checker") == source
        is_source = sys.modules[f"compiled_checker.{module}"].__file__ == str(copy)
        assert is_source == (module not in CORE)


@pytest.mark.parametrize("workers", [1, 2])
def test_compiled_it_searches_what_the_interpreter_does(own: Path, compiled: Path, workers: int) -> None:
    certificate = read_certificate(own)
    plain = check(certificate)
    outcome = check(certificate, workers=workers, compiled=compiled)
    assert outcome.fault is None
    assert figures(outcome) == figures(plain)
    # The certificate has fewer leaves than the interpreter always checks again.
    assert outcome.again.leaves == outcome.tally.leaves
    assert plain.again == WorkDone()


def damaged(rng: random.Random, game: Game, lines: list[str]) -> list[str]:
    """Return lines with one fault: another move, a missing line, another stone, an additional line, or two exchanged
    lines.
    """
    lines, index = list(lines), rng.randrange(len(lines))
    kind = rng.choice(["move", "move", "move", "gone", "stone", "new", "order"])
    if kind == "move":
        lines[index] = with_move(lines[index], rng.choice([None, *range(25)]))
    elif kind == "gone":
        del lines[index]
    elif kind == "stone":
        at = 3 + rng.randrange(25)
        lines[index] = lines[index][:at] + rng.choice("XO.") + lines[index][at + 1 :]
    elif kind == "new":
        new = name_of(Place(game.leaf + 2 * rng.randrange(3), rng.getrandbits(12), rng.getrandbits(12) << 12, 0, False))
        insert(lines, f"{new} {name(rng.randrange(25))}")
    else:
        other = rng.randrange(len(lines))
        lines[index], lines[other] = lines[other], lines[index]
    return lines


def test_the_lines_before_a_malformed_line_are_checked_and_a_line_states_this(
    game: Game, lines: list[str], tmp_path: Path
) -> None:
    at = len(lines) - 2
    path = sealed(game, tmp_path / "it", [*lines[:at], "rubbish", *lines[at + 1 :]])
    done = run(path)
    assert done.exit_code == 1
    assert "\nchecking the lines before it\n" in done.stderr
    assert "checking the lines before it" not in done.stdout


@pytest.mark.parametrize("damages", [20, pytest.param(200, marks=pytest.mark.long)])
def test_a_damaged_line_is_found_compiled_as_by_the_interpreter(
    game: Game, lines: list[str], compiled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damages: int
) -> None:
    """The compiled checker alone, without a second check, has the same verdict and the same line."""
    monkeypatch.setattr(checking, "FIRST_LEAVES", 0)
    monkeypatch.setattr(checking, "ONE_IN", 10**9)
    rng = random.Random(62)
    wrong = 0
    for number in range(damages):
        path = sealed(game, tmp_path / str(number), damaged(rng, game, lines))
        try:
            certificate = read_certificate(path)
        except BadCertificate:
            # A start has no line any more. Both checkers use the same reader.
            continue
        plain = check(certificate)
        outcome = check(certificate, compiled=compiled)
        assert outcome.fault == plain.fault
        assert figures(outcome) == figures(plain)
        wrong += plain.fault is not None
    assert wrong > damages // 2


@pytest.mark.parametrize("workers", [1, 2])
def test_where_the_two_differ_the_verdict_is_wrong_and_names_who_found_it(
    own: Path, compiled: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    """One of the two checkers finds every line wrong and the other none, and then the reverse."""
    certificate = read_certificate(own)
    every = lambda certificate, index, judge: Fault(certificate.first + index, certificate.lines[index], "odd")  # noqa: E731
    with monkeypatch.context() as patch:
        patch.setattr(load_compiled(compiled), "line_fault_of", every)
        fault = check(certificate, workers=workers, compiled=compiled).fault
    assert fault == (
        certificate.first,
        certificate.lines[0],
        "odd, according to the compiled checker, but not to the interpreter",
    )
    monkeypatch.setattr(reader, "line_fault_of", every)
    fault = check(certificate, workers=workers, compiled=compiled).fault
    assert fault == (
        certificate.first,
        certificate.lines[0],
        "odd, according to the interpreter, but not to the compiled checker",
    )


def test_the_interpreter_checks_the_first_leaves_and_one_line_in_so_many_again(
    game: Game, own: Path, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "FIRST_LEAVES", 7)
    monkeypatch.setattr(checking, "ONE_IN", 10)
    monkeypatch.setattr(checking, "CHUNK_AGAIN", 3)
    chunks = checking.chunks_of(read_certificate(own), compiled=True).values()
    once = [index for chunk in chunks if not chunk.again for index in chunk.indices]
    assert once == [*range(len(lines))]
    again = {index for chunk in chunks if chunk.again for index in chunk.indices}
    assert again == {*range(0, len(lines), 10), *of_left(lines, game.leaf)[:7]}


def test_the_command_states_who_has_checked_how_many_lines(
    own: Path, lines: list[str], compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "FIRST_LEAVES", 7)
    output = run(own, "--workers", 1).output
    again = len({*range(0, len(lines), checking.ONE_IN), *of_left(lines, int(lines[-1][:2]))[:7]})
    assert re.search(
        rf" positions searched by the compiled checker, {again} lines again by the interpreter, CPU ", output
    )
    assert " positions searched by the interpreter, CPU " in run(own, "--workers", 1, "--plain").output
    notes = own.with_name("notes")
    assert run(own, "--workers", 1, "--notes", notes).exit_code == 0
    assert run(own, "--workers", 1, "--notes", notes).exit_code == 3
    refused = run(own, "--workers", 1, "--notes", notes, "--plain")
    assert (refused.exit_code, "belongs to a run with checker " in refused.output) == (2, True)

    def none() -> Path:
        raise NotCompiled("mypyc is not installed")

    monkeypatch.setattr(checking, "compiled_checker", none)
    output = run(own, "--workers", 1).output
    assert " positions searched by the interpreter (mypyc is not installed), CPU " in output
    assert "again" not in output


def test_why_nothing_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = "little_go.proof.compiled"
    with monkeypatch.context() as patch:
        patch.setattr(f"{made}.in_clone", lambda: False)
        with pytest.raises(NotCompiled, match="an installed package does not compile it"):
            compiled_checker()
    monkeypatch.setattr(f"{made}.cache_path", lambda name: tmp_path / name)
    with monkeypatch.context() as patch:
        patch.setattr("importlib.util.find_spec", lambda name: None)
        with pytest.raises(NotCompiled, match="mypyc is not installed"):
            compiled_checker()
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    with pytest.raises(NotCompiled, match="there is no C compiler no-such-compiler"):
        compiled_checker()
    assert not list(tmp_path.iterdir())
    monkeypatch.delenv("CC")
    monkeypatch.setattr(f"{made}.source_of_checker", lambda: {"rules.py": b"x: int = ''", "search.py": b""})
    with pytest.raises(NotCompiled, match="mypyc failed: ") as error:
        compiled_checker()
    assert "Incompatible types" in Path(str(error.value).partition(": ")[2]).read_text("utf-8")
    assert [each.suffix for each in (tmp_path / "build" / "checker").iterdir()] == [".txt"]


# ---- the core ----


CORE = ("rules", "search")


def test_the_core_is_small_and_does_nothing_but_judge() -> None:
    sources = [(ROOT / "proof" / "checker" / f"{module}.py").read_text("utf-8") for module in CORE]
    assert sum(len(source.splitlines()) for source in sources) <= 470
    allowed = {
        "__future__",
        "collections.abc",
        "operator",
        "typing",
        "little_go.proof.checker",
        "little_go.proof.checker.rules",
    }
    for source in sources:
        assert {name for name, _ in imports_of(source)} <= allowed


@pytest.mark.parametrize("module", [*CORE, "certificate"])
def test_nothing_of_the_project_is_imported(module: str) -> None:
    for name, what in imports_of((ROOT / "proof" / "checker" / f"{module}.py").read_text("utf-8")):
        inside = name.startswith("little_go.proof.checker.") or (name == "little_go.proof.checker" and what == "rules")
        assert name.split(".")[0] in sys.stdlib_module_names or inside, name


def imports_of(source: str) -> list[tuple[str, str]]:
    """Return the modules that a file imports at run time, without imports that are only for types."""
    found = []
    tree = ast.parse(source)
    typing = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    tree.body = [node for node in tree.body if node not in typing]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            found += [(str(node.module), alias.name) for alias in node.names]
    return found


def point(text: str) -> int:
    return rules.PASS if text == "PASS" else 1 << parse_move(text)


def random_game(rng: random.Random) -> list[tuple[Place, minimax.State]]:
    """Return a random game as states of the checker and of minimax. It has few points and many captures, so that ko is
    frequent.
    """
    points = {*rng.sample(range(25), rng.choice([6, 9, 14, 25])), 6, 7}
    state = minimax.START
    if rng.random() < 0.5:
        state = state._replace(board=".XO..XO.O..XO............", left=rng.choice([6, 12]))
    here: Place | None = parse_place(f"{state.left:02} {state.board} - -")
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
        here = rules.play(here, point(name(move)))
    return game


def test_the_rules_are_those_of_the_second_opinion() -> None:
    rng = random.Random(1)
    kos = 0
    for _ in range(100):
        for here, state in random_game(rng):
            kos += here.ko != 0
            after = {name(move): child for move, child in minimax.successors(state)}
            for move in [*map(name, range(25)), "PASS"]:
                mine, want = rules.play(here, point(move)), after.get(move)
                assert (mine is None) == (want is None), (state, move)
                if mine and want:
                    board = "".join(".XO"[(mine.black >> p & 1) + 2 * (mine.white >> p & 1)] for p in range(25))
                    assert (board, mine.left, mine.passed) == (want.board, want.left, want.passed)
    assert kos > 30


def test_the_search_agrees_with_plain_minimax() -> None:
    rng = random.Random(2)
    judge = Judge(Claim(True, 3))
    wins = kos = 0
    for _ in range(200):
        game = random_game(rng)
        late = [pair for pair in game if pair[0].ko or pair[0].left <= 3]
        for here, state in late:
            # An early ko is used again in the last plies.
            left = rng.choice([1, 3]) if state.mover == "O" else 2
            want = black_wins(state._replace(left=left))
            wins += want
            kos += here.ko != 0
            assert judge.keeps(here._replace(left=left)) == want, here
    assert wins > 20
    assert kos > 20


def test_the_search_agrees_with_the_strategy() -> None:
    judge = Judge(Claim(True, 3))
    for state in [*strategy(game_of("Black")), *strategy(game_of("White"))]:
        for move, child in minimax.successors(state):
            here = place(child)
            want = black_wins(child)
            assert judge.keeps(here) == want, (state, move)


def test_the_search_agrees_with_the_known_values() -> None:
    judges = {bound: Judge(Claim(True, bound), entries=20_000) for bound in range(-24, 25)}
    for number, row in enumerate(ORACLE.read_text("utf-8").splitlines()):
        record = json.loads(row)
        left = 24 - record["ply"]
        if left <= 7 or (left <= 10 and number % 40 == 0):
            ko = 0 if record["ko"] is None else 1 << record["ko"]
            here = Place(left, record["black"], record["white"], ko, record["passed"])
            for bound in (record["value"], record["value"] + 1, 3):
                if -24 <= bound <= 24:
                    assert judges[bound].keeps(here) == (record["value"] >= bound), record


def test_a_first_pass_ends_the_game() -> None:
    assert rules.play(rules.START, rules.PASS) == Place(0, 0, 0, 0, True)
    assert Position().play(PASS).is_over

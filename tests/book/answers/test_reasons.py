"""Every sentence about a move is true of the board: each is read back, and its line played by the second opinion."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from book.answers.reasons import THEMES, reason
from solver.native.kernel import Kernel
from solver.native.table import open_table
from solver.position import PASS, START, Position, parse_move, play_all
from tests.solver import minimax

MOVE = r"(?:\d,\d|PASS)"
WHO = "(?:Black|White)"
STONES = r"(?:\d,\d(?:, \d,\d)*(?: and \d,\d)?|\d+ stones \([\d, ]+ …\))"
KO = rf"(?P<ko>, and {WHO} may not take back at once)?"
TAKES = rf"takes (?P<what>it|them|{STONES})(?: at ply (?P<ply>\d+) with (?P<by>{MOVE}))?{KO}"
UNTIL = r"stands? (?:(?P<end>to the end)|after ply (?P<until>\d+))"
RESULT = r"(?:: (?P<result>[BW]\+[\d.]+))?\."
COUNT = r"with (?P<black>\d+) black and (?P<white>\d+) white stones"

FORMS = [
    rf"(?P<who>{WHO}) answers (?P<answer>{MOVE}) and {TAKES}{RESULT}",
    rf"After (?P<first>{MOVE}) (?P<what>it|they) {UNTIL}{RESULT}",
    rf"After (?P<first>{MOVE}) (?P<whose>{WHO})'s (?P<what>{STONES}) {UNTIL}{RESULT}",
    rf"(?:(?P<first>{MOVE})|After (?P<after>{MOVE}) (?P<who>{WHO})) {TAKES}{RESULT}",
    rf"After (?P<first>{MOVE}) the game ends {COUNT}{RESULT}",
    rf"After (?P<first>{MOVE}) (?P<passes>{WHO})'s PASS ends the game {COUNT}{RESULT}",
    rf"(?P<first>PASS) ends the game {COUNT}{RESULT}",
    rf"After (?P<first>{MOVE}) (?P<who>{WHO}) answers (?P<answer>{MOVE})\.",
]


class Line(NamedTuple):
    """A line by the second opinion's rules: its moves, and the board before and after each of them."""

    start: Position
    moves: list[int]

    @property
    def boards(self) -> list[minimax.State]:
        found = [state_of(self.start)]
        for move in self.moves:
            after = minimax.after(found[-1], None if move == PASS else move)
            assert after is not None
            found.append(after)
        return found

    def ply(self, at: int) -> int:
        return self.start.ply + at + 1

    @property
    def is_whole(self) -> bool:
        return play_all(self.start, self.moves).is_over


def state_of(position: Position) -> minimax.State:
    board = "".join(
        "XO"[1 - (position.black >> p & 1)] if (position.black | position.white) >> p & 1 else "." for p in range(25)
    )
    # After a PASS the board is as before; before a ko the point held the stone that the opponent has just taken.
    before = board if position.passed else "?" if position.ko is None else ko_board(board, position)
    return minimax.State(board, before, "XO"[position.ply % 2], position.left, position.passed)


def ko_board(board: str, position: Position) -> str:
    """Return the board that playing at the ko point would make again."""
    free = minimax.after(minimax.State(board, "?", "XO"[position.ply % 2], position.left, False), position.ko)
    assert free is not None
    return free.board


def named(text: str, said: list[int]) -> tuple[int, list[int]]:
    """Return how many stones a text tells of, and those that it names; ``it`` and ``they`` are those said before."""
    if text in ("it", "they", "them"):
        assert (len(said) == 1) == (text == "it")
        return len(said), said
    points = [parse_move(name) for name in re.findall(r"\d,\d", text)]
    many = re.match(r"(\d+) stones", text)
    return (int(many[1]) if many else len(points)), points


def check(sentence: str, line: Line, said: list[int]) -> list[int]:
    """Raise AssertionError unless a sentence is true of a line; return the stones that it names."""
    found = [match for form in FORMS if (match := re.fullmatch(form, sentence))]
    assert len(found) == 1, sentence
    told = {name: value for name, value in found[0].groupdict().items() if value is not None}
    boards = line.boards
    mover = "XO"[line.start.ply % 2]
    first = told.get("first", told.get("after"))
    assert first is None or parse_move(first) == line.moves[0]
    if "answer" in told:
        assert parse_move(told["answer"]) == line.moves[1]
    if "passes" in told:
        assert line.moves[1] == PASS
        assert line.is_whole
        assert told["passes"][0] == {"X": "W", "O": "B"}[mover]
    count, points = named(told["what"], said) if "what" in told else (0, [])
    if "takes" in sentence:
        taker = {"Black": "X", "White": "O"}[told["who"]] if "who" in told else mover
        at = int(told["ply"]) - line.start.ply - 1 if "ply" in told else (0 if taker == mover else 1)
        assert "by" not in told or parse_move(told["by"]) == line.moves[at]
        before, after = boards[at : at + 2]
        assert before.mover == taker
        taken = [p for p in range(25) if before.board[p] not in (".", taker) and after.board[p] == "."]
        assert set(points) <= set(taken)
        assert count <= len(taken)
        back = [p for p in taken if minimax.after(after, p) is None and minimax.after(after._replace(before="?"), p)]
        assert bool(back) == ("ko" in told), sentence
    elif "stand" in sentence:
        colour = {"Black": "X", "White": "O"}[told["whose"]] if "whose" in told else mover
        assert all(state.board[p] == colour for state in boards for p in points)
        assert told.get("until", str(line.ply(len(line.moves) - 1))) == str(line.ply(len(line.moves) - 1))
        assert ("end" in told) == line.is_whole
    if "black" in told:
        assert (int(told["black"]), int(told["white"])) == (boards[-1].board.count("X"), boards[-1].board.count("O"))
    assert ("result" in told) == line.is_whole
    if "result" in told:
        margin = boards[-1].board.count("X") - boards[-1].board.count("O") - 2.5
        assert told["result"] == f"{'B' if margin > 0 else 'W'}+{abs(margin):.1f}"
    return points


class Mistake(NamedTuple):
    position: Position
    worse: list[int]
    better: list[int]


def mistakes(count: int, seed: int) -> Iterator[Mistake]:
    """Yield moves that lose something, in random positions with 2 to 12 plies left, with best play after both."""
    kernel, rng = Kernel(open_table(64)), random.Random(seed)

    def best_play(position: Position) -> list[int]:
        moves = []
        while not position.is_over:
            best = kernel.value(position).best
            assert best is not None
            moves.append(best)
            position = position.play(best)
        return moves

    while count:
        position, plies = START, rng.randrange(12, 23)
        while position.ply < plies:
            *stones, _ = position.legal_moves()
            position = position.play(rng.choice(stones) if stones and rng.random() < 0.95 else PASS)
        if position.is_over:
            continue
        move, better = rng.choice(position.legal_moves()), best_play(position)
        worse = [move, *best_play(position.play(move))]
        if play_all(position, worse).margin != play_all(position, better).margin:
            count -= 1
            yield Mistake(position, worse, better)


@pytest.mark.parametrize("plies", [24, 3])
def test_every_sentence_is_true(plies: int) -> None:
    """Of whole lines, and of lines of three plies."""
    themes = Counter[str]()
    for position, worse, better in mistakes(500, 561):
        told = reason(position, worse[:plies], better[:plies])
        said = check(told.worse, Line(position, worse[:plies]), [])
        check(told.better, Line(position, better[:plies]), said)
        themes[told.theme] += 1
    assert set(themes) == set(THEMES)


def test_a_false_sentence_is_found_out() -> None:
    position, worse, better = next(mistakes(1, 1))
    told = reason(position, worse, better)
    wrong = re.sub(r"[BW]\+", lambda each: "BW"["BW".index(each[0][0]) - 1] + "+", told.worse)
    with pytest.raises(AssertionError):
        check(wrong, Line(position, worse), [])


def test_a_line_without_an_answer_tells_nothing() -> None:
    with pytest.raises(ValueError, match="two moves at least"):
        reason(START, [12], [0, 1])

"""A certificate in the format for Coq: lines by plies left. A leaf that is too expensive for Coq becomes a node.

A fault in this module cannot make a theorem false, because Coq refuses a wrong line.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from little_go.proof.checker.certificate import BadCertificate, read_certificate
from little_go.solver.native.kernel import Kernel, children, next_ply
from little_go.solver.native.table import open_table
from little_go.solver.position import GAME_PLIES, Position, parse_move
from little_go.solver.symmetry import key_of, position_of

#: A leaf is cheap if the kernel can decide the leaf with at most CHEAP_NODES nodes and a table of TABLE_MIB MiB.
CHEAP_NODES, TABLE_MIB = 10, 64

#: The bit that marks a leaf, above the bits of a line's stones, ko point, PASS and move.
LEAF = 1 << 61

_LINE = re.compile(r"(\d+) ([.XO]{25}) (-|\d,\d) ([-P]) (\S+)")


class Line(NamedTuple):
    """A position in which the keeper of the bound moves, the move, and whether Coq searches the rest of the game."""

    position: Position
    move: int
    is_leaf: bool


class Strategy(NamedTuple):
    """The content of a certificate.

    name: the file's name, as an identifier in Coq. black: whether the claim is Black's. bound: the bound on the margin.
    stones: Black's first moves after which the claim holds; empty if the claim holds for the empty board.
    """

    name: str
    black: bool
    bound: int
    stones: tuple[int, ...]
    lines: list[Line]

    @property
    def threshold(self) -> int:
        """The smallest value that Black reaches if the claim is Black's, and cannot reach if the claim is White's."""
        return self.bound if self.black else self.bound + 1

    @property
    def needs(self) -> tuple[int, int]:
        """The numbers that Coq adds to the other side's and to the keeper's stones before it compares the sums."""
        need = self.bound if self.black else -self.bound
        return max(need, 0), max(-need, 0)


def parse_line(text: str, leaf: int) -> Line:
    """Parse a line, or raise ValueError if the text is not a line. leaf: the plies left in leaves."""
    found = _LINE.fullmatch(text)
    if found is None:
        raise ValueError(f"not a line: {text!r}")
    left, board, ko, passed, move = found.groups()
    black, white = (sum(1 << p for p in range(25) if board[p] == mark) for mark in "XO")
    ply = GAME_PLIES - int(left)
    position = Position(black, white, None if ko == "-" else parse_move(ko), ply, passed == "P")
    return Line(position, parse_move(move), int(left) == leaf)


def read_strategy(path: Path) -> Strategy:
    """Return a shipped certificate, or raise ValueError if the file is damaged or has unexpected starts."""
    try:
        read = read_certificate(path)
    except BadCertificate as error:
        raise ValueError(f"{path}, line {error.fault.number}: {error}") from None
    if read.fault is not None:
        raise ValueError(f"{path}, line {read.fault.number}: {read.fault.why}")
    texts = [start.text for start in read.starts]
    if texts != ["empty"] and not all(re.fullmatch(r"\d,\d", text) for text in texts):
        raise ValueError(f"{path}: only the empty board and Black's first stones are starts here")
    stones = tuple(parse_move(text) for text in texts if text != "empty")
    name = re.sub(r"\W", "_", path.name.removesuffix(".gz").removesuffix(".cert"))
    lines = [parse_line(line, read.leaf) for line in read.lines]
    return Strategy(name, read.claim.black, read.claim.bound, stones, lines)


def take_apart(strategy: Strategy) -> Strategy:
    """Return the strategy with nodes instead of expensive leaves, and lines for all positions after the new nodes.

    Repeat the replacement until all leaves are cheap.
    """
    judge = _Judge(strategy)
    done: list[Line] = []
    level = strategy.lines
    while level:
        lines = [line._replace(is_leaf=line.is_leaf and judge.is_cheap(line)) for line in level]
        done += lines
        opened = [now for now, was in zip(lines, level, strict=True) if was.is_leaf and not now.is_leaf]
        level = [judge.line(key) for key in _turns_after(opened)]
    return strategy._replace(lines=done)


def _turns_after(lines: list[Line]) -> Iterator[int]:
    """Yield the canonical keys of the positions after the nodes in which the keeper moves next, each key once."""
    return iter(next_ply(key_of(line.position.play(line.move)) for line in lines))


class _Judge:
    """A search that decides whether leaves are cheap, and finds moves that make them cheap."""

    def __init__(self, strategy: Strategy) -> None:
        self._kernel = Kernel(open_table(TABLE_MIB))
        self._strategy = strategy

    def is_cheap(self, line: Line) -> bool:
        after = line.position.play(line.move)
        return after.is_over or self._keeps(after, CHEAP_NODES)

    def line(self, key: int) -> Line:
        """Return a line for a position, with a move that makes it a cheap leaf, or else a move that keeps the bound."""
        position = position_of(key)
        after = ((move, position_of(child)) for move, child in children(key))
        move = next((move for move, child in after if self._keeps(child, CHEAP_NODES)), None)
        if move is None:
            move = self._kernel.decide(position, self._strategy.threshold).best
            assert move is not None
        return Line(position, move, True)

    def _keeps(self, position: Position, limit: int) -> bool:
        threshold = self._strategy.threshold
        reached = self._kernel.decide(position, threshold, node_limit=limit).at_least(threshold)
        return reached is self._strategy.black


def number_of(line: Line, black: bool) -> int:
    """Return a line as a number in the format of Certificate.v.

    The bits are::

        bit  61    60 .. 56  55      54 .. 50          49 .. 25        24 .. 0
             leaf  move      passed  ko point (or 31)  other's stones  keeper's stones

    The bit ``passed`` is also set for the empty board, because a PASS ends the game there.
    """
    position = line.position
    own, other = (position.black, position.white) if black else (position.white, position.black)
    ko = 31 if position.ko is None else position.ko
    return own | other << 25 | ko << 50 | position.pass_ends << 55 | line.move << 56 | (LEAF if line.is_leaf else 0)


def levels(strategy: Strategy) -> dict[int, list[int]]:
    """Return the lines as numbers by plies left, the most plies left first, each level sorted by position."""
    found: dict[int, list[int]] = {}
    for line in strategy.lines:
        found.setdefault(line.position.left, []).append(number_of(line, strategy.black))
    return {left: sorted(found[left], key=lambda x: x & (1 << 56) - 1) for left in sorted(found, reverse=True)}

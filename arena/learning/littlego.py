"""Little-Go for a learner: keys of moves, the file of learnt values, and a training run.

A move's key encodes the board after it in six numbers that no rotation or reflection changes; "mine" is the side that
has just moved::

    bit  18 .. 16    15 .. 13     12 .. 11    10 .. 9     8 .. 5     4 .. 0
         shape       liberties    atari on    atari on    margin     plies left
         + 2         / 2 + 3      theirs      mine        + 7

    plies left: these fix the colour as well; 0 is the end, where bit 5 alone is whether mine has won
    margin: my stones minus theirs, -7 to 7
    atari on mine: stones in my largest group with one liberty, up to 3
    atari on theirs: stones in all of their groups with one liberty, up to 3
    liberties: my liberty points minus theirs, in steps of two, -3 to 3
    shape: groups minus holes (Gray 1971), theirs minus mine, -2 to 2

Whole boards repeat too rarely to be learnt (docs/reference/AGENTS.md).

The learnt values, ``qlearning.json``, are one JSON object::

    {
      "format": 1,
      "game": "little-go",
      "low": the value of byte 0,
      "high": the value of byte 255; the others lie evenly between,
      "entries": N,
      "sha256": hash of the unpacked data,
      "data": base64(zlib(unpacked data))
    }

The unpacked data are 5 N bytes: N keys in ascending order, 4 bytes each, then a byte for each key's value. The keys are
stored transposed, like those of ``book.json`` (book.files.reader).

An episode's random numbers depend on the run's seed and its number alone: equal plans learn equal tables.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

from little_go.arena.learning.learner import (
    KeyedMove,
    Learner,
    LearningSettings,
    Policy,
    Rules,
    learnt_policy,
    play_out,
    train_game,
)
from little_go.book.files.reader import BookError, unpack_columns
from little_go.book.files.writer import pack_columns
from little_go.generator.opponents.features import euler, side_groups
from little_go.runtime.files import MIB, read_json, write_whole
from little_go.solver.family import COURSE
from little_go.solver.position import FULL, PASS, START, Position, neighbours, parse_move, points_of

_FORMAT, _GAME = 1, "little-go"

_KEY_BYTES, _MOST_VALUE = 4, 255


class ValueTableError(ValueError):
    """An unusable table; the message is one line that names the file."""


class ValueTable:
    """Values by key, one byte each; built by pack() or open_table(). ``len()`` is the number of keys.

    low, high: the values of bytes 0 and 255. values: the bytes by key.
    """

    def __init__(self, values: Mapping[int, int], low: float, high: float) -> None:
        self.values = values
        self.low = low
        self.high = high

    def __len__(self) -> int:
        return len(self.values)

    def rank(self, key: int) -> int:
        """Return a key's value as its byte, 0 to 255; -1 for a missing key, below all others.

        >>> [pack({7: 0.0, 8: 0.5}).rank(key) for key in (7, 8, 9)]
        [0, 255, -1]
        """
        return self.values.get(key, -1)


def pack(values: Mapping[int, float]) -> ValueTable:
    """Return a table of values, each rounded to one of 256 steps from the least to the greatest."""
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    step = (high - low) / _MOST_VALUE or 1.0
    return ValueTable({key: round((value - low) / step) for key, value in values.items()}, low, high)


def write_table(table: ValueTable, path: Path) -> None:
    """Write a table; equal tables give equal bytes. Raises OSError."""
    content = {
        "format": _FORMAT,
        "game": _GAME,
        "low": table.low,
        "high": table.high,
        "entries": len(table),
        **pack_columns(table.values, _KEY_BYTES),
    }
    write_whole(path, json.dumps(content, indent=1) + "\n")


def open_table(path: Path) -> ValueTable:
    """Return the table in a file.

    Raises ValueTableError for one that cannot be read, is damaged, or has another format.
    """
    return read_json(path, 256 * MIB, _unpack, ValueTableError)


def _unpack(content: Any) -> ValueTable:
    """Return the table in parsed JSON; raises ValueTableError without the file's name."""
    _check_header(content)
    try:
        keys, values = unpack_columns(content, _KEY_BYTES, content["entries"])
    except BookError as error:
        raise ValueTableError(str(error)) from None
    numbers = (int.from_bytes(keys[at : at + _KEY_BYTES], "little") for at in range(0, len(keys), _KEY_BYTES))
    return ValueTable(dict(zip(numbers, values, strict=True)), float(content["low"]), float(content["high"]))


def _check_header(content: Any) -> None:
    if not isinstance(content, dict) or content.get("game") != _GAME:
        raise ValueTableError("not a table of values of Little-Go")
    if content.get("format") != _FORMAT:
        raise ValueTableError(f"table format {content.get('format')}, but this program reads format {_FORMAT}")
    kinds: dict[str, type | tuple[type, ...]] = {"low": (int, float), "high": (int, float), "entries": int, "data": str}
    wrong = [name for name, kind in kinds.items() if not isinstance(content.get(name), kind)]
    if wrong:
        raise ValueTableError(f"damaged: {wrong[0]} is missing")


#: The course's agent opens here in all its logged games; the only opening that is learnt.
OPENING = parse_move("1,2")

#: Bits of a key.
KEY_BITS = 19

_MOST_MARGIN, _MOST_ATARI, _MOST_LIBERTIES, _MOST_SHAPE = 7, 3, 3, 2

#: Positions whose choices are cached: openings repeat.
_REMEMBERED = 1 << 14


def key_after(following: Position, mover: int) -> int:
    """Return the key of the move of ``mover`` (1 = Black, 2 = White) that led to a position."""
    if following.is_over:
        return int(COURSE.leader(following) == mover) << 5
    mine, theirs = (following.black, following.white) if mover == 1 else (following.white, following.black)
    my_liberties, my_euler, my_ataris = _shape(mine, theirs)
    their_liberties, their_euler, their_ataris = _shape(theirs, mine)
    return (
        following.left
        | _clipped(mine.bit_count() - theirs.bit_count(), _MOST_MARGIN) << 5
        | min(max(my_ataris, default=0), _MOST_ATARI) << 9
        | min(sum(their_ataris), _MOST_ATARI) << 11
        | _clipped((my_liberties - their_liberties) // 2, _MOST_LIBERTIES) << 13
        | _clipped(their_euler - my_euler, _MOST_SHAPE) << 16
    )


@lru_cache(maxsize=_REMEMBERED)
def _choices(position: Position) -> tuple[KeyedMove, ...]:
    """Return the legal points, or PASS, with their keys; at the start OPENING alone."""
    moves = (list(points_of(position.legal_points())) or [PASS]) if position.ply else [OPENING]
    return tuple(KeyedMove(move, key_after(position.play(move), position.mover)) for move in moves)


def _shape(mine: int, theirs: int) -> tuple[int, int, list[int]]:
    """Return liberty points, groups minus holes, and the stones of each group in atari of one side."""
    in_atari = [group.stones.bit_count() for group in side_groups(mine, theirs) if group.in_atari]
    liberties = neighbours(mine) & FULL & ~(mine | theirs)
    return liberties.bit_count(), euler(mine), in_atari


def _clipped(number: int, most: int) -> int:
    """Return a number clipped to -most..most, plus ``most``."""
    return max(0, min(2 * most, number + most))


#: The game, Black = player 1; PASS only without a legal point, as in the logged games.
LITTLE_GO = Rules(
    START,
    _choices,
    Position.play,
    mover=lambda position: position.mover,
    winner=lambda position: COURSE.leader(position) if position.is_over else None,
)


#: Opponents by name; None is the learner itself.
Opponents: TypeAlias = Mapping[str, Policy[Position] | None]

#: Opponents of a measurement: fast ones, and no learner.
MEASURED_AGAINST = ("random", "greedy", "aggressive", "alphabeta")


class Point(NamedTuple):
    """The share of games won after ``episodes`` episodes, by opponent, 0 to 1."""

    episodes: int
    rates: dict[str, float]


@dataclass(frozen=True)
class TrainingPlan:
    """The plan of a run.

    settings: of the learner. seed: of all games. against: names of opponents, who play in turn; a name given twice
    plays twice as often. every: episodes between measurements. test_games: games against each opponent in a
    measurement, half of them as Black.
    """

    settings: LearningSettings
    seed: int
    against: tuple[str, ...]
    every: int
    test_games: int


@dataclass
class Run:
    """A run: its plan, opponents, learner, number of episodes, and measurements."""

    plan: TrainingPlan
    opponents: Opponents
    learner: Learner
    episodes: int = 0
    points: list[Point] = field(default_factory=list)

    def step(self) -> None:
        """Play one more episode, and measure when due."""
        against = self.plan.against
        opponent = self.opponents[against[self.episodes // 2 % len(against)]]
        rng = Random(f"{self.plan.seed} episode {self.episodes}")
        train_game(LITTLE_GO, self.learner, 1 + self.episodes % 2, opponent, rng)
        self.episodes += 1
        if self.is_measured:
            self.points.append(Point(self.episodes, dict(self._measure())))

    @property
    def is_measured(self) -> bool:
        """Whether a measurement follows the last episode."""
        return self.episodes % self.plan.every == 0

    def table(self, least_visits: int) -> ValueTable:
        """Pack the values that were updated at least ``least_visits`` times."""
        return pack(
            {key: value for key, value in self.learner.values.items() if self.learner.visits[key] >= least_visits}
        )

    def _measure(self) -> Iterator[tuple[str, float]]:
        policy = learnt_policy(LITTLE_GO, self.learner)
        for name in MEASURED_AGAINST:
            opponent = self.opponents[name]
            assert opponent is not None
            rng = Random(f"{self.plan.seed} measurement {self.episodes} {name}")
            wins = 0
            for number in range(self.plan.test_games):
                mine = 1 + number % 2
                wins += play_out(LITTLE_GO, {mine: policy, 3 - mine: opponent}, rng) == mine
            yield name, wins / self.plan.test_games

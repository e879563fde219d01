"""Learn Little-Go: keys of moves, the file of learnt values, and training runs.

A move's key encodes the board after the move in six numbers that stay the same if the board is rotated or reflected.
"Mine" refers to the side that has just moved::

    bit  18 .. 16    15 .. 13     12 .. 11    10 .. 9     8 .. 5     4 .. 0
         shape       liberties    atari on    atari on    margin     plies left
         + 2         / 2 + 3      theirs      mine        + 7

    plies left: they also determine the colour; if they are 0, bit 5 is set if my side has won, and all others are 0
    margin: my stones minus theirs, -7 to 7
    atari on mine: stones in my largest group with one liberty, up to 3
    atari on theirs: stones in all of their groups with one liberty, up to 3
    liberties: my liberty points minus theirs, in steps of two, -3 to 3
    shape: groups minus holes (Gray 1971), theirs minus mine, -2 to 2

The key is not the whole board, because boards repeat too rarely for learning (docs/reference/AGENTS.md).

The file of learnt values, ``qlearning.json``, contains one JSON object::

    {
      "format": 1,
      "game": "little-go",
      "low": the value that byte 0 stands for,
      "high": the value that byte 255 stands for; the other bytes are evenly spaced in between,
      "entries": N,
      "sha256": hash of the unpacked data,
      "data": base64(zlib(unpacked data))
    }

The unpacked data are 5 N bytes: N keys of 4 bytes in ascending order, and then one byte for the value of each key. The
bytes of the keys are transposed, as in ``book.json`` (book.files.reader).

The random numbers of an episode depend only on the run's seed and the number of the episode, so equal plans give equal
tables.
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
    """Raised if a table cannot be used. The message is one line that contains the file's name."""


class ValueTable:
    """A table of values, each rounded to one byte.

    low, high: the values that the bytes 0 and 255 represent. values: maps each key to its byte.
    """

    def __init__(self, values: Mapping[int, int], low: float, high: float) -> None:
        self.values = values
        self.low = low
        self.high = high

    def __len__(self) -> int:
        return len(self.values)

    def rank(self, key: int) -> int:
        """Return the byte of a key, 0 to 255, or -1 for a missing key, so that all other keys rank higher.

        >>> [pack({7: 0.0, 8: 0.5}).rank(key) for key in (7, 8, 9)]
        [0, 255, -1]
        """
        return self.values.get(key, -1)


def pack(values: Mapping[int, float]) -> ValueTable:
    """Return a table in which each value is rounded to one of 256 steps from the least to the greatest value."""
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    step = (high - low) / _MOST_VALUE or 1.0
    return ValueTable({key: round((value - low) / step) for key, value in values.items()}, low, high)


def write_table(table: ValueTable, path: Path) -> None:
    """Write a table to a file. Equal tables give equal bytes."""
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

    Raise ValueTableError if the file cannot be read, is damaged, or has another format.
    """
    return read_json(path, 256 * MIB, _unpack, ValueTableError)


def _unpack(content: Any) -> ValueTable:
    """Return the table in parsed JSON. Raise ValueTableError, without the file's name, if the table is damaged."""
    _check_header(content)
    try:
        keys, values = unpack_columns(content, _KEY_BYTES, content["entries"])
    except BookError as error:
        raise ValueTableError(str(error)) from None
    numbers = (int.from_bytes(keys[at : at + _KEY_BYTES], "little") for at in range(0, len(keys), _KEY_BYTES))
    return ValueTable(dict(zip(numbers, values, strict=True)), float(content["low"]), float(content["high"]))


def _check_header(content: Any) -> None:
    if not isinstance(content, dict) or content.get("game") != _GAME:
        raise ValueTableError("not a table of learnt values for Little-Go: make one with little-go train")
    if content.get("format") != _FORMAT:
        raise ValueTableError(f"table format {content.get('format')}, but this program reads format {_FORMAT}")
    kinds: dict[str, type | tuple[type, ...]] = {"low": (int, float), "high": (int, float), "entries": int, "data": str}
    wrong = [name for name, kind in kinds.items() if not isinstance(content.get(name), kind)]
    if wrong:
        raise ValueTableError(f"damaged: {wrong[0]} is missing")


#: The first move of every training game, because the course's agent begins all its logged games with this move.
OPENING = parse_move("1,2")

#: The number of bits in a key.
KEY_BITS = 19

_MOST_MARGIN, _MOST_ATARI, _MOST_LIBERTIES, _MOST_SHAPE = 7, 3, 3, 2

#: The number of positions whose choices are cached, because many games begin with the same positions.
_REMEMBERED = 1 << 14


def key_after(following: Position, mover: int) -> int:
    """Return the key of the move that led to a position. mover: the side that moved, 1 for Black, 2 for White."""
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
    """Return the legal points, or PASS if there is none, each with its key. At the start, return only OPENING."""
    moves = (list(points_of(position.legal_points())) or [PASS]) if position.ply else [OPENING]
    return tuple(KeyedMove(move, key_after(position.play(move), position.mover)) for move in moves)


def _shape(mine: int, theirs: int) -> tuple[int, int, list[int]]:
    """Return a side's number of liberty points, its groups minus holes, and the sizes of its groups in atari."""
    in_atari = [group.stones.bit_count() for group in side_groups(mine, theirs) if group.in_atari]
    liberties = neighbours(mine) & FULL & ~(mine | theirs)
    return liberties.bit_count(), euler(mine), in_atari


def _clipped(number: int, most: int) -> int:
    """Clip a number to the range from -most to most, and return it plus ``most``."""
    return max(0, min(2 * most, number + most))


#: The rules of Little-Go for a learner, in which Black is player 1. As in the logged games, PASS is a choice only if
#: there is no legal point.
LITTLE_GO = Rules(
    START,
    _choices,
    Position.play,
    mover=lambda position: position.mover,
    winner=lambda position: COURSE.leader(position) if position.is_over else None,
)


#: Maps the names of opponents to their policies, or to None for the learner itself.
Opponents: TypeAlias = Mapping[str, Policy[Position] | None]

#: The opponents in a measurement, which are fast agents that do not learn.
MEASURED_AGAINST = ("random", "greedy", "aggressive", "alphabeta")


class Point(NamedTuple):
    """A measurement of the learner. rates: maps each opponent to the share of games won, 0 to 1."""

    episodes: int
    rates: dict[str, float]


@dataclass(frozen=True)
class TrainingPlan:
    """The plan of a training run.

    settings: the settings of the learner. seed: the seed of all games. against: the names of the opponents, which take
    turns; an opponent that occurs twice plays twice as often. every: the number of episodes between two measurements.
    test_games: the number of games against each opponent in a measurement; the learner plays half of them as Black.
    """

    settings: LearningSettings
    seed: int
    against: tuple[str, ...]
    every: int
    test_games: int


@dataclass
class Run:
    """A training run. episodes: the number of episodes played so far. points: the measurements made so far."""

    plan: TrainingPlan
    opponents: Opponents
    learner: Learner
    episodes: int = 0
    points: list[Point] = field(default_factory=list)

    def step(self) -> None:
        """Play the next episode, and then measure the learner if the plan requires a measurement."""
        against = self.plan.against
        opponent = self.opponents[against[self.episodes // 2 % len(against)]]
        rng = Random(f"{self.plan.seed} episode {self.episodes}")
        train_game(LITTLE_GO, self.learner, 1 + self.episodes % 2, opponent, rng)
        self.episodes += 1
        if self.is_measured:
            self.points.append(Point(self.episodes, dict(self._measure())))

    @property
    def is_measured(self) -> bool:
        """Whether the plan requires a measurement after the last episode that was played."""
        return self.episodes % self.plan.every == 0

    def table(self, least_visits: int) -> ValueTable:
        """Return a table of the values that were updated at least ``least_visits`` times."""
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

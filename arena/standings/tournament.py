"""A round robin: who plays whom, one game of it, and the folder that keeps the games.

Each game has its chance from the tournament's seed, the two agents and its number alone, and its contestants to
itself, so neither the number of processes nor a stop in between changes what is played. Agents that look at the
clock, and programs with chance of their own, are another matter.

``games.jsonl`` has a line for each game, as ``Game.record()`` has it, with ``number`` and ``seconds`` besides; ``sgf/``
has a file for each. A game counts as played when its line is whole, the rules bear it out, and its agents are those of
now: a digest of each agent's files, of what runs it and of its limits is in the line.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

from arena.match.host import WITHOUT_A_MOVE, State, states_of
from arena.match.play import Game, play_game
from arena.standings.entrants import BUILT_IN, Entrant, Terms, open_contestant
from arena.standings.game_sgf import sgf_of
from notation.record import game_of
from runtime.display import tracked
from runtime.journal import Journal, JournalBusy, JournalError
from runtime.plain import write_plain
from solver.bounds import COLOURS
from solver.family import Variant

GAMES_FILE, SGF_DIRECTORY, LOCK_FILE = "games.jsonl", "sgf", ".lock"

#: To judge so many kept games again takes seconds.
_MANY = 2000

#: A game as JSON keys.
Record: TypeAlias = dict[str, Any]

#: The players of a game, and its number.
_Key: TypeAlias = tuple[str, str, int]

#: Who plays, by name.
Roster: TypeAlias = dict[str, Entrant]


class TournamentError(RuntimeError):
    """A tournament that cannot be played or gone on with; the message is one line."""


class Fixture(NamedTuple):
    """A game to play: its agents by name, its number among those of the two with these colours, its chance."""

    black: str
    white: str
    number: int
    seed: int

    @property
    def key(self) -> tuple[str, str, int]:
        """The players and number that tell the game from the others of its tournament."""
        return self.black, self.white, self.number


def schedule(agents: Sequence[str], games: int, seed: int) -> list[Fixture]:
    """Return the games of a round robin: each pair plays so many with each colour.

    They are in rounds, so that a tournament that is stopped has seen all pairs about equally often.
    """
    return [
        draw_fixture(black, white, number, seed) for number in range(games) for black, white in permutations(agents, 2)
    ]


def draw_fixture(black: str, white: str, number: int, seed: int) -> Fixture:
    """Return a game with its chance drawn from ``seed``, the agents and its number, and from nothing else."""
    return Fixture(black, white, number, Random(f"{seed} {black} {white} {number}").getrandbits(32))


class GamesFolder:
    """The games in a directory: those found there, and those added. One run at a time keeps games in a directory.

    A context manager, which closes it. Public attribute: ``directory``.
    """

    def __init__(self, directory: Path, *, with_sgf: bool = True) -> None:
        """Lock the directory until ``close``, read what is there and judge it again.

        with_sgf: whether each game has a file in SGF_DIRECTORY, too. Raises TournamentError for a directory or a file
        that cannot be used.
        """
        self.directory = directory
        self._path = directory / GAMES_FILE
        self._sgf = directory / SGF_DIRECTORY if with_sgf else None
        remedy = "remove the line to play the game again"
        try:
            (self._sgf or directory).mkdir(parents=True, exist_ok=True)
            self._journal: Journal[Record] = Journal(
                self._path, _kept_game, remedy, lock=directory / LOCK_FILE, show=_judged
            )
        except OSError as error:
            raise TournamentError(f"cannot use {str(directory)!r}: {error.strerror}") from None
        except JournalBusy:
            raise TournamentError(
                f"{str(directory)!r} is in use by another run: choose another --out, or wait"
            ) from None
        except JournalError as error:
            raise TournamentError(str(error)) from None

    def __enter__(self) -> "GamesFolder":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let other runs keep games there."""
        self._journal.close()

    def played(
        self, fixtures: Iterable[Fixture], identities: Mapping[str, str], game: Variant
    ) -> tuple[dict[_Key, Record], dict[_Key, set[str]]]:
        """Return the records of those of the games that these agents have played, and which of them others have played.

        identities: the agents', by name. The others' games come with the names that meant another agent then. Raises
        TournamentError when a game was played with another seed, by other plies or komi, or is there twice.
        """
        wanted = {fixture.key: fixture for fixture in fixtures}
        played: dict[_Key, Record] = {}
        others: dict[_Key, set[str]] = {}
        for record in self._journal.rows:
            if (there := game_of(record)) != game:
                raise TournamentError(f"{self._path} has games of {there}, and these are of {game}: give another --out")
            fixture = wanted.get((record["black"], record["white"], record["number"]))
            if fixture and fixture.seed != record["seed"]:
                raise TournamentError(
                    f"{self._path}: these games were played with another --seed; give that one, or another --out"
                )
            if fixture and fixture.key in played:
                raise TournamentError(
                    f"{self._path}: game {fixture.number} of {fixture.black} - {fixture.white} is there twice"
                )
            if fixture and (changed := _changed(record, identities)):
                others[fixture.key] = changed
            elif fixture:
                played[fixture.key] = record
        return played, {key: names for key, names in others.items() if key not in played}

    def drop(self, fixtures: Iterable[Fixture], identities: Mapping[str, str]) -> int:
        """Remove those of the games that other agents of these names have played; return how many.

        Raises TournamentError.
        """
        wanted = {fixture.key for fixture in fixtures}

        def is_kept(record: Record) -> bool:
            key = (record["black"], record["white"], record["number"])
            return key not in wanted or not _changed(record, identities)

        try:
            return self._journal.keep(is_kept)
        except OSError as error:
            raise TournamentError(f"cannot write to {str(self.directory)!r}: {error.strerror}") from None

    def add(self, record: Record) -> None:
        """Keep a game. An SGF is written first, so that a game in the file has one. Raises TournamentError."""
        try:
            if self._sgf:
                write_plain(str(self._sgf / sgf_name(record)), sgf_of(record, date.today()))
            self._journal.add((record, record))
        except OSError as error:
            raise TournamentError(f"cannot write to {str(self.directory)!r}: {error.strerror}") from None


def _kept_game(record: Any) -> Record:
    """Return a game that was kept; raises ValueError where the rules do not bear it out."""
    if fault := fault_of(record):
        raise ValueError(fault)
    found: Record = record
    return found


def _judged(lines: Sequence[bytes]) -> Iterable[bytes]:
    return tracked(lines, "Games judged again") if len(lines) > _MANY else lines


def sgf_name(record: Record) -> str:
    """Return the name of a game's file in SGF_DIRECTORY."""
    return f"{_slug(record['black'])}-{_slug(record['white'])}-{record['number']:04}.sgf"


def _slug(agent: str) -> str:
    """Return an agent's name for a file's; a path's has a few digits of its own, as stems may be equal."""
    if agent in BUILT_IN:
        return agent
    return re.sub(r"\W", "_", Path(agent).stem) + "_" + hashlib.sha256(os.fsencode(agent)).hexdigest()[:6]


def _changed(record: Record, identities: Mapping[str, str]) -> set[str]:
    """Return the names under which a record has other agents than those that have them now."""
    sides = (record["black"], record["white"])
    return {
        name for name, was in zip(sides, record.get("identities", ("", "")), strict=True) if was != identities[name]
    }


def play_fixture(fixture: Fixture, roster: Roster, terms: Terms) -> Game:
    """Play a game, each side by a contestant of its own; raises UnknownAgent."""
    with (
        open_contestant(roster[fixture.black], terms) as black,
        open_contestant(roster[fixture.white], terms) as white,
    ):
        return play_game(black, white, fixture.seed, strict=terms.strict, game=terms.game)


def record_of(fixture: Fixture, game: Game) -> Record:
    """Return a game's record with its number."""
    return {**game.record(), "number": fixture.number}


#: The keys of a record, with what they hold (``Game.record()`` and ``number``).
_KEYS: dict[str, type] = {
    "black": str,
    "white": str,
    "number": int,
    "seed": int,
    "moves": list,
    "winner": str,
    "reason": str,
    "margin": int,
    "final": str,
    "cpu": dict,
    "killed": list,
}


def fault_of(record: object) -> str:
    """Find the fault of a kept game's record, "" when the rules bear it out.

    It cannot distinguish a legal game that was never played from one that was.
    """
    if not isinstance(record, dict):
        return "it is not a game of a tournament"
    for key, kind in _KEYS.items():
        if not isinstance(record.get(key), kind):
            return f"it is not a game of a tournament: {key} is missing or of another kind"
    identities = record.get("identities", ["", ""])
    if not isinstance(identities, list) or len(identities) != 2:
        return "it does not say which agents played it"
    if not all(isinstance(move, str) for move in record["moves"]):
        return "a move is no text"
    try:
        game = game_of(record)
    except ValueError as error:
        return str(error)
    *_, state = states = states_of(record["moves"], game=game)
    played = len(states) - 1
    if state.result and state.result.reason == "malformed":
        return f"ply {played} reads {record['moves'][played - 1][:40]!r}, which is no move"
    if played < len(record["moves"]):
        return f"it goes on after its end at ply {played}"
    return _end_fault(record, state) or _calls_fault(record)


def _end_fault(record: dict[str, Any], state: State) -> str:
    """Find the fault at the end of a game, given the host's state after its moves."""
    if state.result is None:
        if record["reason"] not in WITHOUT_A_MOVE:
            return f"it ends by {record['reason']!r} after ply {len(state.moves)}, where it goes on"
        winner = 3 - state.position.mover
    else:
        winner = state.result.winner
        if record["reason"] != state.result.reason:
            return f"it ends by {state.result.reason}, not by {record['reason']!r}"
    if record["winner"] != COLOURS[winner]:
        return f"{COLOURS[winner]} wins it, not {record['winner']}"
    board = "".join(state.position.rows())
    if (record["final"], record["margin"]) != (board, state.position.margin):
        return f"its last board is {board}, with a margin of {state.position.margin}"
    return ""


def _calls_fault(record: dict[str, Any]) -> str:
    """Find the fault in a record's figures of single calls."""
    calls = len(record["moves"]) + (record["reason"] in WITHOUT_A_MOVE)
    for colour, count in (("black", (calls + 1) // 2), ("white", calls // 2)):
        seconds = record["cpu"].get(colour)
        if not isinstance(seconds, list) or len(seconds) != count:
            return f"it has no CPU times for {colour}'s {count} calls"
        if not all(isinstance(second, int | float) and second >= 0 for second in seconds):
            return f"a CPU time of {colour}'s is none"
    inexact = record.get("inexact", {})
    if not isinstance(inexact, dict) or not all(ply.isdecimal() and 0 < int(ply) <= calls for ply in inexact):
        return "it marks plies that are none"
    if not all(isinstance(ply, int) and 0 < ply <= calls for ply in record["killed"]):
        return "it has killed plies that are none"
    by_clock = record.get("by_clock", [])
    if not isinstance(by_clock, list) or not all(ply in record["killed"] for ply in by_clock):
        return "the clock ended plies that were not killed"
    return ""

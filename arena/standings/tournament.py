"""List the games of a round robin, play a single game, and store games in a folder.

The random numbers of a game depend only on the tournament's seed, the two agents and the number of the game. Each game
has its own contestants. So the games do not depend on the number of processes or on interruptions. Exceptions are
agents that read the clock, and programs with their own random numbers.

``games.jsonl`` contains a line for each game: ``Game.record()`` with ``number`` and ``seconds``. ``sgf/`` contains a
file for each game. A stored game counts if its line is complete, its moves follow the rules, and its agents have not
changed. For this check, the line contains a digest of the files, the runtime and the limits of each agent, and a digest
of the line itself.
"""

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

from little_go.arena.match.host import WITHOUT_A_MOVE, State, states_of
from little_go.arena.match.play import Game, play_game
from little_go.arena.standings.entrants import BUILT_IN, Entrant, Terms, open_contestant
from little_go.arena.standings.game_sgf import sgf_of
from little_go.notation.record import game_of
from little_go.runtime.display import tracked
from little_go.runtime.journal import Journal, JournalBusy, JournalError
from little_go.runtime.plain import write_plain
from little_go.solver.bounds import COLOURS
from little_go.solver.family import Variant

GAMES_FILE, SGF_DIRECTORY, LOCK_FILE = "games.jsonl", "sgf", ".lock"

#: If more stored games than this are judged again, progress is shown, because judging so many games takes seconds.
_MANY = 2000

#: The JSON fields that describe a game.
Record: TypeAlias = dict[str, Any]

#: The players and the number of a game.
_Key: TypeAlias = tuple[str, str, int]

#: Maps the names of agents to their entrants.
Roster: TypeAlias = dict[str, Entrant]


class TournamentError(RuntimeError):
    """Raised if a tournament cannot be played or resumed. The message is one line."""


class Fixture(NamedTuple):
    """A game that is to be played.

    black, white: the names of the agents. number: the number of the game, counted from 0, among the games of the two
    agents with these colours. seed: the seed of the random numbers.
    """

    black: str
    white: str
    number: int
    seed: int

    @property
    def key(self) -> _Key:
        """The players and the number of the game, which are unique in a tournament."""
        return self.black, self.white, self.number


def key_of(record: Record) -> _Key:
    """Return the players and the number of the game in a record."""
    return record["black"], record["white"], record["number"]


def schedule(agents: Sequence[str], games: int, seed: int) -> list[Fixture]:
    """Return the games of a round robin. games: the number of games that each pair plays with each colour.

    The games are sorted by number, so that all pairs have played about equally often if the tournament is interrupted.
    """
    return [
        draw_fixture(black, white, number, seed) for number in range(games) for black, white in permutations(agents, 2)
    ]


def draw_fixture(black: str, white: str, number: int, seed: int) -> Fixture:
    """Return a game, whose seed depends only on the tournament's seed, the agents and the number."""
    return Fixture(black, white, number, Random(f"{seed} {black} {white} {number}").getrandbits(32))


class GamesFolder:
    """Stores the games of a run in a directory, which only one run can use at a time.

    The context manager unlocks the directory. directory: the path of the directory.
    """

    def __init__(self, directory: Path, *, with_sgf: bool = True, damaged: Callable[[str], None] | None = None) -> None:
        """Lock the directory until close(). Read the games in the directory, and judge the games again.

        with_sgf: whether each game also gets a file in SGF_DIRECTORY. damaged: the same as for a Journal. Raise
        TournamentError if the directory or a file cannot be used.
        """
        self.directory = directory
        self._path = directory / GAMES_FILE
        self._sgf = directory / SGF_DIRECTORY if with_sgf else None
        remedy = "remove the line to play the game again"
        try:
            (self._sgf or directory).mkdir(parents=True, exist_ok=True)
            lock = directory / LOCK_FILE
            parse = _kept_game if damaged is None else partial(_kept_once, set())
            self._journal: Journal[Record] = Journal(
                self._path, parse, remedy, lock=lock, show=_judged, sealed=True, damaged=damaged
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
        """Unlock the directory."""
        self._journal.close()

    def played(
        self, fixtures: Iterable[Fixture], identities: Mapping[str, str], game: Variant
    ) -> tuple[dict[_Key, Record], dict[_Key, set[str]]]:
        """Return the records of the stored games that count, and the stored games whose agents have changed.

        fixtures: the games to look for. identities: maps each agent's name to the agent's digest. The second result
        maps each game to the names of the changed agents. Raise TournamentError if a game has another seed, length or
        komi, or is stored twice.
        """
        wanted = {fixture.key: fixture for fixture in fixtures}
        played: dict[_Key, Record] = {}
        by_changed: dict[_Key, set[str]] = {}
        for record in self._journal.rows:
            if (there := game_of(record)) != game:
                raise TournamentError(f"{self._path} has games of {there}, and these are of {game}: give another --out")
            fixture = wanted.get(key_of(record))
            if fixture and fixture.seed != record["seed"]:
                raise TournamentError(
                    f"{self._path}: these games were played with another --seed; give that one, or another --out"
                )
            if fixture and fixture.key in played:
                raise TournamentError(
                    f"{self._path}: game {fixture.number} of {fixture.black} - {fixture.white} is there twice"
                )
            if fixture and (changed := _changed(record, identities)):
                by_changed[fixture.key] = changed
            elif fixture:
                played[fixture.key] = record
        return played, {key: names for key, names in by_changed.items() if key not in played}

    def identities(self) -> set[str]:
        """Return the digests of all agents that played a stored game."""
        return {identity for record in self._journal.rows for identity in record.get("identities", ())}

    def drop(self, fixtures: Iterable[Fixture], identities: Mapping[str, str]) -> int:
        """Remove the stored games whose agents have changed, and return the number of removed games.

        Raise TournamentError if the file cannot be written.
        """
        wanted = {fixture.key for fixture in fixtures}

        def is_kept(record: Record) -> bool:
            return key_of(record) not in wanted or not _changed(record, identities)

        try:
            return self._journal.keep(is_kept)
        except OSError as error:
            raise TournamentError(f"cannot write to {str(self.directory)!r}: {error.strerror}") from None

    def add(self, record: Record) -> None:
        """Store a game. Write its SGF first, so that every stored game has an SGF."""
        try:
            if self._sgf:
                write_plain(str(self._sgf / sgf_name(record)), sgf_of(record, date.today()))
            self._journal.add((record, record))
        except OSError as error:
            raise TournamentError(f"cannot write to {str(self.directory)!r}: {error.strerror}") from None


def _kept_game(record: Any) -> Record:
    """Return the record of a stored game. Raise ValueError if the record contradicts the rules."""
    if fault := fault_of(record):
        raise ValueError(fault)
    found: Record = record
    return found


def _kept_once(seen: set[_Key], record: Any) -> Record:
    """Return the record of a stored game, and add the game to ``seen``. Raise ValueError if it is stored twice."""
    found = _kept_game(record)
    if key_of(found) in seen:
        raise ValueError("the game is there twice")
    seen.add(key_of(found))
    return found


def _judged(lines: Sequence[bytes]) -> Iterable[bytes]:
    return tracked(lines, "Games judged again") if len(lines) > _MANY else lines


def sgf_name(record: Record) -> str:
    """Return the name of a game's file in SGF_DIRECTORY."""
    return f"{_slug(record['black'])}-{_slug(record['white'])}-{record['number']:04}.sgf"


def _slug(agent: str) -> str:
    """Return an agent's name as a part of file names.

    An agent that is not built in gets a few digits of a digest, because two paths can end in the same name.
    """
    if agent in BUILT_IN:
        return agent
    return re.sub(r"\W", "_", Path(agent).stem) + "_" + hashlib.sha256(os.fsencode(agent)).hexdigest()[:6]


def _changed(record: Record, identities: Mapping[str, str]) -> set[str]:
    """Return the names of the agents that have changed since the recorded game."""
    sides = (record["black"], record["white"])
    return {
        name for name, was in zip(sides, record.get("identities", ("", "")), strict=True) if was != identities[name]
    }


def play_fixture(fixture: Fixture, roster: Roster, terms: Terms) -> Game:
    """Play a game with a new contestant for each side. Raise UnknownAgent if an agent cannot be started."""
    with open_contestant(roster[fixture.black], terms) as black, open_contestant(roster[fixture.white], terms) as white:
        return play_game(black, white, fixture.seed, strict=terms.strict, game=terms.game)


def record_of(fixture: Fixture, game: Game) -> Record:
    """Return the record of a game, with the number of the game."""
    return {**game.record(), "number": fixture.number}


#: Maps the fields that a record must contain (``Game.record()`` and ``number``) to the types of their values.
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
    """Return a clause that explains why the record of a stored game is wrong, or "" if the record follows the rules.

    This function cannot detect a forged record of a legal game.
    """
    if not isinstance(record, dict):
        return "it is not a game of a tournament"
    for key, kind in _KEYS.items():
        if not isinstance(record.get(key), kind):
            return f"it is not a game of a tournament: {key} is missing or of another kind"
    identities = record.get("identities", ["", ""])
    if not isinstance(identities, list) or len(identities) != 2:
        return "identities is not a list for two agents"
    if not all(isinstance(move, str) for move in record["moves"]):
        return "a move is not a text"
    try:
        game = game_of(record)
    except ValueError as error:
        return str(error)
    *_, state = states = states_of(record["moves"], game=game)
    played = len(states) - 1
    if state.result and state.result.reason == "malformed":
        return f"ply {played} reads {record['moves'][played - 1][:40]!r}, which is not a move"
    if played < len(record["moves"]):
        return f"it continues after its end at ply {played}"
    return _end_fault(record, state) or _calls_fault(record)


def _end_fault(record: dict[str, Any], state: State) -> str:
    if state.result is None:
        if record["reason"] not in WITHOUT_A_MOVE:
            return f"it ends by {record['reason']!r} after ply {len(state.moves)}, but the game is not over there"
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
    calls = len(record["moves"]) + (record["reason"] in WITHOUT_A_MOVE)
    for colour, count in (("black", (calls + 1) // 2), ("white", calls // 2)):
        seconds = record["cpu"].get(colour)
        if not isinstance(seconds, list) or len(seconds) != count:
            return f"it has no CPU times for {colour}'s {count} calls"
        if not all(isinstance(second, int | float) and second >= 0 for second in seconds):
            return f"a CPU time of {colour} is not a number of seconds"
    inexact = record.get("inexact", {})
    if not isinstance(inexact, dict) or not all(ply.isdecimal() and 0 < int(ply) <= calls for ply in inexact):
        return "inexact contains a ply that the game does not have"
    if not all(isinstance(ply, int) and 0 < ply <= calls for ply in record["killed"]):
        return "killed contains a ply that the game does not have"
    by_clock = record.get("by_clock", [])
    if not isinstance(by_clock, list) or not all(ply in record["killed"] for ply in by_clock):
        return "by_clock contains a ply that killed does not contain"
    return ""

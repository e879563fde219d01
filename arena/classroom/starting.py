"""Compile and start each program once before the first game, to report faults at once."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from arena.classroom.submissions import AgentProgram
from arena.match.contestant import ProgramContestant
from arena.match.host import OPENING, judge
from arena.match.limits import RunnerError, SandboxError
from arena.standings.entrants import Entrant, Terms, UnknownAgent, open_contestant
from arena.standings.tally import seconds_text
from arena.standings.tournament import TournamentError
from crew.jobs import each
from runtime.journal import Journal, JournalError

#: The file of the results, so that a resumed run starts only new programs.
STARTS_FILE, STARTS_LOCK = "starts.jsonl", ".starts.lock"


#: Beginnings of notes: not graded, a compiler's warnings, and faults at the start.
NOT_GRADED, WITH_WARNINGS = "not graded", "compiled with warnings"
_NO_MOVE, _NO_GOOD_MOVE, _KILLED = (
    "no move when it was started",
    "its first move is none that counts",
    "killed for time when",
)
AT_START = (_NO_MOVE, _NO_GOOD_MOVE, _KILLED)


class Start(NamedTuple):
    """The result of a program's start.

    identity: of the agent, "" for one that cannot be prepared. notes: clauses.
    """

    identity: str
    notes: list[str]


def start_program(program: AgentProgram, terms: Terms) -> Start | None:
    """Compile a program, and ask it for Black's first move; None where the machine was too busy."""
    place, notes = program.place, list[str]()
    try:
        with open_contestant(Entrant("program", str(place)), terms) as contestant:
            reply = contestant.reply(OPENING)
            identity = contestant.identity
            if isinstance(contestant, ProgramContestant) and contestant.warnings:
                notes.append(f"{WITH_WARNINGS}: {contestant.warnings.replace(f'{place}/', '')}")
    except (UnknownAgent, RunnerError, SandboxError) as error:
        # Its path would not help anyone.
        words = str(error).replace(f"cannot use agent {str(place)!r}: ", "").replace(f"{place}/", "")
        return Start("", [f"{NOT_GRADED}: {words}", *notes])
    if reply.starved:
        return None
    if reply.text is None:
        notes.insert(0, f"{_NO_MOVE}: {reply.complaint or 'no output.txt'}")
    else:
        state = judge(OPENING, reply.text, terms.strict)
        # A PASS ends the game, but is a valid move.
        if state.result is not None and state.result.reason != "two_passes":
            notes.insert(0, f"{_NO_GOOD_MOVE}: {state.result.detail or state.result.reason}")
        if reply.killed:
            notes.insert(0, f"{_KILLED}, after {seconds_text(reply.cpu)} of CPU")
    return Start(identity, notes)


def start_all(
    programs: Mapping[str, AgentProgram],
    terms: Terms,
    settings: Mapping[str, Any],
    out: Path,
    workers: int,
) -> Iterator[tuple[str, Start]]:
    """Yield each program's start, by digest, reusing those of earlier runs.

    settings: further dependencies of a start. out: the directory of the results. Raises TournamentError.
    """
    with _journal(out, settings) as journal:
        kept = dict(journal.rows)
        found = {digest: kept[digest] for digest in programs if digest in kept}
        yield from found.items()
        left = [program for digest, program in programs.items() if digest not in found]
        yield from _start_each(left, terms, workers, journal)


def _start_each(
    left: Sequence[AgentProgram], terms: Terms, workers: int, journal: Journal[tuple[str, Start]]
) -> Iterator[tuple[str, Start]]:
    begin = partial(start_program, terms=terms)
    for program, start in each(begin, left, workers, show="programs started"):
        if start is None:
            # Alone, it has the whole machine.
            start = begin(program) or Start("", [f"{NOT_GRADED}: the machine is too busy to start it"])
        else:
            journal.add(((program.digest, start), [program.digest, *start]))
        yield program.digest, start


def _journal(out: Path, settings: Mapping[str, Any]) -> Journal[tuple[str, Start]]:
    """Open the earlier starts with the same settings. Raises OSError."""
    try:
        return Journal(out / STARTS_FILE, _kept, "remove the file", head=settings, renew=True, lock=out / STARTS_LOCK)
    except JournalError as error:
        raise TournamentError(str(error)) from None


def _kept(value: Any) -> tuple[str, Start]:
    """Return the digest and the start in a line."""
    digest, identity, notes = value
    return digest, Start(identity, list(notes))

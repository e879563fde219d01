"""Compile and start each program once before the first game, in a sandbox if possible, and keep the results."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from little_go.arena.classroom.basis import Basis, Cause
from little_go.arena.classroom.submissions import AgentProgram
from little_go.arena.match.contestant import ProgramContestant
from little_go.arena.match.host import OPENING, judge
from little_go.arena.match.limits import RunnerError, SandboxError
from little_go.arena.standings.entrants import Entrant, LacksModules, MachineFault, Terms, UnknownAgent, open_contestant
from little_go.arena.standings.tally import seconds_text
from little_go.arena.standings.tournament import TournamentError
from little_go.crew.jobs import each
from little_go.runtime.journal import Journal, JournalError

#: The file with the results, so that a resumed run starts only new programs; and the lock file.
STARTS_FILE, STARTS_LOCK = "starts.jsonl", ".starts.lock"


#: The first words of notes on a compiler's warnings, and of notes on faults at the start of a program.
WITH_WARNINGS = "compiled with warnings"
_NO_MOVE, _NO_GOOD_MOVE, _KILLED = (
    "no move when it was started",
    "its first move does not count",
    "killed for time when",
)
AT_START = (_NO_MOVE, _NO_GOOD_MOVE, _KILLED)


class Start(NamedTuple):
    """The result of starting a program.

    identity: the agent's digest, "" if the program cannot be prepared. notes: clauses, of which the first is the reason
    if the program cannot be prepared.
    """

    identity: str
    notes: list[str]

    @property
    def cause(self) -> Cause | None:
        """The cause that prevents the program from playing, or None if it can play."""
        return None if self.identity else Cause(Basis.NO_START, self.notes[0])


def start_program(program: AgentProgram, terms: Terms) -> Start | Cause:
    """Compile a program, and call it for Black's first move. Return a cause if our machine is at fault."""
    place, notes = program.place, list[str]()
    try:
        with open_contestant(Entrant("program", str(place)), terms) as contestant:
            reply = contestant.reply(OPENING)
            identity = contestant.identity
            if isinstance(contestant, ProgramContestant) and contestant.warnings:
                notes.append(f"{WITH_WARNINGS}: {contestant.warnings.replace(f'{place}/', '')}")
    except (UnknownAgent, RunnerError, SandboxError) as error:
        cause = _why_not_prepared(error, place, terms)
        return cause if cause.basis.is_open else Start("", [cause.words, *notes])
    if reply.cpu_starved or reply.machine_fault:
        return Cause(Basis.OUR_FAULT, reply.machine_fault or "our machine was too busy to start it")
    if reply.text is None:
        notes.insert(0, f"{_NO_MOVE}: {reply.complaint or 'no output.txt'}")
    else:
        state = judge(OPENING, reply.text, terms.strict)
        # A PASS on the first ply ends the game, but is a legal move.
        if state.result is not None and state.result.reason != "two_passes":
            notes.insert(0, f"{_NO_GOOD_MOVE}: {state.result.detail or state.result.reason}")
        if reply.killed:
            notes.insert(0, f"{_KILLED}, after {seconds_text(reply.cpu)} of CPU")
    return Start(identity, notes)


def compile_program(program: AgentProgram, terms: Terms) -> Cause | None:
    """Compile a program without starting it. Return the cause if the compilation fails, or else None."""
    try:
        with open_contestant(Entrant("program", str(program.place)), terms):
            return None
    except (UnknownAgent, RunnerError, SandboxError) as error:
        return _why_not_prepared(error, program.place, terms)


def _why_not_prepared(error: Exception, place: Path, terms: Terms) -> Cause:
    """Return the cause that prevents the preparation of a program. place: the program's directory."""
    # The path of the directory is removed from the message, because the path does not help a student.
    words = str(error).replace(f"cannot use agent {str(place)!r}: ", "").replace(f"{place}/", "")
    if isinstance(error, LacksModules) and terms.provided is None:
        return Cause(Basis.NOT_PROVIDED, words)
    own = isinstance(error, UnknownAgent) and not isinstance(error, MachineFault)
    return Cause(Basis.NO_START if own else Basis.OUR_FAULT, words)


def start_all(
    programs: Mapping[str, AgentProgram],
    terms: Terms,
    settings: Mapping[str, Any],
    out: Path,
    workers: int,
    played: Collection[str],
    say: Callable[[str], None],
) -> Iterator[tuple[str, Start | Cause]]:
    """Yield each program's digest with the program ready to start, or with the reason why our machine cannot start it.

    A stored start is used again if a game of its program is stored. settings: the other values on which a stored start
    depends. out: the directory of the results. played: the digests of agents with a stored game. say: a function that
    prints a line.
    """
    with _journal(out, settings, say) as journal:
        journal.keep(lambda row: row[1].identity in played)
        kept = dict(journal.rows)
        found = {digest: kept[digest] for digest in programs if digest in kept}
        yield from found.items()
        left = [program for digest, program in programs.items() if digest not in found]
        yield from _start_each(left, terms, workers, journal)


def _start_each(
    left: Sequence[AgentProgram], terms: Terms, workers: int, journal: Journal[tuple[str, Start]]
) -> Iterator[tuple[str, Start | Cause]]:
    begin = partial(start_program, terms=terms)
    for program, start in each(begin, left, workers, show="programs started"):
        if isinstance(start, Cause):
            # Start the program again while no other program runs, so that it has the whole machine.
            start = begin(program)
        if isinstance(start, Start):
            journal.add(((program.digest, start), [program.digest, *start]))
        yield program.digest, start


def _journal(out: Path, settings: Mapping[str, Any], say: Callable[[str], None]) -> Journal[tuple[str, Start]]:
    """Open the file of earlier starts, or begin a new file if the settings have changed."""
    path, lock = out / STARTS_FILE, out / STARTS_LOCK
    try:
        return Journal(path, _kept, "remove it", head=settings, renew=True, lock=lock, sealed=True, damaged=say)
    except JournalError as error:
        raise TournamentError(str(error)) from None


def _kept(value: Any) -> tuple[str, Start]:
    digest, identity, notes = value
    return digest, Start(identity, list(notes))

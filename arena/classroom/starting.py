"""Each program compiled and started once, before the first game: what is wrong then is known to its student at once."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from arena.classroom.submissions import AgentProgram, python_notes
from arena.match.host import OPENING, judge
from arena.match.runner import RunnerError, SandboxError
from arena.standings.entrants import Entrant, Terms, UnknownAgent, open_contestant
from arena.standings.tally import seconds_text
from crew.jobs import each
from runtime.filesystem import read_named, write_whole

#: The file that keeps what was found, so that a run that goes on starts only what is new.
STARTS_FILE = "starts.json"


class Start(NamedTuple):
    """How a program's start went.

    identity: of the agent, "" for one that cannot be compiled or laid out. notes: what there is to say.
    """

    identity: str
    notes: list[str]


def start_program(program: AgentProgram, folder: Path, terms: Terms) -> Start | None:
    """Compile a program, and ask it for Black's first move; None where the machine was too busy for it."""
    place = program.unpack(folder)
    notes = python_notes(program, place)
    try:
        with open_contestant(Entrant("program", str(place)), terms) as contestant:
            reply = contestant.reply(OPENING)
            identity = contestant.identity
    except (UnknownAgent, RunnerError, SandboxError) as error:
        # Its place is of no use to anybody.
        words = str(error).replace(f"cannot use agent {str(place)!r}: ", "").replace(f"{place}/", "")
        return Start("", [f"not graded: {words}", *notes])
    if reply.starved:
        return None
    if reply.text is None:
        notes.insert(0, f"no move when it was started: {reply.complaint or 'no output.txt'}")
    else:
        state = judge(OPENING, reply.text, terms.strict)
        # A PASS ends the game, and is a move all the same.
        if state.result is not None and state.result.reason != "two_passes":
            notes.insert(0, f"its first move is none that counts: {state.result.detail or state.result.reason}")
        if reply.killed:
            notes.insert(0, f"killed for time when it was started, after {seconds_text(reply.cpu)} of CPU")
    return Start(identity, notes)


def start_all(
    programs: Mapping[str, AgentProgram],
    folder: Path,
    terms: Terms,
    settings: Mapping[str, Any],
    out: Path,
    workers: int,
) -> Iterator[tuple[str, Start]]:
    """Yield how each program's start goes, by its digest; what an earlier run has found is not found again.

    settings: what makes a start another beside the program. out: the directory that keeps what is found.
    """
    kept = _kept(out, settings)
    found = {digest: kept[digest] for digest in programs if digest in kept}
    yield from found.items()
    left = [program for digest, program in programs.items() if digest not in found]
    keep: dict[str, Start] = dict(found)
    begin = partial(start_program, folder=folder, terms=terms)
    try:
        for program, start in each(begin, left, workers, show="programs started"):
            if start is None:
                # Alone, it has the machine.
                start = begin(program) or Start("", ["not graded: the machine is too busy to start it"])
            else:
                keep[program.digest] = start
            yield program.digest, start
    finally:
        _keep(out, settings, keep)


def _kept(out: Path, settings: Mapping[str, Any]) -> dict[str, Start]:
    """Return what was found before, nothing where that is damaged or was found by other settings; raises OSError."""
    with suppress(FileNotFoundError, ValueError, KeyError, TypeError, RecursionError):
        kept = json.loads(read_named(out / STARTS_FILE))
        if kept["settings"] == settings:
            return {digest: Start(identity, list(notes)) for digest, (identity, notes) in kept["starts"].items()}
    return {}


def _keep(out: Path, settings: Mapping[str, Any], starts: Mapping[str, Start]) -> None:
    write_whole(out / STARTS_FILE, json.dumps({"settings": settings, "starts": starts}))

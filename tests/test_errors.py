"""Every error class with a message belongs to a command that prints the message in one line."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from little_go.runtime.errors import OneLineErrors
from tests.groups import group_of

ROOT = Path(__file__).parents[1]

#: The rooms with commands.
ROOMS = ("arena", "book", "explorer", "generator", "lab", "maker", "player", "proof", "solver")

#: By module and name of a class, the rooms whose commands print its message; none if it is caught before.
PRINTED: dict[str, set[str]] = {
    "little_go.arena.classroom.canvas.BadExport": {"arena"},
    "little_go.arena.classroom.database.BadDatabase": {"arena"},
    "little_go.arena.classroom.outputs.IncompleteClass": {"arena"},
    "little_go.arena.classroom.staff_tables.BadLateDays": {"arena"},
    "little_go.arena.classroom.places.BadPlace": {"arena"},
    "little_go.arena.classroom.staff_tables.BadRegrades": {"arena"},
    "little_go.arena.exam.paper.ExamError": {"arena"},
    "little_go.arena.learning.littlego.ValueTableError": {"arena"},
    "little_go.arena.match.limits.RunnerError": {"arena", "lab"},
    "little_go.arena.match.limits.SandboxError": {"arena"},
    "little_go.arena.standings.entrants.UnknownAgent": {"arena"},
    "little_go.arena.standings.tournament.TournamentError": {"arena"},
    "little_go.book.exchange.claims.CertificateError": {"book"},
    "little_go.book.files.atlas.AtlasError": {"book", "generator"},
    "little_go.book.files.levels.LevelError": {"book", "explorer", "generator"},
    "little_go.book.files.games.GamesError": {"arena", "lab"},
    "little_go.book.files.puzzles.PuzzlesError": {"arena"},
    "little_go.book.files.reader.BookError": {"arena", "book", "lab", "maker"},
    "little_go.book.store.facts.StoreError": {"book", "generator", "maker", "proof"},
    "little_go.generator.workers.search_crew.CrewError": {"generator", "lab", "maker"},
    "little_go.generator.workers.search_crew.FalseWorker": {"generator", "lab", "maker"},
    "little_go.maker.chain.StepError": {"maker"},
    "little_go.maker.folder.FolderError": {"maker"},
    "little_go.player.build.BuildError": {"maker", "player"},
    "little_go.proof.strategist.FalseClaim": {"proof"},
    "little_go.proof.verify.WalkFailure": {"proof"},
    "little_go.proof.verify.ScriptError": {"maker", "proof"},
    "little_go.runtime.journal.JournalError": {"generator", "maker", "proof"},
    "little_go.solver.native.NoKernel": {"book", "explorer", "player", "solver"},
    "little_go.solver.native.table.TableError": {"generator", "lab"},
}

#: By class that is caught before a command ends, the file that catches it.
CAUGHT = {
    "little_go.arena.gtp.engine.CommandFailed": "arena/gtp/engine.py",
    "little_go.arena.gtp.protocol.EngineFault": "arena/gtp/client.py",
    "little_go.arena.match.limits.MachineError": "arena/classroom/submission_reader.py",
    "little_go.arena.match.limits.ProgramError": "arena/commands/doctor.py",
    "little_go.arena.course.course_file._BadValue": "arena/course/course_file.py",
    "little_go.arena.match.python_source._TooLarge": "arena/match/python_source.py",
    "little_go.explorer.build.PageError": "explorer/__main__.py",
    "little_go.generator.opponents.models.OpponentsError": "explorer/build.py",
    "lab.games.explained.FalseReason": "lab/games/explained.py",
    "little_go.notation.faults.NotationError": "book/commands/query.py",
    "little_go.proof.compiled.NotCompiled": "proof/check.py",
    "little_go.crew.scheduler.SchedulerError": "crew/scheduler.py",
}


def errors() -> Iterator[tuple[str, str]]:
    """Yield the module and name of each exception class whose docstring mentions its message."""
    for room in (*ROOMS, "notation", "crew", "runtime"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef) and "message" in (ast.get_docstring(node) or ""):
                    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
                    package = "" if room == "lab" else "little_go."
                    yield f"{package}{module.removesuffix('.__init__')}", node.name


def test_every_error_is_listed() -> None:
    listed = {f"{module}.{name}" for module, name in errors() if issubclass(error(f"{module}.{name}"), Exception)}
    # OneLineErrors prints LostWorkers for every room: tests/crew/test_killed.py.
    assert listed == PRINTED.keys() | CAUGHT.keys() | {"little_go.crew.jobs.LostWorkers"}


def error(name: str) -> type:
    module, _, name = name.rpartition(".")
    found: type = getattr(import_module(module), name)
    return found


@pytest.mark.parametrize("name", PRINTED)
def test_an_error_is_printed_by_the_commands_of_these_rooms(name: str) -> None:
    expected = {}
    for room in ROOMS:
        group = group_of(room)
        assert isinstance(group, OneLineErrors)
        expected[room] = (*group._expected, *group._findings)
    # generator and lab expect every ValueError, so this counts only for classes that no other room expects.
    named = {room: [each for each in classes if each is not ValueError] for room, classes in expected.items()}
    found = {room for room in ROOMS if issubclass(error(name), tuple(named[room]))}
    assert (found or {room for room in ROOMS if issubclass(error(name), expected[room])}) == PRINTED[name]


@pytest.mark.parametrize(("name", "file"), CAUGHT.items())
def test_an_error_is_caught_there(name: str, file: str) -> None:
    own = name.rpartition(".")[2]
    caught = [
        ast.unparse(node.type)
        for node in ast.walk(ast.parse((ROOT / file).read_text("utf-8")))
        if isinstance(node, ast.ExceptHandler) and node.type is not None
    ]
    assert any(own in re.findall(r"\w+", each) for each in caught)

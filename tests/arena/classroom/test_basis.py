"""The basis of points: a fault of our machine gives nobody 0 points, but a cause in the student's program does."""

import csv
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from little_go.arena.classroom import places, starts, submission_reader
from little_go.arena.classroom.basis import Basis, Cause
from little_go.arena.classroom.exports import read_class
from little_go.arena.classroom.starts import Start, start_program
from little_go.arena.classroom.submission_reader import read_all
from little_go.arena.classroom.submissions import AgentProgram, note_others
from little_go.arena.classroom.unpacking import READ_FILE, ReadingTerms
from little_go.arena.match import copying, play
from little_go.arena.match.copying import ALLOWED
from little_go.arena.match.limits import Limits, Reply, Report, RunnerError, SandboxError
from little_go.arena.match.machine import MachineWatch
from little_go.arena.match.provided import course_modules
from little_go.arena.standings import entrants, series
from little_go.arena.standings.entrants import Terms, open_contestant
from little_go.solver.family import COURSE
from tests.arena.classroom import reading, scripted
from tests.arena.classroom.kinds import zipped
from tests.arena.classroom.page_text import PageText
from tests.arena.classroom.reading import RunnerHere
from tests.arena.classroom.scripted import PROGRAM, WON_BY_BLACK, WON_BY_WHITE, ScriptedClass
from tests.arena.classroom.test_exports import tree_of

Patch = pytest.MonkeyPatch

#: The name of the student whose submission our machine spoils; ann's submission is sound.
BEN = "ben"


def written(directory: Path) -> bool:
    """Return whether the submission that is read is ben's."""
    return any(b":ben" in path.read_bytes() for path in directory.iterdir() if path.is_file())


def read_by(report: Report | Exception, answer: str | None = None) -> Callable[[Patch], None]:
    """Return a fault of the process that reads ben's submission."""

    def inject(patch: Patch) -> None:
        run = RunnerHere.run

        def other(self: RunnerHere, command: Any, directory: Path, limits: Limits, shown: Any = ()) -> Report:
            if not written(directory):
                return run(self, command, directory, limits, shown)
            if isinstance(report, Exception):
                raise report
            if answer is not None:
                (directory / READ_FILE).write_text(answer)
            return report

        patch.setattr(reading.RunnerHere, "run", other)

    return inject


def started_by(change: Callable[[Any], Any]) -> Callable[[Patch], None]:
    """Return a fault that happens when ben's program is started. change: raises, or returns another reply."""

    def inject(patch: Patch) -> None:
        @contextmanager
        def opened(entrant: Any, terms: Terms) -> Iterator[Any]:
            with open_contestant(entrant, terms) as one:
                if b":ben" in (Path(entrant.agent) / "my_player3.py").read_bytes():
                    reply = change(one)
                    one.reply = lambda state: reply  # type: ignore[method-assign]
                yield one

        patch.setattr(starts, "open_contestant", opened)

    return inject


def raising(error: Exception) -> Callable[[Any], Any]:
    """Return a function that raises."""

    def change(one: Any) -> Any:
        raise error

    return change


def full_disk_at_the_copy(patch: Patch) -> None:
    copy = copying._copy_plain

    def full(file: int, path: Path, place: Path) -> None:
        if b":ben" in path.read_bytes() and "programs" in path.parts:
            raise OSError(28, "No space left on device")
        copy(file, path, place)

    patch.setattr(copying, "_copy_plain", full)


def spoilt_games(patch: Patch) -> None:
    """Let the machine spoil all of ben's games, even when they are played again."""
    patch.setattr(series, "play_when_free", lambda *_: None)
    submit = scripted.ScriptedPlayers.submit

    def spoilt(self: Any, job: Any) -> Any:
        future = submit(self, job)
        if BEN in job.fixture[:2]:
            future = type(future)()
            future.set_result(series.GameOutcome(job, None, 1.0))
        return future

    patch.setattr(scripted.ScriptedPlayers, "submit", spoilt)


BUSY, NO_MEMORY = Reply(None, 0.1, "wall", "timeout", "", True), Reply(None, 0.1, machine_fault="ran out of memory")

FAULTS: dict[str, Callable[[Patch], None]] = {
    "busy while it is read": read_by(Report(Limits(), "wall", 0.1, 60.0)),
    "the reader killed": read_by(Report(Limits(), "", 0.1, 1.0)),
    "the reader's disk full": read_by(Report(Limits(), "", 0.1, 1.0, errors="OSError: [Errno 28] No space left")),
    "the reader's warden killed": read_by(RunnerError("the program has ended the process that runs it")),
    "the reader's answer damaged": read_by(Report(Limits(), "", 0.1, 1.0), "{"),
    "busy while it is started": started_by(lambda one: BUSY),
    "out of memory at the start": started_by(lambda one: NO_MEMORY),
    "the warden killed at the start": started_by(raising(RunnerError("it did not start within 30 s"))),
    "no sandbox at the start": started_by(raising(SandboxError("no user namespaces"))),
    "no process at the start": started_by(raising(entrants.MachineFault("cannot use agent: out of processes"))),
    "the disk full at the start": full_disk_at_the_copy,
    "games spoilt": spoilt_games,
}


def a_class(folder: Path) -> ScriptedClass:
    programs = {f"{name}/my_player3.py": PROGRAM.format(name=name) for name in ("ann", BEN)}
    programs["dee/notes.txt"] = "nothing\n"

    def script(fixture: Any) -> str:
        return WON_BY_BLACK if fixture.black in ("ann", BEN) else WON_BY_WHITE

    return ScriptedClass(folder, script, programs)


def test_twelve_faults_are_tried() -> None:
    assert len(FAULTS) == 12


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_our_machine_gives_nobody_points(
    fault: str, tmp_path: Path, monkeypatch: Patch, capsys: pytest.CaptureFixture[str]
) -> None:
    graded = a_class(tmp_path)
    with monkeypatch.context() as patch:
        FAULTS[fault](patch)
        done = graded.grade(2025)
    assert done.exit_code == 1, done.output
    with (graded.out / "gradebook.csv").open() as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    assert {name: row["final"] for name, row in rows.items()} == {"ann": "100.0", BEN: "", "dee": "0.0"}
    missing = fault == "games spoilt"
    basis = Basis.GAMES_MISSING if missing else Basis.OUR_FAULT
    assert [row["basis"] for row in rows.values()] == ["games", basis.value, "no program"]
    uploaded = list(csv.reader((graded.out / "canvas.csv").read_text().splitlines()))
    assert [row[0] for row in uploaded[1:]] == ["ann", "dee"]
    page = PageText((graded.out / "students" / "ben.html").read_text("utf-8"))
    assert "- of 100 points" in page.texts
    assert missing or "There are no points yet, through no fault of yours." in page.texts
    assert (
        "not played: the machine stays busy" in done.stderr
        if missing
        else "1 student without points (ben)" in done.stderr
    )
    # The same command is given after the fault has ended.
    assert graded.grade(2025).exit_code == 0
    with (graded.out / "gradebook.csv").open() as file:
        assert {row["name"]: row["basis"] for row in csv.DictReader(file)}[BEN] == "games"


def test_an_unreadable_folder_is_not_the_student_s_fault(tmp_path: Path, monkeypatch: Patch) -> None:
    tree_of(tmp_path, {"ann/my_player3.py": b"#", "ben/x/my_player3.py": b"#"})
    scan = places._scan

    def forbidden(folder: Path, shown: str = "") -> Any:
        if folder.name == "x":
            raise places.Unreadable(f"{shown}: cannot be read: Permission denied")
        return scan(folder, shown)

    monkeypatch.setattr(places, "_scan", forbidden)
    ann, ben = read_class(tmp_path).students
    assert (ann.cause, ben.cause) == (None, Cause(Basis.OUR_FAULT, "x/: cannot be read: Permission denied"))


def test_a_program_s_end_is_ours_if_memory_or_disk_ran_out_meanwhile(tmp_path: Path, monkeypatch: Patch) -> None:
    killed = iter([3, 4, *[4] * 9])
    monkeypatch.setattr("little_go.arena.match.machine.killed_for_memory", lambda: next(killed))
    assert MachineWatch(tmp_path).fault() == "our machine ran out of memory"
    assert MachineWatch(tmp_path).fault() == ""
    with monkeypatch.context() as patch:
        patch.setattr("little_go.arena.match.machine.killed_for_memory", iter([5, 6]).__next__)
        assert MachineWatch(tmp_path).fault("Traceback of its own") == ""
    (tmp_path / "my_player3.py").write_text("raise SystemExit(1)\n")
    for fault in ("", "the disk of our machine is full"):
        monkeypatch.setattr(MachineWatch, "fault", lambda self, words="", fault=fault: fault)
        with open_contestant(entrants.Entrant("x", str(tmp_path)), Terms(COURSE)) as one:
            game = play.play_game(one, one, game=COURSE)
        assert (game.result.reason, game.machine_fault) == ("missing", fault)


def test_a_missing_compiler_is_ours_and_a_fault_of_the_source_is_not(tmp_path: Path, monkeypatch: Patch) -> None:
    (tmp_path / "my_player.cpp").write_text("int main( {\n")
    program = AgentProgram("my_player.cpp", "d", tmp_path)
    if shutil.which("g++"):
        own = start_program(program, Terms(COURSE))
        assert isinstance(own, Start)
        assert (own.identity, own.notes[0][:30]) == ("", "my_player.cpp does not compile")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    ours = start_program(program, Terms(COURSE))
    assert isinstance(ours, Cause)
    assert (ours.basis, ours.words[:13]) == (Basis.OUR_FAULT, "no g++ found,")


# The course's modules: five programs that import them, in eight layouts

_PLAYER = next(each.content for each in course_modules() if each.name == "random_player.py")
_SHORT = b"""import host, write
from read import *
colour, before, board = readInput(5)
go = host.GO(5)
go.set_board(colour, before, board)

def worth(i, j):
    after = go.copy_board()
    after.place_chess(i, j, colour)
    dead = after.remove_died_pieces(3 - colour)
    group = after.ally_dfs(i, j)
    free = {point for stone in group for point in after.detect_neighbor(*stone) if not after.board[point[0]][point[1]]}
    return len(dead), len(free), -abs(i - 2) - abs(j - 2)

moves = [(i, j) for i in range(go.size) for j in range(go.size) if go.valid_place_check(i, j, colour, test_check=True)]
write.writeOutput(max(moves, key=lambda move: worth(*move)) if moves else "PASS")
"""
_GIVEN = {each.name: each.content for each in course_modules()}
PROGRAMS: dict[str, dict[str, bytes]] = {
    "the random player": {"my_player3.py": _PLAYER},
    "other imports": {"my_player3.py": _SHORT},
    "a module of its own imports them": {
        "my_player3.py": b"import mine\n",
        "mine.py": _SHORT,
    },
    "the given files are handed in": {"my_player3.py": _SHORT, **_GIVEN},
    "a changed host is handed in": {
        "my_player3.py": _SHORT.replace(b"host.GO", b"host.Mine"),
        "host.py": _GIVEN["host.py"] + b"\n\nclass Mine(GO):\n    pass\n",
    },
}


def _canvas(name: str, files: dict[str, bytes]) -> dict[str, bytes]:
    return {f"{name}_{len(name)}_{number}_{path}": content for number, (path, content) in enumerate(files.items(), 1)}


LAYOUTS: dict[str, Callable[[str, dict[str, bytes]], dict[str, bytes]]] = {
    "plain": lambda name, files: {f"{name}/{path}": content for path, content in files.items()},
    "a folder more": lambda name, files: {f"{name}/hw2/{path}": content for path, content in files.items()},
    "zip": lambda name, files: {f"{name}.zip": zipped(files.items())},
    "zip in a folder": lambda name, files: {f"{name}/hw2.zip": zipped([(f"./hw2/{p}", c) for p, c in files.items()])},
    "stages": lambda name, files: {f"stage{n}/{name}/{path}": each for n in (1, 2) for path, each in files.items()},
    "canvas": _canvas,
    "moodle": lambda name, files: {f"{name}_7_assignsubmission_file_/{path}": each for path, each in files.items()},
    "gradescope": lambda name, files: {f"submission_{len(name)}/{path}": content for path, content in files.items()},
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_programs_of_the_course_s_modules_play(layout: str, tmp_path: Path, monkeypatch: Patch) -> None:
    names = [f"{'s' * number}-{number}" for number in range(1, len(PROGRAMS) + 1)]
    for name, files in zip(names, PROGRAMS.values(), strict=True):
        tree_of(tmp_path / "class", LAYOUTS[layout](name, files))
    if layout == "gradescope":
        listed = {f"submission_{len(name)}": {":submitters": [{":name": name}]} for name in names}
        (tmp_path / "class" / "submission_metadata.yml").write_text(json.dumps(listed))
    monkeypatch.setattr(submission_reader, "open_runner", reading.open_runner_here)
    digests = {each.name: each.digest for each in course_modules()}
    for provided, digest_of in ((course_modules(), digests), (None, None)):
        found = read_class(tmp_path / "class")
        terms = ReadingTerms(2025, (1, 2), ALLOWED, None, digest_of)
        students = list(read_all(found.students, terms, tmp_path / "out", 1, sandboxed=False))
        note_others(students)
        assert [each.name for each in students] == sorted(names)
        by_name = dict(
            zip(PROGRAMS, (next(each for each in students if each.name == name) for name in names), strict=True)
        )
        if provided is None:
            # Only programs with all modules play, and nobody gets 0 points.
            assert [bool(each.programs) for each in by_name.values()] == [False, False, False, True, False]
            assert {each.causes[1].basis for each in by_name.values() if each.causes} == {Basis.NOT_PROVIDED}
            continue
        for each in by_name.values():
            start = start_program(each.programs[1], Terms(COURSE, provided=provided))
            assert isinstance(start, Start), (each.name, start)
            assert start.notes == [], each.name
        # The provided files do not belong to the student. Without them, this program is a copy of another student's.
        same = by_name["other imports"], by_name["the given files are handed in"]
        assert [each.staff_notes for each in same] == [[f"the same files as {each.name}"] for each in reversed(same)]
        assert by_name["the random player"].programs[1].is_given
        assert not by_name["other imports"].programs[1].is_given


def test_two_copies_of_the_given_player_are_no_copies(tmp_path: Path, monkeypatch: Patch) -> None:
    tree_of(tmp_path / "class", {f"{name}/my_player3.py": _PLAYER for name in "ab"})
    monkeypatch.setattr(submission_reader, "open_runner", reading.open_runner_here)
    terms = ReadingTerms(2025, (1, 2), ALLOWED, None, {each.name: each.digest for each in course_modules()})
    found = list(read_all(read_class(tmp_path / "class").students, terms, tmp_path / "out", 1, sandboxed=False))
    note_others(found)
    assert [each.staff_notes for each in found] == [[], []]


def test_a_course_file_that_provides_them_continues_the_run(tmp_path: Path) -> None:
    graded = a_class(tmp_path)
    graded.hand_in("cid/my_player3.py", "import read\nopen('output.txt', 'w').write('2,2')\n")
    script = graded.script
    graded.script = lambda fixture: WON_BY_BLACK if fixture.black == "cid" else script(fixture)
    done = graded.grade(2025)
    assert (done.exit_code, "1 student without points (cid): my_player3.py imports read" in done.stderr) == (1, True)
    before = len(graded.played)
    (tmp_path / "course.toml").write_text('provide = "course"\n')
    done = graded.grade(2025, "--course", str(tmp_path / "course.toml"))
    assert done.exit_code == 0, done.output
    # Only the games of cid are played.
    assert {"cid"} == {name for fixture in graded.played for name in fixture[:2]} - {"random", "greedy", "alphabeta"}
    assert len(graded.played) == before // 2

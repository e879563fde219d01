"""Grade a class: read and check submissions, start programs, play games, and count points.

A later run resumes from the results in the output directory.
"""

import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from little_go.arena.classroom.basis import Cause
from little_go.arena.classroom.exports import FORMS, Coursework, read_class
from little_go.arena.classroom.gradebook import StudentRow, rows_of
from little_go.arena.classroom.places import Dropped
from little_go.arena.classroom.plan import (
    AMONG_STUDENTS,
    REVIEW_SECONDS,
    ClassPlan,
    Ranking,
    enters,
    pair_fixtures,
    rank,
)
from little_go.arena.classroom.staff_tables import days_after, read_late_days
from little_go.arena.classroom.starts import Start, compile_program, start_all
from little_go.arena.classroom.submission_reader import read_all
from little_go.arena.classroom.submissions import AgentProgram, ClassCheck, Submission, alike, note_others
from little_go.arena.classroom.unpacking import ReadingTerms, names_text
from little_go.arena.course.course_file import Course
from little_go.arena.match.interpreter import check_packages, find_interpreter
from little_go.arena.match.limits import ProgramError
from little_go.arena.match.provided import ProvidedFile
from little_go.arena.standings.entrants import Entrant, Terms, open_contestant
from little_go.arena.standings.series import GameOrder, GameOutcome, GameSeries, LocalPlayers, Players, cannot_play
from little_go.arena.standings.tally import count_text
from little_go.arena.standings.tournament import Fixture, GamesFolder, Record, Roster, TournamentError
from little_go.crew.jobs import Crew, Pool
from little_go.notation.parsed import not_read
from little_go.runtime.display import Display, tracked
from little_go.runtime.journal import JournalError, check_head
from little_go.runtime.release import requirement, version
from little_go.runtime.terminal import printable

#: Minimum seconds, and minimum number of finished games, before the remaining time is estimated.
_LEAST_SECONDS, _LEAST_GAMES = 5.0, 4


def seconds_left(done: int, total: int, elapsed: float) -> float | None:
    """Return an estimate of the remaining seconds of wall-clock time; None if it is too early for an estimate.

    elapsed: seconds since the first game began. The estimate is proportional to the number of remaining games, because
    ClassPlan.fixtures() spreads each student's games over the run.
    """
    if done < _LEAST_GAMES or elapsed < _LEAST_SECONDS:
        return None
    return elapsed * (total - done) / done


def time_text(seconds: float) -> str:
    """Return a rounded time with its unit.

    >>> time_text(89), time_text(90), time_text(600), time_text(3 * 3600 + 1800), time_text(200 * 3600)
    ('89 s', '2 min', '10 min', '3.5 h', '8.3 days')
    """
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    hours = seconds / 3600
    return f"{hours:.1f} h" if hours < 72 else f"{hours / 24:.1f} days"


class GamesDisplay(Display):
    """The progress display for the games of a class, with an estimate of the remaining time."""

    def __init__(self, what: str, total: int) -> None:
        """Prepare the display. what: a name for the games. total: the number of games."""
        super().__init__(patience=2.0, forecast=False)
        self._what, self._done, self._total = what, 0, total

    def game(self, outcome: GameOutcome) -> None:
        """Count a finished game, and update the display."""
        self._done += 1
        self.tick()

    def tick(self) -> None:
        """Show the progress."""
        left = seconds_left(self._done, self._total, self.elapsed)
        about = f", about {time_text(left)} left" if left else ""
        self.show(f"{self._what}: {self._done:,} of {self._total:,}{about}", self._done, self._total)


#: The names of the settings file and of the folder of programs in an output directory.
SETTINGS_FILE, PROGRAMS_DIRECTORY = "class.json", "programs"


@dataclass(frozen=True)
class ClassOptions:
    """The options of a run of ``little-go class``.

    late: the table with the students' days late, or None. games: for a quick check, the maximum number of games with
    each colour against each opponent; None for all games. only: the students whose games are played; () for all
    students. scheduler: the address of a cluster's scheduler, None for processes of this machine. form: one of FORMS,
    None to detect the form from the file names.
    """

    submissions: Path
    course: Course
    out: Path
    seed: int
    terms: Terms
    workers: int
    late: Path | None = None
    games: int | None = None
    only: tuple[str, ...] = ()
    scheduler: str | None = None
    form: str | None = None

    @property
    def year(self) -> int:
        """The year of the assignment that the course uses."""
        return self.course.year


@dataclass
class ClassResult:
    """A graded class, which may be incomplete.

    rows: a row for each student. records: the records of all games that count. missing: a sentence on why games are
    missing, or "". interrupted: whether Ctrl-C ended the run.
    """

    plan: ClassPlan
    rows: list[StudentRow]
    records: list[Record] = field(default_factory=list)
    missing: str = ""
    interrupted: bool = False


class ClassRun:
    """A run of ``little-go class``. Public attributes: ``wanted``, ``plan``, ``form``, ``found``, ``dropped``."""

    def __init__(self, wanted: ClassOptions, say: Callable[[str], None]) -> None:
        """Read and check the submissions. say: a function that prints a line.

        Raise BadPlace if the submissions cannot be read, BadLateDays if the table of days late is wrong, and
        TournamentError if an option contains an unknown student.
        """
        self.wanted, self._say = wanted, say
        found = read_class(wanted.submissions, wanted.form)
        submissions = read_submissions(found, wanted, self.programs_folder)
        note_others(submissions)
        self._days = late_days(submissions, wanted, say)
        self.plan = ClassPlan(wanted.course, wanted.seed, {each.name: each for each in submissions}, wanted.games)
        #: The form of the submissions, the names of all students, and the submitted files that are not used.
        self.form = found.form
        self.found = [each.name for each in found.students]
        self.dropped = [*found.dropped, *all_dropped(submissions)]
        if found.dropped:
            say(f"not read, because not a student's: {names_text(printable(each.path) for each in found.dropped)}")
        for name in wanted.only:
            if name not in self.plan.submissions:
                raise TournamentError(f"no student {name!r}: the gradebook has the names")
        say(f"{count_text(len(submissions), 'student')}, from {FORMS[found.form]}")

    @property
    def programs_folder(self) -> Path:
        """The folder of the unpacked programs. The name of each program's directory is the program's digest."""
        return self.wanted.out.absolute() / PROGRAMS_DIRECTORY

    @cached_property
    def programs(self) -> dict[str, AgentProgram]:
        """The students' programs by digest."""
        return {program.digest: program for _, program in self.plan.players().values()}

    def open_folder(self) -> GamesFolder:
        """Lock the output directory, so that no other run uses it, and read its games."""
        self.wanted.out.mkdir(parents=True, exist_ok=True)
        return GamesFolder(self.wanted.out, with_sgf=False, damaged=self._say)

    def grade(self, folder: GamesFolder) -> ClassResult:
        """Play the games that are missing in the folder, and return the graded class."""
        self._check_settings()
        return self._play(folder, self._start(folder.identities()))

    def _check_settings(self) -> None:
        """Store the settings of the games, or raise TournamentError if the stored settings are different."""
        game = self.wanted.terms.game
        head = {"scheme": self.wanted.year, "seed": self.wanted.seed, "game": str(game), **self._terms_settings()}
        try:
            check_head(self.wanted.out / SETTINGS_FILE, head, "give the same, or another --out", self._say)
        except JournalError as error:
            raise TournamentError(str(error)) from None

    def _terms_settings(self) -> dict[str, Any]:
        """Return the settings that can change a game. Raise TournamentError if the interpreter cannot be used."""
        terms = self.wanted.terms
        try:
            interpreter = find_interpreter(terms.python)
            check_packages(interpreter, terms.packages)
        except ProgramError as error:
            raise TournamentError(str(error)) from None
        return {
            "little_go": version(),
            "python": interpreter.version,
            "packages": list(terms.packages),
            "environment": interpreter.installed() if terms.packages else "",
            "strict": terms.strict,
            "sandbox": terms.sandboxed,
            "memory": terms.limits.memory,
            "cpu": terms.limits.cpu,
            "wall": terms.limits.wall,
        }

    def _start(self, played: Collection[str]) -> dict[str, Start]:
        """Start each program once, add notes on errors to the submissions, and remove programs that cannot play.

        played: the digests of agents that have stored games. Return the results of the starts by program digest.
        """
        terms = self.wanted.terms
        # Games do not depend on this setting, because an agent's digest covers the provided files.
        settings = {**self._terms_settings(), "provided": _digests(terms.provided)}
        out, workers = self.wanted.out, self.wanted.workers
        starts = dict(start_all(self.programs, terms, settings, out, workers, played, self._say))
        for submission in self.plan.submissions.values():
            several = len({program.digest for program in submission.programs.values()}) > 1
            for stage, program in sorted(submission.programs.items()):
                start = starts[program.digest]
                cause = start if isinstance(start, Cause) else start.cause
                if cause:
                    submission.drop(stage, cause)
                notes = start.notes[1 if cause else 0 :] if isinstance(start, Start) else []
                submission.note(*(f"stage {stage}: {note}" if several else note for note in notes))
        self.__dict__.pop("programs", None)
        return {digest: start for digest, start in starts.items() if isinstance(start, Start)}

    def _play(self, folder: GamesFolder, starts: Mapping[str, Start]) -> ClassResult:
        roster: Roster = {}
        identities = {}
        for player, (_, program) in self.plan.players().items():
            roster[player] = Entrant(player, str(program.place))
            identities[player] = starts[program.digest].identity
        scheme = self.plan.scheme
        for agent in {each.agent for stage in scheme.stages.values() for each in stage.opponents}:
            roster[agent] = Entrant(agent, agent)
            with open_contestant(roster[agent], self.wanted.terms) as contestant:
                identities[agent] = contestant.identity
        fixtures = self.plan.fixtures(self.plan.submissions)
        student_of = self.plan.student_of()
        expected = Counter(student_of[name] for fixture in fixtures for name in fixture[:2] if name in student_of)
        with closing(Crew(partial(self._players, identities), cannot_play)) as crew:
            series = GameSeries(roster, identities, self.wanted.terms, folder, self._say)
            self._play_stage(series, fixtures, crew, "games")
            rows = rows_of(self.plan, series.records, self._days, expected)
            if self.wanted.year != AMONG_STUDENTS or series.interrupted:
                return self._graded(series, rows)
            entered = [row.player for row in rows if enters(row.points) and row.submission.program(2)]
            if any(row.points is None for row in rows):
                self._say("The second stage waits until all games of the first stage are played.")
                return self._graded(series, rows)
            self._say(f"second stage: {count_text(len(entered), 'agent')} with 80 points or more")
            pairs = pair_fixtures(entered, self.wanted.seed, self.wanted.games)
            self._play_stage(series, pairs, crew, "games of the second stage")
            ranking: Ranking = rank(entered, pairs, series.records)
            return self._graded(series, rows_of(self.plan, series.records, self._days, expected, ranking))

    def _play_stage(self, series: GameSeries, fixtures: list[Fixture], crew: Players, what: str) -> None:
        """Remove stored games whose agents have changed, and play the missing games of a stage.

        what: a name for the games.
        """
        assert series.folder is not None
        only = frozenset().union(*map(self.plan.names_of, self.wanted.only))
        mine = [each for each in fixtures if not only or only & set(each[:2])]
        if dropped := series.folder.drop(mine, series.identities):
            self._say(f"{count_text(dropped, 'game')} of submissions that have changed: played again")
        missing = {fixture.key for fixture in series.take_kept(fixtures)}
        left = [fixture for fixture in mine if fixture.key in missing]
        if not left:
            return
        self._say(self._forecast(fixtures, left))
        with GamesDisplay(what, len(left)) as display:
            series.play(left, crew, display)

    def _forecast(self, fixtures: Sequence[Fixture], left: Sequence[Fixture]) -> str:
        students = {name for fixture in left for name in fixture[:2]} & self.plan.players().keys()
        reviewed = sum(name in students for fixture in fixtures for name in fixture[:2])
        seconds = reviewed * REVIEW_SECONDS / min(self.wanted.workers, len(students))
        review = f"the review of {count_text(reviewed, 'game')} takes about {time_text(seconds)} after that"
        return f"{count_text(len(left), 'game')} to play; {review}"

    def _graded(self, series: GameSeries, rows: list[StudentRow]) -> ClassResult:
        return ClassResult(self.plan, rows, series.records, series.missing(), series.interrupted)

    def _players(self, identities: Mapping[str, str]) -> Pool[GameOrder, GameOutcome]:
        """Return the workers that play games, or raise TournamentError if dask.distributed is not installed."""
        if self.wanted.scheduler is None:
            return LocalPlayers(self.wanted.workers)
        try:
            from little_go.arena.classroom.machines import RemotePlayers
        except ModuleNotFoundError as error:
            if error.name != "distributed":
                raise
            install = shlex.join([sys.executable, "-m", "pip", "install", requirement("distributed")])
            raise TournamentError(f"--scheduler needs dask.distributed: {install}") from None
        programs = {player: program for player, (_, program) in self.plan.players().items()}
        return RemotePlayers(self.wanted.scheduler, programs, identities, self.wanted.terms.sandboxed)


def check_class(wanted: ClassOptions, say: Callable[[str], None]) -> ClassCheck:
    """Read the submissions and compile the programs of a class, without playing games or keeping files."""
    found = read_class(wanted.submissions, wanted.form)
    with tempfile.TemporaryDirectory(prefix="class-") as folder:
        submissions = read_submissions(found, wanted, Path(folder))
        _compile_all(submissions, wanted.terms)
    note_others(submissions)
    unknown: list[str] = []
    days = late_days(submissions, wanted, say, unknown)
    dropped = [*found.dropped, *all_dropped(submissions)]
    return ClassCheck(found.form, submissions, days, unknown, alike(submissions), dropped)


def _compile_all(submissions: Iterable[Submission], terms: Terms) -> None:
    """Compile the Java and C++ programs, and remove each program that does not compile from its submission."""
    causes: dict[str, Cause | None] = {}
    for each in submissions:
        for stage, program in list(each.programs.items()):
            if not program.file.endswith(".py"):
                if program.digest not in causes:
                    causes[program.digest] = compile_program(program, terms)
                if cause := causes[program.digest]:
                    each.drop(stage, cause)


def read_submissions(found: Coursework, wanted: ClassOptions, folder: Path) -> list[Submission]:
    """Read the students' submissions. folder: the folder for the programs."""
    course = wanted.course
    terms = ReadingTerms(course.year, (1, 2), course.files, course.packages, _digests(course.provide))
    read = read_all(found.students, terms, folder, wanted.workers, sandboxed=wanted.terms.sandboxed)
    return list(tracked(read, "Submissions read", len(found.students)))


def _digests(provided: Iterable[ProvidedFile] | None) -> dict[str, str] | None:
    """Return the digests of the files that a course provides by file name; None if no course file lists such files."""
    return None if provided is None else {each.name: each.digest for each in provided}


def late_days(
    submissions: Sequence[Submission],
    wanted: ClassOptions,
    say: Callable[[str], None],
    unknown: list[str] | None = None,
) -> dict[str, int]:
    """Return each student's days late. The staff's table takes precedence over the times in the export.

    unknown: see read_late_days().
    """
    due = wanted.course.due
    days = days_after(due, submissions) if due else {}
    if wanted.late:
        table, left = read_late_days(wanted.late, submissions, unknown)
        for note in not_read(left):
            say(f"{wanted.late}: {note}")
        days |= table
    return days


def all_dropped(submissions: Iterable[Submission]) -> Iterator[Dropped]:
    """Yield the dropped files of all submissions, with the student's name before each path."""
    for each in submissions:
        yield from (Dropped(f"{each.name}: {path}", why) for path, why in each.dropped)

"""Open one submission in a separate process: its archives, its program, and the program's source.

No other process of Little-Go opens a student's file. The process gets a directory with ``order.json`` and the submitted
files, which have numbers as names. The process writes the files of the programs to ``out/NUMBER``, and the result to
``read.json``. Then the process checks the Python sources and writes ``seen.json``. So if a source kills the process,
``read.json`` remains.
"""

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from little_go.arena.classroom.places import BadPlace, Dropped, SubmittedFile, Zip, copy_file, without_strays
from little_go.arena.match.copying import MOST_BYTES, allowed_beside, is_allowed
from little_go.arena.match.programs import NAMES, SUFFIXES
from little_go.arena.match.provided import COURSE_MODULES, MOST_PROVIDED
from little_go.arena.match.python_source import NOT_CHECKED, check_source, foreign_imports, lacking_modules

#: Names in the reading process's directory: the file of its orders, the two files of results, the folder of programs.
ORDER_FILE, READ_FILE, SEEN_FILE, OUT = "order.json", "read.json", "seen.json", "out"

#: Matches the name of a stage's folder.
_STAGE = re.compile(r"(?:stage|hw2-stage)[ _-]?([12])", re.IGNORECASE)

#: Matches the first line that 2020 required of a program: number and name, as in "1234567890:Your Name".
_FIRST_LINE = re.compile(r"\W*\d{6,12}\s*[:\uff1a]\s*\w")

#: Maximum bytes that are read of a program's first line.
_MOST_LINE = 1 << 12

#: Maximum depth of nested archives.
_MOST_ARCHIVES = 3

#: Maximum number of names in a clause.
_MOST_NAMES = 3

#: Submitted files by path.
_Files: TypeAlias = dict[str, SubmittedFile]


class ReadingTerms(NamedTuple):
    """The settings for reading submissions.

    year: the year of the assignment. stages: the numbers of the stages that need a program. files: patterns of the
    files that may be next to a program. packages: the packages that the course file lists, None if there is no course
    file. provided: the digests of the files that the course provides, by name; None if no course file lists such files.
    """

    year: int
    stages: Sequence[int]
    files: Sequence[str]
    packages: Sequence[str] | None = None
    provided: Mapping[str, str] | None = None


def stage_of(path: str) -> int | None:
    """Return the number of the stage if a path begins with the folder of a stage, or else None."""
    folder, slash, _ = path.partition("/")
    stage = _STAGE.fullmatch(folder)
    return int(stage[1]) if slash and stage else None


class _Submission:
    """A submission that is being read.

    notes: clauses for the student. dropped: files that are not part of a program. programs: the number of the program's
    folder in OUT and the main file, by stage. absent: a clause on why the stage has no program, by stage. given: the
    numbers of programs whose main file the course provides.
    """

    def __init__(self, directory: Path, terms: ReadingTerms) -> None:
        self._directory, self._terms = directory, terms
        self._year, self._stages = terms.year, terms.stages
        self.notes: list[str] = []
        self.dropped: list[Dropped] = []
        self.programs: dict[int, tuple[int, str]] = {}
        self.absent: dict[int, str] = {}
        self.given: list[int] = []
        self._bytes = self._archives = self._drafts = 0
        self._made: list[tuple[_Files, int]] = []

    def read(self, parts: Iterable[SubmittedFile]) -> None:
        """Find the programs among the submitted files, and write the files of the programs."""
        files: _Files = {}
        for part in without_strays(parts):
            if part.path in files:
                self.dropped.append(Dropped(part.path, "another file of this name was handed in later"))
            files[part.path] = part
        by_stage = _split(files)
        if not by_stage:
            whole = self._opened(files)
            by_stage = _split(whole) or dict.fromkeys((1, 2), whole)
        same = len({tuple(each) for each in by_stage.values()}) == 1 and set(self._stages) <= set(by_stage)
        for stage in self._stages:
            # In 2020 a student submits once for both stages, and may submit another agent for the second stage.
            mine = by_stage.get(stage, by_stage.get(1, {}) if self._year == 2020 else {})
            clauses: list[str] = []
            try:
                opened = self._opened(mine)
                if opened:
                    self._add_program(opened, stage, clauses)
                else:
                    self.absent[stage] = self._nothing()
            except BadPlace as error:
                self.absent[stage] = str(error)
            if not same and len(self._stages) > 1:
                clauses = [f"stage {stage}: {clause}" for clause in clauses]
            self.notes += [clause for clause in clauses if clause not in self.notes]

    def _nothing(self) -> str:
        if not self.dropped:
            return "nothing was handed in"
        return f"all files were left out: {names_text(f'{path}: {why}' for path, why in self.dropped)}"

    def _opened(self, files: _Files, depth: int = 0) -> _Files:
        """Return the files, or the files inside the only archive if there is no program next to the archive."""
        zips = [path for path in files if path.lower().endswith(".zip")]
        if len(zips) != 1 or any(path.rpartition("/")[2] in NAMES for path in files):
            return files
        if depth == _MOST_ARCHIVES:
            raise BadPlace(f"more than {_MOST_ARCHIVES} nested archives: hand in one zip with the program")
        self._archives += 1
        place = self._directory / f"archive-{self._archives}.zip"
        self._copy(files[zips[0]], place)
        archive = Zip(place, zips[0], plain=False)
        found, dropped = archive.below("")
        self.dropped += dropped
        beside = [path for path in files if path not in zips]
        self.dropped += [Dropped(path, "it is next to the archive that contains the program") for path in beside]
        inside = {part.path: part for part in without_strays(found)}
        # If the archive is empty, the files next to the archive are the submission.
        return self._opened(inside, depth + 1) if inside else {path: files[path] for path in beside}

    def _copy(self, part: SubmittedFile, place: Path) -> None:
        # The limit is twice an agent's limit, because it covers the archives and their files.
        self._bytes += copy_file(part, place, 2 * MOST_BYTES - self._bytes)

    def _add_program(self, files: _Files, stage: int, clauses: list[str]) -> None:
        """Write the program of a stage, and add clauses on its faults. Raise BadPlace if there is no program."""
        program, kept = self._program_files(files, clauses)
        number = next((number for made, number in self._made if made == kept), 0) or self._write(kept)
        content = self._directory / OUT / str(number) / program
        with content.open("rb") as file:
            first = file.readline(_MOST_LINE)
            if not first.strip() and not file.read(1 << 20).strip():
                raise BadPlace(f"{program} is empty")
        if self._year == 2020 and not _FIRST_LINE.match(first.decode("utf-8", "replace")):
            clauses.append(f"the first line of {program} has no number and name, as in 1234567890:Your Name")
        if self._is_given(kept[program]) and number not in self.given:
            self.given.append(number)
        self.programs[stage] = number, program

    def _is_given(self, part: SubmittedFile, name: str | None = None) -> bool:
        """Return whether a file has the same content as a provided file of the course.

        name: the name of the provided file, None for any provided file.
        """
        provided = self._terms.provided or {}
        wanted = {*provided.values()} if name is None else {provided.get(name)}
        if wanted == {None} or not wanted or part.size > MOST_PROVIDED:
            return False
        with part.stream() as file:
            return sha256(file.read(MOST_PROVIDED)).hexdigest() in wanted

    def _write(self, kept: _Files) -> int:
        number = self._drafts = self._drafts + 1
        for path, part in kept.items():
            place = self._directory / OUT / str(number) / path
            place.parent.mkdir(parents=True, exist_ok=True)
            self._copy(part, place)
            place.chmod(0o644)
        self._made.append((kept, number))
        return number

    def _program_files(self, files: _Files, clauses: list[str]) -> tuple[str, _Files]:
        """Return the name of the program's main file, and the files that belong to the program.

        Add clauses on files that do not belong to the program. Raise BadPlace if there is no program.
        """
        folder = _folder_of_program(files)
        inside = {path[len(folder) :]: part for path, part in files.items() if path.startswith(folder)}
        programs = [name for name in NAMES if name in inside]
        program = programs[0] if programs else ""
        kept = self._without_provided(inside, program, folder)
        kept = self._without_disallowed(kept, program, folder, clauses)
        self._drop_outside([path for path in files if not path.startswith(folder)], clauses)
        if not program:
            sources = [path for path in sorted(kept) if path.endswith(SUFFIXES)]
            instead = f"; there is {names_text(sources)}" if sources else ""
            raise BadPlace(f"no program with a name from the assignment ({', '.join(NAMES)}){instead}")
        if len(programs) > 1:
            clauses.append(f"several programs, of which {program} plays: {', '.join(programs)}")
        return program, kept

    def _without_provided(self, inside: _Files, program: str, folder: str) -> _Files:
        """Drop the copies of files that the course provides, except the program; return the other files."""
        copies = [path for path, part in inside.items() if path != program and self._is_given(part, path)]
        self.dropped += [Dropped(folder + path, "the course provides it") for path in copies]
        return {path: part for path, part in inside.items() if path not in copies}

    def _without_disallowed(self, inside: _Files, program: str, folder: str, clauses: list[str]) -> _Files:
        """Drop the files that the course does not allow next to the program; return the other files."""
        allowed = allowed_beside(program, self._terms.files)
        kept = {path: part for path, part in inside.items() if path == program or is_allowed(path, allowed)}
        if disallowed := sorted(inside.keys() - kept.keys()):
            clauses.append(f"omitted, because the course allows only {', '.join(allowed)}: {names_text(disallowed)}")
            self.dropped += [Dropped(folder + path, "the course does not allow it") for path in disallowed]
        return kept

    def _drop_outside(self, outside: list[str], clauses: list[str]) -> None:
        if outside:
            clauses.append(f"omitted, because it is outside of the program's folder: {names_text(outside)}")
            self.dropped += [Dropped(path, "it is outside of the program's folder") for path in outside]


def _folder_of_program(files: _Files) -> str:
    """Return the highest folder that contains a program, with a slash at its end; "" for the top folder.

    Without a program, the result is "". Raise BadPlace if several folders with a program are equally high.
    """
    folders = {path.rpartition("/")[0] for path in files if path.rpartition("/")[2] in NAMES}
    least = min((_depth(folder) for folder in folders), default=0)
    highest = sorted(folder for folder in folders if _depth(folder) == least)
    if len(highest) > 1:
        raise BadPlace(f"programs in several folders: {names_text(highest)}")
    return f"{highest[0]}/" if highest and highest[0] else ""


def _depth(folder: str) -> int:
    return folder.count("/") + 1 if folder else 0


def _split(files: Mapping[str, SubmittedFile]) -> dict[int, _Files]:
    """Return the files of each stage by path in the stage's folder; {} if there are no folders of stages.

    The folders of the stages may be inside another folder that contains all files.
    """
    inside = dict(files)
    while inside and not any(map(stage_of, inside)):
        if not all("/" in path for path in inside) or len({path.partition("/")[0] for path in inside}) > 1:
            break
        inside = {path.partition("/")[2]: part for path, part in inside.items()}
    found: dict[int, _Files] = {}
    for path, part in inside.items():
        if number := stage_of(path):
            found.setdefault(number, {})[path.partition("/")[2]] = part
    return found


def names_text(names: Iterable[str]) -> str:
    """Return a text with at most three names, and the number of further names."""
    listed = list(names)
    more = f" and {len(listed) - _MOST_NAMES:,} more" if len(listed) > _MOST_NAMES else ""
    return ", ".join(listed[:_MOST_NAMES]) + more


def read_submission(directory: Path) -> None:
    """Read the submission in a directory according to ``order.json``, and write the results.

    A fault of the submission does not raise an exception, but is written to ``read.json``.
    """
    order = json.loads((directory / ORDER_FILE).read_bytes())
    terms = ReadingTerms(*order["terms"])
    found = _Submission(directory, terms)
    whole = ""
    try:
        places = [(path, directory / str(number)) for path, number in order["parts"]]
        found.read(SubmittedFile(path, place.stat().st_size, partial(_open, place)) for path, place in places)
    except BadPlace as error:
        whole = str(error)
    except MemoryError:
        whole = "its archive takes too much memory"
    except OSError:
        # The process cannot write a copy, which is not the student's fault.
        raise
    except Exception as error:
        whole = f"its files cannot be opened: {type(error).__name__}"
    if whole:
        found.programs.clear()
        found.absent = dict.fromkeys(terms.stages, whole)
    _answer(
        directory / READ_FILE,
        {
            "programs": found.programs,
            "absent": found.absent,
            "given": found.given,
            "notes": found.notes,
            "dropped": list(dict.fromkeys(found.dropped)),
        },
    )
    sources = dict(found.programs.values())
    seen = {str(number): _seen(directory / OUT / str(number), file, terms) for number, file in sources.items()}
    _answer(directory / SEEN_FILE, seen)


def _open(place: Path) -> BinaryIO:
    return place.open("rb")


def _seen(place: Path, file: str, terms: ReadingTerms) -> dict[str, list[str]]:
    """Return the results of checking a program's source: its imports, missing modules of the course, and notes."""
    if not file.endswith(".py"):
        return {"imports": [], "lacking": [], "notes": []}
    # The notes do not list missing modules of the course, because these are returned separately.
    found = check_source(place / file, place, terms.packages, [f"{name}.py" for name in COURSE_MODULES])
    notes = [
        f"{path.relative_to(place)}: {words}"
        for right, path, words in found
        if right is False or words.startswith(NOT_CHECKED)
    ]
    provided = terms.provided or {}
    imports = [name for name in foreign_imports(place / file) if f"{name}.py" not in provided]
    absent = [name for name in lacking_modules(place / file) if f"{name}.py" not in provided]
    return {"imports": imports, "lacking": absent, "notes": notes}


def _answer(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content), "utf-8")


def main() -> None:
    """Read the submission in the current directory, after setting limits for this process."""
    _limit_files()
    read_submission(Path())


def _limit_files() -> None:
    if sys.platform != "win32":
        import resource

        for kind, most in (
            (resource.RLIMIT_NOFILE, 64),
            (resource.RLIMIT_FSIZE, MOST_BYTES),
            (resource.RLIMIT_CORE, 0),
        ):
            _, hard = resource.getrlimit(kind)
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (most, most))

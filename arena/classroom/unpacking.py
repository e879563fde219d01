"""Open one submission in its own process: archives, the program among the files, and its source.

The process gets a directory with ``order.json`` and the submitted files, named by numbers; no other process of ours has
opened a student's file. It writes the programs' files to ``out/NUMBER``, then ``read.json``, and after checking Python
sources ``seen.json``: a source that kills the process leaves the rest.
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

#: Files in the directory: order, results, and the folder of programs.
ORDER_FILE, READ_FILE, SEEN_FILE, OUT = "order.json", "read.json", "seen.json", "out"

#: A stage's folder.
_STAGE = re.compile(r"(?:stage|hw2-stage)[ _-]?([12])", re.IGNORECASE)

#: 2020's first line of a program: number and name in any alphabet, as in "1234567890:Your Name".
_FIRST_LINE = re.compile(r"\W*\d{6,12}\s*[:\uff1a]\s*\w")

#: Bytes read of a first line.
_MOST_LINE = 1 << 12

#: Maximum depth of nested archives.
_MOST_ARCHIVES = 3

#: Names in a clause.
_MOST_NAMES = 3

#: Files by path.
_Files: TypeAlias = dict[str, SubmittedFile]


class ReadingTerms(NamedTuple):
    """The terms of reading.

    year: of the course's text. stages: with programs. files: patterns allowed beside a program. packages: listed by the
    course; None without a course file. provided: digests of the course's files by name; None if it does not say.
    """

    year: int
    stages: Sequence[int]
    files: Sequence[str]
    packages: Sequence[str] | None = None
    provided: Mapping[str, str] | None = None


def stage_of(path: str) -> int | None:
    """Return the stage of a path's first folder."""
    folder, slash, _ = path.partition("/")
    stage = _STAGE.fullmatch(folder)
    return int(stage[1]) if slash and stage else None


class _Submission:
    """A submission that is being read.

    notes: clauses. dropped: files left out. programs: number and main file, by stage. absent: clauses on the stages
    without a program. given: numbers of the programs whose main file is one of the course's.
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
        """Find the programs, and write their files; raises BadPlace."""
        files: _Files = {}
        for part in without_strays(parts):
            if part.path in files:
                self.dropped.append(Dropped(part.path, "another of this name was handed in later"))
            files[part.path] = part
        by_stage = _split(files)
        if not by_stage:
            whole = self._opened(files)
            by_stage = _split(whole) or dict.fromkeys((1, 2), whole)
        alike = len({tuple(each) for each in by_stage.values()}) == 1 and set(self._stages) <= set(by_stage)
        for stage in self._stages:
            # A class of 2020 submits once for both stages, and may change the agent for the second.
            mine = by_stage.get(stage, by_stage.get(1, {}) if self._year == 2020 else {})
            clauses: list[str] = []
            try:
                opened = self._opened(mine)
                self.absent[stage] = self._program(opened, stage, clauses) if opened else self._nothing()
            except BadPlace as error:
                self.absent[stage] = str(error)
            if not alike and len(self._stages) > 1:
                clauses = [f"stage {stage}: {clause}" for clause in clauses]
            self.notes += [clause for clause in clauses if clause not in self.notes]
        self.absent = {stage: clause for stage, clause in self.absent.items() if clause}

    def _nothing(self) -> str:
        """Return a clause on a submission without files."""
        if not self.dropped:
            return "nothing was handed in"
        return f"all files were left out: {names_text(f'{path}: {why}' for path, why in self.dropped)}"

    def _opened(self, files: _Files, depth: int = 0) -> _Files:
        """Return the files, those of a single archive without a program beside it; raises BadPlace."""
        zips = [path for path in files if path.lower().endswith(".zip")]
        if len(zips) != 1 or any(path.rpartition("/")[2] in NAMES for path in files):
            return files
        if depth == _MOST_ARCHIVES:
            raise BadPlace(f"more than {_MOST_ARCHIVES} archives in each other")
        self._archives += 1
        place = self._directory / f"archive-{self._archives}.zip"
        self._copy(files[zips[0]], place)
        archive = Zip(place, zips[0], plain=False)
        found, dropped = archive.below("")
        self.dropped += dropped
        beside = [path for path in files if path not in zips]
        self.dropped += [Dropped(path, "it lies beside the archive that has the program") for path in beside]
        inside = {part.path: part for part in without_strays(found)}
        # The files beside an empty archive count.
        return self._opened(inside, depth + 1) if inside else {path: files[path] for path in beside}

    def _copy(self, part: SubmittedFile, place: Path) -> None:
        # The limit covers archives and the files in them.
        self._bytes += copy_file(part, place, 2 * MOST_BYTES - self._bytes)

    def _program(self, files: _Files, stage: int, clauses: list[str]) -> str:
        """Write the program of a stage, and add clauses on it; return why there is none, or "". Raises BadPlace."""
        program, kept, why = self._kept(files, clauses)
        if why:
            return why
        number = next((number for made, number in self._made if made == kept), 0) or self._write(kept)
        content = self._directory / OUT / str(number) / program
        with content.open("rb") as file:
            first = file.readline(_MOST_LINE)
            if not first.strip() and not file.read(1 << 20).strip():
                return f"{program} is empty"
        if self._year == 2020 and not _FIRST_LINE.match(first.decode("utf-8", "replace")):
            clauses.append(f"the first line of {program} has no number and name, as in 1234567890:Your Name")
        if self._is_given(kept[program]) and number not in self.given:
            self.given.append(number)
        self.programs[stage] = number, program
        return ""

    def _is_given(self, part: SubmittedFile, name: str | None = None) -> bool:
        """Return whether a file is one of the course's, or that of a name; raises BadPlace."""
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

    def _kept(self, files: _Files, clauses: list[str]) -> tuple[str, _Files, str]:
        """Return the name of a program, the files that belong to it, and a clause if there is none, or ""."""
        folders = {path.rpartition("/")[0] for path in files if path.rpartition("/")[2] in NAMES}
        least = min((_depth(folder) for folder in folders), default=0)
        highest = sorted(folder for folder in folders if _depth(folder) == least)
        if len(highest) > 1:
            return "", {}, f"programs in several folders: {names_text(highest)}"
        before = f"{highest[0]}/" if highest and highest[0] else ""
        inside = {path[len(before) :]: part for path, part in files.items() if path.startswith(before)}
        outside = [path for path in files if not path.startswith(before)]
        named = [name for name in NAMES if name in inside]
        allowed = allowed_beside(named[0] if named else "", self._terms.files)
        given = [path for path, part in inside.items() if path not in named[:1] and self._is_given(part, path)]
        self.dropped += [Dropped(before + path, "the course provides it") for path in given]
        inside = {path: part for path, part in inside.items() if path not in given}
        kept = {path: part for path, part in inside.items() if path in named[:1] or is_allowed(path, allowed)}
        if out := sorted(inside.keys() - kept.keys()):
            clauses.append(f"left out, as the course allows only {', '.join(allowed)}: {names_text(out)}")
            self.dropped += [Dropped(before + path, "the course does not allow it") for path in out]
        if outside:
            clauses.append(f"left out, as it lies outside of the program's folder: {names_text(outside)}")
            self.dropped += [Dropped(path, "it lies outside of the program's folder") for path in outside]
        if not named:
            sources = [path for path in sorted(kept) if path.endswith(SUFFIXES)]
            instead = f"; there is {names_text(sources)}" if sources else ""
            return "", {}, f"no program of the text's names ({', '.join(NAMES)}){instead}"
        if len(named) > 1:
            clauses.append(f"several programs, of which {named[0]} plays: {', '.join(named)}")
        return named[0], kept, ""


def _depth(folder: str) -> int:
    return folder.count("/") + 1 if folder else 0


def _split(files: Mapping[str, SubmittedFile]) -> dict[int, _Files]:
    """Return the files by stage, below any folders around all; empty without stage folders."""
    inside = dict(files)
    while inside and not any(map(stage_of, inside)):
        if not all("/" in path for path in inside) or len({path.partition("/")[0] for path in inside}) > 1:
            return {}
        inside = {path.partition("/")[2]: part for path, part in inside.items()}
    found: dict[int, _Files] = {}
    for path, part in inside.items():
        if number := stage_of(path):
            found.setdefault(number, {})[path.partition("/")[2]] = part
    return found


def names_text(names: Iterable[str]) -> str:
    """Return at most three names for a clause, and the number of others."""
    listed = list(names)
    more = f" and {len(listed) - _MOST_NAMES:,} more" if len(listed) > _MOST_NAMES else ""
    return ", ".join(listed[:_MOST_NAMES]) + more


def read_submission(directory: Path) -> None:
    """Carry out ``order.json`` in a directory; all faults of a submission go to ``read.json``."""
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
        # The copies cannot be written, which is not the student's fault.
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
    """Return a program's imports, the missing modules of the course, and its faults under the course's Python 3.7."""
    if not file.endswith(".py"):
        return {"imports": [], "lacking": [], "notes": []}
    # The course's modules have a cause of their own.
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
    """Read the submission in the current directory, within the system's limits."""
    _limit_files()
    read_submission(Path())


def _limit_files() -> None:
    """Limit this process's open files and sizes of files, and forbid core dumps."""
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

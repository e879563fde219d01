"""The forms of a class's submissions: the exports of Gradescope, Canvas and Moodle, and plain folders.

| form | contents |
|---|---|
| ``gradescope`` | ``submission_metadata.yml``, and a folder ``submission_NUMBER`` for each submission |
| ``canvas`` | files ``NAME_NUMBER_NUMBER_FILE`` or ``NAME_NUMBER_text.html``, late ones with ``_LATE`` after the name |
| ``moodle`` | folders ``NAME_NUMBER_assignsubmission_file_``, or files with this beginning |
| ``stages`` | ``stage1/NAME/...`` and ``stage2/NAME/...`` |
| ``plain`` | a folder or a zip for each student, at the top |
| ``wrapped`` | a folder or a zip for each student, in one or two folders around all students |

The form is detected from the names in the top folder, or in the only folder inside the top folder. If there are several
folders, the names inside these folders are not used. ``NAME/stage1/...`` has the form ``plain``, because the folder of
a stage is inside a student's folder.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from little_go.arena.classroom.basis import Basis, Cause
from little_go.arena.classroom.places import (
    LINK,
    MOST_CLASS_LIST,
    BadPlace,
    Dropped,
    FileTree,
    SubmittedFile,
    Unreadable,
    Zip,
    is_left_behind,
    normalized_name,
    open_place,
)
from little_go.arena.classroom.submissions import Submission
from little_go.arena.classroom.unpacking import names_text, stage_of
from little_go.arena.match.programs import NAMES
from little_go.arena.standings.entrants import BUILT_IN
from little_go.runtime.terminal import printable

#: Descriptions of the forms, by the form's name for ``--form``.
FORMS = {
    "plain": "a folder or zip for each",
    "wrapped": "a folder or zip for each, in a folder around all",
    "stages": "folders for the stages",
    "gradescope": "an export of Gradescope",
    "canvas": "an export of Canvas",
    "moodle": "an export of Moodle",
}

#: The name of Gradescope's list of submissions, the maximum bytes of the list, and a pattern of the names of
#: Gradescope's folders.
_METADATA, _MOST_METADATA, _SUBMISSION = "submission_metadata.yml", 1 << 24, re.compile(r"submission_(\d+)")

#: Matches Canvas's file names, such as ``doejane_LATE_123_456_my_player3.py``: student, mark if late, number of the
#: student, number of the file, original name.
_CANVAS = re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<user>\d+)_(?P<number>\d+)_(?P<file>.+)")

#: Matches Canvas's names for a text or a link that a student entered instead of a file.
_ENTERED = re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<user>\d+)_(?P<what>text|link)\.html")

#: Matches Moodle's names of folders, or of files if the export has no folders.
_MOODLE = re.compile(r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_(?P<what>file|onlinetext)_?(?P<file>.*)")

#: Matches the names of archives that Little-Go cannot open.
_OTHER_ARCHIVE = re.compile(r"(?P<name>.+?)\.(rar|7z|tar|tgz|tbz2?|txz|(tar\.)?(gz|bz2|xz|zst))", re.IGNORECASE)

#: Matches the number that Canvas adds to the name of a file that was submitted again: ``my_player3-2.py``.
_RESUBMITTED = re.compile(r"-\d+(?=\.\w+$)")

#: Matches the names of files that belong to the staff, not to a student.
_STAFF_FILE = re.compile(r"read_?me(\..*)?|.*\.(csv|tsv|xlsx|md)", re.IGNORECASE)

#: Maximum characters of a student's name, and number of digits of a student's key.
_MOST_NAME, _KEY = 60, 16

#: Maximum number of nested folders around the students' folders.
_MOST_AROUND = 2

#: Matches names that no student may have: the empty name, and names of programs for a second stage.
_RESERVED = re.compile(r".*\(stage 2\)|", re.IGNORECASE)


@dataclass
class Coursework:
    """The submissions of a class.

    form: one of FORMS. students: the submissions, sorted by student name. dropped: files that do not belong to a
    student.
    """

    form: str
    students: list[Submission] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)


class _ClassFolder(NamedTuple):
    """A folder that may contain students' submissions.

    base: the folder's path. folders, zips, files: the names of entries that may belong to students. strays: entries
    that do not belong to a student, such as files of the operating system. archives: the names of archives that
    Little-Go cannot open.
    """

    base: str
    folders: list[str]
    zips: list[str]
    files: list[str]
    strays: list[Dropped]
    archives: list[str]

    @property
    def of_canvas(self) -> list[str]:
        """The names of files that look like names from Canvas."""
        files = (name for name in (*self.files, *self.zips, *self.archives) if not _STAFF_FILE.fullmatch(name))
        return sorted(name for name in files if _CANVAS.fullmatch(name) or _ENTERED.fullmatch(name))

    @property
    def of_moodle(self) -> list[str]:
        """The names of folders and files that look like names from Moodle."""
        return sorted(
            name for name in (*self.folders, *self.files, *self.zips, *self.archives) if _MOODLE.fullmatch(name)
        )

    def forms(self) -> list[str]:
        """Return the forms that the class may have, judging by the names in this folder."""
        canvas = self.of_canvas
        stages = [name for name in self.folders if stage_of(f"{name}/")]
        found = ["gradescope"] if _METADATA in self.files else []
        found += ["canvas"] if canvas else []
        found += ["moodle"] if self.of_moodle else []
        found += ["stages"] if stages else []
        ours = {*stages, *canvas, *self.of_moodle}
        if "gradescope" in found:
            ours |= {name for name in self.folders if _SUBMISSION.fullmatch(name)}
        return found + (["plain"] if {*self.folders, *self.zips, *self.archives} - ours else [])


def read_class(path: Path, form: str | None = None) -> Coursework:
    """Find each student's files in a directory or a zip.

    form: one of FORMS, None to detect the form from the names in the top folder. Raise BadPlace if there is no
    submission, or if the form is ambiguous.
    """
    tree = open_place(path)
    if form is None:
        _check_not_around_an_export(tree, path)
    found = _ClassReader(tree, str(path)).read(form)
    if not found.students:
        raise BadPlace(f"{str(path)!r} contains no submission: neither a folder nor a zip for a student, nor an export")
    found.students = _unique_names(found.students)
    return found


def _check_not_around_an_export(tree: FileTree, path: Path) -> None:
    """Raise BadPlace if a folder contains only a zip with a whole class, or if a zip contains only another zip."""
    level = tree.level("")
    names = [name for name in (*level.folders, *level.files) if not is_left_behind(name)]
    if len(names) != 1 or not names[0].lower().endswith(".zip") or names[0] in level.folders:
        return
    inner, only = path / names[0], f"{str(path)!r} has only {printable(names[0])!r}, which"
    if not path.is_dir():
        raise BadPlace(f"{only} may be one student's or a whole class: unpack the outer zip, or give --form plain")
    try:
        inside = _ClassReader(Zip(inner, str(inner), MOST_CLASS_LIST), str(inner))
        form = inside.form_of_a_class()
    except BadPlace:
        # The zip does not look like a class, so it is opened as the submission of one student.
        return
    if form:
        raise BadPlace(
            f"{only} looks like {FORMS[form]}: give {str(inner)!r}, or --form plain if that is one student's"
        )


class _ClassReader:
    """A reader that finds students' submissions in a tree of files. named: the path of the tree as the user gave it."""

    def __init__(self, tree: FileTree, named: str) -> None:
        self._tree, self._named = tree, named
        self._dropped: list[Dropped] = []

    def read(self, form: str | None) -> Coursework:
        """Find the students' submissions. form: see read_class()."""
        level = self._level("")
        if form is None:
            form, level = self._recognized(level)
        elif form != "plain":
            level = self._below_wrapping(level, form)
        found = Coursework(form, dropped=self._dropped)
        readers = {"gradescope": self._gradescope, "canvas": self._canvas, "moodle": self._moodle}
        readers.get(form, self._stages if form == "stages" else self._plain)(level, found)
        mine = {each for student in found.students for each in student.dropped}
        found.dropped += [each for each in self._tree.dropped if not any(each.path.endswith(d.path) for d in mine)]
        return found

    def form_of_a_class(self) -> str:
        """Return the form if the tree contains a class, or "" if it contains only one student's files."""
        form, level = self._recognized(self._level(""))
        if form == "stages":
            stages = [self._level(f"{level.base}{name}/") for name in level.folders]
            return "" if any(file in NAMES for stage in stages for file in stage.files) else form
        if form in ("plain", "wrapped"):
            several = sum(self._has_program(f"{level.base}{folder}/") for folder in level.folders) + len(level.zips)
            return form if several > 1 and not any(file in NAMES for file in level.files) else ""
        return form

    def _level(self, base: str) -> _ClassFolder:
        names = self._tree.level(base)
        strays = [
            Dropped(base + name, "not a student's") for name in (*names.folders, *names.files) if is_left_behind(name)
        ]
        strays += [Dropped(base + name, LINK) for name in names.links]
        folders = [name for name in names.folders if not is_left_behind(name)]
        files = [name for name in names.files if not is_left_behind(name)]
        zips = [name for name in files if name.lower().endswith(".zip")]
        archives = [name for name in files if _OTHER_ARCHIVE.fullmatch(name)]
        others = [name for name in files if name not in zips and name not in archives]
        return _ClassFolder(base, folders, zips, others, strays, archives)

    def _recognized(self, level: _ClassFolder, depth: int = 0) -> tuple[str, _ClassFolder]:
        """Return the form and the folder of the submissions, or raise BadPlace if the form is ambiguous.

        level: the folder to examine. depth: the number of folders around this folder.
        """
        forms = level.forms()
        programs = [name for name in NAMES if name in level.files]
        if programs and depth == 0 and not {"canvas", "gradescope", "moodle"} & {*forms}:
            hint = "; --form plain reads its folders as students" if forms else ""
            raise BadPlace(
                f"{self._named!r} is one submission, because it contains {programs[0]}: name the folder that has a"
                f" folder for each student{hint}"
            )
        if len(forms) > 1:
            may = " or ".join(FORMS[form] for form in forms)
            give = " or ".join(f"--form {form}" for form in forms)
            raise BadPlace(f"{self._named!r} may be {may}: give {give}")
        if forms == ["plain"] and len(level.folders) == 1 and not level.zips and depth < _MOST_AROUND:
            found = self._recognized_inside(level, depth)
            if found:
                return found
        form = forms[0] if forms else "plain"
        return ("wrapped" if depth and form == "plain" else form), level

    def _recognized_inside(self, level: _ClassFolder, depth: int) -> tuple[str, _ClassFolder] | None:
        """Return the form and the folder of submissions inside the only folder of a level.

        Return None if the only folder belongs to a student. Raise BadPlace if the names do not decide this.
        """
        name = level.folders[0]
        inner = self._level(f"{level.base}{name}/")
        forms = inner.forms()
        if any(file in NAMES for file in inner.files):
            return None
        if forms == ["plain"] and len(inner.folders) == 1 and not inner.zips:
            return self._recognized_deeper(level, inner, depth)
        if not self._contains_class(inner, forms, name):
            return None
        self._drop(level)
        return self._recognized(inner, _MOST_AROUND)

    def _recognized_deeper(
        self, level: _ClassFolder, inner: _ClassFolder, depth: int
    ) -> tuple[str, _ClassFolder] | None:
        """Return the result of _recognized_inside() for an only folder that itself contains only one folder."""
        if depth + 1 >= _MOST_AROUND:
            return None
        found = self._recognized(inner, depth + 1)
        if found[1] is inner:
            return None
        self._drop(level, inner)
        return found

    def _contains_class(self, inner: _ClassFolder, forms: Sequence[str], name: str) -> bool:
        """Return whether the only folder contains a class, not one student's files, or raise BadPlace if undecided."""
        if forms == ["stages"]:
            stages = [self._level(f"{inner.base}{folder}/") for folder in inner.folders]
            has_programs = any(file in NAMES for stage in stages for file in stage.files)
            return not has_programs and any(stage.folders or stage.zips for stage in stages)
        if forms == ["plain"]:
            return self._contains_students(inner, name)
        if forms == ["gradescope"]:
            return any(map(_SUBMISSION.fullmatch, inner.folders))
        return bool(forms)

    def _contains_students(self, inner: _ClassFolder, name: str) -> bool:
        """Return whether a plain folder contains several students, or raise BadPlace if this is undecided."""
        below = [*inner.folders, *inner.zips]
        if len(below) < 2:
            return False
        if len(inner.zips) + sum(self._has_program(f"{inner.base}{folder}/") for folder in inner.folders) > 1:
            return True
        raise BadPlace(
            f"{self._named!r} may be one student, {printable(name)!r}, or a folder around {len(below):,} students"
            f" ({names_text(map(printable, below))}): give --form plain or --form wrapped"
        )

    def _has_program(self, folder: str) -> bool:
        try:
            return any(part.path.rpartition("/")[2] in NAMES for part in self._tree.below(folder)[0])
        except BadPlace:
            return False

    def _below_wrapping(self, level: _ClassFolder, form: str) -> _ClassFolder:
        """Return the highest folder that has the given form, or raise BadPlace if no folder has it."""
        for _ in range(_MOST_AROUND + 1):
            if form in level.forms() if form != "wrapped" else len({*level.folders, *level.zips}) != 1:
                return level
            if len(level.folders) != 1:
                break
            self._drop(level)
            level = self._level(f"{level.base}{level.folders[0]}/")
        raise BadPlace(f"{self._named!r} is not {FORMS[form]}")

    def _drop(self, *levels: _ClassFolder) -> None:
        for level in levels:
            self._dropped += level.strays
            self._dropped += [Dropped(level.base + name, "not a student's") for name in level.files]

    def _plain(self, level: _ClassFolder, found: Coursework) -> None:
        self._drop(level)
        for name in (*level.folders, *level.zips, *level.archives):
            found.students.append(_keyed(found.form, name, self._of(level, name)))

    def _of(self, level: _ClassFolder, name: str) -> Submission:
        """Return the submission in a folder or zip, or one with a ``cause`` for an archive in another format."""
        if name in level.folders:
            return self._from_folder(name, f"{level.base}{name}/")
        if other := _OTHER_ARCHIVE.fullmatch(name):
            words = f"{printable(name)} is an archive that is not opened here: hand in a zip"
            return Submission(other["name"], cause=Cause(Basis.NO_PROGRAM, words))
        return Submission(name[: -len(".zip")], [self._tree.file(level.base + name)])

    def _from_folder(self, name: str, folder: str) -> Submission:
        """Return the submission in a folder, or a submission with a ``cause`` if the folder cannot be read."""
        try:
            parts, dropped = self._tree.below(folder)
            return Submission(name, parts, dropped=dropped)
        except BadPlace as error:
            basis = Basis.OUR_FAULT if isinstance(error, Unreadable) else Basis.NO_PROGRAM
            return Submission(name, cause=Cause(basis, str(error)))

    def _stages(self, level: _ClassFolder, found: Coursework) -> None:
        self._drop(level._replace(files=[*level.files, *level.zips, *level.archives]))
        pieces = []
        for stage in level.folders:
            if not stage_of(f"{stage}/"):
                self._dropped.append(Dropped(level.base + stage, "not a stage"))
                continue
            inner = self._level(f"{level.base}{stage}/")
            self._drop(inner)
            for name in (*inner.folders, *inner.zips, *inner.archives):
                mine = self._of(inner, name)
                mine.parts = [part._replace(path=f"{stage}/{part.path}") for part in mine.parts]
                pieces.append((mine.name, mine))
        found.students = _joined(found.form, pieces)

    def _gradescope(self, level: _ClassFolder, found: Coursework) -> None:
        listed = _submissions(self._tree.file(level.base + _METADATA))
        files = [name for name in (*level.files, *level.zips) if name != _METADATA]
        self._drop(level._replace(files=files))
        self._dropped += [Dropped(level.base + name, "not in the list") for name in level.folders if name not in listed]
        for folder, (submitters, created) in listed.items():
            there = self._of(level, folder) if folder in level.folders else Submission(folder)
            named = _SUBMISSION.fullmatch(folder)
            upload = named[1] if named else ""
            for at, who in enumerate(submitters):
                # Partners share the files, but each partner gets a separate list, because later notes are about one
                # student.
                mine = Submission(who["name"], [*there.parts], who["sid"], who["email"], submitted=created)
                mine.upload, mine.cause, mine.dropped = upload, there.cause, [*there.dropped]
                found.students.append(_keyed(found.form, f"{folder}\0{at}", mine))
                mine.group = _key(found.form, folder)

    def _canvas(self, level: _ClassFolder, found: Coursework) -> None:
        self._drop_but(level, level.of_canvas)
        files = [match for name in level.of_canvas if (match := _CANVAS.fullmatch(name))]
        entered = [match for name in level.of_canvas if (match := _ENTERED.fullmatch(name))]
        pieces = []
        # The files are sorted by Canvas's number, so that the later file counts if two files have the same name.
        for match in [*sorted(files, key=lambda each: int(each["number"][:18])), *entered]:
            piece = Submission(match["name"], number=match["user"], late=bool(match["late"]))
            if match.re is _ENTERED:
                _note_entered(piece, match.string, match["what"], "Canvas")
            else:
                part = self._tree.file(level.base + match.string)
                piece.parts.append(part._replace(path=_RESUBMITTED.sub("", match["file"])))
            pieces.append((f"{piece.name}\0{piece.number}", piece))
        found.students = _joined(found.form, pieces)

    def _moodle(self, level: _ClassFolder, found: Coursework) -> None:
        self._drop_but(level, level.of_moodle)
        pieces = []
        for match in filter(None, map(_MOODLE.fullmatch, level.of_moodle)):
            name, piece = match.string, Submission("")
            if match["what"] == "onlinetext":
                _note_entered(piece, name, "text", "Moodle")
            elif name in level.folders:
                piece = self._of(level, name)
            else:
                piece.parts.append(self._tree.file(level.base + name)._replace(path=match["file"] or name))
            piece.name, piece.number = match["name"], match["number"]
            pieces.append((f"{piece.name}\0{piece.number}", piece))
        found.students = _joined(found.form, pieces)

    def _drop_but(self, level: _ClassFolder, kept: Collection[str]) -> None:
        names = (*level.files, *level.zips, *level.archives, *level.folders)
        self._drop(level._replace(files=[name for name in names if name not in kept]))


def _note_entered(piece: Submission, name: str, what: str, where: str) -> None:
    """Record that a student entered a text or a link. name: the file's name in the export. where: Canvas or Moodle."""
    piece.entered = what
    piece.dropped.append(Dropped(name, f"a {what} entered in {where} is not a file"))


def _joined(form: str, pieces: Iterable[tuple[str, Submission]]) -> list[Submission]:
    """Join pieces with the same place into one submission, and return all submissions."""
    found: dict[str, Submission] = {}
    for place, piece in pieces:
        if place in found:
            found[place].add(piece)
        else:
            found[place] = _keyed(form, place, piece)
    return list(found.values())


def _key(form: str, place: str) -> str:
    # The key stays the same if the staff puts all students' folders into another folder.
    form = "plain" if form == "wrapped" else form
    return sha256(f"{form}\0{place}".encode("utf-8", "surrogateescape")).hexdigest()[:_KEY]


def _keyed(form: str, place: str, student: Submission) -> Submission:
    student.key = student.group = _key(form, place)
    return student


def _submissions(metadata: SubmittedFile) -> dict[str, tuple[list[dict[str, str]], str]]:
    """Return students and submission time of each folder in Gradescope's list, or raise BadPlace."""
    import yaml  # type: ignore[import-untyped]

    if metadata.size > _MOST_METADATA:
        raise BadPlace(f"{_METADATA}: more than {_MOST_METADATA >> 20} MiB")
    try:
        with metadata.stream() as file:
            # This loader returns every value as a string, which keeps the zeros at the beginning of a student's number.
            listed = yaml.load(file.read(_MOST_METADATA), Loader=yaml.BaseLoader)
        return {
            _text(folder): (
                [
                    {key: _text(_either(who, key)) for key in ("name", "sid", "email")}
                    for who in _either(entry, "submitters") or []
                ],
                _text(_either(entry, "created_at")),
            )
            for folder, entry in listed.items()
        }
    except (yaml.YAMLError, AttributeError, TypeError, RecursionError, OSError, ValueError) as error:
        raise BadPlace(f"{_METADATA}: not as Gradescope writes it: {' '.join(str(error).split())[:120]}") from None


def _either(entry: dict[str, Any], key: str) -> Any:
    return entry.get(f":{key}", entry.get(key, ""))


def _text(value: object) -> str:
    """Return a value of Gradescope's list if it is a string, or else "".

    Other values are not converted to strings, because YAML's aliases can expand a few bytes without limit.
    """
    return value if isinstance(value, str) else ""


def _unique_names(students: Iterable[Submission]) -> list[Submission]:
    """Return the students with unique names, sorted by name.

    Each student starts with the first candidate name. If the name cannot be used, the student gets the next candidate
    name.
    """
    listed = list(students)
    candidates = [_candidate_names(each) for each in listed]
    chosen = [0] * len(listed)
    while unusable := [
        at
        for at in _unusable([names[number] for names, number in zip(candidates, chosen, strict=True)])
        if chosen[at] + 1 < len(candidates[at])
    ]:
        for at in unusable:
            chosen[at] += 1
    named = [replace(each, name=names[number]) for each, names, number in zip(listed, candidates, chosen, strict=True)]
    return sorted(named, key=lambda each: (normalized_name(each.name), each.key))


def _candidate_names(student: Submission) -> tuple[str, str, str]:
    """Return three candidates: the plain name, the name with number or part of the key, and the name with the key."""
    name = _readable(student.name)
    return name, f"{name} {student.number or student.key[:8]}", f"{name} {student.key}"


def _unusable(names: Sequence[str]) -> list[int]:
    """Return the indices of the names that occur more than once, are reserved, or are names of built-in agents."""
    normalized = [normalized_name(name) for name in names]
    counts = Counter(normalized)
    return [
        at for at, name in enumerate(normalized) if counts[name] > 1 or name in BUILT_IN or _RESERVED.fullmatch(name)
    ]


def _readable(name: str) -> str:
    return " ".join(printable(unicodedata.normalize("NFC", name)).split())[:_MOST_NAME].strip() or "no name"


def dropped_text(dropped: Sequence[Dropped]) -> str:
    """Return a text with a line for each dropped file and the reason."""
    return "".join(f"{printable(each.path)}: {each.why}\n" for each in sorted(dropped))

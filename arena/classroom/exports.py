"""The forms of a class's submissions: the exports of Gradescope and Canvas, and plain trees.

| form | contents |
|---|---|
| ``gradescope`` | ``submission_metadata.yml``, and a folder ``submission_NUMBER`` for each |
| ``canvas`` | files ``NAME_NUMBER_NUMBER_FILE`` or ``NAME_NUMBER_text.html``, late ones with ``_LATE`` after the name |
| ``moodle`` | folders ``NAME_NUMBER_assignsubmission_file_``, or files that begin so |
| ``stages`` | ``stage1/NAME/...`` and ``stage2/NAME/...`` |
| ``plain`` | a folder or a zip for each student, at the top |
| ``wrapped`` | the same in one or two folders around all |

The names at the top determine the form, or those in the only folder there. Names in one of several folders never do.
``NAME/stage1/...`` is plain: these stages are the student's own.
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

#: The forms, as for ``--form``, with descriptions.
FORMS = {
    "plain": "a folder or zip for each",
    "wrapped": "a folder or zip for each, in a folder around all",
    "stages": "folders for the stages",
    "gradescope": "an export of Gradescope",
    "canvas": "an export of Canvas",
    "moodle": "an export of Moodle",
}

#: Gradescope's list of submissions, its maximum bytes, and the names of its folders.
_METADATA, _MOST_METADATA, _SUBMISSION = "submission_metadata.yml", 1 << 24, re.compile(r"submission_(\d+)")

#: Canvas's file names: student, mark of a late file, the student's number, the file's number, original name.
_CANVAS = re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<user>\d+)_(?P<number>\d+)_(?P<file>.+)")

#: Canvas's names of a text or a link that a student entered in place of a file.
_ENTERED = re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<user>\d+)_(?P<what>text|link)\.html")

#: Moodle's names of folders, or of files if the export has no folders.
_MOODLE = re.compile(r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_(?P<what>file|onlinetext)_?(?P<file>.*)")

#: Archives that nothing here opens.
_OTHER_ARCHIVE = re.compile(r"(?P<name>.+?)\.(rar|7z|tar|tgz|tbz2?|txz|(tar\.)?(gz|bz2|xz|zst))", re.IGNORECASE)

#: Canvas's addition to the name of a file submitted again: ``my_player3-2.py``.
_AGAIN = re.compile(r"-\d+(?=\.\w+$)")

#: The staff's files, which do not determine a form.
_STAFF_FILE = re.compile(r"read_?me(\..*)?|.*\.(csv|tsv|xlsx|md)", re.IGNORECASE)

#: Maximum characters of a name, and digits of a key.
_MOST_NAME, _KEY = 60, 16

#: Maximum number of folders around all.
_MOST_AROUND = 2

#: Reserved names of players: 2020's agents for the second stage.
_RESERVED = re.compile(r".*\(stage 2\)|", re.IGNORECASE)


@dataclass
class Coursework:
    """A class's submissions. form: one of FORMS. students: by name. dropped: files that are not a student's."""

    form: str
    students: list[Submission] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)


class _ClassFolder(NamedTuple):
    """A folder that may contain students' submissions.

    base: its path. folders, zips, files: names without strays. archives: files that only other programs can unpack.
    """

    base: str
    folders: list[str]
    zips: list[str]
    files: list[str]
    strays: list[Dropped]
    archives: list[str]

    @property
    def of_canvas(self) -> list[str]:
        """Files with names as Canvas gives them."""
        files = (name for name in (*self.files, *self.zips, *self.archives) if not _STAFF_FILE.fullmatch(name))
        return sorted(name for name in files if _CANVAS.fullmatch(name) or _ENTERED.fullmatch(name))

    @property
    def of_moodle(self) -> list[str]:
        """Folders and files with names as Moodle gives them."""
        return sorted(
            name for name in (*self.folders, *self.files, *self.zips, *self.archives) if _MOODLE.fullmatch(name)
        )

    def forms(self) -> list[str]:
        """Return the possible forms of these names."""
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
    """Find each student's files in a directory or a zip; raises BadPlace.

    form: one of FORMS; None to recognize it by the names at the top.
    """
    tree = open_place(path)
    if form is None:
        _check_not_around_an_export(tree, path)
    found = _ClassReader(tree, str(path)).read(form)
    if not found.students:
        raise BadPlace(f"{str(path)!r} has no submission: neither a folder nor a zip for a student, nor an export")
    found.students = _unique_names(found.students)
    return found


def _check_not_around_an_export(tree: FileTree, path: Path) -> None:
    """Raise BadPlace for a folder around a single zip that is a whole class, or a zip around one that may be."""
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
        # It is a student's as well as one can tell, and is opened as such.
        return
    if form:
        raise BadPlace(
            f"{only} looks like {FORMS[form]}: give {str(inner)!r}, or --form plain if that is one student's"
        )


class _ClassReader:
    """A reader of a tree. named: the user's name for it."""

    def __init__(self, tree: FileTree, named: str) -> None:
        self._tree, self._named = tree, named
        self._dropped: list[Dropped] = []

    def read(self, form: str | None) -> Coursework:
        """Find the students; raises BadPlace."""
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
        """Return the form if the tree is a class's rather than one student's, else ""; raises BadPlace."""
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
            Dropped(base + name, "no student's") for name in (*names.folders, *names.files) if is_left_behind(name)
        ]
        strays += [Dropped(base + name, LINK) for name in names.links]
        folders = [name for name in names.folders if not is_left_behind(name)]
        files = [name for name in names.files if not is_left_behind(name)]
        zips = [name for name in files if name.lower().endswith(".zip")]
        archives = [name for name in files if _OTHER_ARCHIVE.fullmatch(name)]
        others = [name for name in files if name not in zips and name not in archives]
        return _ClassFolder(base, folders, zips, others, strays, archives)

    def _recognized(self, level: _ClassFolder, depth: int = 0) -> tuple[str, _ClassFolder]:
        """Return the form, and the level of the submissions; raises BadPlace."""
        forms = level.forms()
        programs = [name for name in NAMES if name in level.files]
        if programs and depth == 0 and not {"canvas", "gradescope", "moodle"} & {*forms}:
            hint = "; --form plain takes its folders for students" if forms else ""
            raise BadPlace(
                f"{self._named!r} is one submission, as {programs[0]} lies in it: name the folder that has a"
                f" folder for each student{hint}"
            )
        if len(forms) > 1:
            may = " or ".join(FORMS[form] for form in forms)
            give = " or ".join(f"--form {form}" for form in forms)
            raise BadPlace(f"{self._named!r} may be {may}: give {give}")
        if forms == ["plain"] and len(level.folders) == 1 and not level.zips and depth < _MOST_AROUND:
            inner = self._seen_through(level, depth)
            if inner:
                return inner
        form = forms[0] if forms else "plain"
        return ("wrapped" if depth and form == "plain" else form), level

    def _seen_through(self, level: _ClassFolder, depth: int) -> tuple[str, _ClassFolder] | None:
        """Return the form and level in the only folder, None where that is a student's; raises BadPlace."""
        name = level.folders[0]
        inner = self._level(f"{level.base}{name}/")
        if any(file in NAMES for file in inner.files):
            return None
        forms = inner.forms()
        if forms == ["stages"]:
            own = [self._level(f"{inner.base}{folder}/") for folder in inner.folders]
            around = not any(file in NAMES for stage in own for file in stage.files) and any(
                stage.folders or stage.zips for stage in own
            )
        elif forms == ["plain"]:
            if len(inner.folders) == 1 and not inner.zips:
                found = self._recognized(inner, depth + 1) if depth + 1 < _MOST_AROUND else None
                around = found is not None and found[1] is not inner
                if around:
                    self._drop(level, inner)
                    return found
            else:
                around = self._is_around(inner, name)
        else:
            around = bool(forms) and (forms != ["gradescope"] or any(map(_SUBMISSION.fullmatch, inner.folders)))
        if not around:
            return None
        self._drop(level)
        return self._recognized(inner, _MOST_AROUND)

    def _is_around(self, inner: _ClassFolder, name: str) -> bool:
        """Return whether a folder contains all students; raises BadPlace where it may also be one student's."""
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
        """Return the first level of a form in folders around all; raises BadPlace where there is none."""
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
            self._dropped += [Dropped(level.base + name, "no student's") for name in level.files]

    def _plain(self, level: _ClassFolder, found: Coursework) -> None:
        self._drop(level)
        for name in (*level.folders, *level.zips, *level.archives):
            found.students.append(_keyed(found.form, name, self._of(level, name)))

    def _of(self, level: _ClassFolder, name: str) -> Submission:
        """Return the submission in a folder, a zip, or an archive that nothing here opens."""
        if name in level.folders:
            return self._from_folder(name, f"{level.base}{name}/")
        if other := _OTHER_ARCHIVE.fullmatch(name):
            words = f"{printable(name)} is an archive that is not opened here: hand in a zip"
            return Submission(other["name"], cause=Cause(Basis.NO_PROGRAM, words))
        return Submission(name[: -len(".zip")], [self._tree.file(level.base + name)])

    def _from_folder(self, name: str, folder: str) -> Submission:
        """Return the submission in a folder; an unreadable one is that student's fault."""
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
                self._dropped.append(Dropped(level.base + stage, "no stage"))
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
                # Partners share the files, and nothing that is found in them later.
                mine = Submission(who["name"], [*there.parts], who["sid"], who["email"], submitted=created)
                mine.upload, mine.cause, mine.dropped = upload, there.cause, [*there.dropped]
                found.students.append(_keyed(found.form, f"{folder}\0{at}", mine))
                mine.group = _key(found.form, folder)

    def _canvas(self, level: _ClassFolder, found: Coursework) -> None:
        self._drop_but(level, level.of_canvas)
        files = [match for name in level.of_canvas if (match := _CANVAS.fullmatch(name))]
        entered = [match for name in level.of_canvas if (match := _ENTERED.fullmatch(name))]
        pieces = []
        # Sorted by Canvas's number, so that the later of two files of one name counts.
        for match in [*sorted(files, key=lambda each: int(each["number"][:18])), *entered]:
            piece = Submission(match["name"], number=match["user"], late=bool(match["late"]))
            if match.re is _ENTERED:
                _note_entered(piece, match.string, match["what"], "Canvas")
            else:
                part = self._tree.file(level.base + match.string)
                piece.parts.append(part._replace(path=_AGAIN.sub("", match["file"])))
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
        """Drop all files and folders of a level but those of students."""
        names = (*level.files, *level.zips, *level.archives, *level.folders)
        self._drop(level._replace(files=[name for name in names if name not in kept]))


def _note_entered(piece: Submission, name: str, what: str, where: str) -> None:
    """Note that a student has entered a text or a link. name: of the export's file. where: the export."""
    piece.entered = what
    piece.dropped.append(Dropped(name, f"a {what} entered in {where} is no file"))


def _joined(form: str, pieces: Iterable[tuple[str, Submission]]) -> list[Submission]:
    """Return the submissions from their pieces by place."""
    found: dict[str, Submission] = {}
    for place, piece in pieces:
        if place in found:
            found[place].add(piece)
        else:
            found[place] = _keyed(form, place, piece)
    return list(found.values())


def _key(form: str, place: str) -> str:
    # A folder around all does not change a student's key.
    form = "plain" if form == "wrapped" else form
    return sha256(f"{form}\0{place}".encode("utf-8", "surrogateescape")).hexdigest()[:_KEY]


def _keyed(form: str, place: str, student: Submission) -> Submission:
    student.key = student.group = _key(form, place)
    return student


def _submissions(metadata: SubmittedFile) -> dict[str, tuple[list[dict[str, str]], str]]:
    """Return the students and time of each of Gradescope's folders; raises BadPlace."""
    import yaml  # type: ignore[import-untyped]

    if metadata.size > _MOST_METADATA:
        raise BadPlace(f"{_METADATA}: more than {_MOST_METADATA >> 20} MiB")
    try:
        with metadata.stream() as file:
            # This loader makes texts of all values: numbers of students may begin with zeros.
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
    """Return a text of the list, "" for other values: aliases could expand a few bytes without limit."""
    return value if isinstance(value, str) else ""


def _unique_names(students: Iterable[Submission]) -> list[Submission]:
    """Return the students by unique names, whatever the submissions contain.

    Equal names get the student's number and, if necessary, the key.
    """
    listed = [replace(each, name=_readable(each.name)) for each in students]
    choices = [
        [name, f"{name} {each.number}" if each.number else f"{name} {each.key[:8]}", f"{name} {each.key}"]
        for each, name in ((each, each.name) for each in listed)
    ]
    at = [0] * len(listed)
    while True:
        names = [normalized_name(choice[number]) for choice, number in zip(choices, at, strict=True)]
        often = Counter(names)
        alike = [
            number
            for number, name in enumerate(names)
            if at[number] < 2 and (often[name] > 1 or name in BUILT_IN or _RESERVED.fullmatch(name))
        ]
        if not alike:
            break
        for number in alike:
            at[number] += 1
    apart = [replace(each, name=choice[n]) for each, choice, n in zip(listed, choices, at, strict=True)]
    return sorted(apart, key=lambda each: (normalized_name(each.name), each.key))


def _readable(name: str) -> str:
    return " ".join(printable(unicodedata.normalize("NFC", name)).split())[:_MOST_NAME].strip() or "no name"


def dropped_text(dropped: Sequence[Dropped]) -> str:
    """Return the files left out, a line for each."""
    return "".join(f"{printable(each.path)}: {each.why}\n" for each in sorted(dropped))

"""The forms in which a class's submissions come: the exports of Gradescope and Canvas, and plain trees.

| form | looks like |
|---|---|
| Gradescope | ``submission_metadata.yml``, and a folder ``submission_NUMBER`` for each |
| Canvas | files ``NAME_NUMBER_NUMBER_FILE``, late ones ``NAME_LATE_NUMBER_NUMBER_FILE`` |
| stages | ``stage1/NAME/...`` and ``stage2/NAME/...``, or the reverse, ``NAME/stage1/...`` |
| plain | a folder or a zip for each student |
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from arena.classroom.places import (
    BadPlace,
    Files,
    Place,
    SubmittedFile,
    is_left_behind,
    open_place,
    read_parts,
    without_wrapping,
)
from arena.match.programs import NAMES
from runtime.terminal import printable

#: Gradescope's list of its submissions.
_METADATA = "submission_metadata.yml"

#: A file's name as Canvas gives it: who, perhaps that it came late, the student's number, the file's, what it was.
_CANVAS = re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<user>\d+)_(?P<number>\d+)_(?P<file>.+)")

#: What Canvas adds to the name of a file that was handed in again: ``my_player3-2.py``.
_AGAIN = re.compile(r"-\d+(?=\.\w+$)")

#: A folder for a stage.
_STAGE = re.compile(r"(?:stage|hw2-stage)[ _-]?([12])", re.IGNORECASE)

#: As much of a name as anyone reads.
_MOST_NAME = 60


@dataclass(frozen=True)
class HandedIn:
    """What one student has handed in, unread.

    name: unlike all others' in the class. number, email: as an export states them, else "".
    parts: the files. late: whether the export marks it as late. links: what was left out as it is no plain file.
    """

    name: str
    parts: tuple[SubmittedFile, ...] = ()
    number: str = ""
    email: str = ""
    late: bool = False
    links: tuple[str, ...] = ()

    def stages(self) -> dict[int, Files]:
        """Read the files for each stage; those that are for no stage are for both. Raises BadPlace."""
        files = read_parts(self.parts)
        if not any(_stage_of(path) for path in files):
            # The folder stage1 alone, and all in it, was opened as the folder that it is.
            only = {_stage_of(part.path) for part in self.parts if not is_left_behind(part.path)}
            (number,) = only if len(only) == 1 else (None,)
            return {number: files} if number else {1: files, 2: files}
        found: dict[int, Files] = {}
        for path, content in files.items():
            if number := _stage_of(path):
                found.setdefault(number, {})[path.partition("/")[2]] = content
        return {number: without_wrapping(inside) for number, inside in sorted(found.items())}


@dataclass
class Coursework:
    """What was found. form: its name. students: by their names. ignored: the paths of all that is no student's."""

    form: str
    students: list[HandedIn] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)


def read_class(path: Path) -> Coursework:
    """Find each student's files in a directory or a zip, in whatever form it is; raises BadPlace."""
    place = open_place(path)
    # What is left behind in a student's folder shows that there is a student.
    tops = {each.split("/")[0] for each in place.paths}
    left_behind = {top for top in tops if is_left_behind(top)}
    place.paths[:] = [each for each in place.paths if each.split("/")[0] not in left_behind]
    metadata = next((each for each in place.paths if each.split("/")[-1] == _METADATA and each.count("/") < 2), None)
    if metadata is not None:
        found = _from_gradescope(place, metadata)
    elif place.paths and all("/" not in each for each in place.paths) and any(map(_CANVAS.fullmatch, place.paths)):
        found = _from_canvas(place)
    else:
        found = _from_folders(place, str(path))
    if not found.students:
        raise BadPlace(f"{str(path)!r} has no submission: neither a folder nor a zip for a student, nor an export")
    links = set(place.left_out).difference(*(each.links for each in found.students))
    found.ignored = sorted({*found.ignored, *left_behind, *links})
    found.students = _told_apart(found.students)
    return found


def _stage_of(path: str) -> int | None:
    """Return the stage that a path's first folder is for."""
    folder, slash, _ = path.partition("/")
    stage = _STAGE.fullmatch(folder)
    return int(stage[1]) if slash and stage else None


def _part(place: Place, path: str, inside: str) -> SubmittedFile:
    return SubmittedFile(inside, place.size(path), partial(place.read, path))


def _from_gradescope(place: Place, metadata: str) -> Coursework:
    base = metadata[: -len(_METADATA)]
    found = Coursework("Gradescope")
    for folder, submitters in _submitters(place.read(metadata)).items():
        before = f"{base}{folder}/"
        parts = tuple(_part(place, path, path[len(before) :]) for path in place.paths if path.startswith(before))
        links = tuple(path for path in place.left_out if path.startswith(before))
        for who in submitters:
            found.students.append(HandedIn(who["name"], parts, who["sid"], who["email"], links=links))
    known = [f"{base}{folder}/" for folder in _submitters(place.read(metadata))]
    found.ignored = [path for path in place.paths if path != metadata and not path.startswith(tuple(known))]
    return found


def _submitters(content: bytes) -> dict[str, list[dict[str, str]]]:
    """Return who has handed in each of Gradescope's folders; raises BadPlace."""
    import yaml  # type: ignore[import-untyped]

    try:
        # By the loader that makes text of all: numbers of students may begin with zeros.
        listed = yaml.load(content, Loader=yaml.BaseLoader)
        return {
            str(folder): [
                {key: str(who.get(f":{key}", who.get(key, ""))) for key in ("name", "sid", "email")}
                for who in entry.get(":submitters", entry.get("submitters", []))
            ]
            for folder, entry in listed.items()
        }
    except (yaml.YAMLError, AttributeError, TypeError, RecursionError) as error:
        raise BadPlace(f"{_METADATA}: not as Gradescope writes it: {' '.join(str(error).split())[:120]}") from None


def _from_canvas(place: Place) -> Coursework:
    found = Coursework("Canvas")
    by_user: dict[tuple[str, str], HandedIn] = {}
    for path in place.paths:
        named = _CANVAS.fullmatch(path)
        if named is None:
            found.ignored.append(path)
            continue
        user = named["name"], named["user"]
        before = by_user.get(user, HandedIn(named["name"], number=named["user"]))
        part = _part(place, path, _AGAIN.sub("", named["file"]))
        by_user[user] = replace(before, parts=(*before.parts, part), late=before.late or bool(named["late"]))
    found.students = list(by_user.values())
    return found


def _from_folders(place: Place, named: str) -> Coursework:
    """Read a tree: stages above the students, or students, with stages below them or without."""
    inside = _unwrapped(place.paths)
    if any(path in NAMES for path in inside):
        raise BadPlace(f"{named!r} is one submission: name the folder that has a folder for each student")
    stages = {_stage_of(path) for path in inside}
    by_student: dict[str, list[SubmittedFile]] = {}
    found = Coursework("stages" if None not in stages else "plain")
    for within, path in inside.items():
        # stage1/NAME/file is NAME/stage1/file.
        stage, _, rest = within.partition("/") if _stage_of(within) else ("", "", within)
        student, slash, file = rest.partition("/")
        if not slash and not student.lower().endswith(".zip"):
            found.ignored.append(path)
            continue
        if not slash:
            student, file = student[:-4], student
        if stage and not slash:
            by_student.setdefault(student, []).extend(_unpacked(place, path, stage))
        else:
            by_student.setdefault(student, []).append(_part(place, path, f"{stage}/{file}" if stage else file))
    links = _unwrapped([*place.paths, *place.left_out])
    for student, parts in by_student.items():
        mine = tuple(path for within, path in links.items() if path in place.left_out and student in within.split("/"))
        found.students.append(HandedIn(student, tuple(parts), links=mine))
    return found


def _unpacked(place: Place, path: str, stage: str) -> Iterable[SubmittedFile]:
    """Yield the files of a student's zip in a stage's folder; a bad one stays a file, and is found when it is read."""
    try:
        files = read_parts([_part(place, path, path)])
    except BadPlace:
        yield _part(place, path, path.split("/")[-1])
        return
    for name, content in files.items():
        yield SubmittedFile(f"{stage}/{name}", len(content), _given(content))


def _given(content: bytes) -> Callable[[], bytes]:
    return lambda: content


def _unwrapped(paths: Sequence[str]) -> dict[str, str]:
    """Return paths by what they are without a folder around all students; two levels of folders are below it."""
    inside = {path: path for path in paths}
    while True:
        tops = {path.split("/")[0] for path in inside}
        below = {path.partition("/")[2] for path in inside}
        folders = {path.split("/")[0] for path in below if "/" in path or path.lower().endswith(".zip")}
        # A folder of a class has no file of its own but zips; that of one student has its program.
        if (
            len(tops) != 1
            or not all("/" in path for path in inside)
            or any("/" not in path and not path.lower().endswith(".zip") for path in below)
            or (len(folders) < 2 and not _STAGE.fullmatch(next(iter(folders), "")))
            or any(map(_STAGE.fullmatch, tops))
        ):
            return inside
        if folders and all(map(_STAGE.fullmatch, folders)) and any(path.count("/") < 2 for path in below):
            # NAME/stage1/file: a class of one.
            return inside
        inside = {within.partition("/")[2]: path for within, path in inside.items()}


def _told_apart(students: Iterable[HandedIn]) -> list[HandedIn]:
    """Return the students by names that are no two alike, whatever was written there."""
    listed = [replace(each, name=_readable(each.name)) for each in students]
    often: Counter[str] = Counter(each.name.casefold() for each in listed)
    with_number = [
        replace(each, name=f"{each.name} {each.number}") if often[each.name.casefold()] > 1 and each.number else each
        for each in listed
    ]
    seen: Counter[str] = Counter()
    apart = []
    for each in sorted(with_number, key=lambda each: (each.name.casefold(), each.number)):
        seen[each.name.casefold()] += 1
        number = seen[each.name.casefold()]
        apart.append(replace(each, name=f"{each.name} ({number})") if number > 1 else each)
    return apart


def _readable(name: str) -> str:
    return " ".join(printable(name).split())[:_MOST_NAME] or "no name"

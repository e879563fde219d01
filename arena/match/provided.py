"""Files that a course gives to all programs, such as its modules ``host``, ``read`` and ``write``.

The assignment lets programs import these three, and lets students begin with a copy of ``random_player.py``. Ours are
in ``course_modules/``, written from the names that programs use. A program's own file of such a name takes precedence.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from little_go.runtime.files import MIB, read_file, write_whole

#: The modules that the assignment lets programs import.
COURSE_MODULES = ("host", "read", "write")

#: The word of a course file for ours.
OURS = "course"

#: The maximum bytes of a course's files together: each game's order contains them.
MOST_PROVIDED = MIB

#: The maximum bytes of a program's file that is read.
_MOST_SOURCE = 256 * MIB

_FOLDER = Path(__file__).with_name("course_modules")

#: The line of a course file that provides them.
PROVIDE_LINE = f'provide = "{OURS}"'


class ProvidedFile(NamedTuple):
    """A file's name and content."""

    name: str
    content: bytes

    @property
    def digest(self) -> str:
        """The SHA-256 of the content."""
        return sha256(self.content).hexdigest()


def course_modules() -> tuple[ProvidedFile, ...]:
    """Return our modules of the course's names, and the player that uses them."""
    names = (*(f"{name}.py" for name in COURSE_MODULES), "random_player.py")
    return tuple(ProvidedFile(name, read_file(_FOLDER / name, MIB)) for name in names)


def write_beside(files: Iterable[ProvidedFile], folder: Path) -> None:
    """Write files into a folder, except those that it has. Raises OSError."""
    for each in files:
        place = folder / each.name
        if not (place.exists() or place.is_symlink()):
            write_whole(place, each.content)
            place.chmod(0o644)


def provide(files: Sequence[ProvidedFile], folder: Path) -> None:
    """Put the course's files beside a program, but no Python module that neither it nor a module so put there names.

    So another program stays the same, with all its games, if the course provides one more module. Raises OSError.
    """
    modules = {each.name.removesuffix(".py"): each for each in files if each.name.endswith(".py")}
    chosen = [each for each in files if not each.name.endswith(".py")]
    sources = [read_file(path, _MOST_SOURCE, plain=True) for path in sorted(folder.glob("*.py")) if path.is_file()]
    while sources and modules:
        source = sources.pop()
        for name in [name for name in modules if _names(source, name)]:
            chosen.append(modules.pop(name))
            sources.append(chosen[-1].content)
    write_beside(chosen, folder)


def _names(source: bytes, module: str) -> bool:
    """Return whether a source may import a module, or run its file.

    >>> _names(b"from read import readInput", "read"), _names(b"file.read()", "read")
    (True, False)
    """
    word = re.escape(module).encode()
    return re.search(rb"\b(?:from|import)\b.*\b%s\b|[\"']%s(?:\.py)?[\"']" % (word, word), source) is not None


def lacking(imported: Iterable[str], provided: Collection[str]) -> list[str]:
    """Return the course's modules among imported ones that are not among the provided files.

    >>> lacking({"read", "host", "numpy"}, {"host.py"})
    ['read']
    """
    return sorted(name for name in {*imported} & {*COURSE_MODULES} if f"{name}.py" not in provided)


def lacking_text(names: Iterable[str], *, said: bool) -> str:
    """Return a clause on missing modules of the course, and what to do. said: whether a course file names its files.

    >>> lacking_text(["host", "read"], said=True)
    'imports host and read, modules of the course that the course file does not provide: write provide = "course" in it'
    """
    *most, last = names
    named = (
        f"{', '.join(most)} and {last}, modules of the course that" if most else f"{last}, a module of the course that"
    )
    if said:
        return f"imports {named} the course file does not provide: write {PROVIDE_LINE} in it"
    beside = "put them beside it by little-go play --course-files FOLDER"
    return f"imports {named} nobody provides: write {PROVIDE_LINE} in a course file (--course FILE), or {beside}"

"""Provide the files that a course gives to all programs, such as its modules ``host``, ``read`` and ``write``.

The assignment allows programs to import these three modules, and students can begin with a copy of
``random_player.py``. Our versions of these files are in ``course_modules/``, and define the names that students'
programs use. If a program has its own file with the name of a provided file, the program's file takes precedence.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from little_go.runtime.files import MIB, read_file, write_whole

#: The modules that the assignment allows programs to import.
COURSE_MODULES = ("host", "read", "write")

#: The value of ``provide`` in a course file that means our versions of the course's modules.
OURS = "course"

#: Maximum bytes of all provided files together, because a worker receives them with every game.
MOST_PROVIDED = MIB

#: Maximum bytes of a program's file that is searched for imports.
_MOST_SOURCE = 256 * MIB

_FOLDER = Path(__file__).with_name("course_modules")

#: The line of a course file that provides our versions of the course's modules.
PROVIDE_LINE = f'provide = "{OURS}"'


class ProvidedFile(NamedTuple):
    """The name and the content of a file that the course provides."""

    name: str
    content: bytes

    @property
    def digest(self) -> str:
        """The SHA-256 of the content."""
        return sha256(self.content).hexdigest()


def course_modules() -> tuple[ProvidedFile, ...]:
    """Return our versions of the course's modules, and the random player that imports these modules."""
    names = (*(f"{name}.py" for name in COURSE_MODULES), "random_player.py")
    return tuple(ProvidedFile(name, read_file(_FOLDER / name, MIB)) for name in names)


def write_beside(files: Iterable[ProvidedFile], folder: Path) -> None:
    """Write files into a folder, but keep every file that already exists there."""
    for each in files:
        place = folder / each.name
        if not (place.exists() or place.is_symlink()):
            write_whole(place, each.content)
            place.chmod(0o644)


def provide(files: Sequence[ProvidedFile], folder: Path) -> None:
    """Copy the course's files into a program's folder, except Python modules that no source in the folder mentions.

    The sources are the Python files of the folder and the modules that were already copied. So a program's files, and
    all its games, stay the same if the course provides another module that the program does not import.
    """
    modules = {each.name.removesuffix(".py"): each for each in files if each.name.endswith(".py")}
    chosen = [each for each in files if not each.name.endswith(".py")]
    sources = [read_file(path, _MOST_SOURCE, plain=True) for path in sorted(folder.glob("*.py")) if path.is_file()]
    while sources and modules:
        source = sources.pop()
        for name in [name for name in modules if _mentions(source, name)]:
            chosen.append(modules.pop(name))
            sources.append(chosen[-1].content)
    write_beside(chosen, folder)


def _mentions(source: bytes, module: str) -> bool:
    """Return whether a source may import a module, or run the module's file.

    >>> _mentions(b"from read import readInput", "read"), _mentions(b"file.read()", "read")
    (True, False)
    """
    word = re.escape(module).encode()
    return re.search(rb"\b(?:from|import)\b.*\b%s\b|[\"']%s(?:\.py)?[\"']" % (word, word), source) is not None


def lacking(imported: Iterable[str], provided: Collection[str]) -> list[str]:
    """Return the names of the course's modules that are imported but not provided.

    imported: names of modules. provided: names of files, such as ``host.py``.

    >>> lacking({"read", "host", "numpy"}, {"host.py"})
    ['read']
    """
    return sorted(name for name in {*imported} & {*COURSE_MODULES} if f"{name}.py" not in provided)


def lacking_text(names: Iterable[str], *, has_list: bool) -> str:
    """Return a clause that names missing modules of the course and the remedy.

    has_list: whether a course file lists the provided files, so that the remedy is a line in that file.

    >>> lacking_text(["host", "read"], has_list=True)
    'imports host and read, modules of the course that the course file does not provide: write provide = "course" in it'
    """
    *most, last = names
    named = (
        f"{', '.join(most)} and {last}, modules of the course that" if most else f"{last}, a module of the course that"
    )
    if has_list:
        return f"imports {named} the course file does not provide: write {PROVIDE_LINE} in it"
    beside = "put them next to it by little-go play --course-files FOLDER"
    is_or_are = "are" if most else "is"
    return (
        f"imports {named} {is_or_are} not provided: write {PROVIDE_LINE} in a course file (--course FILE), or {beside}"
    )

"""Findings in a Python agent's source before it runs: syntax, imports, and files that it reads."""

import ast
import re
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from little_go.arena.match.copying import BOOK
from little_go.arena.match.provided import COURSE_MODULES, lacking, lacking_text
from little_go.notation.host_file import INPUT_FILE, OUTPUT_FILE
from little_go.runtime.files import MIB, read_file

#: The course's Python.
COURSE = (3, 7)

#: That Python's standard library, from this one's: removed and added modules.
_GONE = {
    *("asynchat", "asyncore", "binhex", "distutils", "dummy_threading", "formatter", "imp", "macpath", "parser"),
    *("smtpd", "symbol", "_dummy_threading"),
    *("aifc", "audioop", "cgi", "cgitb", "chunk", "crypt", "imghdr", "lib2to3", "mailcap", "msilib", "nis", "nntplib"),
    *("ossaudiodev", "pipes", "sndhdr", "spwd", "sunau", "telnetlib", "uu", "xdrlib"),
}
_COME = {"annotationlib", "compression", "graphlib", "tomllib", "zoneinfo"}
_LIBRARY = (set(sys.stdlib_module_names) | _GONE) - _COME

#: An import of one of the course's modules, or something that resembles it.
_IMPORTS_MODULE = re.compile(rb"\b(?:from|import)\b.*\b(?:%s)\b" % "|".join(COURSE_MODULES).encode())

#: The name of a Python file beside another one, or of a module.
_NAME = re.compile(r"[^/\\\0]{1,100}\.py|[A-Za-z_]\w{0,100}", re.ASCII)

#: A longer string is not a file name.
_MOST_NAME = 200

#: Maximum bytes of a parsed source: its syntax tree takes up to 630 times as many.
_MOST_SOURCE = 1 << 19

#: Prefix of the finding on a source that is too large to parse.
NOT_CHECKED = "its source was not looked at"

#: Exceptions that catch a failed import.
_CAUGHT = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


class _TooLarge(Exception):
    """A source that is too large or too deep to parse; the message is a clause."""


class SourceFinding(NamedTuple):
    """A finding: right, wrong or None for possible; its file; its text, a clause."""

    right: bool | None
    path: Path
    words: str


class _SourceScan(NamedTuple):
    """Contents of a file: imports with their lines and whether a failure is caught; opened names with their lines.

    texts: all strings, as any may be part of a path. written: names opened for writing. needed: modules without which
    it cannot start, since it imports them outside of functions, and no failure is caught.
    """

    imports: list[tuple[str, int, bool]]
    opened: list[tuple[str, int]]
    texts: set[str]
    written: set[str]
    needed: set[str]


def modules_beside(program: Path) -> tuple[str, ...]:
    """Return the names of files and folders beside a Python program that it imports or runs, directly or not.

    Modules of the standard library's names are not among them, nor is anything that a source too large to parse needs.
    """
    found, todo = dict[str, None](), [program]
    while todo:
        path = todo.pop()
        try:
            seen = _scan_source(read_file(path, 256 * MIB)) if path.suffix == ".py" else None
        except (_TooLarge, SyntaxError, ValueError, OSError):
            seen = None
        for name in _beside(program.parent, seen) if seen else ():
            if name not in found and name != program.name:
                found[name] = None
                todo += _python_files(program.parent / name)
    return tuple(found)


def _beside(folder: Path, seen: _SourceScan) -> Iterator[str]:
    """Yield the names of a program's modules and of the Python files that its strings name, with or without suffix."""
    for name in sorted({name for name, _, _ in seen.imports} - _LIBRARY):
        if (folder / name).is_dir() and _python_files(folder / name):
            yield name
        elif (folder / f"{name}.py").is_file():
            yield f"{name}.py"
    files = {text if text.endswith(".py") else f"{text}.py" for text in seen.texts - _LIBRARY if _NAME.fullmatch(text)}
    yield from sorted(name for name in files if (folder / name).is_file())


def _python_files(path: Path) -> list[Path]:
    """Return a file, or the Python files in a folder."""
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def check_source(
    program: Path,
    whole: Path | None,
    packages: Collection[str] | None = None,
    provided: Collection[str] | None = None,
) -> Iterator[SourceFinding]:
    """Yield the findings on a program and on its own modules.

    whole: the directory above it that is copied, and where it starts; None: its modules and a book are copied with it.
    packages: listed in the course file; None without one. provided: names of the course's files; None if no course file
    names any.
    """
    folder, start = program.parent, whole or program.parent
    todo, done, used, lacks = [program], set[Path](), set[str](), set[str]()
    along = modules_beside(program) if whole is None else ()
    while todo:
        path = todo.pop()
        if path in done:
            continue
        done.add(path)
        try:
            seen = _scan_source(read_file(path, 256 * MIB))
        except _TooLarge as error:
            yield SourceFinding(None, path, f"{NOT_CHECKED}: {error}")
            continue
        except (SyntaxError, ValueError) as error:
            yield SourceFinding(False, path, f"Python 3.7 cannot read it: {' '.join(str(error).split())}")
            continue
        yield SourceFinding(True, path, "Python 3.7 can read it")
        own = {name: found for name, _, _ in seen.imports if (found := _own_modules(folder, name))}
        files = {text for text in seen.texts if _is_file(start, text)} - {program.name, BOOK, INPUT_FILE, OUTPUT_FILE}
        if whole is None:
            shadowing = sorted(own.keys() & _LIBRARY)
            behind = [f"imports {name}" for name in shadowing] + [f"reads {name}" for name in sorted(files)]
            for what in behind:
                yield SourceFinding(False, path, f"{what}, which stays behind: give the directory that has it")
            own = {name: modules for name, modules in own.items() if name not in _LIBRARY}
        todo += (module for modules in own.values() for module in modules)
        used |= files
        lacks |= {*lacking(seen.needed, provided or ())} - own.keys()
        yield from _foreign(path, seen, own.keys() | {*COURSE_MODULES}, packages)
        yield from _missing_files(path, seen, start)
    if lacks:
        yield SourceFinding(False, program, lacking_text(sorted(lacks), said=provided is not None))
    if along:
        yield SourceFinding(True, program, f"upload what comes along with it, too: {', '.join(along)}")
    if used and whole is not None:
        yield SourceFinding(True, program, f"what it reads comes along: {', '.join(sorted(used))}")


def _foreign(
    path: Path, seen: _SourceScan, own: Collection[str], packages: Collection[str] | None
) -> Iterator[SourceFinding]:
    """Yield imports that are not the standard library's, the agent's own, or listed by the course."""
    for name, line, caught in seen.imports:
        if name in _LIBRARY or name in own or name in (packages or ()):
            continue
        if caught:
            yield SourceFinding(None, path, f"plays without {name} (line {line}), {_absent(name, packages)}")
        else:
            what_to_do = "" if name in _COME else ": add it there, or do without it"
            yield SourceFinding(False, path, f"imports {name} (line {line}), {_absent(name, packages)}{what_to_do}")


def _absent(name: str, packages: Collection[str] | None) -> str:
    """Return, as a clause, why a module is missing."""
    if name in _COME:
        return "which Python 3.7 has not"
    if packages is None:
        return "a package that no course file lists (--course FILE, under packages)"
    listed = f"only {', '.join(sorted(packages))}" if packages else "no packages"
    return f"and the course file lists {listed} (under packages)"


def _missing_files(path: Path, seen: _SourceScan, start: Path) -> Iterator[SourceFinding]:
    for name, line in seen.opened:
        if Path(name).is_absolute() and not name.startswith(("/dev/", "/proc/")):
            yield SourceFinding(False, path, f"reads {name} (line {line}), which does not come along with the agent")
        elif name not in (INPUT_FILE, OUTPUT_FILE) and name not in seen.written and not (start / name).exists():
            yield SourceFinding(None, path, f"reads {name} (line {line}), which is not here")


def _own_modules(folder: Path, name: str) -> list[Path]:
    """Return the files of a module or package beside the program, which Python finds first."""
    file, package = folder / f"{name}.py", folder / name
    return sorted(package.rglob("*.py")) or [file for file in [file] if file.is_file()]


def _is_file(start: Path, text: str) -> bool:
    """Return whether a string names an existing file, with a suffix, that is not a module."""
    if not 2 < len(text) < _MOST_NAME or "\n" in text or "\0" in text or Path(text).is_absolute():
        return False
    return Path(text).suffix not in ("", ".py") and (start / text).is_file()


def foreign_imports(program: Path) -> list[str]:
    """Return a program's imports that are neither its own nor Python 3.7's; none if unreadable."""
    try:
        seen = _scan_source(read_file(program, 256 * MIB))
    except (_TooLarge, SyntaxError, ValueError):
        return []
    names = {name for name, _, _ in seen.imports} - _LIBRARY
    return sorted(name for name in names if not _own_modules(program.parent, name))


def lacking_modules(program: Path) -> list[str]:
    """Return the course's modules that a program needs to start and that are not beside it; none if unreadable."""
    absent = [name for name in COURSE_MODULES if not _own_modules(program.parent, name)]
    if not absent or not any(map(_may_import, program.parent.glob("*.py"))):
        # Most programs need not be parsed.
        return []
    needed: set[str] = set()
    for path in (program, *(file for name in modules_beside(program) for file in _python_files(program.parent / name))):
        with suppress(_TooLarge, SyntaxError, ValueError, OSError):
            needed |= _scan_source(read_file(path, 256 * MIB)).needed
    return [name for name in absent if name in needed]


def _may_import(path: Path) -> bool:
    """Return whether a file may import one of the course's modules."""
    try:
        return _IMPORTS_MODULE.search(read_file(path, 256 * MIB)) is not None
    except OSError:
        return False


@lru_cache(maxsize=4)
def _scan_source(source: bytes) -> _SourceScan:
    """Parse a source as the course's Python does, as far as this one can; raises _TooLarge, SyntaxError, ValueError."""
    if len(source) > _MOST_SOURCE:
        raise _TooLarge(f"{len(source):,} bytes are more than {_MOST_SOURCE:,}")
    seen = _SourceScan([], [], set(), set(), set())
    try:
        _scan(ast.parse(source, feature_version=COURSE), seen)
    except RecursionError:
        raise _TooLarge("it nests too deep for this Python") from None
    except MemoryError:
        raise _TooLarge("it takes too much memory to parse, or nests too deep") from None
    return seen


def _scan(tree: ast.AST, seen: _SourceScan) -> None:
    """Collect a tree's contents in source order, without recursion: a long ``elif`` chain nests deep."""
    todo = [(tree, False, False)]
    while todo:
        node, caught, later = todo.pop()
        _scan_node(node, seen, caught=caught, later=later)
        later = later or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        below = []
        for field, value in ast.iter_fields(node):
            inside = caught or (isinstance(node, ast.Try) and field == "body" and any(map(_catches, node.handlers)))
            children = value if isinstance(value, list) else [value]
            below += [(child, inside, later) for child in children if isinstance(child, ast.AST)]
        todo += reversed(below)


def _scan_node(node: ast.AST, seen: _SourceScan, *, caught: bool, later: bool) -> None:
    """Collect a node's contents. later: whether it is in a function."""
    names = []
    if isinstance(node, ast.Import):
        names = [alias.name.partition(".")[0] for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
        names = [node.module.partition(".")[0]]
    if names:
        seen.imports.extend((name, node.lineno, caught) for name in names)  # type: ignore[attr-defined]
        seen.needed.update(() if caught or later else names)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        seen.texts.add(node.value)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open":
        _scan_opening(node, seen)


def _catches(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or (isinstance(kind, ast.Name) and kind.id in _CAUGHT) for kind in kinds)


def _scan_opening(call: ast.Call, seen: _SourceScan) -> None:
    words = [each.value if isinstance(each, ast.Constant) else None for each in call.args[:2]]
    mode = next((each.value for each in call.keywords if each.arg == "mode"), None)
    how = mode.value if isinstance(mode, ast.Constant) else words[1] if len(words) > 1 else "r"
    if words and isinstance(words[0], str):
        if isinstance(how, str) and how.startswith("r"):
            seen.opened.append((words[0], call.lineno))
        else:
            seen.written.add(words[0])

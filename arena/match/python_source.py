"""Check the source of a Python agent before the agent runs: its syntax, its imports, and the files that it reads."""

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

#: The version of Python that the course uses.
COURSE = (3, 7)

#: Modules that Python has removed from the standard library after the course's version, and modules that it has added.
_REMOVED = {
    *("asynchat", "asyncore", "binhex", "distutils", "dummy_threading", "formatter", "imp", "macpath", "parser"),
    *("smtpd", "symbol", "_dummy_threading"),
    *("aifc", "audioop", "cgi", "cgitb", "chunk", "crypt", "imghdr", "lib2to3", "mailcap", "msilib", "nis", "nntplib"),
    *("ossaudiodev", "pipes", "sndhdr", "spwd", "sunau", "telnetlib", "uu", "xdrlib"),
}
_ADDED = {"annotationlib", "compression", "graphlib", "tomllib", "zoneinfo"}

#: The modules in the standard library of the course's Python version.
_LIBRARY = (set(sys.stdlib_module_names) | _REMOVED) - _ADDED

#: Matches every import of one of the course's modules, but can also match other text.
_IMPORTS_MODULE = re.compile(rb"\b(?:from|import)\b.*\b(?:%s)\b" % "|".join(COURSE_MODULES).encode())

#: Matches a string that can be the name of a module, or of a Python file in the same folder.
_NAME = re.compile(r"[^/\\\0]{1,100}\.py|[A-Za-z_]\w{0,100}", re.ASCII)

#: A string of this length or more does not count as the path of a file.
_MOST_NAME = 200

#: Maximum bytes of a source that is read.
_MOST_READ = 256 * MIB

#: Maximum bytes of a source that is parsed. A syntax tree takes up to 630 times the bytes of its source.
_MOST_SOURCE = 1 << 19

#: The beginning of the result for a source that is too large to parse.
NOT_CHECKED = "its source was not checked"

#: The exceptions whose handlers also handle a failed import.
_CAUGHT = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


class _TooLarge(Exception):
    """Raised if a source is too large or nests too deeply to be parsed. The message is a clause on the reason."""


class SourceResult(NamedTuple):
    """One result of the check of a source.

    right: True if the checked fact is in order, False if it is wrong, and None if it may be wrong. path: the file that
    was checked. words: a clause on the result.
    """

    right: bool | None
    path: Path
    words: str


class _SourceScan(NamedTuple):
    """The contents of a source that matter to the check.

    imports: for each import, the module, the line, and whether the source handles a failure. opened: names of the files
    that the source opens for reading, with lines. texts: all strings, because each string may be part of a path.
    written: names of the files that the source opens for writing. needed: modules without which the source cannot
    start, because it imports them outside of functions and does not handle a failure.
    """

    imports: list[tuple[str, int, bool]]
    opened: list[tuple[str, int]]
    texts: set[str]
    written: set[str]
    needed: set[str]


def modules_beside(program: Path) -> tuple[str, ...]:
    """Return the names of the files and folders next to a Python program that the program imports or runs.

    The result includes indirect imports. The result omits modules with a name of the standard library, and the imports
    of a source that is too large to parse.
    """
    found, todo = dict[str, None](), [program]
    while todo:
        path = todo.pop()
        try:
            seen = _scan_source(read_file(path, _MOST_READ)) if path.suffix == ".py" else None
        except (_TooLarge, SyntaxError, ValueError, OSError):
            seen = None
        for name in _names_used(program.parent, seen) if seen else ():
            if name not in found and name != program.name:
                found[name] = None
                todo += _python_files(program.parent / name)
    return tuple(found)


def _names_used(folder: Path, seen: _SourceScan) -> Iterator[str]:
    """Yield the names in a folder that a source imports, or that its strings contain, with or without ``.py``."""
    for name in sorted({name for name, _, _ in seen.imports} - _LIBRARY):
        if (folder / name).is_dir() and _python_files(folder / name):
            yield name
        elif (folder / f"{name}.py").is_file():
            yield f"{name}.py"
    files = {text if text.endswith(".py") else f"{text}.py" for text in seen.texts - _LIBRARY if _NAME.fullmatch(text)}
    yield from sorted(name for name in files if (folder / name).is_file())


def _python_files(path: Path) -> list[Path]:
    """Return the Python files in a folder and its subfolders. If the path is a file, return only this file."""
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def check_source(
    program: Path,
    whole: Path | None,
    packages: Collection[str] | None = None,
    provided: Collection[str] | None = None,
) -> Iterator[SourceResult]:
    """Yield the results for a program and for its own modules.

    whole: the directory around the program that is copied, in which the program starts; None if only the program, its
    modules and a book are copied. packages: the packages that the course file lists, or None if there is no course
    file. provided: the names of the files that the course provides, or None if no course file lists such files.
    """
    folder, start = program.parent, whole or program.parent
    todo, done, used, lacks = [program], set[Path](), set[str](), set[str]()
    copied_modules = modules_beside(program) if whole is None else ()
    while todo:
        path = todo.pop()
        if path in done:
            continue
        done.add(path)
        try:
            seen = _scan_source(read_file(path, _MOST_READ))
        except _TooLarge as error:
            yield SourceResult(None, path, f"{NOT_CHECKED}: {error}")
            continue
        except (SyntaxError, ValueError) as error:
            yield SourceResult(False, path, f"Python 3.7 cannot read it: {' '.join(str(error).split())}")
            continue
        yield SourceResult(True, path, "Python 3.7 can read it")
        own = {name: found for name, _, _ in seen.imports if (found := _own_modules(folder, name))}
        files = {text for text in seen.texts if _is_file(start, text)} - {program.name, BOOK, INPUT_FILE, OUTPUT_FILE}
        if whole is None:
            shadowing = sorted(own.keys() & _LIBRARY)
            not_copied = [f"imports {name}" for name in shadowing] + [f"reads {name}" for name in sorted(files)]
            for use in not_copied:
                yield SourceResult(False, path, f"{use}, which is not copied with it: give the directory instead")
            own = {name: modules for name, modules in own.items() if name not in _LIBRARY}
        todo += (module for modules in own.values() for module in modules)
        used |= files
        lacks |= {*lacking(seen.needed, provided or ())} - own.keys()
        yield from _foreign(path, seen, own.keys() | {*COURSE_MODULES}, packages)
        yield from _missing_files(path, seen, start)
    if lacks:
        yield SourceResult(False, program, lacking_text(sorted(lacks), has_list=provided is not None))
    if copied_modules:
        names = ", ".join(copied_modules)
        yield SourceResult(True, program, f"its own modules are copied with it; upload them, too: {names}")
    if used and whole is not None:
        yield SourceResult(True, program, f"the files that it reads are copied with it: {', '.join(sorted(used))}")


def _foreign(
    path: Path, seen: _SourceScan, own: Collection[str], packages: Collection[str] | None
) -> Iterator[SourceResult]:
    """Yield a result for each import that is neither standard, nor the agent's own module, nor listed by the course."""
    for name, line, caught in seen.imports:
        if name in _LIBRARY or name in own or name in (packages or ()):
            continue
        if caught:
            yield SourceResult(None, path, f"plays without {name} (line {line}), {_absent(name, packages)}")
        else:
            what_to_do = "" if name in _ADDED else ": add it there, or do without it"
            yield SourceResult(False, path, f"imports {name} (line {line}), {_absent(name, packages)}{what_to_do}")


def _absent(name: str, packages: Collection[str] | None) -> str:
    if name in _ADDED:
        return "which Python 3.7 does not have"
    if packages is None:
        return "a package that no course file lists (--course FILE, under packages)"
    listed = f"only {', '.join(sorted(packages))}" if packages else "no packages"
    return f"and the course file lists {listed} (under packages)"


def _missing_files(path: Path, seen: _SourceScan, start: Path) -> Iterator[SourceResult]:
    for name, line in seen.opened:
        if Path(name).is_absolute() and not name.startswith(("/dev/", "/proc/")):
            yield SourceResult(False, path, f"reads {name} (line {line}), which is not copied with the agent")
        elif name not in (INPUT_FILE, OUTPUT_FILE) and name not in seen.written and not (start / name).exists():
            yield SourceResult(None, path, f"reads {name} (line {line}), which is not here")


def _own_modules(folder: Path, name: str) -> list[Path]:
    """Return the files of a module or a package that is next to a program."""
    file, package = folder / f"{name}.py", folder / name
    return sorted(package.rglob("*.py")) or [file for file in [file] if file.is_file()]


def _is_file(start: Path, text: str) -> bool:
    """Return whether a string is the path of an existing file that has a suffix and is not a module."""
    if len(text) >= _MOST_NAME or "\n" in text or "\0" in text or Path(text).is_absolute():
        return False
    return Path(text).suffix not in ("", ".py") and (start / text).is_file()


def foreign_imports(program: Path) -> list[str]:
    """Return the modules that a program imports from neither its folder nor Python 3.7's standard library.

    The list is empty if the program cannot be parsed.
    """
    try:
        seen = _scan_source(read_file(program, _MOST_READ))
    except (_TooLarge, SyntaxError, ValueError):
        return []
    names = {name for name, _, _ in seen.imports} - _LIBRARY
    return sorted(name for name in names if not _own_modules(program.parent, name))


def lacking_modules(program: Path) -> list[str]:
    """Return the course's modules that a program needs to start and that are not next to the program.

    Ignore a source that cannot be parsed.
    """
    absent = [name for name in COURSE_MODULES if not _own_modules(program.parent, name)]
    if not absent or not any(map(_may_import, program.parent.glob("*.py"))):
        # Do not parse the program, as most programs import none of these modules.
        return []
    needed: set[str] = set()
    for path in (program, *(file for name in modules_beside(program) for file in _python_files(program.parent / name))):
        with suppress(_TooLarge, SyntaxError, ValueError, OSError):
            needed |= _scan_source(read_file(path, _MOST_READ)).needed
    return [name for name in absent if name in needed]


def _may_import(path: Path) -> bool:
    try:
        return _IMPORTS_MODULE.search(read_file(path, _MOST_READ)) is not None
    except OSError:
        return False


@lru_cache(maxsize=4)
def _scan_source(source: bytes) -> _SourceScan:
    """Parse a source by the grammar of the course's Python, as far as this Python supports it. Return its contents.

    Raise _TooLarge, SyntaxError or ValueError if the source cannot be parsed.
    """
    if len(source) > _MOST_SOURCE:
        raise _TooLarge(f"{len(source):,} bytes are more than {_MOST_SOURCE:,}")
    seen = _SourceScan([], [], set(), set(), set())
    try:
        _scan(ast.parse(source, feature_version=COURSE), seen)
    except RecursionError:
        raise _TooLarge("it nests too deeply for this Python") from None
    except MemoryError:
        raise _TooLarge("it takes too much memory to parse, or nests too deeply") from None
    return seen


def _scan(tree: ast.AST, seen: _SourceScan) -> None:
    """Collect a syntax tree's contents in the order of the source.

    The function does not recurse, because a long ``elif`` chain nests deeply.
    """
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
    """Collect the contents of one node of a syntax tree.

    caught: whether the source handles a failed import of this node. later: whether the node is in a function.
    """
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

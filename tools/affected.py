"""List what a change affects: the tests to run, the files to build, and the pins that differ from the code.

``python -m tools.affected`` reads the uncommitted changes, and ``--since main`` reads all changes since that commit.
The command lists a test of a changed file if their names or folders are the same, or if the test imports the file or
contains its name. A test is also listed if it, or a file of data that it reads, contains a name or a phrase that the
change removes, such as a renamed option. If a command or a document has changed, the list also contains the tests of
all commands or of all documents. Of the tests that run the blocks of the documents, it contains only the tests of the
changed documents. The selected tests save time during work; `.ci/run` runs all tests. ``--accept`` makes the pins again
(``tools/pins.py``), writes stored figures into the documents, and shows the differences.
"""

import argparse
import ast
import difflib
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import NamedTuple

from little_go.runtime.files import write_whole
from tests.shell_blocks import DOCUMENTS as BLOCK_DOCUMENTS
from tools.mutants.rooms import ROOMS
from tools.mutants.trial import builds, stages
from tools.pins import ROOT, changed_documents, changed_pins
from tools.reading_js import JUDGING_TARGET, SOURCES, TARGET

#: The tests that are about all documents, all commands, and all Python files.
DOCUMENTS = ("tests/test_docs.py", "tests/test_english.py", "tests/test_figures.py")
COMMANDS = ("tests/test_options.py", "tests/test_messages.py", "tests/test_docs.py")
PYTHON = ("tests/test_layout.py",)

#: The test that runs the blocks of each document. For a changed document, only the blocks of this document are run.
_BLOCKS = "tests/test_documents.py"

_C = (".c", ".h", ".pyx")

#: The build of the player, which the tests of the player run.
_PLAYER = ["-m", "player", "build"]

#: The modules of the page that ``tools.reading_js`` writes.
_MADE = (TARGET, JUDGING_TARGET)

#: The tests of the built files. All other tests of a built file are listed because of its sources.
_BUILT = {"explorer.html": ["tests/explorer/test_build.py"], "my_player3.py": ["tests/player/test_build.py"]}

#: The tests that follow the recipes of CONTRIBUTING.md. They take minutes and contain the names of many files.
_RECIPES = "tests/test_recipes.py"

#: A name that a test can contain: an option, a name with an underscore, or a word in quotation marks.
_NAME = re.compile(r"""--[a-z][a-z-]+|\b[a-z]+(?:_[a-z0-9]+)+\b|(?<=["'`])[\w-]{3,}(?=["'`])""")

#: A word of a phrase, the quotation marks and brackets around a word, and the maximum number of a phrase's words.
_WORD = re.compile(r"[A-Za-z'-]+[,:;]?")
_MARKS = re.compile(r"""^[("'`\[]+|[.)"'`\]][.,)"'`\]]*$""")
_MOST_WORDS = 8

PICTURES = "python -m tools.pictures    # if the page looks different"
COOKBOOK = "python -m tools.cookbook write --db book.db    # if an answer of the tutorial changes"

#: The commands that must be run after a change, by the changed file or its folder.
_ALSO = {
    "book/store/views.py": [COOKBOOK],
    "docs": ["make docs"],
    "docs/tutorials/TEN_QUESTIONS.md": [COOKBOOK],
    "explorer/page": [PICTURES],
    "lab/theorem/coq": ["make theorem-quick"],
    "pyproject.toml": ["make lock"],
    "solver/native": ["make setup", "make lint", "python -m lab bench", "make sanitize", "make explorer"],
    "tools/needs.sh": ["make fresh-machine"],
}

#: The tests that must be run after a change although their names, folders and imports do not show this, by the changed
#: file or its folder.
_ALSO_TESTED = {
    **{key: ["tests/explorer"] for key in SOURCES},
    "arena/agents": ["tests/test_messages.py"],
    "notation": ["tests/notation"],
    "solver/native": ["tests/explorer/test_build.py"],
}


def changed_files(since: str) -> list[str]:
    """Return the files that differ from a commit, and the untracked files."""
    differ = _git("diff", "--name-only", "--no-renames", "-z", since)
    new = _git("ls-files", "--others", "--exclude-standard", "-z")
    return sorted({name for name in (differ + new).split("\0") if name})


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout


class Change(NamedTuple):
    """The lines of a file that a change removes and adds."""

    removed: list[str]
    added: list[str]


def changes_since(since: str) -> dict[str, Change]:
    """Return the changed lines of each file, except tests, since a commit."""
    found: dict[str, Change] = {}
    in_header = True  # The lines of a header look like changed lines: a removed SQL comment is `--- the comment`.
    for line in _git("diff", "--no-renames", "--no-color", "--unified=0", since, "--", ".", ":!tests").splitlines():
        if line.startswith(("diff --git ", "@@ ")):
            in_header = line.startswith("diff")
        elif in_header:
            # The path of an added or removed file is /dev/null on one of its two lines.
            if name := re.fullmatch(r"(?:--- a|\+\+\+ b)/(.*?)\t?", line):
                change = found.setdefault(name[1], Change([], []))
        elif line.startswith("-"):
            change.removed.append(line[1:])
        elif line.startswith("+"):
            change.added.append(line[1:])
    return {path: change for path, change in found.items() if path not in (*_BUILT, *_MADE)}


def removed_texts(change: Change) -> set[str]:
    """Return the names that a change removes, and each phrase of at least three words around removed words.

    >>> change = Change(['"--again": "give a vertex such as C3"'], ['"--replay": "give a point such as C3"'])
    >>> sorted(removed_texts(change))
    ['--again', 'a vertex such']
    """
    removed, added = (" ".join(lines) for lines in change)
    names = {*_NAME.findall(removed)} - {*_NAME.findall(added)}
    before, after = removed.split(), added.split()
    phrases = set()
    for kind, begin, end, _, _ in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        phrase = _words(before[max(begin - 1, 0) : end + 1])
        if kind == "replace" and 3 <= len(phrase) <= _MOST_WORDS and all(map(_WORD.fullmatch, phrase)):
            phrases.add(" ".join(phrase))
    return names | phrases


def _words(phrase: Sequence[str]) -> list[str]:
    """Return a phrase without quotation marks, and without code such as ``f"{path}`` at its ends."""
    words = [_MARKS.sub("", word) for word in phrase]
    ends = [number for number, word in enumerate(words) if _WORD.fullmatch(word)]
    return words[ends[0] : ends[-1] + 1] if ends else []


def containing_tests(texts: Iterable[str]) -> set[str]:
    """Return the tests that contain one of the texts as a whole, and the tests that read a file of data with one."""
    wanted = [re.compile(rf"(?<![\w-]){re.escape(text)}(?![\w-])") for text in texts]
    found = {path for path, text in _test_files().items() if any(each.search(text) for each in wanted)}
    data = {Path(path).name for path in found if path not in _tests()}
    return {test for test, text in _tests().items() if test in found or any(name in text for name in data)}


def affected_tests(changed: Iterable[str], removed: Iterable[str] = ()) -> list[str]:
    """Return the affected test files and folders, without the files of a returned folder.

    removed: the names and phrases that the change removes.
    """
    changed = list(changed)
    found = {test for path in changed for test in _BUILT.get(path) or _affected_by(path)} | containing_tests(removed)
    if not {_RECIPES, "CONTRIBUTING.md"} & {*changed}:
        found.discard(_RECIPES)
    return sorted(test for test in found if not any(each.as_posix() in found for each in Path(test).parents))


def _affected_by(path: str) -> Iterator[str]:
    name = Path(path)
    if name.name.startswith("test_") and (ROOT / path).is_file():
        yield path
    yield from _near(path)
    named = [test for test, text in _tests().items() if name.name in text and name.suffix != ".py"]
    yield from (test for test in named if name.suffix != ".md" or test != _BLOCKS)
    if name.suffix == ".py":
        module = ".".join(name.with_suffix("").parts).removesuffix(".__init__")
        yield from (test for test in _tests() if {module, f"little_go.{module}"} & _imports(test))
        # A test can also name the module in a string, such as the target of monkeypatch.setattr.
        yield from (test for test, text in _tests().items() if re.search(rf'"little_go\.{re.escape(module)}[."]', text))
        yield from PYTHON
        yield from COMMANDS if _has_commands(path) else ()
    if name.suffix == ".md":
        yield from DOCUMENTS
    if _PLAYER in builds(path, ROOT):
        yield "tests/player"
    yield from _listed(path, _ALSO_TESTED)


def _listed(path: str, table: Mapping[str, list[str]]) -> list[str]:
    """Return the entries of a table for a file and for the folders that contain the file."""
    places = (path, *(each.as_posix() for each in Path(path).parents))
    return [each for place in places for each in table.get(place, ())]


def _near(path: str) -> Iterator[str]:
    """Yield the tests that are named like a file, or else the tests of its folder or room."""
    name = Path(path)
    if name.suffix in _C and name.parts[0] == "solver":
        yield from ROOMS["native"].tests
    elif path.startswith("explorer/page/"):
        yield from ROOMS["page"].tests
    elif name.suffix == ".py" and name.parts[0] in ROOMS:
        yield stages(path, ROOMS[name.parts[0]], ROOT)[0][0]


@cache
def _test_files() -> Mapping[str, str]:
    """Return the texts of the tests and of their files of data."""
    names = _git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "tests").split("\0")
    files = (ROOT / name for name in names if Path(name).suffix in (".py", ".jsonl", ".json", ".toml", ".txt", ".mjs"))
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in files if path.is_file()}


@cache
def _tests() -> Mapping[str, str]:
    return {path: text for path, text in _test_files().items() if fnmatch(Path(path).name, "test_*.py")}


@cache
def _imports(file: str) -> frozenset[str]:
    """Return the names of all modules that a file of tests can import, itself or through other files of tests."""
    found: set[str] = set()
    for node in ast.walk(ast.parse((ROOT / file).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    paths = (f"{name.replace('.', '/')}.py" for name in found if name.startswith("tests."))
    return frozenset(found).union(*(_imports(path) for path in paths if path != file and (ROOT / path).is_file()))


def _has_commands(path: str) -> bool:
    return path.endswith(".py") and (ROOT / path).is_file() and "@click." in (ROOT / path).read_text("utf-8")


def block_tests(changed: Sequence[str]) -> str:
    """Return the arguments of pytest for the blocks of the changed documents, or "" if no document is affected.

    If a command changed, the tests that compare the commands and options in all documents with the code are included.
    """
    words = [path for path in changed if Path(path) in BLOCK_DOCUMENTS]
    words += ["every_command"] if any(map(_has_commands, changed)) else []
    return f"{_BLOCKS} -k {shlex.quote(' or '.join(words))}" if words else ""


def builds_of(changed: Iterable[str]) -> list[str]:
    """Return the commands that build files from the changed files, or check the changed files."""
    found: list[str] = []
    for path in changed:
        # A generated module only changes with its sources, so it does not change the pictures.
        found += [command for command in _listed(path, _ALSO) if path not in _MADE or command != PICTURES]
        # setup.py is omitted, because `make` builds the kernel.
        found += [f"python {' '.join(words)}" for words in builds(path, ROOT) if words[0] != "setup.py"]
        if path.endswith(".py"):
            # `make lint-systems` checks the types of the installed packages for macOS and Windows.
            found.append("make lint lint-systems" if path.partition("/")[0] in ROOMS else "make lint")
    return list(dict.fromkeys(found))


def accept() -> int:
    """Rebuild pinned files, fill in the documents, print the differences, and return the number of changed files."""
    changed = set()
    for found in (changed_pins, changed_documents):
        for path, text in found().items():
            before = (ROOT / path).read_text("utf-8")
            write_whole(ROOT / path, text)
            names = f"a/{path.as_posix()}", f"b/{path.as_posix()}"
            sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), text.splitlines(True), *names, n=1))
            changed.add(path)
    print(f"{len(changed)} file{'s'[: len(changed) != 1]} changed")
    return len(changed)


def report(since: str) -> bool:
    """Print the builds and tests that the changes need. Return whether all pins agree with the code."""
    changed = changed_files(since)
    rooms = {Path(path).parts[0] for path in changed}
    stale = [path.as_posix() for found in (changed_pins(rooms), changed_documents()) for path in found]
    for command in builds_of(changed):
        print(command)
    if stale:
        print(f"python -m tools.affected --accept    # changes {', '.join(stale)}")
    removed = {text for change in changes_since(since).values() for text in removed_texts(change)}
    if tests := affected_tests(changed, removed):
        print(f"python -m pytest -q {' '.join(tests)}")
    if _BLOCKS not in tests and (words := block_tests(changed)):
        print(f"python -m pytest {words}")
    return not stale


def main() -> None:
    """Print the commands that a change needs, or make the pins again."""
    parser = argparse.ArgumentParser(prog="python -m tools.affected", description=main.__doc__)
    parser.add_argument("--since", default="HEAD", metavar="COMMIT", help="the commit before the change")
    parser.add_argument("--accept", action="store_true", help="make the pins again and show the differences")
    options = parser.parse_args()
    if options.accept:
        accept()
    elif not report(options.since):
        sys.exit(1)


if __name__ == "__main__":
    main()

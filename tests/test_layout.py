"""The layout: the allowed imports, and complete lists of packages."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]

PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

#: By room, the rooms and modules that it may import in addition to itself. All arrows run downwards.
KNOWS: dict[str, set[str]] = {
    "lab": {
        "maker",
        "arena",
        "explorer",
        "player",
        "generator",
        "proof",
        "book",
        "notation",
        "solver",
        "crew",
        "runtime",
    },
    "little_go": {
        "arena",
        "maker",
        "explorer",
        "player",
        "generator",
        "proof",
        "book",
        "notation",
        "solver",
        "crew",
        "runtime",
    },
    "maker": {"explorer", "player", "generator", "proof", "book", "solver", "crew", "runtime"},
    "arena": {"player", "generator.opponents", "book", "notation", "solver", "crew", "runtime"},
    "explorer": {"generator.opponents", "book", "notation", "solver", "runtime"},
    "player": {"book.files.reader", "notation.host_file", "notation.faults", "solver", "runtime"},
    "generator": {"book", "notation", "solver", "crew", "runtime"},
    "proof": {"book", "notation", "solver", "crew", "runtime"},
    "book": {"notation", "solver", "runtime"},
    "notation": {"solver"},
    "solver": {"runtime.files", "runtime.plain"},
    "crew": {"runtime"},
    "runtime": set(),
}

#: The folder that may import no other code of the project, not even of its room.
CHECKER = "proof.checker"

#: By folder or module, its allowed imports, if they are fewer than those of its room.
INDEPENDENT: dict[str, set[str]] = {
    CHECKER: set(),
    "arena.match.limits": set(),
    "lab.theorem": {"book.files.games", "proof.checker", "solver", "runtime"},
}

#: The test of the old names of the rooms.
OLD_NAMES = ROOT / "tests/little_go/test_old_names.py"

#: The rooms that are not installed.
MAKERS = {"lab"}

#: By room, its folders from the top down. A folder may import folders below it, and none above it.
FLOORS: dict[str, tuple[str, ...]] = {
    "arena": ("commands", "classroom", "exam", "review", "course", "standings", "gtp", "match", "agents", "learning"),
    "book": ("commands", "drawing", "answers", "exchange", "store", "files"),
    "generator": ("report", "questions", "opponents", "workers"),
    "lab": ("commands", "games", "speed", "theorem"),
}

#: The shipped files, which all rooms may read, are in the room that checks them.
SHIPPED = {"proof.certificates"}

#: Modules above all folders of their room, like its __main__.
ABOVE = {"book": {"library"}}

#: A folder that another program loads.
PLUGINS = {"book.datasette"}


def is_package(folder: Path) -> bool:
    return (folder / "__init__.py").is_file()


#: The packages above the rooms, which may import all of them; none is installed.
BESIDE = {"report", "tests", "tools"}
ROOMS = {folder.name for folder in ROOT.iterdir() if is_package(folder)} - BESIDE
PACKAGES = {
    ".".join(file.parent.relative_to(ROOT).parts) for room in ROOMS for file in (ROOT / room).rglob("__init__.py")
}
#: The rooms that users import from `little_go`, where a link leads to each.
LINKED = ROOMS - MAKERS - {"little_go"}

#: Modules for students' programs, with the names of the assignment. No code of the project imports them.
COURSE_MODULES = Path("arena/match/course_modules")
SOURCES = sorted(
    file.relative_to(ROOT)
    for room in ROOMS
    for file in (ROOT / room).rglob("*.py*")
    if file.suffix in (".py", ".pyx") and file.parent != ROOT / COURSE_MODULES
)


def allowed(module: str) -> set[str]:
    """Return our packages that a module, given by its full name, may import."""
    room, *folders = module.split(".")
    for folder, known in INDEPENDENT.items():
        if is_in(module, {folder}):
            return known | {folder}
    floors = FLOORS.get(room, ())
    if folders and folders[0] in floors:
        return KNOWS[room] | {f"{room}.{floor}" for floor in floors[floors.index(folders[0]) :]}
    return KNOWS[room] | {room}


def test_the_table_of_packages_lists_the_imports() -> None:
    """The table of docs/reference/LAYOUT.md omits runtime, which one sentence allows to all."""
    text = (ROOT / "docs" / "reference" / "LAYOUT.md").read_text("utf-8")
    cells = dict(re.findall(r"^\| `(\w+)/` \|.*\| ([^|]*?) ?\|$", text.partition("\n## ")[0], re.MULTILINE))
    for room, known in KNOWS.items():
        named = set(re.findall(rf"\b({'|'.join(KNOWS)})\b", cells[room]))
        if cells[room].startswith("all"):
            named = KNOWS.keys() - named - {room}
        assert named - {"runtime"} == {each.partition(".")[0] for each in known} - {"runtime"}, room


def is_in(name: str, packages: set[str]) -> bool:
    return any(f"{name}.".startswith(f"{package}.") for package in packages)


def imports_of(source: str) -> Iterator[str]:
    """Yield the full names that a Python source imports, inside its functions too; ``.`` for a relative import."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ("." if node.level else f"{node.module}.{alias.name}" for alias in node.names)


def cython_imports_of(source: str) -> Iterator[str]:
    """Yield the imports of a Cython source: modules, and the first name that it imports from a module."""
    for module, name in re.findall(r"^\s*(?:from|c?import) +([\w.]+)(?: +c?import +\(?(\w+))?", source, re.MULTILINE):
        yield f"{module}.{name}" if name else module


def place_of(name: str) -> str:
    """Return an imported name without ``little_go.``, as in the tables above."""
    inside = name.removeprefix("little_go.")
    return inside if is_in(inside, LINKED) else name


def is_old(name: str) -> bool:
    """Return whether an import has a room's old name, which would load the room's modules a second time."""
    return is_in(name, LINKED)


def forbidden(module: str, names: Iterator[str]) -> list[str]:
    """Return the imported names that a module must not import."""
    return [
        name
        for name in names
        if name == "." or is_old(name) or (is_in(place_of(name), ROOMS) and not is_in(place_of(name), allowed(module)))
    ]


def test_arrows_run_downwards_only() -> None:
    found = {}
    for path in SOURCES:
        source = (ROOT / path).read_text("utf-8")
        names = cython_imports_of(source) if path.suffix == ".pyx" else imports_of(source)
        found[str(path)] = forbidden(".".join(path.with_suffix("").parts), names)
    assert {path: names for path, names in found.items() if names} == {}


def circles_in(imports: dict[str, set[str]]) -> list[set[str]]:
    """Return the modules that import each other, in a circle or in several that share modules."""
    reached: dict[str, set[str]] = {}
    for module in imports:
        found, left = set[str](), [module]
        while left:
            new = imports.get(left.pop(), set()) - found
            found |= new
            left += new
        reached[module] = found
    circles = (frozenset(other for other in found if one in reached[other]) for one, found in reached.items())
    return [set(circle) for circle in {circle for circle in circles if circle}]


def test_no_modules_import_each_other() -> None:
    sources = {module_name(path): (ROOT / path).read_text("utf-8") for path in SOURCES if path.suffix == ".py"}
    imports: dict[str, set[str]] = {}
    for module, source in sources.items():
        # An imported name is a module or a name in a module.
        names = {each if each in sources else each.rpartition(".")[0] for each in map(place_of, imports_of(source))}
        imports[module] = (names & sources.keys()) - {module}
    assert circles_in(imports) == []


def module_name(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def test_a_circle_is_found() -> None:
    assert circles_in({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [{"b", "c"}]


@pytest.mark.parametrize(
    ("module", "line", "found"),
    [
        ("solver.position", "from little_go.book.store.store import Store", ["little_go.book.store.store.Store"]),
        ("book.store.store", "from little_go import open_book", ["little_go.open_book"]),
        ("book.store.store", "from solver.position import Position", ["solver.position.Position"]),
        ("book.store.store", "from little_go import solver", []),
        ("solver.position", "def f():\n    import little_go.runtime.display", ["little_go.runtime.display"]),
        ("solver.answer", "import little_go.runtime.errors", ["little_go.runtime.errors"]),
        ("runtime.files", "from little_go.solver import position", ["little_go.solver.position"]),
        ("book.store.store", "from little_go.proof.fsck import fsck", ["little_go.proof.fsck.fsck"]),
        ("book.store.store", "from little_go.book.files.atlas import Row", []),
        ("book.store.store", "from little_go.book.answers.query import ask", ["little_go.book.answers.query.ask"]),
        ("book.files.reader", "from little_go.book.library import Book", ["little_go.book.library.Book"]),
        ("book.drawing.picture", "from little_go.book.answers.query import Knowledge", []),
        ("proof.fsck", "from little_go.proof.checker.check import check", []),
        ("proof.checker.check", "from little_go.proof.checker import referee", []),
        (
            "proof.checker.check",
            "from little_go.proof.strategist import turn_of",
            ["little_go.proof.strategist.turn_of"],
        ),
        ("proof.checker.check", "import little_go.crew.workers", ["little_go.crew.workers"]),
        ("runtime.display", "from little_go.crew.jobs import each", ["little_go.crew.jobs.each"]),
        ("player.choose", "from little_go.book.files.reader import MoveBook", []),
        ("player.choose", "from little_go.book.store.store import Store", ["little_go.book.store.store.Store"]),
        ("generator.workers.search_crew", "import little_go.arena", ["little_go.arena"]),
        ("arena.match.host", "from little_go.generator.opponents.models import Model", []),
        (
            "arena.match.host",
            "from little_go.generator.questions.shorter_games import ShorterGames",
            ["little_go.generator.questions.shorter_games.ShorterGames"],
        ),
        ("arena.match.host", "from little_go.arena.agents import greedy", []),
        (
            "arena.match.limits",
            "from little_go.arena.match.programs import Runner",
            ["little_go.arena.match.programs.Runner"],
        ),
        ("arena.match.limits", "from little_go.runtime.files import MIB", ["little_go.runtime.files.MIB"]),
        ("arena.match.host", "from little_go.arena.gtp.client import Client", ["little_go.arena.gtp.client.Client"]),
        ("arena.match.host", "from little_go.arena import __main__", ["little_go.arena.__main__"]),
        ("arena.__main__", "from little_go.arena.commands.play import play", []),
        ("arena.match.host", "from . import play", ["."]),
        ("arena.match.host", "from lab.speed import bench", ["lab.speed.bench"]),
        ("lab.games.fit", "from little_go.generator.opponents.models import Model", []),
        ("lab.theorem.leaves", "from little_go.proof.checker.rules import after", []),
        (
            "lab.theorem.leaves",
            "from little_go.proof.strategist import turn_of",
            ["little_go.proof.strategist.turn_of"],
        ),
    ],
)
def test_what_must_not_be_imported_is_found(module: str, line: str, found: list[str]) -> None:
    assert forbidden(module, imports_of(line)) == found


def paths_in(source: str) -> Iterator[str]:
    """Yield the paths below rooms that a Python source names: ``"ROOM/FILE"``, or a Path ``/ "ROOM" / "FILE"``."""
    tree = ast.parse(source)
    parts = {node.left for node in ast.walk(tree) if isinstance(node, ast.BinOp)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"^[a-z_]+/[\w./-]+$", node.value)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and node not in parts:
            yield "/".join(re.findall(r"/ '([\w./-]+)'", ast.unparse(node)))


def forbidden_paths(module: str, source: str) -> list[str]:
    """Return the paths that a source names in rooms that its module must not import."""
    return [
        path
        for path in paths_in(source)
        if path.split("/")[0] in ROOMS and not is_in(path.replace("/", "."), allowed(module) | SHIPPED)
    ]


def test_no_room_reads_the_files_of_one_above() -> None:
    found = {}
    for path in SOURCES:
        if path.suffix == ".py":
            source = (ROOT / path).read_text("utf-8")
            found[str(path)] = forbidden_paths(".".join(path.with_suffix("").parts), source)
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("module", "line", "found"),
    [
        ("generator.opponents.models", 'read("arena/course/games.jsonl.gz")', ["arena/course/games.jsonl.gz"]),
        ("generator.opponents.models", 'ROOT / "arena" / "course" / name', ["arena/course"]),
        ("generator.opponents.models", 'read("data/games.jsonl.gz")', []),
        ("explorer.build", 'root / "generator" / "opponents" / "models.json"', []),
        ("explorer.build", '"generator/questions/plies.json"', ["generator/questions/plies.json"]),
        ("book.files.shipped", 'shipped("proof/certificates")', []),
        ("book.files.shipped", 'shipped("proof/checker/rules.json")', ["proof/checker/rules.json"]),
        ("book.files.reader", '"book/store/views.sql"', ["book/store/views.sql"]),
    ],
)
def test_a_file_of_a_room_above_is_found(module: str, line: str, found: list[str]) -> None:
    assert forbidden_paths(module, line) == found


#: Functions that open, read or write a file without runtime/, and names that runtime/ has too.
OPENING = {"open", "read_text", "read_bytes", "write_text", "write_bytes", "fdopen", "FileIO", "ZipFile"}
OF_RUNTIME = {"read_text"}
#: Calls of these names that do not open a file: a page in a browser, a member of an open zip file.
NO_FILES = {"webbrowser.open", "self._zip.open"}

#: Modules that open files themselves, with flags and descriptors that no other module needs.
SELF_CONTAINED = {
    "arena.classroom.places",  # It opens archives of strangers, and limits the bytes that zipfile reads of their lists.
    "arena.classroom.unpacking",  # The process that opens files of strangers has only the standard library.
    "arena.exam.beside_agent",  # Students get this module without the rest of the project.
    "arena.match.control_group",  # It reads files of the Linux kernel.
    "arena.match.copying",  # An agent may change the directories at the same time.
    "arena.match.contestant",  # An agent may have put something else in place of its output file.
    "arena.match.warden",  # It reads files of the Linux kernel.
    "generator.workers.shared_memory",  # It opens shared memory by a name in /proc.
    "solver.native.table",  # It opens memory that several processes map.
}


def files_opened_by(source: str) -> list[str]:
    """Return the calls in a source that open, read or write a file, each with its line."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        call = ast.unparse(node.func)
        owner, _, name = call.rpartition(".")
        # A call read_text() without an object is the function of runtime.files.
        is_opening = name in OPENING if owner else call in OPENING - OF_RUNTIME
        if call not in NO_FILES and (is_opening or call == "sqlite3.connect"):
            found.append(f"{node.lineno}: {call}")
    return found


def test_files_are_opened_in_runtime_alone() -> None:
    found = {}
    for path in SOURCES:
        module = ".".join(path.with_suffix("").parts)
        if path.suffix == ".py" and not is_in(module, {"runtime", CHECKER, *SELF_CONTAINED, *MAKERS}):
            found[str(path)] = files_opened_by((ROOT / path).read_text("utf-8"))
    assert {path: calls for path, calls in found.items() if calls} == {}


def test_a_module_that_opens_files_itself_does_so() -> None:
    for module in SELF_CONTAINED:
        assert files_opened_by((ROOT / module.replace(".", "/")).with_suffix(".py").read_text("utf-8"))


@pytest.mark.parametrize(
    "call",
    [
        *("open(path)", "Path(name).open()", "path.read_text()", "os.open(path, 0)", "gzip.open(path)"),
        *("ZipFile(path)", "self._path.write_bytes(b'')", "sqlite3.connect(path)", "io.FileIO(path)", "os.fdopen(3)"),
    ],
)
def test_a_file_that_is_opened_is_found(call: str) -> None:
    assert len(files_opened_by(f"def f():\n    with {call} as file:\n        pass\n")) == 1


@pytest.mark.parametrize("call", ["read_text(path, MIB)", "connect(address)", "self.connect()", "open_file(path, 1)"])
def test_a_file_by_runtime_is_not_found(call: str) -> None:
    assert files_opened_by(call) == []


def test_a_cython_import_is_found() -> None:
    source = "cimport cython\nfrom libc.stdint cimport int8_t, uint64_t\nfrom little_go.book.store.store import Store\n"
    assert forbidden("solver.native.kernel", cython_imports_of(source)) == ["little_go.book.store.store.Store"]


def test_every_room_and_floor_has_its_arrows() -> None:
    assert set(KNOWS) == ROOMS
    assert CHECKER in PACKAGES
    for room, floors in FLOORS.items():
        found = {package for package in PACKAGES if package.startswith(f"{room}.")}
        assert {f"{room}.{floor}" for floor in floors} == found - PLUGINS
        assert {file.stem for file in (ROOT / room).glob("*.py")} == {"__init__", "__main__"} | ABOVE.get(room, set())


@pytest.fixture(scope="module")
def settings() -> dict[str, Any]:
    tools: dict[str, Any] = PYPROJECT["tool"]
    return tools


def test_no_room_is_forgotten(settings: dict[str, Any]) -> None:
    links = {path.name: path.readlink() for path in (ROOT / "little_go").iterdir() if path.is_symlink()}
    assert links == {room: Path("..", room) for room in LINKED}
    assert settings["setuptools"]["packages"]["find"]["include"] == ["little_go*"]
    assert set(settings["pytest"]["ini_options"]["testpaths"]) == MAKERS | {"little_go", "tests"}
    assert set(settings["mypy"]["packages"]) == MAKERS | BESIDE | {"little_go"}
    layout, _, folders = (ROOT / "docs" / "reference" / "LAYOUT.md").read_text("utf-8").partition("\n## ")
    assert set(re.findall(r"^\| `(\w+)/` \|", layout, re.MULTILINE)) == ROOMS | BESIDE
    assert floors_in(folders) == {room: list(floors) for room, floors in FLOORS.items()}


def test_no_source_has_an_old_name() -> None:
    files = {path for room in sorted(MAKERS | BESIDE) for path in (ROOT / room).rglob("*.py")} | {ROOT / "docs/site.py"}
    old = {str(path): [*filter(is_old, imports_of(path.read_text("utf-8")))] for path in files - {OLD_NAMES}}
    assert {path: names for path, names in old.items() if names} == {}
    assert any(map(is_old, imports_of(OLD_NAMES.read_text("utf-8"))))


def floors_in(text: str) -> dict[str, list[str]]:
    """Return the folders of each package as a table lists them, from the top down."""
    found: dict[str, list[str]] = {}
    room = ""
    for package, folder in re.findall(r"^\| (?:`(\w+)/`)? ?\| `(\w+)/` \|", text, re.MULTILINE):
        room = package or room
        found.setdefault(room, []).append(folder)
    return found


def test_tests_mirror_the_rooms() -> None:
    folders = {file.parent.relative_to(ROOT / "tests") for file in (ROOT / "tests").rglob("test_*.py")}
    assert {".".join(folder.parts) for folder in folders} - {""} <= PACKAGES


def test_every_name_that_a_test_replaces_exists() -> None:
    """Long tests seldom run, so they would not show soon that a name has changed."""
    texts = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")]
    names = {name for text in texts for name in re.findall(r'\bsetattr\(\s*"([\w.]+)"', text)}
    assert "little_go.arena.commands.game_options.CLOCK" in names
    for name in names:
        resolve_name(name)


#: Folders whose files have the names of the commands and agents, and a command of two rooms without such a folder.
USERS_NAMES = {"arena.commands", "arena.agents", "book.commands", "lab.commands"}
COMMAND_OF_TWO = "build"


def test_a_file_has_a_name_of_its_own() -> None:
    modules = [path.with_suffix("").parts for path in SOURCES]
    names = Counter(name for *folders, name in modules if ".".join(folders) not in USERS_NAMES)
    assert {name for name, times in names.items() if times > 1} == {"__init__", "__main__", COMMAND_OF_TWO}


def test_what_is_needed_has_bounds_and_what_is_pinned_is_installed_by_its_hashes() -> None:
    project = PYPROJECT["project"]
    needed = project["dependencies"] + [each for extra in project["optional-dependencies"].values() for each in extra]
    assert [each for each in needed + PYPROJECT["build-system"]["requires"] if not re.search(">=.+,<", each)] == []
    installs = [
        line
        for path in (ROOT / "Makefile", *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
        for line in path.read_text("utf-8").splitlines()
        if re.search(r"pip install .*-r( |$)|pip install .*\buv\b", line)
    ]
    assert len(installs) >= 4
    assert [line for line in installs if "--require-hashes" not in line] == []

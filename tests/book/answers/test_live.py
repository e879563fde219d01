"""The answers that a session keeps: bounds and a move, merged from several answers about one position in any order."""

import ast
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from little_go.book.answers.live import LiveSearch
from little_go.book.answers.query import Service
from little_go.book.answers.sources import Ledger
from little_go.book.library import open_book
from little_go.solver.answer import Answer
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import START, Position, move_name, parse_moves, play_all

TABLE = 64

#: Positions, as moves from the empty board, and node limits that are too small for them. An earlier version printed
#: false values as proven in this order: a question with the limit, a full search of the position before, and a full
#: search of the position itself. The first position needs little time.
CUT = (
    ("4,3 0,2 1,0 1,4 3,3 4,1 0,3 2,2 2,0 2,1 3,4", 3_000),
    *(
        pytest.param(moves, nodes, marks=pytest.mark.long)
        for moves, nodes in (
            ("3,4 1,1 3,1 4,4 4,0 2,4 2,1 3,3 4,1", 100_000),
            ("3,3 3,4 4,2 1,1 2,2 0,3 4,3 0,2 0,1", 100_000),
            ("1,3 3,1 4,4 4,3 0,2 0,1 2,2 3,4 2,3", 100_000),
            ("2,3 0,4 3,4 0,3 4,2 2,1 4,3 1,2 1,0", 100_000),
            ("0,2 3,1 4,2 3,2 0,3 2,3 0,4 3,4 1,2 0,0", 50_000),
        )
    ),
)


def at(moves: str) -> Position:
    return play_all(START, parse_moves(moves))


def noted(*answers: tuple[int, int, int | None]) -> tuple[int, int, tuple[int, ...]]:
    """Return the bounds and best moves that are known after these answers about a position with Black to move."""
    position = at("2,2 1,1 1,2 3,1")
    ledger = Ledger([], game=COURSE)
    for lo, hi, best in answers:
        ledger.learn(position, Answer(lo, hi, best, 1))
    known, said = ledger.at(ledger.ask(position)), ledger.statements(position)
    assert all((each.lo, each.hi) == (known.lo, known.hi) for each in said)
    return known.lo, known.hi, said[0].best if said else ()


def test_a_move_does_not_stay_with_a_better_bound_than_its_own() -> None:
    assert noted((3, 24, 17), (5, 5, None)) == (5, 5, ())


def test_a_move_is_not_taken_for_a_better_bound_than_its_own() -> None:
    assert noted((5, 5, None), (3, 24, 17)) == (5, 5, ())


def test_a_move_comes_with_its_bound() -> None:
    assert noted((3, 24, 17), (5, 5, 11)) == noted((5, 5, 11), (3, 24, 17)) == (5, 5, (11,))
    assert noted((3, 24, 17), (-24, 5, 11)) == (3, 5, (17,))
    assert noted((3, 24, None), (3, 3, 17)) == (3, 3, (17,))


@pytest.mark.system
@pytest.mark.parametrize(("moves", "nodes"), CUT)
def test_what_was_cut_short_stays_true(moves: str, nodes: int) -> None:
    position, kernel = at(moves), Kernel(open_table(128))
    before = at(" ".join(moves.split()[:-1]))
    for few in (nodes // 10, nodes // 3, nodes):
        service = Service([], LiveSearch(TABLE), game=COURSE)
        ask(service, position, few)
        ask(service, before, None)
        for move, value in ask(service, position, None).items():
            child = position.play(move)
            truth = child.margin if child.is_over else kernel.value(child).value
            assert value == truth, move_name(move)


def ask(service: Service, position: Position, nodes: int | None) -> dict[int, int | None]:
    """Return the values of all moves after a search with a node limit, or without one."""
    assert service.live is not None
    budget: Callable[[], int] = service.live.nodes(1 << 40 if nodes is None else nodes)
    return {move: after.value for move, after in service.ask(position, budget).after_moves}


# Results of a session's search are written to no file


ROOT = Path(__file__).parents[3]

#: The module of the sessions' searches, and the functions that write files of facts.
SEARCH, WRITERS = "little_go.book.answers.live", {"write_book", "write_atlas", "write_values"}


def test_a_session_that_searches_writes_nothing(folder: Path) -> None:
    path = folder / "book.db"
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    position = at("4,3 0,2 1,0 1,4 3,3 4,1 0,3 2,2 2,0 2,1 3,4")
    with open_book(path, live=0.2, table=TABLE) as book:
        for each in (position, at("2,2"), position.play(position.legal_moves()[0])):
            book.get(each)
        search = book._service.live
    assert search is not None
    assert search.searched > 0
    assert hashlib.sha256(path.read_bytes()).hexdigest() == before


def test_no_module_that_searches_for_answers_writes_facts() -> None:
    """The shipped files are made by the generator, which calls the kernel directly."""
    trees = {module_of(path): ast.parse(path.read_text("utf-8")) for path in sources()}
    imports = {name: imports_of(tree) for name, tree in trees.items()}
    searching = {SEARCH}
    while more := {name for name, imported in imports.items() if imported & searching} - searching:
        searching |= more
    # A package's __main__ imports all commands: commands that search and commands that write.
    searching = {name for name in searching if not name.endswith("__main__")}
    assert {name.split(".")[1] for name in searching - {"little_go"}} == {"api", "book", "arena"}
    assert {
        "little_go.book.library",
        "little_go.book.commands.query",
        "little_go.arena.gtp.engine",
        "little_go.arena.review.review",
    } < searching
    writing = {name for name, tree in trees.items() if writes(tree)}
    assert searching & writing == set()
    assert {
        "little_go.book.exchange.merge",
        "little_go.generator.workers.search_run",
        "little_go.generator.report.progress",
    } <= writing


def sources() -> list[Path]:
    rooms = ("arena", "book", "explorer", "generator", "little_go", "player", "proof", "report", "solver")
    return [path for room in rooms for path in (ROOT / room).rglob("*.py") if "build" not in path.parts]


def module_of(path: Path) -> str:
    place = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    return place if place.startswith(("little_go", "report")) else f"little_go.{place}"


def imports_of(tree: ast.AST) -> set[str]:
    """Return the modules that a module imports. ``from a import b`` adds a and a.b, because b may be a module."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def writes(tree: ast.AST) -> bool:
    """Return whether a module opens a store for writing, or writes a file of facts."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in WRITERS:
                return True
            if node.func.id == "open_store" and any(keyword.arg == "write" for keyword in node.keywords):
                return True
    return False

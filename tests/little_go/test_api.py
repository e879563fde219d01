"""from little_go import open_book: the names, the forms of a move, and the fields of an answer."""

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import little_go
import little_go.book
from little_go import START, Known, MoveName, NotInBook, Place, StoreError, open_book
from little_go.book.files.shipped import BOOK_FILE
from little_go.solver.position import parse_moves, play_all

#: A position with ten plies left, whose moves can be searched immediately, and a mistake in it.
LATE = "0,0 0,1 1,1 1,0 2,2 2,0 3,3 3,0 4,4 4,0 4,1 1,2 0,2 2,1"

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("package", [little_go, little_go.book])
def test_completion_offers_the_public_names_alone(package: object) -> None:
    names = [name for name in dir(package) if not name.startswith("__")]
    assert "open_book" in names
    assert all(hasattr(package, name) for name in names)
    assert {"os", "sys", "find_spec", "import_module"}.isdisjoint(names)


@pytest.mark.parametrize("package", [little_go, little_go.book])
def test_a_star_imports_the_public_names(package: ModuleType) -> None:
    names: dict[str, object] = {}
    exec(f"from {package.__name__} import *", names)
    del names["__builtins__"]
    assert sorted(names) == sorted(package.__all__) == sorted(name for name in dir(package) if name[:2] != "__")


@pytest.mark.parametrize(("package", "module"), [(little_go, "api"), (little_go.book, "library")])
def test_a_private_name_needs_no_import(package: ModuleType, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tools ask every module for such names."""
    name = f"{package.__name__}.{module}"
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(AttributeError, match=f"^module '{package.__name__}' has no attribute '_private'$"):
        getattr(package, "_private")  # noqa: B009


def test_both_packages_have_the_same_open_book() -> None:
    assert little_go.open_book is little_go.book.open_book
    with pytest.raises(AttributeError, match=r"^module 'little_go' has no attribute 'os_path'$"):
        getattr(little_go, "os_path")  # noqa: B009


@pytest.mark.parametrize(
    "place",
    [
        "2,2 1,1",
        "C3 B4",
        ["2,2", "1,1"],
        [(2, 2), (1, 1)],
        ((2, 2), "B4"),
        ["C3", (1, 1)],
    ],
)
def test_moves_have_any_form(place: Place) -> None:
    assert open_book(BOOK_FILE)[place] == open_book(BOOK_FILE)["2,2"].play("1,1")


def test_one_point_is_one_move() -> None:
    known = open_book(BOOK_FILE)
    assert known[2, 2] == known[(2, 2)] == known["2,2"]
    assert known[2, 2].play((1, 1)) == known["2,2 1,1"]
    assert known[[]] == known.find()


@pytest.mark.parametrize("place", [[2, 2], [(2, 2, 1)], [(5, 0)], (2, 9), [None], [["2,2"]], ["2,2 1,1"]])
def test_what_is_not_a_move_is_refused(place: Place) -> None:
    with pytest.raises(ValueError, match=r"is not a move|write "):
        open_book(BOOK_FILE).get(place)


def test_an_answer_has_the_fields_of_the_json() -> None:
    for text in ("", "2,2", "2,2 1,1", "2,2 1,1 PASS"):
        known = open_book()[text]
        record = known.record()
        fields = ("ply", "passed", "winner", "value", "lo", "hi", "best", "best_move", "likely", "pv", "sources")
        assert {name: getattr(known, name) for name in fields} == {name: record[name] for name in fields}
        assert sorted(known.legal_moves) == sorted(record["moves"]) == sorted(known.moves)
        assert {name: move.value for name, move in known.moves.items()} == {
            name: move["value"] for name, move in record["moves"].items()
        }


def test_results_have_the_komi() -> None:
    known = open_book()["2,2 1,1"]
    assert (known.worth, known.moves["0,2"].worth, known.moves["0,2"].winner) == ("B+0.5", "W+1.5", "White")
    assert open_book(BOOK_FILE)["2,2"].worth == "Black wins"


def test_why_explains_a_mistake_without_a_search_that_was_asked_for() -> None:
    late = Known(open_book(BOOK_FILE, table=16), play_all(START, parse_moves(LATE)))
    why = late.why("1,4")
    assert why == late.why((1, 4))
    # The values after the mistake and after the better move.
    assert re.fullmatch(r".*\b4,1\b.*: W\+6\.5\. .*\b1,3\b.*: W\+5\.5\.", why)
    assert late.why("1,3") == "1,3 is a best move."
    with pytest.raises(ValueError, match="occupied"):
        late.why("0,1")
    # After the search for a reason, the book still has no search.
    assert late.status == "not-in-book"


def test_a_finished_game_has_no_legal_moves() -> None:
    assert open_book()["2,2 PASS PASS"].legal_moves == []


@pytest.mark.parametrize(("error", "base"), [(NotInBook, KeyError), (StoreError, RuntimeError)])
def test_errors_are_of_kinds_that_python_has(error: type[Exception], base: type[Exception]) -> None:
    assert issubclass(error, base)
    assert issubclass(little_go.NotationError, ValueError)
    assert issubclass(little_go.IllegalMove, ValueError)
    assert issubclass(little_go.BookError, ValueError)


def test_a_program_that_imports_it_keeps_its_own_directory(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("print('mine')\n")
    program = f"import sys; sys.path.insert(1, {str(ROOT)!r}); import little_go; little_go.open_book; import mine"
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "mine\n")


def test_a_move_name_is_a_text_or_a_point() -> None:
    names: list[MoveName] = ["2,2", "C3", "PASS", (1, 2)]
    # A PASS on the first ply ends the game.
    assert [open_book(BOOK_FILE).find().play(name).ply for name in names] == [1, 1, 24, 1]

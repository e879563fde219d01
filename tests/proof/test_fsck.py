"""Contradictions that are put into the store must be found."""

from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlite_utils import Database

from little_go.book.store.facts import Choice, Fact
from little_go.book.store.store import open_store
from little_go.proof.__main__ import main
from little_go.runtime.display import Display
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, Position
from little_go.solver.symmetry import POINT_IMAGE, canonical, canonical_key, key_of, transform
from tests.book.positions import make_store

#: A position with 8 plies left and Black to move, who wins by 3.
WON = Position(black=1389316, white=4720866, ply=16)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """The exact values of a position, of its moves, and of the replies to the best move, which is the choice."""
    solver = ExactSolver()
    answer = solver.value(WON)
    assert answer.best is not None
    child = WON.play(answer.best)
    positions = [WON, *map(WON.play, WON.legal_moves()), *map(child.play, child.legal_moves())]
    facts = []
    for position in positions:
        found = solver.value(position)
        facts.append(Fact(position, found.lo, found.hi, found.best))
    path = make_store(tmp_path / "book.db", *facts)
    with open_store(path, write=True, game=COURSE) as store:
        store.choose([Choice(WON, answer.best)])
    return path


def fsck(path: Path, *options: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["fsck", "--db", str(path), *options])
    return done.exit_code, done.output


def change(path: Path, sql: str, *parameters: int) -> None:
    with closing(Database(path)) as db:
        db.conn.execute(sql, parameters)
        db.conn.commit()


def test_a_sound_store_has_no_faults(store: Path) -> None:
    code, output = fsck(store)
    assert code == 0, output
    assert output.strip().endswith("1 of our choices and 9 replies to them: no faults")


def test_everything_that_was_checked_is_counted(store: Path) -> None:
    with open_store(store, game=COURSE) as opened:
        rows = len(opened)
        moves = sum(len(opened.moves_of(entry.position)) for entry in opened)
    counts = f"{store}: {rows} positions and {moves} moves between them, 1 of our choices and 9 replies to them"
    assert moves > rows
    assert f"{counts}: no faults\n" in fsck(store)[1]
    assert f"{counts}; {rows} positions searched again: no faults\n" in fsck(store, "--prove", "999")[1]


@pytest.mark.parametrize("prove", ["all", "3"])
def test_the_progress_ends_at_its_total(store: Path, monkeypatch: pytest.MonkeyPatch, prove: str) -> None:
    with open_store(store, game=COURSE) as opened:
        rows = len(opened)
    shown: list[tuple[str, int, int]] = []
    monkeypatch.setattr(Display, "part", lambda _, line, done, total: shown.append((line, done, total)))
    assert fsck(store, "--prove", prove, "--table", "16MiB")[0] == 0
    again = rows if prove == "all" else 3
    assert shown == [
        *(("positions and choices", done, rows + 1) for done in range(1, rows + 2)),
        *(("positions searched again", done, again) for done in range(1, again + 1)),
    ]


@pytest.mark.parametrize("prove", ["0", "-1", "some", "1.5", ""])
def test_a_number_of_rows_that_is_none_is_refused(store: Path, prove: str) -> None:
    assert fsck(store, "--prove", prove) == (2, f"Error: --prove is {prove!r}: give a number of rows, or all\n")


def test_it_says_how_much_is_only_believed(store: Path) -> None:
    with open_store(store, game=COURSE) as opened:
        rows = len(opened)
    for options, believed in (((), rows), (("--prove", "1"), rows - 1)):
        said = f"{believed} of {rows} positions are trusted without a search: --prove searches them again\n"
        assert said in fsck(store, *options)[1]
    assert "believed" not in fsck(store, "--prove", "all")[1]


def test_a_move_worth_more_than_its_position_is_found(store: Path) -> None:
    change(store, "UPDATE positions SET lo = -9, hi = -9 WHERE key = ?", canonical_key(WON))
    code, output = fsck(store)
    assert code == 1
    assert "the mover can reach at most -9, but" in output


def test_a_position_worth_more_than_its_moves_is_found(store: Path) -> None:
    change(store, "UPDATE positions SET lo = 20, hi = 20 WHERE key = ?", canonical_key(WON))
    _, output = fsck(store)
    assert "cannot keep +20 for the mover" in output
    assert "no move keeps +20 for the mover" in output


def test_an_entry_in_another_orientation_is_found(store: Path) -> None:
    turned = next(key for s in range(8) if (key := key_of(transform(s, WON))) != canonical_key(WON))
    change(store, "UPDATE positions SET key = ? WHERE key = ?", turned, canonical_key(WON))
    _, output = fsck(store)
    assert "not in canonical orientation" in output


def test_an_impossible_position_is_found(store: Path) -> None:
    overlap = key_of(WON._replace(white=WON.white | WON.black & -WON.black))
    change(store, "INSERT INTO positions (key, lo, hi, nodes, seconds) VALUES (?, 0, 0, 0, 0)", overlap)
    _, output = fsck(store)
    assert "not a position: " in output


def test_an_illegal_best_move_is_found(store: Path) -> None:
    stone = (canonical_key(WON) & -canonical_key(WON)).bit_length() - 1
    change(store, "UPDATE positions SET best_move = ? WHERE key = ?", stone, canonical_key(WON))
    _, output = fsck(store)
    assert f"the best move, {stone}, is illegal" in output


def test_a_choice_that_loses_a_won_position_is_found(store: Path) -> None:
    solver = ExactSolver()
    (losing, *_) = [move for move in WON.legal_moves() if COURSE.winner(solver.decide(WON.play(move), 3)) == 2]
    child = WON.play(losing)
    with open_store(store, write=True, game=COURSE) as opened:
        for reply in child.legal_moves():
            found = solver.value(child.play(reply))
            opened.record([Fact(child.play(reply), found.lo, found.hi, found.best)])
        opened.choose([Choice(WON, losing)])
    code, output = fsck(store)
    assert code == 1
    assert "loses a won position" in output


KEY = canonical_key(WON)
STONE = (KEY & -KEY).bit_length() - 1


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        (f"UPDATE choices SET move = {STONE} WHERE position = {KEY}", f"the choice, {STONE}, is illegal"),
        (f"UPDATE choices SET chance = 0.5 WHERE position = {KEY}", "the choice has the chance 0.5, but Black wins"),
        (f"UPDATE positions SET lo = -24, hi = 2 WHERE key = {KEY}", "the choice has the chance None, but White wins"),
        (f"UPDATE positions SET lo = -24, hi = 24 WHERE key = {KEY}", "a move is chosen, but the winner is not proven"),
    ],
)
def test_a_choice_that_does_not_fit_its_position_is_found(store: Path, sql: str, fault: str) -> None:
    change(store, sql)
    code, output = fsck(store)
    assert code == 1
    assert f"{fault}: {{" in output


def test_bounds_of_a_move_that_contradict_its_position_are_found(store: Path) -> None:
    with open_store(store, game=COURSE) as opened:
        ((choice, _),) = opened.choices()
    child = canonical_key(choice.position.play(choice.move))
    change(store, "INSERT INTO moves VALUES (?, ?, ?, 24, 24)", KEY, choice.move, child)
    code, output = fsck(store)
    assert code == 1
    assert "a move and the position it leads to contradict each other: " in output


#: A position in which White has the last move: a stone wins, and a PASS loses.
LAST = Position(black=0b111, ply=23)


@pytest.mark.parametrize(("move", "faults"), [(24, "no faults"), (PASS, "1 fault")])
def test_a_choice_that_ends_the_game_must_win(tmp_path: Path, move: int, faults: str) -> None:
    path = make_store(tmp_path / "book.db", Fact(LAST, 2, 2, 24))
    with open_store(path, write=True, game=COURSE) as opened:
        opened.choose([Choice(LAST, move)])
    output = fsck(path, "--left", "1")[1]
    assert f" 1 of our choices and 1 replies to them: {faults}\n" in output
    assert ("the choice, PASS, loses a won position: " in output) == (move == PASS)


def test_a_reply_without_a_choice_is_found_when_asked(store: Path) -> None:
    assert fsck(store, "--left", "8")[0] == fsck(store, "--left", "7")[0] == 0
    code, output = fsck(store, "--left", "6")
    assert code == 1
    assert "a reply has no choice of ours" in output


def test_a_row_of_a_finished_game_is_a_fault_and_no_traceback(store: Path) -> None:
    over = WON._replace(ply=24)
    change(store, "INSERT INTO positions (key, lo, hi, nodes, seconds) VALUES (?, 0, 0, 0, 0)", canonical_key(over))
    code, output = fsck(store)
    assert code == 1
    assert "the game is over here" in output
    assert "Traceback" not in output


@pytest.mark.parametrize("key", [31 << 50, 31 << 55, 26 << 50 | 4 << 55])
def test_a_key_of_no_position_is_a_fault_and_no_traceback(store: Path, key: int) -> None:
    change(store, "INSERT INTO positions (key, lo, hi, nodes, seconds) VALUES (?, 0, 0, 0, 0)", key)
    change(store, "INSERT INTO choices (position, move) VALUES (?, 0)", key)
    code, output = fsck(store, "--prove", "all")
    assert code == 1
    assert f"not the key of a position: {key}" in output
    assert "1 fault" in output


def test_a_position_that_no_game_reaches_is_found(store: Path) -> None:
    seven = Position(black=127, ply=2)
    change(store, "INSERT INTO positions (key, lo, hi, nodes, seconds) VALUES (?, 3, 24, 0, 0)", canonical_key(seven))
    code, output = fsck(store)
    assert code == 1
    assert "no game reaches it: its number of stones does not fit the ply" in output


def test_what_sqlite_finds_is_a_fault(store: Path) -> None:
    with closing(Database(store)) as db:
        db.execute("PRAGMA ignore_check_constraints = 1")
        db.execute("UPDATE positions SET nodes = -1 WHERE key = ?", (canonical_key(WON),))
        db.execute("UPDATE positions SET run = 77 WHERE key = ?", (canonical_key(WON),))
        db.conn.commit()
    code, output = fsck(store)
    assert code == 1
    assert "CHECK constraint failed in positions" in output
    assert "refers to a row of runs that does not exist" in output


def test_a_made_up_winner_without_children_is_found_by_a_search(store: Path) -> None:
    """No row of the store contradicts the fact, so only a search with an empty table finds it."""
    lost = next(
        WON.play(move) for move in WON.legal_moves() if COURSE.winner(ExactSolver().decide(WON.play(move), 3)) == 2
    )
    with open_store(store, write=True, game=COURSE) as opened:
        run = opened.start_run({})
        maker = opened.note_worker(run, "tcp://a:1", "a", "code")
        opened._db.execute("DELETE FROM choices")
        opened._db.execute("DELETE FROM positions WHERE key != ?", (canonical_key(lost),))
        opened._db.execute("UPDATE positions SET lo = 3, hi = 24, best_move = NULL, run = ?", (run,))
        opened._db.commit()
    assert fsck(store)[0] == 0
    for rows in ("all", "1"):
        code, output = fsck(store, "--prove", rows, "--table", "16MiB")
        assert code == 1
        assert "a search refutes +3 or more, from run 1, on which later runs rely: " in output
        assert "1 positions searched again: 1 fault" in output
    change(store, "UPDATE positions SET maker = ?", maker)
    says = "a search refutes +3 or more, from run 1 and its worker tcp://a:1, on which later runs rely: "
    assert says in fsck(store, "--prove", "all", "--table", "16MiB")[1]
    change(store, "UPDATE positions SET run = NULL, maker = NULL")
    assert "a search refutes +3 or more, from no run: " in fsck(store, "--prove", "all", "--table", "16MiB")[1]
    change(store, "UPDATE positions SET lo = -24, hi = 2")
    assert fsck(store, "--prove", "all", "--table", "16MiB")[0] == 0


def test_a_made_up_best_move_and_a_made_up_move_are_found_by_a_search(store: Path) -> None:
    losing = next(move for move in WON.legal_moves() if COURSE.winner(ExactSolver().decide(WON.play(move), 3)) == 2)
    key, symmetry = canonical(WON)
    point = POINT_IMAGE[symmetry][losing]
    with open_store(store, write=True, game=COURSE) as opened:
        opened._db.execute("DELETE FROM choices")
        opened._db.execute("DELETE FROM positions WHERE key != ?", (key,))
        opened._db.execute("UPDATE positions SET best_move = ?", (point,))
        child = canonical_key(WON.play(losing))
        opened._db.execute("INSERT INTO moves VALUES (?, ?, ?, 3, 24)", (key, point, child))
        opened._db.commit()
    assert fsck(store)[0] == 0
    _, output = fsck(store, "--prove", "all", "--table", "16MiB")
    assert "after the best move, " in output
    assert output.count("a search refutes +3 or more") == 2

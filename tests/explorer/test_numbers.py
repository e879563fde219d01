"""The page, the command line, the store and the native kernel return the same values for the same positions."""

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from lab.speed.bench import TABLE_MIB, answers_of, questions
from little_go.book.__main__ import main as book_main
from little_go.book.commands.solver import main as solver_main
from little_go.book.files.atlas import read_atlas
from little_go.book.files.reader import read_book
from little_go.book.files.shipped import VALUES
from little_go.book.files.values import read_values
from little_go.book.store.facts import Fact
from little_go.book.store.store import open_store
from little_go.notation.record import to_record
from little_go.solver.answer import LEAST, MOST
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import OCCUPIED, START, Position, move_name
from little_go.solver.symmetry import canonical_key, key_of, position_of
from tests.options import FROM_LINES
from tests.solver.lines import answer_line, question
from tools.browsing import ROOT, Explorer

ATLAS = ROOT / "data" / "atlas.csv.gz"


def drawn_position(rng: random.Random, least_left: int, most_left: int) -> Position:
    """Return a random position of a game. Some of the moves are passes."""
    while True:
        position, left = START.play(12), rng.randint(least_left, most_left)
        while position.left > left and not position.is_over:
            moves = position.legal_moves()
            position = position.play(rng.choice(moves if rng.random() < 0.1 else moves[:-1] or moves))
        if not position.is_over:
            return position


@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.long)])
def test_positions_have_one_value(explorer: Explorer, tmp_path: Path, count: int) -> None:
    exact = [row for row in read_atlas(ATLAS) if row.lo == row.hi]
    rng = random.Random(2)
    from_atlas = rng.sample(exact, count // 3)
    drawn = [drawn_position(rng, 2, 13) for _ in range(count - len(from_atlas))]
    positions = [*(row.position for row in from_atlas), *drawn]
    db = tmp_path / "store.db"
    stored = store_values(db, drawn)
    assert [explorer.answer(position)["value"] for position in positions] == [
        stored[canonical_key(p)] for p in positions
    ]
    assert explorer.answer(from_atlas[0].position)["source"] in ("atlas", "certificate")
    assert cli_values(drawn) == [stored[canonical_key(position)] for position in drawn]


def store_values(db: Path, drawn: list[Position]) -> dict[int, int | None]:
    """Make a store from the atlas and from values of the native kernel. Return the values in the store."""
    done = CliRunner().invoke(book_main, ["import", str(ATLAS), "--db", str(db)])
    assert done.exit_code == 0, done.output
    kernel = Kernel(open_table(64), seed=3)
    with open_store(db, write=True, game=COURSE) as store:
        answers = [(position, kernel.value(position)) for position in drawn]
        store.record([Fact(position, a.lo, a.hi, a.best, a.nodes, 0.0) for position, a in answers])
        return {canonical_key(entry.position): entry.answer.value for entry in store}


def cli_values(positions: list[Position]) -> list[int]:
    lines = "".join(json.dumps(to_record(position, COURSE)) + "\n" for position in positions)
    done = CliRunner().invoke(solver_main, ["value", FROM_LINES, "-"], input=lines)
    assert done.exit_code == 0, done.output
    return [json.loads(line)["value"] for line in done.stdout.splitlines()]


def test_the_bench_takes_the_same_nodes_in_the_page(explorer: Explorer) -> None:
    parts = list(questions())
    lines = [question(position, part.threshold) for part in parts for position in part.positions]
    asked = [[line.split()[0], *map(int, line.split()[1:])] for line in lines]
    told = explorer.do("([lines, asked]) => explorer.bench(lines, asked)", [TABLE_MIB << 14, asked])
    kernel = Kernel(open_table(TABLE_MIB))
    native = [
        answer_line(position, answer)
        for part in parts
        for position, answer in zip(part.positions, answers_of(kernel, part), strict=True)
    ]
    assert told["answers"] == native


def test_rules_and_keys_are_the_same(explorer: Explorer) -> None:
    rng = random.Random(4)
    positions = [START, *(drawn_position(rng, 1, 22) for _ in range(300))]
    script = """positions => positions.map(position => {
        const { rules } = explorer.app;
        const plays = rules.legalMoves(position).map(move => [move, rules.play(position, move)]);
        return [String(rules.key(position)), plays];
    })"""
    for position, (key, plays) in zip(
        positions, explorer.do(script, [to_record(position, COURSE) for position in positions]), strict=True
    ):
        assert int(key) == canonical_key(position)
        assert plays == [[move, to_record(position.play(move), COURSE)] for move in position.legal_moves()]


def any_position(rng: random.Random) -> Position:
    """Return a random position, which is almost never possible."""
    black = rng.getrandbits(25) & rng.getrandbits(25)
    white = rng.getrandbits(25) & (rng.getrandbits(25) if rng.random() < 0.1 else ~black)
    ko = rng.choice([None, None, rng.randrange(25)])
    return Position(
        black, white & (rng.getrandbits(25) | rng.getrandbits(25)), ko, rng.randint(0, 24), rng.random() < 0.2
    )


def complaint(position: Position) -> str | None:
    try:
        position.check()
    except ValueError as error:
        return str(error)
    return None


def test_impossible_positions_are_told_in_the_same_words(explorer: Explorer) -> None:
    rng = random.Random(6)
    kos = [p for p in (drawn_position(rng, 2, 14) for _ in range(2000)) if p.ko is not None]
    positions = [any_position(rng) for _ in range(1500)]
    positions += kos + [p._replace(ko=(p.ko or 0) + 1) for p in kos if p.ko != 24]
    # A ko needs a lone stone next to it. Another stone can make a group of it.
    positions += [p._replace(black=p.black | 1 << rng.randrange(25) & ~p.white) for p in kos]
    script = "positions => positions.map(position => explorer.app.rules.fault(position))"
    told = explorer.do(script, [to_record(position, COURSE) for position in positions])
    expected = [complaint(position) for position in positions]
    assert told == expected
    for words in ("no liberty", "holds both", "not surrounded", "no single stone", "after a PASS", f"is {OCCUPIED}"):
        assert any(words in (line or "") for line in expected), words


def test_book_moves_are_those_of_the_player(explorer: Explorer) -> None:
    book = read_book(str(ROOT / "book.json"), game=COURSE)
    rng = random.Random(8)
    rows = rng.sample(list(book.items()), 300)
    script = "positions => positions.map(position => explorer.app.facts.bookMove(position))"
    told = explorer.do(script, [to_record(position, COURSE) for position, _ in rows])
    for (position, entry), move in zip(rows, told, strict=True):
        ours, theirs = (position.play(m) for m in (entry.move, move))
        assert canonical_key(ours) == canonical_key(theirs), (position, move_name(move))


@pytest.mark.long
def test_the_atlas_of_the_page_is_the_file_s(explorer: Explorer) -> None:
    # The page unpacks ply 6 after it has opened.
    explorer.until("explorer.app.facts.lists(6)")
    script = "({ keys, lo, hi }) => [[...keys].map(String), [...lo], [...hi]]"
    keys, *bounds = explorer.do(f"({script})(explorer.app.facts.atlas)")
    every = {key_of(position): known for position, known in read_values(VALUES).items()}
    rows = {key: (known.lo, known.hi) for key, known in every.items() if position_of(key).ply < 6}
    found = dict(zip(map(int, keys), zip(*bounds, strict=True), strict=True))
    assert {key: known for key, known in found.items() if known != (LEAST, MOST)} == rows
    # Choose whole blocks, some positions with a ko, and positions that only a capture leads to.
    sixth = sorted(every.keys() - rows.keys())
    stones = {position_of(key).black for key in random.Random(6).sample(sixth, 8)}
    some = [key for key in sixth if position_of(key).black in stones or position_of(key).ko is not None]
    some += [key for key in sixth if (position_of(key).black | position_of(key).white).bit_count() < 4]
    script = "keys => keys.map(key => explorer.app.facts.levels.get(6).value(BigInt(key)))"
    assert explorer.do(script, list(map(str, some))) == [every[key].lo for key in some]
    assert explorer.do(script, [str(key_of(Position(black=7 << 20, white=7, ply=6)) + 1)]) == [None]


def test_what_the_atlas_tells_of_moves_is_shown_and_true(explorer: Explorer) -> None:
    rows = {canonical_key(row.position): row for row in read_atlas(ATLAS)}
    script = "position => explorer.app.facts.about(position).moves.map(one => [one.moves, one.fact.lo, one.fact.hi])"
    named = 0
    rng, ordered = random.Random(9), [rows[key] for key in sorted(rows)]
    exact, bounded = [row for row in ordered if row.lo == row.hi], [row for row in ordered if row.lo < row.hi]
    for row in [*rng.sample(exact, 60), *rng.sample(bounded, min(20, len(bounded)))]:
        for moves, lo, hi in explorer.do(script, to_record(row.position, COURSE)):
            child = rows.get(canonical_key(row.position.play(moves[0])))
            if child is not None:
                assert lo >= child.lo
                assert hi <= child.hi
            if row.lo == row.hi and set(moves) & set(row.best):
                assert (lo, hi) == (row.lo, row.hi)
                named += 1
            elif row.lo == row.hi and row.moves_known:
                assert hi < row.lo if row.position.black_to_move else lo > row.hi, row
    assert named > 20

"""The binary atlas has the same values as the CSV file and as a store that has imported it."""

import csv
import gzip
import hashlib
import itertools
import operator
import random
import re
import zlib
from array import array
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from little_go.book.__main__ import main
from little_go.book.files.atlas import AtlasError, Row, position_fields, read_atlas, write_atlas
from little_go.book.files.shipped import (
    ATLAS_FILE,
    ATLAS_PLY,
    LATER_PLIES,
    MAIN_LINE,
    MAIN_VALUE,
    VALUES,
    later_digests,
)
from little_go.book.files.values import PLY_SIZES, Values, pack_values, read_values
from little_go.book.store.store import open_store
from little_go.runtime.files import MIB, open_text
from little_go.solver.answer import Answer
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import next_ply
from little_go.solver.position import PASS, START, Position
from little_go.solver.symmetry import canonical_key, key_of, position_of, transform


@pytest.fixture(scope="module")
def values() -> Values:
    return read_values(VALUES)


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """The rows to ply 4, and one in ten rows of ply 5, because reading all takes long."""
    some = tmp_path_factory.mktemp("values") / "some.csv.gz"
    with open_text(LATER_PLIES[5], 256 * MIB, "ascii") as text, gzip.open(some, "wt", 1, encoding="ascii") as file:
        file.writelines(itertools.islice(text, 0, None, 10))
    return [row for path in (ATLAS_FILE, some) for row in read_atlas(path)]


@pytest.fixture(scope="module")
def all_rows() -> list[Row]:
    """The rows to ply 5."""
    return [row for path in (ATLAS_FILE, LATER_PLIES[5]) for row in read_atlas(path)]


@pytest.fixture(scope="module")
def table() -> list[tuple[str, ...]]:
    """For each row of all files: the texts of ply, board, ko, passed, lo, hi and origin."""
    found: list[tuple[str, ...]] = []
    for path in (ATLAS_FILE, *LATER_PLIES.values()):
        with open_text(path, 256 * MIB, "ascii") as text:
            lines = csv.reader(text)
            columns = operator.itemgetter(
                *map(next(lines).index, ("ply", "board", "ko", "passed", "lo", "hi", "origin"))
            )
            found += map(columns, lines)
    return found


#: The command that makes the values again if they differ from the atlas.
RENEW = "run 'python -m book atlas --values data/atlas.values', 'python -m explorer build', and commit both"


def test_the_shipped_values_are_the_atlas_s(rows: list[Row], values: Values) -> None:
    for row in rows:
        assert values.get(row.position) == Answer(row.lo, row.hi, row.best[0] if row.best else None, 0), RENEW
    early = [row.position for row in rows if row.position.ply < 5]
    assert [position for position, _ in itertools.islice(values.items(), len(early))] == early, RENEW


@pytest.mark.system
def test_as_many_positions_have_each_bounds_in_the_values_as_in_the_files(
    values: Values, table: list[tuple[str, ...]]
) -> None:
    said = {tuple(map(int, key)): count for key, count in Counter((row[0], *row[4:6]) for row in table).items()}
    assert Counter(values.bounds()) == said, RENEW
    assert len(values) == len(table)


@pytest.mark.long
def test_the_shipped_values_are_those_of_every_file() -> None:
    rows = (row for path in (ATLAS_FILE, *LATER_PLIES.values()) for row in read_atlas(path))
    assert zlib.decompress(VALUES.read_bytes()) == zlib.decompress(pack_values(rows)), RENEW


def test_a_best_move_leads_to_the_same_value(rows: list[Row]) -> None:
    known = {key_of(row.position): row for row in rows}
    checked = 0
    for row in rows:
        for move in row.best:
            after = known.get(canonical_key(row.position.play(move)))
            if after is not None:
                assert (after.lo, after.hi) == (row.lo, row.hi), (row, move)
                checked += 1
    assert checked > 2_000


@pytest.mark.parametrize("step", [100, pytest.param(1, marks=pytest.mark.long)])
def test_a_position_is_worth_its_best_move(values: Values, step: int) -> None:
    """The test is a plain minimax over the shipped plies. Each ply was searched within the bounds of the ply before."""
    before = itertools.takewhile(lambda item: item[0].ply < max(LATER_PLIES), values.items())
    for position, known in itertools.islice(before, 0, None, step):
        assert known.lo == known.hi == _worth(position, values), position


def test_a_row_has_all_best_moves_that_the_next_ply_determines(rows: list[Row], values: Values) -> None:
    assert all(row.moves_known for row in rows)
    for row in rows[::20]:
        check_best_moves(row, values)


@pytest.mark.long
def test_every_row_has_all_best_moves_that_the_next_ply_determines(all_rows: list[Row], values: Values) -> None:
    assert all(row.moves_known for row in all_rows)
    for row in all_rows:
        check_best_moves(row, values)


def check_best_moves(row: Row, values: Values) -> None:
    worth = _worths(row.position, values)
    assert row.best == tuple(sorted(move for move, value in worth.items() if value == row.lo)), row


def test_a_row_says_how_its_value_came_about(rows: list[Row], table: list[tuple[str, ...]]) -> None:
    assert Counter((int(row[0]), row[6]) for row in table) == {
        (0, "search"): 1,
        (1, "search"): 6,
        (2, "search"): 4,
        (2, "ply after"): 87,
        (3, "search"): 1_037,
        (4, "search"): 12_046,
        (4, "ply before"): 351,
        (5, "search"): 94_314,
        (5, "ply before"): 1,
        (6, "search"): 602_916,
        (6, "ply before"): 73_980,
    }
    left = take_derived(rows[::4], derived(table))
    assert 0 < len(left) < 73_980 - 1_000


@pytest.mark.long
def test_what_was_not_searched_follows_from_the_ply_before(all_rows: list[Row], table: list[tuple[str, ...]]) -> None:
    assert take_derived(all_rows, derived(table)) == {}
    with open_text(LATER_PLIES[6], 256 * MIB, "ascii") as text:
        assert all(int(row["nodes"]) > 0 for row in csv.DictReader(text) if row["origin"] == "search")


def derived(table: list[tuple[str, ...]]) -> dict[tuple[str, ...], int]:
    """Return, by board, ko and passed, the values of ply 6 that follow from the ply before."""
    return {row[1:4]: int(row[4]) for row in table if row[0] == "6" and row[6] == "ply before"}


def take_derived(rows: list[Row], derived: dict[tuple[str, ...], int]) -> dict[tuple[str, ...], int]:
    """Return the positions to which no best move of a row leads. The others have the value of their row."""
    for row in rows:
        for move in row.best if row.position.ply == 5 else ():
            child = position_of(canonical_key(row.position.play(move)))
            fields = tuple(map(str, position_fields(child)[1:]))
            assert derived.pop(fields, row.lo) == row.lo
    return derived


def _worths(position: Position, values: Values) -> dict[int, int]:
    worth = {}
    for move in position.legal_moves():
        after = position.play(move)
        known = values.get(after)
        if known is None:
            assert after.is_over
            worth[move] = after.margin
        else:
            worth[move] = known.lo
    return worth


def _worth(position: Position, values: Values) -> int:
    worth = _worths(position, values).values()
    return max(worth) if position.black_to_move else min(worth)


def test_a_value_takes_less_than_four_bits_where_it_is_exact(rows: list[Row]) -> None:
    exact = [row for row in rows if row.lo == row.hi]
    assert len(zlib.compress(bytes(row.lo + 24 for row in exact), 9)) * 8 < 4 * len(exact)


def test_a_store_that_has_read_the_atlas_says_the_same(values: Values, shipped_store: Path) -> None:
    with open_store(shipped_store, game=COURSE) as store:
        early = (entry for ply in range(ATLAS_PLY + 1) for entry in store.entries(ply=ply))
        stored = {canonical_key(entry.position): entry.answer[:2] for entry in early}
    known = itertools.takewhile(lambda item: item[0].ply <= ATLAS_PLY, values.items())
    assert {canonical_key(position): answer[:2] for position, answer in known} == stored


def test_a_ply_has_as_many_positions_as_the_rules_say() -> None:
    levels = [array("Q", [key_of(START)])]
    while len(levels) < len(PLY_SIZES):
        levels.append(next_ply(levels[-1]))
    assert tuple(map(len, levels)) == PLY_SIZES


def test_any_image_is_found(rows: list[Row], values: Values) -> None:
    rng = random.Random(1)
    for row in rng.sample(rows, 100):
        image = transform(rng.randrange(8), row.position)
        known = values.get(image)
        assert known is not None
        assert known[:2] == (row.lo, row.hi)
        after = {canonical_key(row.position.play(move)) for move in row.best}
        assert known.best is None or canonical_key(image.play(known.best)) in after


def test_the_start_of_the_main_line_is_in_it(values: Values) -> None:
    position = START
    for move in MAIN_LINE:
        known = values.get(position)
        if known and known.lo == known.hi:
            assert known.lo == MAIN_VALUE
        position = position.play(move)
    assert values.get(position) is None


def test_what_is_not_in_the_atlas_is_unknown(tmp_path: Path) -> None:
    after = position_of(canonical_key(START.play(0)))
    path = tmp_path / "some.values"
    path.write_bytes(pack_values([Row(START, 3, 3, (12,)), Row(after, -24, 24)]))
    some = read_values(path)
    assert len(some) == 2
    assert some.get(START) == Answer(3, 3, 12, 0)
    assert some.get(START.play(4)) == Answer(-24, 24, None, 0)
    assert some.get(START.play(12)) is None
    assert some.get(START.play(12).play(0)) is None
    assert [position for position, _ in some.items()] == [START, after]


def test_the_command_packs_the_rows_of_an_atlas(tmp_path: Path) -> None:
    rows = [Row(START, 3, 3, (12,)), Row(position_of(canonical_key(START.play(0))), -24, 24)]
    write_atlas(rows, tmp_path / "some.csv")
    done = CliRunner().invoke(main, ["atlas", str(tmp_path / "some.csv"), "--values", str(tmp_path / "some.values")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "some.values").read_bytes() == pack_values(rows)


def test_positions_that_no_game_leads_to_are_refused() -> None:
    assert zlib.decompress(pack_values([])) == b"\x03"
    with pytest.raises(ValueError, match="no game leads to"):
        pack_values([Row(Position(black=1 << 12, ply=22), 0, 1)])
    with pytest.raises(ValueError, match="no game leads to"):
        pack_values([Row(START.play(PASS)._replace(ply=1), 0, 1)])


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"nothing", "damaged, or not packed"),
        (VALUES.read_bytes()[:-9], "damaged, or not packed"),
        (VALUES.read_bytes() + b"more", "damaged, or not packed"),
        (zlib.compress(b"\x02" + bytes(3)), "of another format than 3"),
        (zlib.compress(b"\x03" + bytes(4)), "4 bytes are not a whole number of plies"),
        (zlib.compress(b"\x03\x1b\x16\x0c"), "bounds or a move"),
        (zlib.compress(b"\x03\x1b\x00\x1a"), "bounds or a move"),
    ],
)
def test_damage_is_one_line(content: bytes, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.values"
    path.write_bytes(content)
    with pytest.raises(AtlasError, match=f"^{re.escape(str(path))}: [^\n]*{complaint}[^\n]*$"):
        read_values(path)


def test_the_later_plies_are_known_where_their_files_are_not() -> None:
    """A store that has imported a file is recognised by the SHA-256, even if the file is not installed."""
    digests = {ply: hashlib.sha256(path.read_bytes()).hexdigest() for ply, path in LATER_PLIES.items()}
    assert later_digests() == digests


@pytest.mark.parametrize("command", ["import", "atlas"])
def test_a_ply_that_is_not_installed_is_named_with_its_place(command: str, tmp_path: Path) -> None:
    missing = tmp_path / LATER_PLIES[6].name
    arguments = [str(missing), *(["--db", str(tmp_path / "new.db")] if command == "import" else [])]
    done = CliRunner().invoke(main, [command, *arguments])
    assert done.exit_code == 2
    assert "atlas_ply6.csv.gz is not installed: it is in little-go-data.zip of the release" in done.output.replace(
        "\n", " "
    )
    assert list(tmp_path.iterdir()) == []

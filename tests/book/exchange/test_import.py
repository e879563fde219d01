"""The shipped files in a store: little-go import without a file, and make book.db."""

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from little_go.book.__main__ import main
from little_go.book.answers.sources import CertificateSource
from little_go.book.exchange.claims import CertificateError, index_claims, read_claims
from little_go.book.exchange.merge import import_files, import_shipped
from little_go.book.files.atlas import AtlasError, Row, read_atlas, write_atlas
from little_go.book.files.levels import read_part, write_part
from little_go.book.files.reader import BOOK_LOSS, BOOK_WIN, read_book
from little_go.book.files.shipped import ATLAS_FILE, BOOK_FILE, CERTIFICATES, VALUES, shipped_files
from little_go.book.files.values import read_values
from little_go.book.files.writer import BookLine, write_book
from little_go.book.store.facts import Fact, Origin, Statement, StoreError
from little_go.book.store.store import open_store
from little_go.notation.record import to_record
from little_go.proof.strategist import line_of
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import GAME_PLIES, START, Position, parse_moves, play_all
from little_go.solver.symmetry import POINT_IMAGE, SYMMETRIES, canonical, canonical_key, position_of, transform
from tests.book.positions import CENTRE, make_store

#: Lines of a certificate for White after 0,0, which is not a proof: all lines except the first are leaves.
BODY = "23 ........................X - - 1,1\n21 .................O......X - P 2,2\n"


@pytest.fixture(autouse=True)
def sums(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the shipped list of sums by a list in this test's folder, and accept the files of both."""
    shipped = (CERTIFICATES / "SHA256SUMS").read_text("ascii")
    (tmp_path / "SHA256SUMS").write_text(shipped)
    monkeypatch.setattr("little_go.book.exchange.claims.CERTIFICATES", tmp_path)


def certificate(folder: Path, claim: str = "black <= 2", start: str = "0,0", leaf: int = 21, body: str = BODY) -> Path:
    """Write a certificate, and list it as a shipped one."""
    head = (
        f"little-go certificate 2\nrules 5x5 stones-only komi 2.5 plies 24\nclaim {claim}\nstart {start}\nleaf {leaf}\n"
    )
    digest = hashlib.sha256(body.encode()).hexdigest()
    path = folder / "small.cert.gz"
    text = f"{head}lines {body.count(chr(10))}\nsha256 {digest}\n{body}"
    path.write_bytes(gzip.compress(text.encode(), mtime=0))
    list_as_shipped(path)
    return path


def list_as_shipped(path: Path) -> None:
    with (path.parent / "SHA256SUMS").open("a") as file:
        file.write(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n")


def line(position: Position, move: int, verdict: int) -> BookLine:
    """Return a book's line, in canonical orientation."""
    key, symmetry = canonical(position)
    return BookLine(key, POINT_IMAGE[symmetry][move], verdict)


@pytest.fixture
def ships(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """An atlas, a book and a certificate with a few positions each, in place of the shipped files."""
    monkeypatch.chdir(tmp_path)
    write_atlas([Row(START, 3, 3, (12,), False, 5)], tmp_path / "atlas.csv.gz")
    write_book(
        [line(START, 12, BOOK_WIN), line(CENTRE, 7, BOOK_LOSS), line(START.play(0), 12, 0)], "book.json", game=COURSE
    )
    files = [tmp_path / "atlas.csv.gz", tmp_path / "book.json", certificate(tmp_path)]
    monkeypatch.setattr("little_go.book.exchange.merge.shipped_files", lambda: files)
    return files


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["import", *arguments])


def test_a_part_of_ply_7_is_imported_with_its_values(tmp_path: Path) -> None:
    part = VALUES.parent / "ply7" / "001.part"
    [done] = import_files(tmp_path / "seven.db", [part])
    known = read_values(VALUES)
    with open_store(tmp_path / "seven.db", game=COURSE) as store:
        entries = list(store)
        assert len(entries) == done.positions == sum(read_part(part).sizes.values())
        for entry in entries[::50]:
            answer = known.get(entry.position)
            assert answer is not None
            assert (entry.lo, entry.hi) == (answer.lo, answer.hi)


def test_a_part_of_another_ply_is_refused(tmp_path: Path) -> None:
    write_part(tmp_path / "x.part", 24, 5, {})
    with pytest.raises(AtlasError, match="the values of ply 5, not of ply 6 to 7"):
        list(import_files(tmp_path / "x.db", [tmp_path / "x.part"]))


def test_all_that_ships_is_taken_in_and_each_file_keeps_its_word(ships: list[Path]) -> None:
    done = run()
    assert (done.exit_code, done.output.splitlines()) == (
        0,
        [
            "book.db: 1 positions of atlas.csv.gz, 1 of them new or with tighter bounds",
            "book.db: 2 positions of book.json, 1 of them new or with tighter bounds",
            "book.db: 2 positions of small.cert.gz, 1 of them new or with tighter bounds",
        ],
    )
    with open_store("book.db", game=COURSE) as store:
        assert len(store) == 3
        assert store.statements_of(START) == [
            Statement(3, 3, (12,), Origin("atlas", "atlas.csv.gz")),
            Statement(3, 24, (12,), Origin("book", "book.json")),
        ]
        entry = store.find(START)
        assert (entry.lo, entry.hi, entry.best) == (3, 3, 12)
        # The certificate's start is in another orientation than its line.
        corner = START.play(4)
        assert store.statements_of(corner) == [Statement(-24, 2, (16,), Origin("certificate", "small.cert.gz"))]
        assert store.find(corner).hi == 2
        assert store.statements_of(START.play(1)) == []
        runs = [run["parameters"] for run in store.runs()]
    assert [run["kind"] for run in runs] == ["atlas", "book", "certificate"]
    assert (runs[2]["claim"], runs[2]["starts"], runs[2]["checked"]) == ("black <= 2", ["0,0"], False)
    assert [run["sha256"] for run in runs] == [hashlib.sha256(path.read_bytes()).hexdigest() for path in ships]


def test_a_store_that_is_there_is_added_to(ships: list[Path]) -> None:
    make_store(Path("book.db"), Fact(START, 1, 5), Fact(START.play(7), 0, 0))
    assert run().exit_code == 0
    assert run().output.count("0 of them new") == 3
    with open_store("book.db", game=COURSE) as store:
        assert (store.find(START).lo, store.find(START.play(7)).hi) == (3, 0)
        assert len(store.statements_of(START)) == 4


def test_a_file_alone_is_told_by_its_name_and_the_legal_moves_are_noted(ships: list[Path]) -> None:
    for path in ships:
        assert run(str(path), "--db", "one.db").exit_code == 0
        with open_store("one.db", game=COURSE) as store:
            assert store.unlinked_keys() == []
    with open_store("one.db", game=COURSE) as store:
        assert [run["parameters"]["kind"] for run in store.runs()] == ["atlas", "book", "certificate"]


@pytest.mark.parametrize("there", [False, True])
def test_what_contradicts_the_rest_is_not_taken_in(ships: list[Path], there: bool) -> None:
    write_book([line(START, 0, BOOK_LOSS)], str(ships[1]), game=COURSE)
    if there:
        make_store(Path("book.db"), Fact(CENTRE, 0, 9))
    done = run()
    assert done.exit_code == 1
    assert done.stderr.startswith(f"Error: {ships[1]}: {json.dumps(to_record(START, COURSE))}: ")
    assert re.search(r"run \d: \+3, and run \d: \+2 or less, cannot both be true\n$", done.stderr)
    assert Path("book.db").exists() == there
    assert sorted(path.name for path in Path().glob("book.db.*")) == []
    if there:
        with open_store("book.db", game=COURSE) as store:
            assert len(store) == 2
            assert [run["outcome"] for run in store.runs()] == ["complete", "failed"]


def test_a_build_goes_on_from_what_a_killed_one_left(ships: list[Path]) -> None:
    make_store(Path("book.db.tmp"), Fact(START.play(7), 0, 0))
    assert run().exit_code == 0
    with open_store("book.db", game=COURSE) as store:
        assert len(store) == 4
    assert not list(Path().glob("book.db?*"))


def test_a_store_that_another_process_made_meanwhile_is_left_alone(ships: list[Path]) -> None:
    building = import_shipped(Path("book.db"))
    next(building)
    Path("book.db").write_text("made meanwhile")
    with pytest.raises(StoreError, match=r"book\.db: another process has made it meanwhile"):
        list(building)
    assert Path("book.db").read_text() == "made meanwhile"


def test_a_certificate_that_does_not_ship_is_no_proof(ships: list[Path]) -> None:
    ships[2].write_bytes(gzip.compress(gzip.decompress(ships[2].read_bytes()).replace(b"1,1", b"1,2")))
    done = run(str(ships[2]))
    assert done.exit_code == 2
    assert done.stderr == (
        f"Error: {ships[2]}: not one of the shipped certificates, and a file's claim is not a proof: check it"
        f" with little-go check {ships[2]}\n"
    )
    assert not Path("book.db").exists()


def test_claims_are_bounds_and_leaves_are_left_out(tmp_path: Path) -> None:
    claims = read_claims(certificate(tmp_path))
    assert (claims.claim, claims.starts, claims.bounds, len(claims.lines)) == ("black <= 2", ["0,0"], (-24, 2), 1)
    assert list(claims.facts()) == [
        Fact(START.play(0), -24, 2),
        Fact(Position(black=1 << 24, ply=1), -24, 2, 6),
    ]
    claims = read_claims(certificate(tmp_path, "black >= -3", "2,2 1,1", leaf=1))
    assert (claims.bounds, len(claims.lines)) == ((-3, 24), 2)
    passed = list(claims.facts())[2]
    assert passed == Fact(Position(1 << 24, 1 << 17, None, 3, True), -3, 24, 12)
    # The header has the first format.
    path = tmp_path / "small.cert.gz"
    path.write_bytes(gzip.compress(b"little-go certificate 1\n"))
    list_as_shipped(path)
    with pytest.raises(CertificateError, match="not a certificate of format 2"):
        read_claims(path)


@pytest.mark.parametrize("left", [10, 9, 8, 2])
def test_a_line_is_found_with_any_number_of_plies_left(tmp_path: Path, left: int) -> None:
    """The source finds the certificate's line for each symmetric copy of its position."""
    position, move = Position(black=0b110, white=1 << 9, ply=GAME_PLIES - left), 12
    path = certificate(tmp_path, "black >= 1", leaf=1, body=f"{line_of(position, move)}\n")
    source = CertificateSource(index_claims([path]))
    for symmetry in range(SYMMETRIES):
        assert source.statements_about(transform(symmetry, position)) == [
            Statement(1, 24, (POINT_IMAGE[symmetry][move],), Origin("certificate", path.name))
        ]


@pytest.mark.system
def test_the_store_built_from_what_ships(shipped_store: Path) -> None:
    """The store has the statements of each file, no contradiction, and the game's value from each source that proves
    it.
    """
    assert [path.name for path in shipped_files()] == [
        "atlas.csv.gz",
        "book.json",
        "after-0-0-and-0-2-at-most-minus-3.cert.gz",
        "after-0-1-and-1-1-at-most-minus-2.cert.gz",
        "after-1-2-at-least-0.cert.gz",
        "after-1-2-at-most-0.cert.gz",
        "game-at-least-3.cert.gz",
        "game-at-most-3.cert.gz",
        "others-at-most-2.cert.gz",
    ]
    with open_store(shipped_store, game=COURSE) as store:
        said = {each.origin.name: (each.lo, each.hi, each.best) for each in store.statements_of(START)}
        assert said == {
            "atlas.csv.gz": (3, 3, (12,)),
            "book.json": (3, 24, (12,)),
            "game-at-least-3.cert.gz": (3, 24, (12,)),
            "game-at-most-3.cert.gz": (-24, 3, ()),
        }
        for move in (0, 1, 2, 6, 7):
            most = {each.origin.name: each.hi for each in store.statements_of(START.play(move))}
            assert most["others-at-most-2.cert.gz"] == 2
        edge = {each.origin.name: (each.lo, each.hi) for each in store.statements_of(START.play(7))}
        assert edge["after-1-2-at-least-0.cert.gz"] == (0, 24)
        assert edge["after-1-2-at-most-0.cert.gz"] == (-24, 0)
        for row in list(read_atlas(ATLAS_FILE))[::50]:
            entry = store.find(row.position)
            assert (entry.lo, entry.hi) == (row.lo, row.hi)
        for position, told in list(read_book(str(BOOK_FILE), game=COURSE).items())[::500]:
            entry = store.find(position)
            assert entry.lo >= told.bounds.lo
            assert entry.hi <= told.bounds.hi
        deep = play_all(START, parse_moves("2,2 1,2 2,1 2,3"))
        assert store.find(deep).lo >= 3
        assert store.damage() == []
        for path in sorted(CERTIFICATES.glob("*.cert.gz")):
            for fact in list(read_claims(path).facts())[::2000]:
                claims = [each for each in store.statements_of(fact.position) if each.origin.name == path.name]
                assert [(each.lo, each.hi) for each in claims] == [(fact.lo, fact.hi)]


@pytest.mark.parametrize("name", ["false.csv.gz", "false.json"])
def test_a_falsehood_that_a_short_search_finds_is_not_taken_in(tmp_path: Path, name: str) -> None:
    # A position with eight plies left, in which White has nearly all points.
    position = Position(*canonical_boards(Position(black=1, white=0b11111_11111_00000_00000, ply=16)), ply=16)
    if name.endswith(".json"):
        write_book([line(position, position.legal_moves()[0], BOOK_WIN)], str(tmp_path / name), game=COURSE)
    else:
        write_atlas([Row(position, 3, 3)], tmp_path / name)
    done = run(str(tmp_path / name), "--db", str(tmp_path / "book.db"))
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert "a search refutes +3 or more" in done.stderr
    assert not (tmp_path / "book.db").exists()


def test_best_moves_that_a_search_refutes_are_not_taken_in(tmp_path: Path) -> None:
    boards = canonical_boards(Position(black=1, white=0b11111_11111_00000_00000, ply=16))
    position = Position(*boards, ply=16)
    kernel = Kernel(open_table(16))
    worth = {move: kernel.value(position.play(move)).lo for move in position.legal_moves()}
    best, false = max(worth.values()), min(worth, key=lambda move: worth[move])
    assert worth[false] < best
    write_atlas([Row(position, best, best, (false,), True)], tmp_path / "false.csv.gz")
    # The import checks one random move.
    for number in range(100):
        done = run(str(tmp_path / "false.csv.gz"), "--db", str(tmp_path / f"{number}.db"))
        if done.exit_code:
            break
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert "a search refutes" in done.stderr


def canonical_boards(position: Position) -> tuple[int, int]:
    standing = position_of(canonical_key(position))
    return standing.black, standing.white


@pytest.mark.usefixtures("no_kernel")
@pytest.mark.parametrize("given", [[], ["small.csv.gz"]], ids=["the shipped files", "another's"])
def test_without_a_kernel_one_line_says_so(ships: list[Path], given: list[str]) -> None:
    write_atlas([Row(START, 3, 3, (12,), False, 5)], "small.csv.gz")
    result = CliRunner().invoke(main, ["import", *given])
    assert (result.exit_code, type(result.exception)) == (2, SystemExit)
    assert (
        result.stderr.splitlines()[-1]
        == "Error: the native kernel is not built for this Python: run make setup in a clone, or reinstall the package"
    )


def test_sums_beside_a_certificate_do_not_make_it_one_that_ships(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = certificate(tmp_path)
    monkeypatch.undo()
    with pytest.raises(CertificateError, match="not one of the shipped certificates"):
        read_claims(path)

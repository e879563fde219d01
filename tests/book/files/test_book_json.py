"""Writing and reading book.json."""

import base64
import hashlib
import json
import subprocess
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from little_go.book.files.reader import (
    BOOK_FORMAT,
    BOOK_LOSS,
    BOOK_UNDECIDED,
    BOOK_WIN,
    BookError,
    book_rules,
    read_book,
)
from little_go.book.files.writer import BookLine, verdict_of, write_book
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, START, Position
from little_go.solver.symmetry import POINT_IMAGE, SYMMETRIES, canonical, canonical_key, transform
from tests.book.positions import open_positions

ROOT = Path(__file__).parents[3]


def line(position: Position, move: int, verdict: int = BOOK_WIN) -> BookLine:
    key, symmetry = canonical(position)
    return BookLine(key, POINT_IMAGE[symmetry][move], verdict)


@st.composite
def lines(draw: st.DrawFn) -> dict[Position, tuple[int, int]]:
    """Positions of which no two are symmetric, each with a legal move and a verdict."""
    positions = draw(st.lists(open_positions(), max_size=8, unique_by=canonical_key))
    verdicts = st.sampled_from([BOOK_UNDECIDED, BOOK_WIN, BOOK_LOSS])
    return {p: (draw(st.sampled_from(p.legal_moves())), draw(verdicts)) for p in positions}


@settings(deadline=None, max_examples=50)
@given(lines(), open_positions())
def test_every_image_finds_its_move_and_verdict(known: dict[Position, tuple[int, int]], other: Position) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/book.json"
        assert write_book((line(p, *play) for p, play in known.items()), path, game=COURSE) == len(known)
        book = read_book(path, game=COURSE)
    assert len(book) == len(known) == len(list(book.items()))
    for position, (move, verdict) in known.items():
        for symmetry in range(SYMMETRIES):
            image = transform(symmetry, position)
            entry = book.find(image)
            assert entry.verdict == verdict == verdict_of(image, *entry.bounds, game=COURSE)
            assert canonical_key(image.play(entry.move)) == canonical_key(position.play(move))
    if canonical_key(other) not in map(canonical_key, known):
        assert book.get(other) is None
        with pytest.raises(KeyError):
            book.find(other)


@settings(deadline=None, max_examples=15)
@given(lines(), st.randoms(use_true_random=False))
def test_the_same_lines_give_the_same_bytes(known: dict[Position, tuple[int, int]], random: Any) -> None:
    content = [line(p, *play) for p, play in known.items()]
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "first.json"), Path(folder, "second.json")
        write_book(content, first, game=COURSE)
        random.shuffle(content)
        write_book(content, second, game=COURSE)
        assert first.read_bytes() == second.read_bytes()
        assert sorted(path.name for path in Path(folder).iterdir()) == ["first.json", "second.json"]


def test_verdicts_are_from_the_movers_side() -> None:
    white_to_move = START.play(12)
    for lo, hi, black, white in ((3, 24, BOOK_WIN, BOOK_LOSS), (-24, 2, BOOK_LOSS, BOOK_WIN)):
        assert verdict_of(START, lo, hi, game=COURSE) == black
        assert verdict_of(white_to_move, lo, hi, game=COURSE) == white
    assert verdict_of(START, 2, 3, game=COURSE) == BOOK_UNDECIDED


@pytest.mark.parametrize(
    "bad",
    [
        [BookLine(1, 26, BOOK_WIN)],
        [BookLine(1, -1, BOOK_WIN)],
        [BookLine(1, 0, 3)],
        [BookLine(1, 0, BOOK_WIN), BookLine(1, 0, BOOK_WIN)],
    ],
)
def test_a_failed_write_leaves_the_old_book(tmp_path: Path, bad: list[BookLine]) -> None:
    path = tmp_path / "book.json"
    write_book([line(START, 12)], path, game=COURSE)
    with pytest.raises(ValueError, match="BookLine"):
        write_book(bad, path, game=COURSE)
    assert len(read_book(str(path), game=COURSE)) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["book.json"]


def repack(content: dict[str, Any], unpacked: bytes) -> None:
    content["data"] = base64.b64encode(zlib.compress(unpacked)).decode()
    content["sha256"] = hashlib.sha256(unpacked).hexdigest()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda c: c.clear(), "not a Little-Go book"),
        (lambda c: c.update(format="1"), "not a Little-Go book"),
        (lambda c: c.update(format=2), "book format 2, but this program reads format 1"),
        (lambda c: c["rules"].update(komi=7.5), "made for 24 plies, komi 7.5, but the game here is 24 plies, komi 2.5"),
        (lambda c: c["rules"].update(size=7), r'made for other rules: \{"size": 7, "komi": 2.5'),
        (lambda c: c.pop("rules"), "made for other rules: null"),
        (lambda c: c.pop("data"), "damaged: data or the number of positions is missing"),
        (lambda c: c.update(positions=None), "damaged: data or the number of positions is missing"),
        (lambda c: c.update(data=c["data"][:-3]), "damaged: its data are not base64"),
        (lambda c: c.update(data="é" + c["data"]), "damaged: its data are not base64"),
        (lambda c: c.update(data=c["data"][:-8]), "damaged: its data do not decompress"),
        (lambda c: c.update(data="AAAA"), "damaged: its data do not decompress"),
        (lambda c: c.update(sha256="0" * 64), "damaged: its data do not have the sha256 it states"),
        (lambda c: c.pop("sha256"), "damaged: its data do not have the sha256 it states"),
        (lambda c: c.update(positions=3), "damaged: 18 bytes of data for 3 keys"),
        (lambda c: repack(c, b"\0" * 17), "damaged: 17 bytes of data for 2 keys"),
    ],
)
def test_a_damaged_or_strange_book_is_refused(
    tmp_path: Path, damage: Callable[[dict[str, Any]], None], message: str
) -> None:
    path = tmp_path / "book.json"
    write_book([line(START, 12), line(START.play(12), 7)], path, game=COURSE)
    content = json.loads(path.read_text())
    damage(content)
    path.write_text(json.dumps(content))
    assert_refused(path, message)


AFTER = START.play(12)


def with_plays(path: Path, plays: bytes, keys: list[int] | None = None) -> None:
    """Write a book with a correct checksum, of two positions or of the given keys and bytes."""
    keys = sorted([canonical(START)[0], canonical(AFTER)[0]]) if keys is None else keys
    packed = b"".join(key.to_bytes(8, "little") for key in keys)
    unpacked = b"".join(packed[column::8] for column in range(8)) + plays
    content = {
        "format": BOOK_FORMAT,
        "rules": book_rules(COURSE),
        "positions": len(keys),
        "sha256": hashlib.sha256(unpacked).hexdigest(),
        "data": base64.b64encode(zlib.compress(unpacked)).decode("ascii"),
    }
    path.write_text(json.dumps(content))


def test_a_book_made_by_hand_is_read(tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    plays = {canonical(START)[0]: 12 | BOOK_WIN << 5, canonical(AFTER)[0]: 6 | BOOK_LOSS << 5}
    with_plays(path, bytes(play for _, play in sorted(plays.items())))
    book = read_book(str(path), game=COURSE)
    assert (book.find(START).move, book.find(START).verdict, book.find(AFTER).verdict) == (12, BOOK_WIN, BOOK_LOSS)


@pytest.mark.parametrize("play", [26, 31, 12 | 3 << 5, 12 | 1 << 7])
def test_what_is_no_play_is_refused(tmp_path: Path, play: int) -> None:
    path = tmp_path / "book.json"
    with_plays(path, bytes([play, 0]))
    assert_refused(path, "damaged: .* no move")


def test_an_illegal_move_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    with_plays(path, bytes([12, 12]))
    assert_refused(path, "damaged: .* plays 2,2, which is illegal")


def test_ko_and_suicide_are_refused(tmp_path: Path) -> None:
    """1,1 is the last liberty of Black's stones in a corner, and 0,0 is a point that White surrounds."""
    path = tmp_path / "book.json"
    suicide = Position(0, 1 << 1 | 1 << 5, None, 4)
    ko = START
    for move in (1, 2, 5, 8, 11, 12, 24, 6, 7):
        ko = ko.play(move)
    assert ko.ko is not None
    for position, move in ((suicide, 0), (ko, ko.ko)):
        key, symmetry = canonical(position)
        with_plays(path, bytes([POINT_IMAGE[symmetry][move]]), [key])
        assert_refused(path, "which is illegal")
        with_plays(path, bytes([POINT_IMAGE[symmetry][23]]), [key])
        assert len(read_book(str(path), game=COURSE)) == 1


@pytest.mark.parametrize("keys", [[5, 5], [6, 5], [1 << 63, 1 << 62]])
def test_keys_out_of_order_are_refused(tmp_path: Path, keys: list[int]) -> None:
    path = tmp_path / "book.json"
    with_plays(path, bytes([PASS, PASS]), keys)
    assert_refused(path, "damaged: .* out of order")


def test_the_shipped_book_has_legal_moves_alone() -> None:
    for position, entry in read_book(str(ROOT / "book.json"), game=COURSE).items():
        assert entry.move in position.legal_moves()


def test_a_byte_order_mark_before_a_book_means_nothing(tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    path.write_bytes(b"\xef\xbb\xbf" + (ROOT / "book.json").read_bytes())
    assert dict(read_book(str(path), COURSE).items()) == dict(read_book(str(ROOT / "book.json"), COURSE).items())


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_what_is_not_json_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "book.json"
    path.write_bytes(content)
    assert_refused(path, "not JSON")


@pytest.mark.parametrize("content", ["[]", "1", "null", '"book"'])
def test_other_json_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "book.json"
    path.write_text(content)
    assert_refused(path, "not a Little-Go book")


def test_a_missing_book_is_reported(tmp_path: Path) -> None:
    assert_refused(tmp_path / "none.json", "No such file or directory")
    assert_refused(tmp_path, "Is a directory")


def assert_refused(path: Path, message: str) -> None:
    with pytest.raises(BookError, match=message) as error:
        read_book(str(path), game=COURSE)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


def test_the_reader_runs_wherever_the_script_does(python: str, tmp_path: Path) -> None:
    path = tmp_path / "book.json"
    after = START.play(12)
    write_book([line(START, 12), line(after, PASS, BOOK_LOSS)], path, game=COURSE)
    program = f"""
from little_go.book.files.reader import BookError, read_book
from little_go.solver.family import COURSE
from little_go.solver.position import START
book = read_book({str(path)!r}, COURSE)
known = book.find(START)
print(len(book), known.move, known.verdict, *known.bounds, book.find(START.play(12)).move, book.get(START.play(0)))
try:
    read_book("no such book", COURSE)
except BookError as error:
    print(error)
"""
    result = subprocess.run([python, "-B", "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.stdout.split("\n") == [
        f"2 12 {BOOK_WIN} 3 24 {PASS} None",
        "no such book: No such file or directory",
        "",
    ]
    assert result.stderr == ""

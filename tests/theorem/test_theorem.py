"""The input for Coq: lines, pieces, games, damaged certificates. Coq itself runs in `make theorem` only."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from book.files.games import STAFF_GAMES
from solver.position import PASS, START, Position
from solver.symmetry import canonical_key, position_of
from theorem.__main__ import main
from theorem.damage import damage_source, small
from theorem.games import course_games_source, games_source, ply_numbers
from theorem.lines import Line, Lines, line_text, number_of, parse_line, read_lines, write_lines
from theorem.source import NEEDS, cut, write_coq

ROOT = Path(__file__).parents[2]
COQ = sorted((ROOT / "theorem" / "coq").glob("*.v"))

#: Black at 1,2 can be taken at 1,1, and may not take back at once.
KO_NODE = Position(1 << 1 | 1 << 5 | 1 << 11, 1 << 2 | 1 << 8 | 1 << 12, None, 12)


def two_levels() -> Lines:
    """Return a node whose answers make a ko, and a leaf for each; the moves need not win."""
    node = Line(KO_NODE, 7)
    after = KO_NODE.play(7)
    children = {canonical_key(after.play(move)) for move in after.legal_moves()}
    leaves = [Line(position_of(key), position_of(key).legal_moves()[3]) for key in sorted(children)]
    return Lines("black", 10, [node, *leaves])


@pytest.mark.parametrize("source", COQ, ids=lambda path: path.stem)
def test_nothing_is_left_unproved(source: Path) -> None:
    text = source.read_text()
    assert not re.search(r"\b(Admitted|admit|Axiom|Parameter|Conjecture|Abort)\b", text)


def test_the_proof_is_there() -> None:
    assert len(COQ) == 13


def test_lines_survive_their_file(tmp_path: Path) -> None:
    lines = two_levels()
    write_lines(tmp_path / "a.gz", lines)
    read = read_lines(tmp_path / "a.gz")
    assert read.winner == "black"
    assert read.leaf == 10
    assert set(read.lines) == set(lines.lines)


@pytest.mark.parametrize(
    "content", [b"", b"winner black\n", b"\x1f\x8b\x08broken", b"\x1f\x8b\x08" + bytes(7) + b"\x07"]
)
def test_a_file_of_no_lines_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.gz").write_bytes(content)
    with pytest.raises(ValueError, match=r"a\.gz"):
        read_lines(tmp_path / "a.gz")


def test_a_line_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="not a line"):
        parse_line("24 ......................... - - 5,5")


def test_a_number_holds_the_line() -> None:
    line = parse_line("11 X.......................O 2,2 P 4,3")
    black_first, white_first = number_of(line, "black"), number_of(line, "white")
    assert black_first & 0x1FFFFFF == 1
    assert white_first & 0x1FFFFFF == 1 << 24
    assert black_first >> 50 & 31 == 12
    assert black_first >> 55 & 1 == 1
    assert black_first >> 56 == 23
    assert line_text(line) == "11 X.......................O 2,2 P 4,3"


def test_pieces_cover_the_lines() -> None:
    assert [first for _, first in cut(45, 10)] == [0, 10, 20, 30, 40]
    assert sum(count for count, _ in cut(45, 10)) == 45


def test_the_sources_name_every_piece(tmp_path: Path) -> None:
    counts = write_coq(two_levels(), tmp_path, 5)
    theorem = (tmp_path / "BlackRight.v").read_text()
    assert sum(counts.values()) == len(two_levels().lines)
    for name in counts:
        assert f"exact {name}.right" in theorem
        assert "check 3 0 10 lines" in (tmp_path / f"{name}.v").read_text()


def test_a_source_that_is_the_same_stays(tmp_path: Path) -> None:
    write_coq(two_levels(), tmp_path, 5)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    write_coq(two_levels(), tmp_path, 5)
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}


def test_what_each_colour_needs() -> None:
    assert NEEDS == {"black": (3, 0), "white": (0, 2)}


def test_a_game_ends_with_its_stones() -> None:
    after = START.play(12)
    numbers = ply_numbers(
        iter([(START, 12), (after, PASS), (after.play(PASS), PASS), (after.play(PASS).play(PASS), None)])
    )
    assert numbers[0] == (1 << 25) - 1 | 12 << 25
    assert numbers[-1] == 1 << 12 | 1 << 50


def test_games_have_the_plies_asked_for() -> None:
    source, plies, games = games_source(100, 3)
    assert plies >= 100
    assert games >= 1
    assert source == games_source(100, 3)[0]
    assert "games_agree games = true" in source


def test_the_courses_whole_games_are_replayed() -> None:
    source, games = course_games_source(STAFF_GAMES)
    assert games == 1994
    assert "course_agrees games = true" in source


def test_ten_certificates_are_damaged() -> None:
    source, wrong = damage_source(two_levels())
    assert len(wrong) == 10
    arrays = re.findall(r"\| 10 => (\[\|[^]]*\])\n  \| 12 => (\[\|[^]]*\])", source)
    assert len(arrays) == 11
    assert len(set(arrays)) == 11
    assert source.count("= false.") == 10
    assert source.count("= true.") == 1


def test_a_node_with_a_ko_is_chosen() -> None:
    _, leaves = small(two_levels())
    assert any(line.position.ko is not None for line in leaves)


@pytest.mark.parametrize("command", ["lines", "coq", "games", "damage"])
def test_commands_have_help(command: str) -> None:
    result = CliRunner().invoke(main, [command, "--help"])
    assert result.exit_code == 0
    assert "Usage" in result.output

"""The input for Coq: certificates, pieces, games, damaged copies. Coq itself runs only in `make theorem`."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from lab.commands.theorem import theorem as main
from lab.theorem import leaves as leaves_module
from lab.theorem.leaves import Line, Strategy, number_of, parse_line, read_strategy, take_apart
from lab.theorem.source import course_games_source, cut, damage_source, games_source, ply_numbers, small, write_coq
from little_go.book.files.games import STAFF_GAMES
from little_go.solver.position import PASS, START, Position
from little_go.solver.symmetry import canonical_key, position_of

ROOT = Path(__file__).parents[3]
COQ = sorted((ROOT / "lab" / "theorem" / "coq").glob("*.v"))

#: The black stone on 1,2 can be captured on 1,1, and ko forbids the recapture.
KO_NODE = Position(1 << 1 | 1 << 5 | 1 << 11, 1 << 2 | 1 << 8 | 1 << 12, None, 12)


CERTIFICATES = ROOT / "proof" / "certificates"


def two_levels() -> Strategy:
    """Return a node whose answers make a ko, and a leaf for each answer; the moves need not win."""
    node = Line(KO_NODE, 7, False)
    after = KO_NODE.play(7)
    children = {canonical_key(after.play(move)) for move in after.legal_moves()}
    leaves = [Line(position_of(key), position_of(key).legal_moves()[3], True) for key in sorted(children)]
    return Strategy("two_levels", True, 3, (), [node, *leaves])


@pytest.mark.parametrize("source", COQ, ids=lambda path: path.stem)
def test_nothing_is_left_unproved(source: Path) -> None:
    text = source.read_text()
    assert not re.search(r"\b(Admitted|admit|Axiom|Parameter|Conjecture|Abort)\b", text)


def test_the_proof_is_there() -> None:
    assert len(COQ) == 13


@pytest.mark.system
def test_a_shipped_certificate_is_read() -> None:
    read = read_strategy(CERTIFICATES / "after-1-2-at-most-0.cert.gz")
    assert read[:4] == ("after_1_2_at_most_0", False, 0, (7,))
    assert len(read.lines) == 26_980
    assert sum(line.is_leaf for line in read.lines) == 20_980


@pytest.mark.parametrize("content", [b"", b"winner black\n", b"\x1f\x8b\x08broken"])
def test_a_file_that_is_no_certificate_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.gz").write_bytes(content)
    with pytest.raises(ValueError, match=r"a\.gz, line 1: "):
        read_strategy(tmp_path / "a.gz")


@pytest.mark.system
def test_expensive_leaves_are_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_strategy(CERTIFICATES / "after-1-2-at-most-0.cert.gz")
    monkeypatch.setattr(leaves_module, "CHEAP_NODES", 200)
    opened = take_apart(read._replace(lines=[line for line in read.lines if line.is_leaf][:20]))
    known = {canonical_key(line.position) for line in opened.lines}
    nodes = [line for line in opened.lines if not line.is_leaf]
    assert nodes
    for node in nodes:
        after = node.position.play(node.move)
        replies = (after.play(move) for move in after.legal_moves())
        assert all(canonical_key(reply) in known for reply in replies if not reply.is_over)


def test_a_line_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="not a move"):
        parse_line("24 ......................... - - 5,5", 10)


def test_a_number_holds_the_line() -> None:
    line = parse_line("11 X.......................O 2,2 P 4,3", 11)
    black_first, white_first = number_of(line, True), number_of(line, False)
    assert black_first & 0x1FFFFFF == 1
    assert white_first & 0x1FFFFFF == 1 << 24
    assert black_first >> 50 & 31 == 12
    assert black_first >> 55 & 1 == 1
    assert black_first >> 56 & 31 == 23
    assert black_first >> 61 == 1
    assert number_of(line._replace(is_leaf=False), True) >> 61 == 0


def test_pieces_cover_the_lines() -> None:
    assert [first for _, first in cut(45, 10)] == [0, 10, 20, 30, 40]
    assert sum(count for count, _ in cut(45, 10)) == 45


def test_the_sources_name_every_piece(tmp_path: Path) -> None:
    counts = write_coq(two_levels(), tmp_path, 5)
    theorem = (tmp_path / "two_levels_right.v").read_text()
    assert sum(counts.values()) == len(two_levels().lines)
    for name in counts:
        assert f"exact {name}.right" in theorem
        assert "check 3 0 lines" in (tmp_path / f"{name}.v").read_text()


def test_a_source_that_is_the_same_stays(tmp_path: Path) -> None:
    write_coq(two_levels(), tmp_path, 5)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    write_coq(two_levels(), tmp_path, 5)
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}


@pytest.mark.parametrize(
    ("black", "bound", "needs"), [(True, 3, (3, 0)), (True, -2, (0, 2)), (False, 3, (0, 3)), (False, -3, (3, 0))]
)
def test_what_each_side_needs(black: bool, bound: int, needs: tuple[int, int]) -> None:
    assert Strategy("a", black, bound, (), []).needs == needs


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


@pytest.mark.parametrize("command", ["coq", "games", "damage"])
def test_commands_have_help(command: str) -> None:
    result = CliRunner().invoke(main, [command, "--help"])
    assert result.exit_code == 0
    assert "Usage" in result.output

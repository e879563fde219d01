"""A certificate is written for a claim, and the independent checker proves it."""

import gzip
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from little_go.proof import strategist
from little_go.proof.__main__ import main
from little_go.solver.exact import ExactSolver
from little_go.solver.native.kernel import canonical_key
from little_go.solver.position import GAME_PLIES, START, parse_moves, play_all
from little_go.solver.symmetry import position_of

#: A position with ten plies left, after random moves except the first ones.
PLAYED = "2,2 1,2 2,1 2,3 3,3 1,3 3,4 1,1 1,0 3,2 3,1 1,4 0,0 4,2"


@pytest.fixture(autouse=True)
def small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategist, "TABLE_MIB", 16)
    monkeypatch.setattr(strategist, "LEAF_TABLE_MIB", 16)


@pytest.fixture(scope="module")
def value() -> int:
    found = ExactSolver().value(play_all(START, parse_moves(PLAYED))).value
    assert found is not None
    return found


def write(claim: str, out: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["certificate", "--claim", claim, "--out", str(out), *options])


def check(path: Path) -> Result:
    return CliRunner().invoke(main, ["check", str(path), "--workers", "1"])


def test_a_start_is_first_decided_with_fewer_plies_left() -> None:
    """These results guide the search of the start. Afterwards a table contains them, so each takes few nodes."""
    start = play_all(START, parse_moves(PLAYED)[:-2])
    claim = strategist.Claim(black=True, bound=3)
    with strategist.Strategist(claim, 1, lambda *_: None) as search:
        next(search.strategy([start], 6))
        learned = search._lanes[0].kernel
        other = strategist.Lane(claim, 16).kernel
        position = position_of(canonical_key(start))
        for left in range(strategist.SHORTEST, start.left, 2):
            shorter = position._replace(ply=GAME_PLIES - left)
            counts = [kernel.decide(shorter, claim.threshold).nodes for kernel in (learned, other)]
            assert counts[0] * 10 < counts[1], counts


@pytest.mark.parametrize(
    ("sign", "leaf", "words"),
    # In the last case the leaf level is the level of the start.
    [(">=", "6", "or more"), ("<=", "5", "or less"), (">=", "10", "or more")],
)
def test_an_exact_value_is_proved_from_both_sides(tmp_path: Path, value: int, sign: str, leaf: str, words: str) -> None:
    out = tmp_path / "cert.gz"
    done = write(f"black {sign} {value}", out, "--moves", PLAYED, "--left", leaf)
    assert done.exit_code == 0, done.output
    assert re.search(
        rf"cert.gz: black {sign} {value}, [\d,]+ lines, leaves with {leaf} plies left, [\d,]+ bytes", done.output
    )
    proved = check(out)
    assert proved.exit_code == 0, proved.output
    assert f" at {value:+d} {words} after {PLAYED}" in proved.output


def test_a_claim_that_does_not_hold_is_refused_and_nothing_written(tmp_path: Path, value: int) -> None:
    for sign, bound, leaf in ((">=", value + 1, "6"), ("<=", value - 1, "5")):
        done = write(f"black {sign} {bound}", tmp_path / "cert", "--moves", PLAYED, "--left", leaf)
        assert done.exit_code == 1
        assert f"Error: black {sign} {bound} does not hold from " in done.output
    assert not list(tmp_path.iterdir())


@pytest.mark.system
def test_any_number_of_workers_writes_the_same_bytes(
    tmp_path: Path, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strategist, "ONE_LANE_LEFT", 9)
    for workers in ("1", "2", "5"):
        done = write(f"black >= {value}", tmp_path / workers, "--moves", PLAYED, "--left", "4", "--workers", workers)
        assert done.exit_code == 0, done.output
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes() == (tmp_path / "5").read_bytes()


def test_several_starts_share_a_certificate(tmp_path: Path) -> None:
    out = tmp_path / "cert.gz"
    starts = [f"{PLAYED} 2,0", f"{PLAYED} 2,4"]
    most = max(ExactSolver().value(play_all(START, parse_moves(moves))).hi for moves in starts)
    options = [option for moves in starts for option in ("--moves", moves)]
    done = write(f"black <= {most}", out, *options, "--left", "5")
    assert done.exit_code == 0, done.output
    rows = gzip.decompress(out.read_bytes()).decode().splitlines()
    assert rows[2:5] == [f"claim black <= {most}", *(f"start {moves}" for moves in starts)]
    proved = check(out)
    assert proved.exit_code == 0, proved.output


#: The first half of the principal variation.
HALF = "2,2 1,1 1,2 3,1 2,1 3,2 3,0 1,0 0,1 2,0 0,0 2,3"


@pytest.mark.system
def test_starts_of_different_depths_share_a_certificate(tmp_path: Path) -> None:
    out = tmp_path / "cert"
    done = write("black <= 3", out, "--moves", HALF, "--moves", f"{HALF} 0,2 1,3 0,3", "--left", "7", "--whole")
    assert done.exit_code == 0, done.output
    assert "\nproved: White can keep Black - White at +3 or less" in done.output
    assert check(out).exit_code == 0


def test_what_was_written_is_checked(tmp_path: Path, value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    options = (f"black >= {value}", tmp_path / "cert", "--moves", PLAYED, "--left", "6")
    assert "\nno error in " in write(*options).output
    monkeypatch.setattr(strategist.Lane, "cheapest_move", lambda lane, position: position.legal_moves()[0])
    done = write(*options, "--whole")
    assert done.exit_code == 1
    assert "\nwrong: line " in done.output


def test_a_position_that_has_fewer_plies_left_is_refused(tmp_path: Path) -> None:
    done = write("black <= 3", tmp_path / "cert", "--moves", PLAYED, "--left", "11")
    assert (done.exit_code, len(done.output.splitlines())) == (2, 1)
    assert "--left is 11, but a position of --moves has fewer plies left" in done.output

"""The tour's claims are true, by the native kernel and the atlas; and it can be walked."""

import re

import pytest

from book.files.atlas import Row, read_atlas
from book.files.reader import read_book
from solver.native.kernel import Kernel
from solver.native.table import open_table
from solver.position import PASS, START, Position, move_name, parse_move, parse_moves, play_all
from solver.symmetry import canonical_key, position_of
from tools.browsing import ROOT, Explorer

TEXT = (ROOT / "explorer" / "page" / "tour.js").read_text("utf-8")
STOPS = [play_all(START, parse_moves(moves)) for moves in re.findall(r'moves: "([^"]*)"', TEXT)]


@pytest.fixture(scope="module")
def atlas() -> dict[Position, Row]:
    return {row.position: row for row in read_atlas(ROOT / "data" / "atlas.csv.gz")}


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return Kernel(open_table(64))


def value(kernel: Kernel, position: Position) -> int:
    if position.is_over:
        return position.black.bit_count() - position.white.bit_count()
    answer = kernel.value(position).value
    assert answer is not None
    return answer


def values_of_moves(kernel: Kernel, position: Position) -> dict[str, int]:
    return {move_name(move): value(kernel, position.play(move)) for move in position.legal_moves()}


def test_the_openings_values_are_the_atlas_s(atlas: dict[Position, Row]) -> None:
    first = {move: atlas[START.play(parse_move(move))] for move in ("0,0", "0,1", "0,2", "1,1", "1,2", "2,2")}
    assert {move: (row.lo, row.hi) for move, row in first.items()} == {
        "0,0": (-3, -3),
        "0,1": (-2, -2),
        "0,2": (-3, -3),
        "1,1": (-2, -2),
        "1,2": (0, 0),
        "2,2": (3, 3),
    }
    assert STOPS[:3] == [START, START.play(7), START.play(12)]
    assert parse_move("2,2") in first["1,2"].best


def test_the_trap(atlas: dict[Position, Row]) -> None:
    move = read_book(str(ROOT / "book.json")).find(STOPS[2]).move
    assert move_name(move) == "1,2"
    after = STOPS[2].play(move)
    replies = after.legal_moves()
    assert len(replies) == 24
    holding = [reply for reply in replies if atlas[position_of(canonical_key(after.play(reply)))].lo > 2]
    assert [move_name(reply) for reply in holding] == ["2,1", "2,3"]


def test_the_ko(kernel: Kernel) -> None:
    position = STOPS[3]
    assert position.ko == parse_move("2,0")
    assert not position.black_to_move
    assert all(v > 2 for v in values_of_moves(kernel, position).values())
    lifted = position._replace(ko=None)
    assert value(kernel, lifted) <= 2
    assert value(kernel, lifted.play(parse_move("2,0"))) <= 2


def test_the_pass_that_wins(kernel: Kernel) -> None:
    position = STOPS[4]
    assert position.left == 3
    values = values_of_moves(kernel, position)
    assert values.pop("PASS") == 2
    assert set(values) == {"0,3", "0,4"}
    assert min(values.values()) > 2
    assert not position.play(PASS).is_over


def test_the_last_ply(kernel: Kernel) -> None:
    position = STOPS[5]
    assert position.left == 1
    values = values_of_moves(kernel, position)
    assert values.pop("3,4") == 1
    assert min(values.values()) > 2
    assert position.black.bit_count() - position.play(parse_move("3,4")).black.bit_count() == 2


def test_the_tour_is_walked(explorer: Explorer) -> None:
    explorer.page.click("#tab-tour")
    for number, position in enumerate(STOPS, 1):
        assert f"Stop {number} of {len(STOPS)}" in explorer.text(".tour")
        explorer.until(f"explorer.app.position.ply === {position.ply}")
        assert explorer.position()["black"] == position.black
        if number < len(STOPS):
            explorer.page.click("#tour-next")
    assert len(STOPS) == 6
    assert explorer.page.is_disabled("#tour-next")

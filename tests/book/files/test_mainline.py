"""The shipped lines are best play: the first plies are compared with the atlas, the last plies with the kernel."""

import pytest

from little_go.book.answers.reasons import LATE_LEFT, teaching_line
from little_go.book.files.atlas import read_atlas
from little_go.book.files.shipped import ATLAS_FILE, LINES, MAIN_LINE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import PASS, START, parse_move, play_all
from little_go.solver.symmetry import canonical_key


def test_they_follow_every_first_stone_and_every_reply_to_the_centre() -> None:
    centre = START.play(parse_move("2,2"))
    after = {canonical_key(play_all(START, line.way or MAIN_LINE[:2])) for line in LINES}
    wanted = {canonical_key(position.play(move)) for position in (START, centre) for move in position.legal_moves()}
    assert after == wanted - {canonical_key(centre), canonical_key(START.play(PASS))}


def test_they_are_worth_what_they_say() -> None:
    known = {canonical_key(row.position): row for row in read_atlas(ATLAS_FILE)}
    for line in LINES:
        for position, _ in line.steps():
            row = known.get(canonical_key(position))
            assert row is None or row.lo <= line.value <= row.hi
            assert position.ply > 3 or (row is not None and row.lo == row.hi)
        end = play_all(START, (*line.way, *line.moves))
        assert end.is_over
        assert end.margin == line.value


@pytest.mark.parametrize("left", [LATE_LEFT, pytest.param(17, marks=pytest.mark.long)])
def test_every_position_on_them_is_worth_the_same(left: int) -> None:
    kernel = Kernel(open_table(64))
    for line in LINES:
        steps = [(position, at) for at, (position, _) in enumerate(line.steps()) if position.left <= left]
        assert all(kernel.value(position, guess=line.value).value == line.value for position, _ in steps)
        if line is not LINES[0]:
            late = [(position, at) for position, at in steps if position.left == LATE_LEFT]
            assert all(teaching_line(position, []) == [*line.moves[at:]] for position, at in late)

"""Random positions, facts and stores for the tests."""

from pathlib import Path

from hypothesis import strategies as st

from little_go.book.answers.sources import Source
from little_go.book.store.facts import Fact, Statement
from little_go.book.store.store import open_store
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import GAME_PLIES, START, Position

#: Black's first stone in the centre, and White's answer above it.
CENTRE = START.play(12)
REPLY = CENTRE.play(7)


def played_out(start_ply: int, choices: list[int]) -> Position:
    """Return the position after moves that are chosen by number from the legal moves, before the end of the game.

    start_ply: the ply of the game's start. As in each game, Black's PASS on the first ply would end it.
    """
    position = Variant(GAME_PLIES - start_ply, COURSE.komi).start
    for choice in choices:
        moves = position.legal_moves()
        after = position.play(moves[choice % len(moves)])
        if after.is_over:
            break
        position = after
    return position


def open_positions() -> st.SearchStrategy[Position]:
    """A strategy of positions of unfinished games, of all lengths."""
    plies = st.sampled_from(range(0, GAME_PLIES, 2))
    # Small numbers put the stones into a corner, so that there are captures and ko.
    choices = st.lists(st.one_of(st.integers(0, 2), st.integers(0, 25)), max_size=GAME_PLIES)
    return st.builds(played_out, plies, choices)


@st.composite
def facts(draw: st.DrawFn) -> Fact:
    """A strategy of facts with any bounds, and a legal best move or none."""
    position = draw(open_positions())
    value = draw(st.integers(-24, 24))
    lo, hi = draw(st.integers(-24, value)), draw(st.integers(value, 24))
    best = draw(st.one_of(st.none(), st.sampled_from(position.legal_moves())))
    return Fact(position, lo, hi, best, draw(st.integers(0, 10**12)), draw(st.floats(0, 1e6)))


def make_store(path: Path, *known: Fact, game: Variant = COURSE) -> Path:
    """Write a store that contains the facts, and return its path."""
    with open_store(path, write=True, game=game) as store:
        store.record(known)
    return path


class Told(Source):
    """A source with a statement about a single position."""

    def __init__(self, position: Position, said: Statement) -> None:
        self._position, self._said = position, said

    def statements_about(self, position: Position) -> list[Statement]:
        return [self._said] if position == self._position else []

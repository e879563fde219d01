"""The drawn positions are from games, one for each game and ply, and are always the same."""

import itertools

from lab.speed.bench import drawn_positions
from little_go.solver.position import GAME_PLIES, START, Position
from little_go.solver.symmetry import key_of


def follows(before: Position, after: Position) -> bool:
    return after in map(before.play, before.legal_moves())


def test_each_list_goes_on_with_the_games_of_the_one_before() -> None:
    drawn = drawn_positions(6)
    assert len(drawn) == GAME_PLIES
    assert drawn[0] == [START] * 6
    for ply, (level, following) in enumerate(itertools.pairwise(drawn)):
        assert all(position.ply == ply and not position.is_over for position in level)
        assert all(map(follows, level, following))


def test_the_positions_stay_the_same() -> None:
    drawn = drawn_positions(4)
    assert drawn_positions(2) == [level[:2] for level in drawn]
    assert [key_of(position) for position in drawn[6]] == KEYS


KEYS = [648518365131857984, 648518347759812608, 648659084500816128, 648799838565044353]

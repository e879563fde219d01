"""The eight symmetries and the keys."""

import pytest
from hypothesis import given

from little_go.solver.position import GAME_PLIES, PASS, POINTS, Position
from little_go.solver.symmetry import (
    IDENTITY,
    INVERSE,
    KEY_BITS,
    POINT_IMAGE,
    SYMMETRIES,
    canonical,
    canonical_key,
    key_of,
    position_of,
    transform,
    transform_mask,
)
from tests.book.positions import open_positions
from tests.solver.positions import drawn

ALL = range(SYMMETRIES)


def test_symmetries_are_eight_permutations_with_an_identity() -> None:
    assert len({tuple(image) for image in POINT_IMAGE}) == 8
    for image in POINT_IMAGE:
        assert sorted(image) == list(range(PASS + 1))
        assert image[PASS] == PASS
    assert POINT_IMAGE[IDENTITY] == list(range(PASS + 1))


def test_symmetries_form_a_group() -> None:
    for first in ALL:
        for second in ALL:
            assert [POINT_IMAGE[second][p] for p in POINT_IMAGE[first]] in POINT_IMAGE
        assert [POINT_IMAGE[INVERSE[first]][p] for p in POINT_IMAGE[first]] == POINT_IMAGE[IDENTITY]


def test_symmetries_keep_neighbours() -> None:
    def beside(p: int, q: int) -> bool:
        return abs(p // 5 - q // 5) + abs(p % 5 - q % 5) == 1

    for image in POINT_IMAGE:
        for p in range(POINTS):
            for q in range(POINTS):
                assert beside(p, q) == beside(image[p], image[q])


def test_mask_goes_where_its_points_go() -> None:
    for symmetry in ALL:
        for p in range(POINTS):
            assert transform_mask(symmetry, 1 << p) == 1 << POINT_IMAGE[symmetry][p]


@given(open_positions())
def test_images_share_the_canonical_key(position: Position) -> None:
    key, symmetry = canonical(position)
    image = transform(symmetry, position)
    assert key_of(image) == key
    assert position_of(key) == image
    assert {canonical_key(transform(s, position)) for s in ALL} == {key}
    assert key == min(key_of(transform(s, position)) for s in ALL)


@given(open_positions())
def test_key_round_trips(position: Position) -> None:
    key = key_of(position)
    assert 0 <= key < 1 << KEY_BITS
    assert position_of(key) == position


@given(open_positions())
def test_moves_map_to_moves_of_the_image(position: Position) -> None:
    for symmetry in ALL:
        image = transform(symmetry, position)
        assert image.legal_moves() == sorted(POINT_IMAGE[symmetry][m] for m in position.legal_moves())
        for move in position.legal_moves():
            assert image.play(POINT_IMAGE[symmetry][move]) == transform(symmetry, position.play(move))


def test_lowest_symmetry_is_chosen() -> None:
    assert canonical(Position(black=1 << 12, ply=1))[1] == IDENTITY


def test_keys_tell_apart_what_the_boards_do_not() -> None:
    ko = drawn("+ X O . . X O . . . . . . . . . . . . . . . . . .", "O")
    positions = [ko, ko._replace(ko=None), ko._replace(ko=None, passed=True), ko._replace(ply=13)]
    positions.append(Position(ko.white, ko.black, ply=ko.ply))
    assert len({canonical_key(position) for position in positions}) == len(positions)


@pytest.mark.parametrize("key", [-1, 1 << KEY_BITS])
def test_key_out_of_range_is_refused(key: int) -> None:
    with pytest.raises(ValueError, match="not within 61 bits"):
        position_of(key)


@pytest.mark.parametrize("key", [(POINTS + 1) << 50, (GAME_PLIES + 1) << 55])
def test_impossible_key_is_refused(key: int) -> None:
    with pytest.raises(ValueError, match="is not the key of a position"):
        position_of(key)

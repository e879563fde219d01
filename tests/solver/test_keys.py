"""The kernel's canonical keys and children agree with solver.symmetry and solver.position."""

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from little_go.solver import native, symmetry
from little_go.solver.native import kernel
from little_go.solver.position import FULL, GAME_PLIES, PASS, POINTS, START, Position, play_all
from little_go.solver.symmetry import SYMMETRIES, key_of, position_of, transform
from tests.book.positions import open_positions
from tests.solver.positions import drawn, shown

#: By plies played, the number of positions, including PASS, ko and pass state, without finished games.
COUNTS = [1, 6, 91, 1037, 12_397, 94_315]

BAD_KEYS = [1 << 61, (POINTS + 1) << 50, (GAME_PLIES + 1) << 55]


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A strategy of unfinished positions, often with a ko, because a move that makes a ko is played if there is one."""
    position = draw(open_positions())
    after = [position.play(move) for move in position.legal_moves()]
    return draw(st.sampled_from([position, *(child for child in after if child.ko is not None)]))


def children(position: Position) -> list[tuple[int, int]]:
    return [(move, symmetry.canonical_key(position.play(move))) for move in position.legal_moves()]


@pytest.mark.parametrize("examples", [50, pytest.param(2000, marks=pytest.mark.long)])
def test_children_and_canonical_key_are_as_in_python(examples: int) -> None:
    @settings(max_examples=examples)
    @given(positions())
    def agree(position: Position) -> None:
        assert kernel.children(key_of(position)) == children(position), shown(position)
        assert kernel.canonical_key(position) == symmetry.canonical_key(position), shown(position)

    agree()


@given(st.integers(0, FULL), st.integers(0, FULL), st.one_of(st.none(), st.integers(0, POINTS - 1)), st.booleans())
def test_canonical_key_of_any_masks(black: int, white: int, ko: int | None, passed: bool) -> None:
    position = Position(black, white & ~black, ko, 7, passed)
    assert kernel.canonical_key(position) == symmetry.canonical_key(position)


@settings(max_examples=20)
@given(st.lists(positions(), max_size=20), st.integers(0, SYMMETRIES - 1))
def test_next_ply_is_all_children_in_which_the_game_goes_on(roots: list[Position], image: int) -> None:
    expected = {key for root in roots for _, key in children(root) if not position_of(key).is_over}
    keys = [key_of(transform(image, root)) for root in roots]
    assert list(kernel.next_ply(keys)) == sorted(expected)
    assert kernel.next_ply(keys) == kernel.next_ply(array("Q", keys)) == kernel.next_ply(iter(keys))


def test_first_plies() -> None:
    level = array("Q", [key_of(START)])
    for count in COUNTS:
        assert len(level) == count
        assert {position_of(key).ply for key in level} == {COUNTS.index(count)}
        level = kernel.next_ply(level)


def test_first_plies_are_as_in_python() -> None:
    level = {key_of(START)}
    for ply in range(3):
        following = kernel.next_ply(level)
        level = {key for parent in level for _, key in children(position_of(parent))}
        level = {key for key in level if not position_of(key).is_over}
        assert list(following) == sorted(level)
        assert len(level) == COUNTS[ply + 1]


def test_many_keys_are_taken_in_batches() -> None:
    level = array("Q", [key_of(START)])
    for _ in COUNTS[1:]:
        level = kernel.next_ply(level)
    # The keys are more than the kernel processes at once, and each occurs twice.
    level = level[: (1 << 15) + 100]
    assert 2 * len(level) > 1 << 16
    assert kernel.next_ply(level + level) == kernel.next_ply(level)


def test_a_pass_that_ends_the_game_leaves_no_plies() -> None:
    answered = Position(black=1 << 12, ply=2, passed=True)
    for position in (START, answered, Position(black=1 << 12, ply=GAME_PLIES - 1)):
        move, key = kernel.children(key_of(position))[-1]
        assert (move, position_of(key)) == (PASS, Position(position.black, 0, None, GAME_PLIES, True))
    assert kernel.children(key_of(START.play(PASS))) == []
    assert not kernel.next_ply([key_of(START.play(PASS))])
    assert not kernel.next_ply([key_of(answered._replace(ply=GAME_PLIES - 1))])


def test_ko_point_is_left_out_and_lifted_by_a_pass() -> None:
    ko = drawn("+ X O . . X O . . . . . . . . . . . . . . . . . .", "O")
    after = dict(kernel.children(key_of(ko)))
    assert 0 not in after
    assert position_of(after[PASS]).ko is None
    assert 0 in dict(kernel.children(key_of(ko._replace(ko=None))))


@pytest.mark.parametrize("key", [*BAD_KEYS, -1, 1 << 64])
def test_bad_keys_are_refused(key: int) -> None:
    with pytest.raises(ValueError, match="key"):
        kernel.children(key)
    with pytest.raises(ValueError, match="key"):
        kernel.next_ply([0, key])


def test_nothing_follows_nothing() -> None:
    assert kernel.next_ply([]) == array("Q")


def test_the_steps_of_a_position_are_its_legal_moves() -> None:
    """A step has the position as it is, and not the position of the canonical key."""
    position = play_all(START, [0, 12, 24])
    steps = native.steps_from(position)
    assert [step.move for step in steps] == position.legal_moves()
    assert [step.position for step in steps] == [position.play(step.move) for step in steps]
    assert [step.key for step in steps] == [kernel.canonical_key(step.position) for step in steps]


def test_symmetric_moves_are_one_step() -> None:
    """The first of them is kept. A PASS on the first ply ends the game, so it leads to no child."""
    steps = native.distinct_steps(START)
    assert [step.move for step in steps] == [0, 1, 2, 6, 7, 12, PASS]
    assert native.children(START) == {step.key for step in steps[:-1]}


@pytest.mark.parametrize("name", ["kernel", "explain"])
def test_a_kernel_that_is_not_built_is_reported(name: str) -> None:
    module = f"little_go.solver.native.{name}"
    with pytest.raises(native.NoKernel, match="make setup"), native.kernel_needed():
        raise ImportError(name=module)


def test_another_import_that_fails_is_passed_on() -> None:
    with pytest.raises(ImportError) as raised, native.kernel_needed():
        raise ImportError(name="numpy")
    assert raised.value.name == "numpy"

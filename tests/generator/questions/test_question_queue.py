"""The queue of an atlas: the order of positions, their windows, and the splitting of positions."""

from collections.abc import Callable
from functools import cache

import pytest

from little_go.book.store.facts import Contradiction
from little_go.generator.questions.first_plies import Tree, edges_of, losses, merge_proven, order
from little_go.generator.questions.question_queue import EXACT, VERDICT, QuestionQueue, Window
from little_go.solver.answer import LEAST, MOST, Answer
from little_go.solver.bounds import UNKNOWN
from little_go.solver.exact import ExactSolver
from little_go.solver.position import GAME_PLIES, START, Position
from little_go.solver.symmetry import key_of, position_of

SPLIT = 1000


def queue_of(
    plies: int, game: int, window: Window, look_up: Callable[[int], Answer] = lambda key: UNKNOWN, split: bool = False
) -> QuestionQueue:
    tree = Tree(Position(ply=GAME_PLIES - game), plies, lambda *_: None)
    return QuestionQueue(tree, window, look_up, SPLIT if split else None)


@cache
def exact(key: int) -> Answer:
    return ExactSolver().value(position_of(key))


def test_positions_go_out_once_then_where_fewest_are() -> None:
    one = queue_of(1, 8, EXACT)
    first = [one.next() for _ in range(one.open)]
    assert len(set(first)) == one.open
    assert one.next(again=False) is None
    assert one.next() == first[0]
    assert one.next() == first[1]


def test_what_a_slice_leaves_open_is_next() -> None:
    one = queue_of(1, 8, EXACT)
    key = one.next()
    assert key is not None
    change = one.record_answer(key, Answer(-3, 5, None, 0), 10**9)
    assert (change.derived, change.finished) == ([], [])
    assert one.next() == key


def test_what_is_settled_does_not_come_again() -> None:
    one = queue_of(1, 8, VERDICT)
    key = one.next()
    assert key is not None
    assert one.record_answer(key, Answer(-24, 2, None, 0), 1).finished == [key]
    assert key not in {one.next() for _ in range(20)}


def test_known_positions_are_not_searched() -> None:
    assert queue_of(1, 8, EXACT, exact).next() is None


@pytest.mark.parametrize("window", [EXACT, VERDICT, Window(-3, -1)])
def test_a_split_position_gets_its_value_from_those_after_it(window: Window) -> None:
    # Every search fails, except of positions three plies deeper.
    one, last = queue_of(1, 8, window, split=True), 0
    while (key := one.next()) is not None:
        position, asked = position_of(key), one.window(key)
        assert window.lo <= asked.lo < asked.hi <= window.hi
        assert asked.lo <= one.guess(key) <= asked.hi
        if position.left > 5:
            one.record_answer(key, one.answers[key], SPLIT)
        else:
            truth = exact(key).value
            assert truth is not None
            lo, hi = (truth if truth > asked.lo else LEAST), (truth if truth < asked.hi else MOST)
            one.record_answer(key, Answer(min(lo, asked.hi), max(hi, asked.lo), None, 0), SPLIT)
            last += 1
    assert last
    assert one.open == 0
    tree = Tree(Position(ply=GAME_PLIES - 8), 1, lambda *_: None)
    for key in tree.last:
        truth, found = exact(key).value, one.answers[key]
        assert truth is not None
        assert found.lo <= truth <= found.hi
        assert window.settles(found)


def test_positions_after_several_split_ones_serve_all_of_them() -> None:
    one = queue_of(2, 8, EXACT, split=True)
    split = [one.next() for _ in range(12)]
    for key in split:
        assert key is not None
        one.record_answer(key, one.answers[key], SPLIT)
    after = [edge.child for key in split if key for edge in edges_of(key) if edge.child]
    shared = {key for key in after if after.count(key) > 1}
    assert shared
    out = set()
    while (key := one.next()) not in out and key is not None:
        out.add(key)
    assert shared <= out


def test_a_late_answer_of_a_split_position_settles_it() -> None:
    one = queue_of(1, 8, EXACT, split=True)
    keys = [one.next() for _ in range(one.open)]
    key = keys[0]
    assert key is not None
    assert one.next() == key  # a second worker searches the same position
    one.record_answer(key, one.answers[key], SPLIT)
    before = {edge.child for edge in edges_of(key)}
    assert one.record_answer(key, exact(key), 1).finished == [key]
    assert not before & {one.next() for _ in range(40)}


def test_a_contradiction_between_a_position_and_those_after_it_is_noticed() -> None:
    def look_up(key: int) -> Answer:
        return Answer(20, 24, None, 0) if position_of(key).left == 6 else UNKNOWN

    one = queue_of(1, 8, EXACT, look_up, split=True)
    key = one.next()
    assert key is not None
    with pytest.raises(Contradiction, match="by the moves"):
        one.record_answer(key, Answer(-5, 5, None, 0), SPLIT)


def test_what_good_play_leads_to_comes_first() -> None:
    tree = Tree(Position(ply=GAME_PLIES - 8), 2, lambda *_: None)
    answers = {key: exact(key) for level in tree.levels for key in level}
    fewest = losses(tree, answers)
    assert fewest[tree.levels[0][0]] == {(0, 0)}
    # The expected values are computed by recursion over all ways.
    ways: dict[int, set[tuple[int, int]]] = {key: set() for key in tree.last}
    for first in tree.following(tree.levels[0][0]):
        black = answers[tree.levels[0][0]].lo - answers[first].lo
        for second in tree.following(first):
            ways[second].add((black, answers[second].lo - answers[first].lo))
    ranks = {key: min((min(lost), sum(lost)) for lost in lots) for key, lots in ways.items()}
    assert all(fewest[key] <= ways[key] for key in tree.last)
    listed = order(tree, answers)
    assert sorted(listed) == tree.last
    assert [ranks[key] for key in listed] == sorted(ranks.values())
    assert len(set(ranks.values())) > 2


def test_a_position_takes_bounds_from_those_before_it() -> None:
    def look_up(key: int) -> Answer:
        return exact(key) if position_of(key).left > 6 else UNKNOWN

    one = queue_of(2, 8, EXACT, look_up)
    tree = Tree(Position(ply=GAME_PLIES - 8), 2, lambda *_: None)
    for key in tree.last:
        parents = [exact(parent) for parent in tree.parents[key]]
        least = max(parent.lo for parent in parents)
        kept = any(
            edge.child == key and edge.move == exact(parent).best
            for parent in tree.parents[key]
            for edge in tree.moves[parent]
        )
        # White has moved last. No move gains points, and his best move loses none.
        assert (one.answers[key].lo, one.answers[key].hi) == (least, least if kept else MOST)
        assert (key in one.settled_by_parents) == kept
        assert kept or one.window(key).lo == least


def test_a_move_keeps_only_the_bound_that_it_was_found_for() -> None:
    key = key_of(START)
    assert merge_proven(key, Answer(0, 5, None, 0), Answer(-2, 4, 7, 0)) == (0, 4, None, 0)
    assert merge_proven(key, Answer(0, 5, None, 0), Answer(0, 4, 7, 0)) == (0, 4, 7, 0)
    assert merge_proven(key, Answer(0, 5, 3, 0), Answer(1, 4, None, 0)) == (1, 4, None, 0)


def test_an_exact_position_without_a_best_move_is_searched_for_one() -> None:
    one = queue_of(1, 8, EXACT, lambda key: exact(key)._replace(best=None))
    key = one.next()
    assert key is not None
    assert one.record_answer(key, one.answers[key], SPLIT).finished == []
    assert one.next() == key
    assert one.record_answer(key, exact(key), 1).finished == [key]
    assert queue_of(1, 8, VERDICT, lambda key: exact(key)._replace(best=None)).open == 0


def test_all_values_come_before_the_first_best_move() -> None:
    last = Tree(Position(ply=GAME_PLIES - 8), 2, lambda *_: None).last
    valued = set(last[::2])
    one = queue_of(2, 8, EXACT, lambda key: exact(key)._replace(best=None) if key in valued else UNKNOWN)
    keys = [one.next() for _ in range(one.open)]
    assert set(keys) == set(last)
    assert set(keys[: len(last) - len(valued)]) == set(last) - valued


def test_a_split_position_with_a_known_value_needs_no_best_move() -> None:
    one = queue_of(1, 8, EXACT, split=True)
    keys = [one.next() for _ in range(one.open)]
    assert keys[0] is not None
    one.record_answer(keys[0], one.answers[keys[0]], SPLIT)
    assert one.record_answer(keys[0], exact(keys[0])._replace(best=None), 1).finished == keys[:1]

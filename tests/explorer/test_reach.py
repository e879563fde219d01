"""The module of the mode "Edit" that finds out whether a game reaches a position, run in Node.js."""

import random
from typing import Any

from little_go.notation.record import to_record
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, START, Position
from tests.explorer.vectors import PageModules

#: After the plies of the atlas, the page does not call a position impossible if it cannot prove that a game reaches it.
NOT_PROVED = [None, "no game without captures leads to it, and other games are not searched"]


def wanted(position: Position, is_reached: bool) -> dict[str, Any]:
    return to_record(position, COURSE) | {"is": [True, ""] if is_reached else NOT_PROVED}


def stones(position: Position) -> int:
    return position.black.bit_count() + position.white.bit_count()


def games(seed: int, count: int) -> list[list[Position]]:
    """Return random games, each up to the ply before its first capture, or up to the capture if it makes a ko."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        game = [START]
        while not game[-1].is_over:
            before = game[-1]
            after = before.play(rng.choice(before.legal_moves()))
            takes = stones(after) < stones(before) + 1 and after.passed == 0
            if takes and after.ko is None:
                break
            game.append(after)
            if takes:
                break
        found.append(game)
    return found


def test_positions_of_games_without_a_capture_are_reached_and_those_with_a_stone_too_many_are_not(
    page_modules: PageModules,
) -> None:
    reached = {position for game in games(571, 40) for position in game[2:] if not position.is_over}
    vectors = [wanted(position, True) for position in reached]
    few = [position for position in reached if stones(position) < position.ply and not position.passed]
    for position in few:
        # Reduce the ply so far that one side has one stone more than it had turns.
        black, white = position.black.bit_count(), position.white.bit_count()
        turns = max(2 * black - 1, 2 * white)
        if turns - 1 > 1:
            early = position._replace(ply=turns - 1, ko=None)
            vectors.append(wanted(early, False))
    assert sum(position.ko is not None for position in reached) >= 3
    assert min(len(few), len(vectors) - len(reached)) >= 30
    assert page_modules.differences("reach", vectors) == []


def test_every_board_of_three_plies(page_modules: PageModules) -> None:
    last = {START}
    for _ in range(3):
        last = {position.play(move) for position in last if not position.is_over for move in position.legal_moves()}
    last = {position for position in last if not position.is_over}
    rng = random.Random(572)
    boards = [rng.choice([START, rng.choice(sorted(last))]) for _ in range(400)]
    vectors = []
    for board in boards:
        black, white = board.black, board.white
        for _ in range(rng.randrange(3)):
            point = 1 << rng.randrange(25)
            black, white = rng.choice([(black ^ point, white & ~point), (black & ~point, white ^ point)])
        drawn = board._replace(black=black, white=white, ply=3, ko=None, passed=rng.random() < 0.5)
        vectors.append(wanted(drawn, drawn in last))
    assert len({str(vector["is"]) for vector in vectors}) == 2
    assert page_modules.differences("reach", vectors) == []


def test_a_first_pass_ends_the_game(page_modules: PageModules) -> None:
    record = to_record(START.play(12).play(PASS), COURSE) | {"ply": 1}
    assert page_modules.ask("reach", [record]) == [[False, "a PASS on the first ply ends the game"]]

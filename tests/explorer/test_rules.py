"""The page's rules are equal to Python's: moves, positions after them, keys, and reasons why something is not legal."""

import random
from collections.abc import Iterator
from typing import Any

from little_go.notation.record import to_record
from little_go.solver.family import COURSE
from little_go.solver.position import (
    BY_KO,
    FULL,
    GAME_PLIES,
    OCCUPIED,
    PASS,
    POINTS,
    START,
    SUICIDE,
    IllegalMove,
    Position,
)
from little_go.solver.symmetry import canonical_key, key_of
from tests.explorer.vectors import PageModules

GAMES, DAMAGED = 30, 600


def played(rng: random.Random) -> Iterator[Position]:
    """Yield the positions of a random game, including the last one. Some moves are passes or large captures."""
    position = START
    yield position
    while not position.is_over:
        moves = position.legal_moves()
        if rng.random() < 0.06 or moves == [PASS]:
            move = PASS
        else:
            tried = rng.sample(moves[:-1], min(len(moves) - 1, rng.choice((1, 1, 25))))
            move = max(tried, key=lambda each: -abs(position.play(each).margin) if len(tried) > 1 else 0)
        position = position.play(move)
        yield position


def games_of(seed: int) -> list[Position]:
    rng = random.Random(seed)
    return [position for _ in range(GAMES) for position in played(rng)]


def error_of(position: Position, move: int) -> str | None:
    try:
        position.play(move)
    except IllegalMove as error:
        return str(error)
    return None


def wanted(position: Position) -> dict[str, Any]:
    """Return the answers of Python's rules about a possible position."""
    moves = position.legal_moves()
    after = {move: position.play(move) for move in moves}
    classes: dict[int, list[int]] = {}
    for move, child in after.items():
        classes.setdefault(canonical_key(child), []).append(move)
    on = {canonical_key(child) for child in after.values() if not child.is_over}
    return {
        "fault": None,
        "moves": moves,
        "after": [to_record(child, COURSE) for child in after.values()],
        "illegal": [error_of(position, move) for move in range(POINTS + 1)],
        "classes": [[alike, str(key), to_record(after[alike[0]], COURSE)] for key, alike in classes.items()],
        "key": str(key_of(position)),
        "canonical": str(canonical_key(position)),
        "again": to_record(position, COURSE),
        "next": [*map(str, sorted(on))],
        "is_over": position.is_over,
        "pass_ends": position.pass_ends,
        "margin": position.margin,
        "mover": position.mover - 1,
        "sign": 1 if position.black_to_move else -1,
        "stones": [
            0 if position.black >> point & 1 else 1 if position.white >> point & 1 else None for point in range(POINTS)
        ],
    }


def test_the_page_plays_by_the_same_rules(page_modules: PageModules) -> None:
    positions = games_of(5)
    found = page_modules.ask("rules", (to_record(position, COURSE) for position in positions))
    for position, told in zip(positions, found, strict=True):
        if position.is_over:
            # After the end there are no moves. The key is not compared: after an early end it contains another number
            # of plies left.
            assert (told["moves"], told["illegal"]) == ([], ["the game is over"] * (POINTS + 1))
            assert (told["is_over"], told["next"], told["classes"]) == (True, [], [])
            assert told["margin"] == position.margin
        else:
            assert told == wanted(position), position
    clauses = {clause for told in found for clause in told["illegal"] if clause}
    errors = {clause.split(" ", 1)[1] for clause in clauses}
    assert errors == {f"is {OCCUPIED}", f"is {SUICIDE}", f"is {BY_KO}", "game is over"}


def damaged(rng: random.Random, position: Position) -> Position:
    """Return the position with a change that can make it impossible."""
    point, other = 1 << rng.randrange(POINTS), 1 << rng.randrange(POINTS)
    full = FULL & ~position.black
    return rng.choice(
        (
            position._replace(black=position.black | point),
            position._replace(white=position.white | point),
            position._replace(white=full, ko=None),
            position._replace(white=full & ~point, ko=None),
            position._replace(black=position.black & ~position.white, ko=rng.randrange(POINTS)),
            position._replace(ko=rng.randrange(POINTS)),
            position._replace(ko=rng.randrange(POINTS), passed=True),
            position._replace(ply=rng.choice((-1, 0, GAME_PLIES, GAME_PLIES + 1))),
            position._replace(passed=not position.passed),
            position._replace(black=position.black ^ point, white=position.white ^ other),
        )
    )


def fault_of(position: Position) -> str | None:
    try:
        position.check()
    except ValueError as error:
        return str(error)
    return None


def test_the_page_finds_the_same_faults(page_modules: PageModules) -> None:
    rng = random.Random(6)
    sources = games_of(7)
    positions = [damaged(rng, rng.choice(sources)) for _ in range(DAMAGED)]
    found = [told["fault"] for told in page_modules.ask("rules", [position._asdict() for position in positions])]
    assert found == [fault_of(position) for position in positions]
    words = f"both a black/not within/empty board/no liberty/after a PASS/is {OCCUPIED}/surrounded/no single stone"
    assert [word for word in words.split("/") if not any(word in (fault or "") for fault in found)] == []
    assert None in found

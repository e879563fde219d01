"""Positions as in games, drawn by seed: ``book bench`` and the explorer's bench ask every move of them.

In each game one side errs, or both do. A side that errs plays any stone at random; another plays the stone after which
the other's best reply leaves it most stones, at random among equals. So the rules alone determine these positions.
"""

import random

from solver.position import GAME_PLIES, PASS, START, Position

SEED = 561

#: The sides that err, game by game: Black, White.
_ERRS = ((True, True), (True, False), (False, True))


def drawn_positions(games: int, seed: int = 0) -> list[list[Position]]:
    """Return positions after 0 to 23 plies: a list for each ply, with a position for each of ``games`` games."""
    rng = random.Random(SEED + seed)
    lines = [_game(rng, _ERRS[game % len(_ERRS)]) for game in range(games)]
    return [list(positions) for positions in zip(*lines, strict=True)]


def _game(rng: random.Random, errs: tuple[bool, bool]) -> list[Position]:
    positions = [START]
    while len(positions) < GAME_PLIES:
        position = positions[-1]
        stones = [move for move in position.legal_moves() if move != PASS]
        if not errs[position.ply % 2]:
            worth = {move: _worth(position, move) for move in stones}
            stones = [move for move in stones if worth[move] == max(worth.values())]
        # Python promises the same random() in every version, but not the same choice().
        after = position.play(stones[int(rng.random() * len(stones))] if stones else PASS)
        # A game that ends early, or in which neither side has a stone to play, is drawn again.
        positions = [START] if after.is_over and len(positions) < GAME_PLIES else [*positions, after]
    return positions


def _worth(position: Position, move: int) -> int:
    """Return the mover's stones less the other's after a move and the reply that leaves fewest."""
    after = position.play(move)
    replies = [after] if after.is_over else [after.play(reply) for reply in after.legal_moves()]
    sign = 1 if position.black_to_move else -1
    return min(sign * (each.black.bit_count() - each.white.bit_count()) for each in replies)

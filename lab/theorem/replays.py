"""Games for Coq to replay by the theorem's definitions: random ones by the project's rules, and the course's own."""

import random
from collections.abc import Iterator
from pathlib import Path

from book.files.games import LoggedGame, read_games
from lab.theorem.source import array_list
from solver.position import PASS, POINTS, START, Position, parse_move

#: The host's reasons to end a game without an illegal move, in the order of Executed.v.
ENDS = ("max", "two_passes")


def game(rng: random.Random, pass_rate: float = 0.04) -> Iterator[tuple[Position, int | None]]:
    """Yield the positions of a random game, each with the move that follows, None at the end."""
    position = START
    while not position.is_over:
        points = [move for move in position.legal_moves() if move != PASS]
        move = PASS if not points or rng.random() < pass_rate else rng.choice(points)
        yield position, move
        position = position.play(move)
    yield position, None


def ply_numbers(positions: Iterator[tuple[Position, int | None]]) -> list[int]:
    """Return a game in the form of ``replay`` in Executed.v: the legal points and the move of each ply, and the end."""
    numbers = []
    early = False
    for position, move in positions:
        if move is None:
            numbers.append(position.black | position.white << 25 | early << 50)
        else:
            numbers.append(position.legal_points() | move << 25)
            early = move == PASS and position.pass_ends
    return numbers


def games_source(plies: int, seed: int) -> tuple[str, int, int]:
    """Return the source of a lemma that Coq agrees on games of at least ``plies`` plies, the plies and the games."""
    rng = random.Random(seed)
    games = []
    count = 0
    while count < plies:
        games.append(ply_numbers(game(rng)))
        count += len(games[-1]) - 1
    source = (
        "Require Import Uint63 List.\nImport ListNotations.\nFrom LittleGo Require Import Executed.\n"
        f"Local Open Scope uint63_scope.\n{array_list('games', games)}"
        "Lemma the_rules_agree : games_agree games = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n"
    )
    return source, count, len(games)


def course_games_source(path: Path) -> tuple[str, int]:
    """Return the source of a lemma that Coq agrees with the course's code on its whole games, and their number.

    path: games as the host logged them. Whole are those that its plies, a PASS, or an illegal last move ended. Raises
        GamesError.
    """
    games = [_course_numbers(game) for game in read_games(path, whole=True) if _is_whole(game)]
    source = (
        "Require Import Uint63 List.\nImport ListNotations.\nFrom LittleGo Require Import Executed.\n"
        f"Local Open Scope uint63_scope.\n{array_list('games', games)}"
        "Lemma the_course_agrees : course_agrees games = true.\nProof. vm_cast_no_check (eq_refl true). Qed.\n"
    )
    return source, len(games)


def _is_whole(game: LoggedGame) -> bool:
    if game.reason.startswith("invalid_"):
        return len(list(game.steps())) == len(game.moves) - 1
    return game.reason in ENDS


def _course_numbers(game: LoggedGame) -> list[int]:
    """Return a game in the form of ``course_game`` in Executed.v."""
    black, white = (sum(1 << p for p in range(POINTS) if game.final[p] == digit) for digit in "12")
    end = ENDS.index(game.reason) if game.reason in ENDS else len(ENDS)
    return [*map(parse_move, game.moves), black | white << 25 | end << 50 | (game.winner == 1) << 52]

"""A game's board for people."""

from arena.match.host import State
from solver.position import PASS, SIZE, parse_move


def draw(state: State) -> str:
    """Return the board of a game that goes on, with the last stone in brackets, and a line on ply and stones.

    >>> from arena.match.host import OPENING, judge
    >>> print(draw(judge(judge(OPENING, "2,2"), "1,4")))
      0 1 2 3 4
    0 . . . . .
    1 . . . .(O)
    2 . . X . .
    3 . . . . .
    4 . . . . .
    ply 3 of 24; X 1 : O 1 + 2.5
    """
    lines = state.position.diagram().split("\n")
    move = parse_move(state.moves[-1]) if state.moves else PASS
    if move != PASS:
        row, column = divmod(move, SIZE)
        # The heads of columns and rows come first.
        line, stone = lines[row + 1], 2 * column + 2
        lines[row + 1] = f"{line[: stone - 1]}({line[stone]}){line[stone + 2 :]}"
    black, white = state.position.black.bit_count(), state.position.white.bit_count()
    game = state.game
    return "\n".join([*lines, f"ply {state.ply + 1} of {game.plies}; X {black} : O {white} + {game.komi:g}"])

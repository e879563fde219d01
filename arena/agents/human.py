"""Human: shows the board on the terminal and asks for the move."""

from random import Random

from arena.agents import Resigned, TakenBack
from arena.agents.program import run
from solver.position import IllegalMove, Position, parse_move

_HELP = """\
  2,3     a stone in row 2, column 3, both counted from 0 at the top left
  PASS    no stone; a second PASS in a row, or one as the very first move, ends the game
  undo    take back your last move, and the answer to it
  Ctrl-D  resign
X is Black, O is White, ( ) the last stone, + a point that ko forbids. After 24 plies the stones on the board
count, and White has 2.5 more."""


def choose(position: Position, _rng: Random) -> int:
    """Return the legal move the person enters, as ``ask`` does, without a way back."""
    return ask(position, position.diagram(), may_undo=False)


def ask(position: Position, board: str, may_undo: bool) -> int:
    """Show ``board`` and return the legal move entered; whatever else is entered is explained and asked again.

    Raises Resigned at the end of the input (Ctrl-D), and TakenBack for ``undo``.
    """
    print(f"\n{board}")
    prompt = f"{'Black (X)' if position.black_to_move else 'White (O)'}, your move (? for help): "
    while True:
        try:
            text = input(prompt).strip().upper()
        except EOFError:
            print()
            raise Resigned from None
        if text in ("?", "HELP"):
            print(_HELP)
        elif text == "UNDO" and may_undo:
            print("Your last move is taken back.")
            raise TakenBack
        elif text == "UNDO":
            print("There is no move of yours to take back.")
        elif text:
            try:
                move = parse_move(text)
                position.play(move)
                return move
            except IllegalMove as error:
                print(f"Not allowed: {error}.")
            except ValueError:
                print("Enter row,column as in 2,3, or PASS, or ? for help.")


if __name__ == "__main__":
    run(choose)

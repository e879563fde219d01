"""Human: shows the board on the terminal and asks for the move."""

from random import Random

from arena.agents import Resigned
from arena.agents.program import run
from solver.position import IllegalMove, Position, parse_move


def choose(position: Position, _rng: Random) -> int:
    """Return the legal move the person enters; whatever else is entered is explained and asked again.

    Raises Resigned at the end of the input (Ctrl-D).
    """
    print(f"\n{position.diagram()}")
    prompt = f"{'Black (X)' if position.black_to_move else 'White (O)'}, your move: "
    while True:
        try:
            text = input(prompt).strip()
        except EOFError:
            print()
            raise Resigned from None
        if text:
            try:
                move = parse_move(text.upper())
                position.play(move)
                return move
            except IllegalMove as error:
                print(f"Not allowed: {error}.")
            except ValueError:
                print(
                    "Enter row,column, each 0 to 4 and counted from the top left, as in 2,3; or PASS; Ctrl-D resigns."
                )


if __name__ == "__main__":
    run(choose)

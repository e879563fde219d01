"""The agent "human" shows the board on the terminal, and asks a person for the move."""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import TypeAlias

from little_go.arena.agents import Agent, Quit, Resigned, UndoMove, run
from little_go.notation.faults import NotationError
from little_go.notation.movetext import read_move
from little_go.solver.bounds import COLOURS
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import OFF_BOARD, SIZE, IllegalMove, Position

#: Maps each word with which a person asks for advice to a function that returns lines of text.
Advice: TypeAlias = Mapping[str, Callable[[], Iterable[str]]]

#: The words that a person can enter to ask for advice.
HINT, VALUES, WHY = ADVICE = ("HINT", "VALUES", "WHY")

_HELP = """\
2,3 or 2 3  a stone in row 2, column 3; both count from 0,
            rows from the top, columns from the left
D3          the same point as Go programs name it: columns
            A to E, rows 1 to 5 from the bottom, so that
            A5 is 0,0 and E1 is 4,4
PASS        no stone; a second PASS in a row, or one as the
            very first move, ends the game
hint        the best move and its value
values      the value of each legal move, and its source
why         what your last move cost, and a better move
undo        undo your last move, and the answer to it
resign      give the game up; so does Ctrl-D
quit        leave; the game does not count
X is Black, O is White, ( ) is around the last stone, and
+ is a point that ko forbids. After {plies} plies the stones on
the board count, and White gets {komi:g} in addition."""

_END_HELP = """\
why         what your worst move cost, and a better move
undo        undo your last move, and play on
quit        leave; no further game is played
An empty line ends the game."""


def choose(position: Position, _rng: Random) -> int:
    """Return the legal move that a person enters. The person cannot undo moves or ask for advice."""
    return ask(position, position.diagram(), may_undo=False, game=COURSE)


def ask(position: Position, board: str, may_undo: bool, advice: Advice | None = None, *, game: Variant) -> int:
    """Show the board, and return the legal move that the person enters. After any other entry, ask again.

    Raise Resigned if the person enters ``resign`` or Ctrl-D, UndoMove for ``undo``, and Quit for ``quit``.
    """
    print(f"\n{board}")
    if position.passed:
        print("\n".join(_passed_text(position, game)))
    prompt = f"{COLOURS[position.mover]} ({'XO'[position.mover - 1]}), your move (? for help): "
    while True:
        word = _entered(prompt)
        if word is None or word == "RESIGN":
            raise Resigned
        if not word or _answered(word, _HELP.format(plies=game.plies, komi=game.komi), may_undo, advice or {}):
            continue
        try:
            move = read_move(word)
            position.play(move)
            return move
        except IllegalMove as error:
            print(f"Not allowed: {error}.")
        except NotationError as error:
            off = f"{word} is {OFF_BOARD}: both end at {SIZE - 1}. " if error.fault == "off-board" else ""
            print(f"{off}Enter row,column as in 2,3, both from 0 to 4, or PASS, or ? for help.")


def ask_at_end(may_undo: bool, advice: Advice) -> None:
    """Answer each line that a person enters after the end of a game, until the line is empty or the input ends.

    Raise UndoMove if the person enters ``undo``, and Quit for ``quit``.
    """
    while word := _entered("The game is over (? for help, Enter to go on): "):
        if not _answered(word, _END_HELP, may_undo, advice):
            print("The game is over: why, undo, quit, or an empty line.")


def _entered(prompt: str) -> str | None:
    """Return the line that the person enters, in capitals, or None at the end of the input."""
    try:
        return input(prompt).strip().upper()
    except EOFError:
        print()
        return None


def _answered(word: str, help_text: str, may_undo: bool, advice: Advice) -> bool:
    """Carry out an entry that is not a move. Return False if the entry is unknown."""
    if word in ("?", "HELP"):
        print(help_text)
    elif word == "QUIT":
        raise Quit
    elif word == "UNDO":
        if may_undo:
            print("Your last move is undone.")
            raise UndoMove
        print("You have made no move that could be undone.")
    elif word in advice:
        print("\n".join(advice[word]()))
    elif word in ADVICE and not advice:
        print("There is no advice here.")
    else:
        return False
    return True


def _passed_text(position: Position, game: Variant) -> list[str]:
    """Return lines of text that describe the result if the mover answers the opponent's PASS with a PASS."""
    opponent, winner = COLOURS[3 - position.mover], COLOURS[game.leader(position)]
    black, white = position.black.bit_count(), position.white.bit_count() + game.komi
    return [f"{opponent} has passed. If you pass too, the game ends,", f"and {winner} wins: X {black:g}, O {white:g}."]


AGENT = Agent(
    "human",
    rule="a person enters the moves on the terminal; `?` lists the words",
    limits="none",
    source="ours",
    choose=choose,
    is_person=True,
)


if __name__ == "__main__":
    run(choose)

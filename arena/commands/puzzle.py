"""``little-go puzzle``: find the one move that wins, and see the others refuted."""

from functools import cache

import click

from arena.agents import Quit, Resigned
from arena.agents.human import HINT, ask
from arena.review.text import wrapped
from book.answers.reasons import ExactOracle, Explanation, explained, open_oracle, reason
from book.files.puzzles import THEMES, Puzzle, read_puzzles
from notation.movetext import moves_text
from runtime.errors import BadUsage
from runtime.hints import command_line
from solver.bounds import COLOURS
from solver.family import COURSE
from solver.position import move_name

#: A person's word for the next puzzle.
SKIP = "SKIP"


class _Skipped(Exception):
    """The person skips a puzzle."""


@click.command()
@click.argument("number", type=click.IntRange(1), default=1, help="The first puzzle to ask.")
@click.option("--theme", type=click.Choice(THEMES), help="Ask only those of this theme.")
def puzzle(number: int, theme: str | None) -> None:
    """Solve puzzles, from NUMBER on: one move wins, and every other one loses.

    They go from easy to hard, by how many opponents go wrong there. Enter a move, hint, skip or quit, or ? for help.
    After a wrong move you see what comes of it.
    """
    puzzles = [(at, each) for at, each in enumerate(read_puzzles(), 1) if theme is None or theme in each.themes]
    chosen = [(at, each) for at, each in puzzles if at >= number]
    if not chosen:
        raise BadUsage(f"there is no such puzzle; the last one is {puzzles[-1][0] if puzzles else 0}")
    solved = done = 0
    try:
        for at, each in chosen:
            solved += _is_solved(at, each)
            done += 1
    except (Quit, Resigned):
        pass
    click.echo(f"{solved} of {done} solved at the first try.")
    if done < len(chosen):
        click.echo(f"Go on with {command_line('arena puzzle', chosen[done][0])}")


def _is_solved(number: int, puzzle: Puzzle) -> bool:
    """Ask a puzzle until it is solved or skipped; return whether the first try was right. Raises Quit, Resigned."""
    position, tries = puzzle.position, 0
    click.echo()
    _say(f"Puzzle {number}: one move of {COLOURS[position.mover]}'s wins. {position.ply} of 24 plies are played.")
    why = reason(position, puzzle.refutation, puzzle.solution, COURSE)
    try:
        while True:
            move = ask(position, position.diagram(), False, {HINT: lambda: _hint(puzzle), SKIP: _skip}, game=COURSE)
            tries += 1
            if move in puzzle.answers:
                wrong, tempting = f"{100 * puzzle.wrong:.0f} %", move_name(puzzle.tempting)
                then = "Then " if why.worse.startswith(tuple(COLOURS.values())) else ""
                _say(f"Right. {wrong} of opponents go wrong, most often by {tempting}. {then}{why.text}")
                return tries == 1
            _say(f"No: {move_name(move)} loses.")
            if found := _refuted(puzzle, move):
                _say(found.reason.worse)
                _say(moves_text(found.worse, position.ply))
    except _Skipped:
        _say(f"{move_name(puzzle.solution[0])} wins. {why.text}")
        return False


def _hint(puzzle: Puzzle) -> list[str]:
    """Return the answer's themes."""
    return [f"Theme: {', '.join(puzzle.themes)}." if puzzle.themes else "No rule has a word for it: count to the end."]


def _skip() -> list[str]:
    raise _Skipped


def _refuted(puzzle: Puzzle, move: int) -> Explanation | None:
    position, better = puzzle.position, puzzle.solution
    if line := puzzle.after(move):
        return Explanation(line, better, reason(position, line, better, COURSE))
    return explained(position, move, _judge(), COURSE)


@cache
def _judge() -> ExactOracle:
    return open_oracle()


def _say(text: str) -> None:
    """Print a text, wrapped."""
    for line in wrapped(text):
        click.echo(line)

"""``little-go exam`` and ``little-go puzzle``: questions about positions, for agents and for people."""

import json
from functools import cache
from pathlib import Path

import click

from little_go.arena.agents import Quit, Resigned
from little_go.arena.agents.human import HINT, ask
from little_go.arena.commands.game_options import program_options
from little_go.arena.exam.outcome import exam_page, sit
from little_go.arena.exam.paper import EXAM, TOPICS, read_paper, write_fixtures
from little_go.arena.review.text import wrap_lines
from little_go.arena.standings.entrants import Terms, parse_entrant
from little_go.book.answers.reasons import ExactOracle, Explanation, explained, open_oracle, reason
from little_go.book.files.puzzles import THEMES, Puzzle, read_puzzles
from little_go.notation.movetext import moves_text
from little_go.runtime.errors import BadUsage, writing
from little_go.runtime.files import write_whole
from little_go.runtime.hints import command_line
from little_go.runtime.options import COUNT, DIRECTORY, FILE, OUTPUT, json_option, seed_option, workers_option
from little_go.solver.bounds import COLOURS
from little_go.solver.family import COURSE
from little_go.solver.position import move_name

#: Number of wrong answers that are shown by default; the answers to the easiest questions come first.
_SHOWN = 5


@click.command(
    help=f"""Test an agent on positions by theme, and name its fault.

    Each of some 250 positions is one call. The first line names the fault that explains the wrong answers best, and a
    table counts the points by theme. THEME is one of these: {", ".join(TOPICS)}."""
)
@click.argument("agent", metavar="AGENT", help="The agent to ask: any of play --help except human.")
@click.option("--positions", type=COUNT, show_default="all")
@click.option("--theme", type=click.Choice(list(TOPICS)), metavar="THEME", show_default="all")
@click.option("--paper", type=FILE, default=EXAM, show_default="the shipped one")
@click.option("--full", is_flag=True)
@click.option("--html", type=OUTPUT)
@json_option()
@click.option("--fixtures", type=DIRECTORY, metavar="DIR")
@seed_option()
@workers_option()
@program_options
def exam(
    agent: str,
    positions: int | None,
    theme: str | None,
    paper: Path,
    full: bool,
    html: Path | None,
    as_json: bool,
    fixtures: Path | None,
    seed: int,
    workers: int,
    terms: Terms,
) -> None:
    """Ask an agent for its moves in the positions of an exam."""
    entrant = parse_entrant(agent)
    if entrant.agent == "human":
        raise BadUsage("human cannot take an exam: use little-go puzzle")
    every = read_paper(paper)
    about = every.about(theme)
    if not about.single:
        raise BadUsage(f"{paper} has no questions about {theme}")
    outcome = sit(entrant, terms._replace(game=every.single[0].game), about, workers, seed, positions)
    if as_json:
        click.echo(json.dumps(outcome.record()))
    else:
        click.echo("\n".join(outcome.text(None if full else _SHOWN)))
    if html:
        with writing(html):
            write_whole(html, exam_page(outcome))
    if fixtures:
        with writing(fixtures):
            asked = [answer.question for answer in outcome.answers]
            for path in write_fixtures(asked, entrant.agent, outcome.with_calls, fixtures):
                click.echo(f"wrote {path}", err=True)


#: The number of the easiest puzzle.
_FIRST = 1

#: The word with which a person skips a puzzle.
SKIP = "SKIP"


class _Skipped(Exception):
    """Raised if a person skips a puzzle."""


@click.command(
    help=f"""Solve puzzles: one move wins, and every other one loses.

    They are sorted from easy to hard, by the share of opponents who go wrong. Enter a move, hint, skip or quit, or ?
    for help. After a wrong move you see how it is refuted. THEME is one of these: {", ".join(THEMES)}."""
)
@click.argument("number", type=COUNT, default=_FIRST, help=f"The first puzzle to ask.  [default: {_FIRST}]")
@click.option("--theme", type=click.Choice(THEMES), metavar="THEME", show_default="all")
def puzzle(number: int, theme: str | None) -> None:
    """Ask puzzles in order, beginning with the puzzle of this number."""
    puzzles = [(at, each) for at, each in enumerate(read_puzzles(), 1) if theme is None or theme in each.themes]
    chosen = [(at, each) for at, each in puzzles if at >= number]
    if not chosen:
        raise BadUsage(f"there is no puzzle {number} or later: give a number up to {puzzles[-1][0] if puzzles else 0}")
    solved = done = 0
    try:
        for at, each in chosen:
            solved += _is_solved(at, each)
            done += 1
    except (Quit, Resigned):
        pass
    click.echo(f"{solved} of {done} solved at the first try.")
    if done < len(chosen):
        click.echo(f"Continue with {command_line('arena puzzle', chosen[done][0])}")


def _is_solved(number: int, puzzle: Puzzle) -> bool:
    """Show a puzzle until the user solves or skips it, and return whether the first try was right.

    Raise Quit or Resigned if the user ends the command.
    """
    position, tries = puzzle.position, 0
    click.echo()
    _say(f"Puzzle {number}: one move wins for {COLOURS[position.mover]}. {position.ply} of 24 plies are played.")
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
    return [f"Theme: {', '.join(puzzle.themes)}." if puzzle.themes else "It has no theme: count the moves to the end."]


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
    for line in wrap_lines(text):
        click.echo(line)

"""``little-go play``: games between two agents, which may be people at the terminal."""

import json
import sys
from contextlib import AbstractContextManager, ExitStack, nullcontext
from datetime import date
from functools import partial
from pathlib import Path
from typing import IO

import click

from little_go.arena.commands.game_options import program_options, warn_missing_features
from little_go.arena.commands.review import find_book
from little_go.arena.match.contestant import Contestant, GameLeft, HumanContestant
from little_go.arena.match.host import PLAYED_OUT, State, answers, describe
from little_go.arena.match.play import Game, play_game, play_when_free
from little_go.arena.match.programs import NAMES
from little_go.arena.match.provided import MOST_PROVIDED, course_modules, write_beside
from little_go.arena.review.adviser import Adviser
from little_go.arena.review.annotated import annotated_sgf
from little_go.arena.review.reading import GameToReview
from little_go.arena.review.review import NODES, REVIEW_NODES, Evaluator
from little_go.arena.review.text import wrap_lines
from little_go.arena.standings.entrants import BUILT_IN, Terms, open_contestant, parse_entrant
from little_go.arena.standings.series import STARVED
from little_go.arena.standings.tally import Progress, Tally, count_text
from little_go.book.answers.sources import session_sources
from little_go.book.commands.options import game_options
from little_go.book.files.reader import BookError
from little_go.notation.board import game_line
from little_go.runtime.errors import BadUsage, Finding, writing
from little_go.runtime.files import STANDARD_OUTPUT, check_writable, open_to_write, read_file, write_whole
from little_go.runtime.hints import command_line
from little_go.runtime.options import COUNT, DIRECTORY, FILE, seed_option, setting
from little_go.solver.family import Variant

#: Maximum number of games whose final boards are drawn by default.
FEW_GAMES = 3


@click.command(
    help=f"""Play games between two agents.

    AGENT is the name of a built-in agent ({", ".join(BUILT_IN)}) or a program: a .py, .java or .cpp file, a
    directory DIR, a file in a directory DIR:FILE, cmd:COMMAND, or gtp:COMMAND for a Go program. NAME=AGENT gives the
    agent a name, and AGENT@PYTHON runs it with that Python. Programs run with your rights, unless you give --sandbox.
    If you play as human, type ? for help."""
)
@click.option("--black", metavar="AGENT")
@click.option("--white", metavar="AGENT")
@click.option("--course-files", "modules", type=DIRECTORY, metavar="DIR")
@setting("--games", COUNT, 1)
@seed_option()
@click.option(
    "--jsonl",
    type=FILE,
)
@click.option(
    "--sgf",
    type=click.Path(path_type=Path),
)
@program_options
@game_options
@click.option("--boards/--no-boards", default=None, show_default=f"up to {FEW_GAMES} games")
def play(
    black: str | None,
    white: str | None,
    modules: Path | None,
    games: int,
    seed: int,
    jsonl: Path | None,
    sgf: Path | None,
    boards: bool | None,
    terms: Terms,
    game: Variant,
) -> None:
    """Play games between two agents."""
    if modules is not None:
        write_course_files(modules)
    if black is None or white is None:
        if modules is None or black or white:
            side = "white" if black else "black"
            raise BadUsage(f"give --{side} AGENT, the agent that plays {side.capitalize()}")
        return
    draw = games <= FEW_GAMES if boards is None else boards
    entrants = [parse_entrant(agent) for agent in (black, white)]
    people = [colour for colour, entrant in enumerate(entrants, 1) if entrant.agent == "human"]
    if jsonl == STANDARD_OUTPUT and people:
        raise BadUsage("--jsonl -: human needs standard output: give --jsonl a file")
    if sgf:
        _check_sgf(sgf, games)
    terms = terms._replace(game=game)
    adviser = Adviser(partial(open_evaluator, NODES if people else REVIEW_NODES), people)
    warn_missing_features(entrants)
    with ExitStack() as stack:
        first, second = (stack.enter_context(open_contestant(entrant, terms, adviser.advice)) for entrant in entrants)
        lines = stack.enter_context(_open_lines(jsonl)) if jsonl else None
        sitting = InteractiveSeries(first, second, terms, draw, adviser, lines, sgf)
        sitting.play(range(seed, seed + games))


def write_course_files(folder: Path) -> None:
    """Write the course's modules, and a player that imports them, into a folder.

    Raise BadUsage if the folder contains different files with these names.
    """
    files = course_modules()
    for each in files:
        with writing(folder / each.name):
            if (folder / each.name).exists() and read_file(folder / each.name, MOST_PROVIDED) != each.content:
                raise BadUsage(f"{folder / each.name} is another file: give another folder, or remove it")
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        write_beside(files, folder)
    player = files[-1].name
    click.echo(f"wrote {', '.join(each.name for each in files)} in {folder}: copy {player} as {NAMES[0]}, and edit it")
    play_it = command_line("play", "--black", str(folder / NAMES[0]), "--white", str(folder / player))
    click.echo(f"then: {play_it}")


def _open_lines(path: Path) -> AbstractContextManager[IO[str]]:
    if path == STANDARD_OUTPUT:
        return nullcontext(sys.stdout)
    with writing(path):
        return open_to_write(path)


def _check_sgf(sgf: Path, games: int) -> None:
    """Before the first game, raise BadUsage if the games cannot be written to the path."""
    with writing(sgf):
        check_writable(sgf, folder=games > 1)
        if games > 1:
            sgf.mkdir(parents=True, exist_ok=True)


def open_evaluator(nodes: int) -> Evaluator:
    """Return an evaluator. nodes: the node limit for each position. Print a message if the book cannot be used."""
    try:
        return Evaluator(session_sources(find_book()), nodes)
    except BookError as error:
        click.echo(f"Values without the book: {error}", err=True)
        return Evaluator(session_sources(None), nodes)


class InteractiveSeries:
    """A series of games between two contestants, which may be people at the terminal."""

    def __init__(
        self,
        black: Contestant,
        white: Contestant,
        terms: Terms,
        draw: bool,
        adviser: Adviser,
        lines: IO[str] | None,
        sgf: Path | None,
    ) -> None:
        """Prepare the series.

        terms: the terms, which contain the game, and whether answers must have the exact format. draw: whether to draw
        final boards. adviser: the adviser that reviews the games. lines: the file for JSON lines, or None. sgf: the
        file for one game as SGF, the directory for several games, or None.
        """
        self._sides = black, white
        self._people = [side for side in self._sides if isinstance(side, HumanContestant)]
        self._terms, self._draw = terms, draw
        self._adviser, self._lines, self._sgf = adviser, lines, sgf
        self._say = partial(click.echo, err=lines is sys.stdout)
        self._tally = Tally()
        self._left: GameLeft | None = None
        self._spoilt = 0

    def play(self, seeds: range) -> None:
        """Play a game for each seed, and print a summary, even if the series is interrupted."""
        try:
            with Progress(len(seeds), hidden=bool(self._people), plies=self._terms.game.plies) as self._progress:
                for self._seed in seeds:
                    self._game(len(seeds) > 1)
                    if self._left:
                        break
        except GameLeft as left:
            self._left = left
            self._say("The game is left as it stands, and does not count.")
            self._keep_sgf(left.state, len(seeds) > 1)
        finally:
            if len(seeds) > 1 or not self._people:
                self._say("\n".join(self._narrow(self._tally.lines())))
        if self._spoilt:
            raise Finding(f"{count_text(self._spoilt, 'game')} not played to a result")
        if self._left and isinstance(self._left.__cause__, KeyboardInterrupt):
            raise KeyboardInterrupt

    def _game(self, many: bool) -> None:
        game = self._played_game()
        if game.cpu_starved and not self._people:
            self._progress.hide()
            click.echo(f"1 game {STARVED}", err=True)
            repeated = play_when_free(self._played_game, Game.is_cpu_starved)
            if repeated is None:
                click.echo("The machine stays busy: the game does not count.", err=True)
                self._spoilt += 1
                return
            game = repeated
        if game.machine_fault:
            self._progress.hide()
            click.echo(f"The game does not count: {game.machine_fault}.", err=True)
            self._spoilt += 1
            return
        self._tally.add(game)
        if self._lines:
            # The line is written immediately, so that the file contains only whole lines if the run is interrupted.
            self._lines.write(json.dumps(game.record()) + "\n")
            self._lines.flush()
        if self._draw and not self._people:
            self._progress.hide()
            self._say("\n".join([*self._drawing(game.state), ""]))
        self._progress.game()
        self._keep_sgf(game.state, many)

    def _played_game(self) -> Game:
        terms = self._terms
        return play_game(*self._sides, self._seed, self._watch, terms.strict, self._finish, game=terms.game)

    def _watch(self, state: State) -> None:
        self._progress.ply(len(state.moves))
        if self._people and (state.result is None or state.result.reason in PLAYED_OUT):
            self._say(describe(state._replace(result=None)))

    def _finish(self, state: State) -> None:
        """Let a person review a finished game, or raise UndoMove if the person undoes the last move."""
        if not self._people:
            return
        lesson = self._adviser.lesson(self._played(state))
        self._say("\n".join(["", *self._drawing(state), "", *lesson]))
        last = self._sides[(answers(state) - 1) % 2]
        try:
            self._people[0].offer_review(state, plies=1 if last in self._people else 2)
        except GameLeft as left:
            # This game has ended, so it counts, but no other game is played.
            self._left = left

    def _drawing(self, state: State) -> list[str]:
        black, white = self._sides
        head = f"{black.name} (Black, X) - {white.name} (White, O), seed {self._seed}"
        return [
            *self._narrow([head, " ".join(state.moves)]),
            state.position._replace(ko=None).diagram(),
            *game_line(state.game),
            *self._narrow([describe(state)]),
        ]

    def _narrow(self, lines: list[str]) -> list[str]:
        if not self._people:
            return lines
        return [wrapped for line in lines for wrapped in wrap_lines(line, indent="")]

    def _played(self, state: State) -> GameToReview:
        black, white = self._sides
        note = f"seed {self._seed}"
        return GameToReview(f"{black.name} - {white.name}", black.name, white.name, state, date.today(), note)

    def _keep_sgf(self, state: State, many: bool) -> None:
        """Write a game as SGF with values if the user gave --sgf."""
        if self._sgf is None:
            return
        text = annotated_sgf(self._adviser.review(self._played(state)))
        path = self._sgf / f"seed-{self._seed}.sgf" if many else self._sgf
        self._progress.hide()
        with writing(path):
            write_whole(path, text)
        if self._people:
            self._say(f"{path}: the game as SGF")

"""The lab's commands about games: they fit opponents, count reasons, and draw puzzles and the exam."""

import random
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import click

from lab.games.exam_maker import Examiner
from lab.games.explained import ExplainedMistake, table
from lab.games.puzzle_maker import Drawing
from little_go.arena.commands.game_options import logged_option
from little_go.arena.exam.paper import EXAM, write_exam
from little_go.arena.standings.tally import count_text
from little_go.book.answers.reasons import ExactOracle, Explanation, explained
from little_go.book.commands.options import game_options
from little_go.book.files.games import read_games
from little_go.book.files.puzzles import PUZZLES, write_puzzles
from little_go.runtime.display import tracked
from little_go.runtime.errors import BadUsage, keep_unnamed
from little_go.runtime.options import COUNT, FILE, seed_option, setting
from little_go.solver.family import COURSE, Variant
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import PASS, POINTS, START, Position, move_name

#: The number of mistakes from random play for every ten mistakes from logged games.
_OF_RANDOM_PLAY = 3

#: In random play, the percentage of turns in which a side passes although a stone is legal.
_PASSES = 5

#: If this constant is N, every N-th mistake is explained a second time, with an empty table.
_AGAIN = 10

_TABLE_MIB = 256


class ExplainedMove(NamedTuple):
    """A move that is worse than the best move, the reason, and the value of a PASS instead of the move."""

    position: Position
    move: int
    found: Explanation
    pass_worth: int

    def told(self) -> ExplainedMistake:
        """Return the move in the format of lab.games.explained."""
        position, found = self.position, self.found
        stones = {"X": position.black, "O": position.white}
        return ExplainedMistake(
            {move_name(p): colour for colour, mask in stones.items() for p in range(POINTS) if mask >> p & 1},
            position.ply,
            position.passed,
            list(map(move_name, found.worse)),
            list(map(move_name, found.better)),
            (found.reason.worse, found.reason.better),
            found.reason.kind,
            self.pass_worth,
        )


@click.command()
@logged_option
@setting("--positions", COUNT, 1000)
@seed_option()
def reasons(logged: Path, positions: int, seed: int) -> None:
    """Measure how many reasons explain a mistake, and check each sentence on a separate board.

    A tenth of the mistakes is explained a second time, with an empty table, and must get the same explanation.
    """
    steps = logged_steps(logged, seed)
    played = random_steps(seed)
    for name, drawn, count in (
        ("Logged games", steps, positions),
        ("Random play", played, positions * _OF_RANDOM_PLAY // 10),
    ):
        mistakes = list(tracked(islice(mistakes_of(drawn), count), name, count))
        again = mistakes[::_AGAIN]
        changed = sum(explained(each.position, each.move, _judge(), game=COURSE) != each.found for each in again)
        click.echo(f"{name}:")
        click.echo("\n".join(table(each.told() for each in mistakes)))
        click.echo(f"changed the second time: {changed} of {len(again)}\n")


def logged_steps(logged: Path, seed: int) -> Iterator[tuple[Position, int]]:
    """Yield all moves of logged games, shuffled."""
    steps = [step for game in read_games(logged) for step in game.steps()]
    random.Random(seed).shuffle(steps)
    yield from steps


def random_steps(seed: int) -> Iterator[tuple[Position, int]]:
    """Yield one move from each of many random games, which the seed determines."""
    rng = random.Random(seed)
    while True:
        game, position = [], START
        while not position.is_over:
            *stones, _ = position.legal_moves()
            move = rng.choice(stones) if stones and rng.randrange(100) >= _PASSES else PASS
            game.append((position, move))
            position = position.play(move)
        yield rng.choice(game)


def mistakes_of(steps: Iterable[tuple[Position, int]]) -> Iterator[ExplainedMove]:
    """Yield the moves that are worse than the best move."""
    judge = _judge()
    for position, move in steps:
        found = explained(position, move, judge, game=COURSE)
        if found is not None:
            yield ExplainedMove(position, move, found, judge.value(position.play(PASS)))


def _judge() -> ExactOracle:
    return ExactOracle(Kernel(open_table(_TABLE_MIB)))


@click.command("exam")
@seed_option()
@click.option("--out", type=FILE, default=EXAM)
@game_options
def draw_exam(seed: int, out: Path, game: Variant) -> None:
    """Draw the exam's questions from the atlas, the puzzles and the logged games.

    The exam has about 250 questions, distributed evenly over the themes and, if possible, over easy, medium and hard
    questions. The command takes a few minutes of CPU. The exam of another game, given by --plies and --komi, is drawn
    from games between built-in agents. `little-go exam --paper FILE` asks the questions of such an exam.
    """
    if game != COURSE and out == EXAM:
        raise BadUsage("the shipped exam is of the 24-ply game with komi 2.5: give --out for another")
    questions = Examiner(seed, game).draw(partial(tracked, what="Drawing"))
    try:
        write_exam(questions, out)
    except OSError as error:
        raise BadUsage(f"{out}: {error.strerror}") from None
    click.echo(f"{out.name}: {len(questions)} questions")


@click.command()
@setting(
    "--logged",
    FILE,
    "data/staff_games.jsonl.gz",
    "The logged games as JSON lines, packed by gzip when the name ends in .gz.",
)
@setting("--out", FILE, "generator/opponents/models.json")
@setting(
    "--held-out",
    click.FloatRange(0, 1, max_open=True),
    0.2,
    "Share of the games that are kept out of the fit and used to test it.",
)
@setting(
    "--ridge",
    click.FloatRange(0, min_open=True),
    1.0,
    "Penalty on large weights, which a small number of games would otherwise produce.",
)
@seed_option()
def fit(logged: Path, out: Path, held_out: float, ridge: float, seed: int) -> None:
    """Fit the opponent models to logged games, and print how well the models predict the moves.

    An existing file of models is overwritten only when --out names it.
    """
    keep_unnamed(out)
    # The import is not at the top of the module, because other commands need neither numpy nor scipy, which load
    # slowly.
    try:
        from lab.games.fit import fit_games, fit_text, split, write_fits
    except ModuleNotFoundError as error:
        raise BadUsage(f"fit needs {error.name}: run make setup") from None

    fits = fit_games(*split(read_games(logged), held_out, seed), ridge, tracked)
    if not fits:
        raise BadUsage(f"{logged}: no move to fit; give other --logged games")
    write_fits(fits, {"ridge": ridge, "held_out": held_out, "seed": seed}, out)
    click.echo(fit_text(fits))
    click.echo(f"{out}: {len(fits)} models")


@click.command("puzzles")
@click.option("--positions", type=click.IntRange(1), default=360, show_default=True)
@seed_option()
@click.option("--out", type=FILE, default=PUZZLES)
def draw_puzzles(positions: int, seed: int, out: Path) -> None:
    """Draw puzzles, which are positions in which only one move keeps the win, from the atlas and from logged games.

    The grade of a puzzle is the share of the opponents of docs/explanation/OPPONENTS.md who answer wrongly. Drawing 360
    puzzles takes a few minutes of CPU.
    """
    puzzles = Drawing(seed).draw(positions, partial(tracked, what="Drawing"))
    try:
        write_puzzles(puzzles, out)
    except OSError as error:
        raise BadUsage(f"{out}: {error.strerror}") from None
    click.echo(f"{out.name}: {count_text(len(puzzles), 'puzzle')}")

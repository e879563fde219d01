"""``python -m lab exam``: the exam that ships."""

from functools import partial
from pathlib import Path

import click

from arena.exam.paper import EXAM, write_exam
from book.commands.options import game_options
from lab.games.exam_maker import Examiner
from runtime.display import tracked
from runtime.errors import BadUsage
from runtime.options import FILE, seed_option
from solver.family import COURSE, Variant


@click.command("exam")
@seed_option("Changes the order in which positions are looked at.")
@click.option("--out", type=FILE, default=EXAM, help="The file.  [data/exam.jsonl.gz]")
@game_options
def draw_exam(seed: int, out: Path, game: Variant) -> None:
    """Draw the exam's questions from the atlas, the puzzles and the logged games.

    They are about 250, evenly over their themes and, as far as there are such positions, easy, medium and hard. It
    takes some minutes of CPU. The exam of another game, by --plies and --komi, is drawn from games between built-in
    agents; `little-go exam --paper FILE` asks it.
    """
    if game != COURSE and out == EXAM:
        raise BadUsage("the exam of another game is not the one that ships: give --out")
    questions = Examiner(seed, game).draw(partial(tracked, what="Drawing"))
    try:
        write_exam(questions, out)
    except OSError as error:
        raise click.ClickException(f"{out}: {error.strerror}") from None
    click.echo(f"{out.name}: {len(questions)} questions")

"""``little-go exam``: an agent's moves in positions by theme, one call each."""

import json
from pathlib import Path

import click

from arena.commands.game_options import program_options
from arena.exam.exam_page import exam_page
from arena.exam.fixtures import write_fixtures
from arena.exam.outcome import sit
from arena.exam.paper import EXAM, TOPICS, read_paper
from arena.standings.entrants import Terms, parse_entrant
from runtime.errors import BadUsage, writing
from runtime.files import write_whole
from runtime.options import COUNT, DIRECTORY, FILE, OUTPUT, json_option, seed_option, workers_option

#: Wrong answers shown by default, the easiest ones.
_SHOWN = 5


@click.command()
@click.argument("agent", metavar="AGENT", help="Who is asked, as for play.")
@click.option("--positions", type=COUNT, help="How many positions.  [default: all]")
@click.option(
    "--theme", type=click.Choice(list(TOPICS)), metavar="THEME", help="Ask only this theme, such as endgames."
)
@click.option("--paper", type=FILE, default=EXAM, help="The exam.  [default: the shipped one]")
@click.option("--full", is_flag=True, help="Show every wrong answer.")
@click.option("--html", type=OUTPUT, help="Write a page for a browser.")
@json_option("Print the outcome as one JSON object.")
@click.option("--fixtures", type=DIRECTORY, metavar="DIR", help="Write a test for pytest.")
@seed_option("Changes what is drawn.")
@workers_option("Number of processes.")
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
    """Ask an agent some 250 positions, one call each, and name the fault that explains its wrong answers. AGENT is as
    for play, except human.
    """
    entrant = parse_entrant(agent)
    if entrant.agent == "human":
        raise BadUsage("human cannot sit an exam: little-go puzzle asks people")
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

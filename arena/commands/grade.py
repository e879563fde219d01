"""``little-go grade``: the points an agent would get."""

import json
from collections.abc import Sequence

import click

from arena.commands.game_options import CourseTerms, course_options
from arena.commands.tournament import SeriesOptions, end_series, enter_agents, play_series, series_options
from arena.course.grading import GradingPlan
from arena.standings.entrants import parse_entrant
from arena.standings.tournament import Record
from book.commands.options import game_options
from runtime.errors import BadUsage
from runtime.hints import command_line
from runtime.options import COUNT, json_option
from solver.family import Variant


@click.command()
@click.option("--agent", required=True, metavar="AGENT", help="The agent to grade.")
@click.option("--stage", type=click.IntRange(1, 2), help="Play only it.  [default: all stages of the scheme]")
@click.option("--submit", is_flag=True, help="Play only what the submit button plays.")
@click.option(
    "--games",
    type=COUNT,
    help="A quick look: how many games with the same colours.",
)
@series_options
@json_option("Print the grade as one JSON object.")
@course_options
@game_options
def grade(
    agent: str,
    stage: int | None,
    submit: bool,
    games: int | None,
    series: SeriesOptions,
    as_json: bool,
    given: CourseTerms,
    game: Variant,
) -> None:
    """Play the games of the course's grading, and count the points. AGENT is as for play, except human. In
    2025 all is played three times: the best counts.
    """
    course, terms = given
    scheme, year = course.scheme, course.year
    if stage is not None and stage not in scheme.stages:
        whole = command_line("arena class --help")
        raise BadUsage(f"stage {stage} of {year} was played among the students, as by {whole}")
    stages = tuple(scheme.stages) if stage is None else (stage,)
    plan = GradingPlan(parse_entrant(agent).name, scheme, stages, submit, None if games is None else 2 * games)
    terms = terms._replace(game=game)
    fixtures = plan.fixtures(series.seed)
    roster, identities = enter_agents([agent, *plan.opponents], terms)
    told: list[list[str]] = []

    def new_tables(records: Sequence[Record]) -> list[str]:
        """Return the tables that are newly complete, if they are to be printed."""
        tables = [] if as_json else plan.grade(records).complete()[len(told) :]
        told.extend(tables)
        return [line for table in tables for line in table]

    played = play_series(fixtures, roster, identities, series, terms, new_tables)
    found = plan.grade(played.records)
    if as_json:
        click.echo(json.dumps({"scheme": year, **found.record()}))
    else:
        click.echo("\n".join([*found.text(len(told)), *([scheme.note] if scheme.note else [])]))
    end_series(played, series, about=plan.agent)

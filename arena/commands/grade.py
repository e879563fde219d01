"""``python -m arena grade``: the points an agent would get."""

import json

import click

from arena.commands.options import terms_options
from arena.commands.series import Series, end_series, enter_agents, play_series, series_options
from arena.course.grading import GradingPlan
from arena.course.schemes import SCHEMES
from arena.standings.entrants import Terms, parse_entrant
from runtime.errors import BadUsage
from runtime.options import json_option


@click.command()
@click.option("--agent", required=True, metavar="AGENT", help="The agent to grade.")
@click.option(
    "--scheme",
    "year",
    type=click.Choice([str(year) for year in SCHEMES]),
    default=str(max(SCHEMES)),
    show_default=True,
    help="The year whose rules of grading apply.",
)
@click.option("--stage", type=click.IntRange(1, 2), help="Play only this stage.  [default: all stages of the scheme]")
@click.option("--submit", is_flag=True, help="Play only what the submit button plays.")
@series_options
@json_option("Print the grade as one JSON object.")
@terms_options
def grade(
    agent: str,
    year: str,
    stage: int | None,
    submit: bool,
    series: Series,
    as_json: bool,
    terms: Terms,
) -> None:
    """Play the games of the course's grading, and count the agent's points.

    AGENT is as for play, except human. It plays our agents that have the names of the course's, alternating colours. A
    table for each stage has wins, points, the agent's CPU time and the limit for all games, and the games lost by a
    fault. In 2025 everything is played three times and the best counts; --submit plays once. In 2020 the second stage
    was a tournament of the students' agents; use the command tournament for that.
    """
    scheme = SCHEMES[int(year)]
    if stage is not None and stage not in scheme.stages:
        raise BadUsage(f"stage {stage} of {year} was played among the students: use python -m arena tournament")
    plan = GradingPlan(parse_entrant(agent).name, scheme, tuple(scheme.stages) if stage is None else (stage,), submit)
    terms = terms._replace(limits=terms.limits._replace(cpu=scheme.move_cpu, wall=3 * scheme.move_cpu))
    fixtures = plan.fixtures(series.seed)
    roster = enter_agents([agent, *plan.opponents], terms)
    records = play_series(fixtures, roster, series, terms)
    found = plan.grade(records)
    if as_json:
        click.echo(json.dumps({"scheme": int(year), **found.record()}))
    else:
        click.echo("\n".join([*found.text(), *([scheme.note] if scheme.note else [])]))
    end_series(records, series, complete=found.games >= len(fixtures))

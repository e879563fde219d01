"""``little-go tournament`` and ``little-go grade``: series of games that are shown, kept and resumed."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from little_go.arena.commands.game_options import CourseTerms, course_options, program_options, warn_missing_features
from little_go.arena.course.grading import GradingPlan
from little_go.arena.review.annotated import annotated_sgf
from little_go.arena.review.page import report_page
from little_go.arena.review.reading import GameToReview, from_record, read_games
from little_go.arena.review.review import REVIEW_NODES, Evaluator, Review, partial_reviews, with_progress
from little_go.arena.review.summary import AgentSummary, summaries_text, summarise
from little_go.arena.standings.entrants import Terms, open_contestant, parse_entrant
from little_go.arena.standings.series import GameOutcome, GameSeries, LocalPlayers, cannot_play
from little_go.arena.standings.standings import Standings
from little_go.arena.standings.tally import Progress, count_text
from little_go.arena.standings.tournament import SGF_DIRECTORY, Fixture, GamesFolder, Record, Roster, schedule, sgf_name
from little_go.book.answers.sources import session_sources
from little_go.book.commands.options import game_options
from little_go.book.files.games import GamesError
from little_go.crew.jobs import Crew
from little_go.runtime.errors import BadUsage, Finding, exit_interrupted, writing
from little_go.runtime.files import write_whole
from little_go.runtime.hints import command_line
from little_go.runtime.options import (
    COUNT,
    DIRECTORY,
    OUTPUT,
    gathered,
    json_option,
    seed_option,
    setting,
    workers_option,
)
from little_go.solver.family import COURSE, Variant

#: The files that --review writes.
REVIEW_TEXT, REVIEW_LINES = "review.txt", "review.jsonl"


class SeriesOptions(NamedTuple):
    """The options of a series.

    workers: the number of processes. out: the directory in which games are stored, or None. again: whether to repeat
    stored games whose agents have changed. reviewed: whether to review the games. html: the file for a page on the
    games.
    """

    workers: int
    seed: int
    out: Path | None
    again: bool
    reviewed: bool
    html: Path | None


def _series(workers: int, seed: int, out: Path | None, again: bool, reviewed: bool, html: Path | None) -> SeriesOptions:
    for option, given, why in (("--review", reviewed, "writes next to"), ("--again", again, "replaces some of")):
        if given and out is None:
            raise BadUsage(f"{option} {why} the kept games, so it needs --out")
    return SeriesOptions(workers, seed, out, again, reviewed, html)


#: The option of commands that review games; the command gets ``html``.
html_option = click.option(
    "--html",
    type=OUTPUT,
)


#: The options of a series; the command gets ``series``.
series_options = gathered(
    "series",
    _series,
    workers_option(default=1),
    seed_option(),
    click.option(
        "--out",
        type=DIRECTORY,
    ),
    click.option(
        "--again",
        is_flag=True,
    ),
    click.option(
        "--review",
        "reviewed",
        is_flag=True,
    ),
    html_option,
)


def enter_agents(agents: Iterable[str], terms: Terms) -> tuple[Roster, dict[str, str]]:
    """Open each agent of a command line once, and return the entrants and the agents' digests, both by name.

    Raise BadUsage if an agent is a person or two agents have the same name, and UnknownAgent if an agent cannot be
    opened.
    """
    roster: Roster = {}
    identities = {}
    entrants = [parse_entrant(agent) for agent in agents]
    warn_missing_features(entrants)
    for entrant in entrants:
        if entrant.agent == "human":
            raise BadUsage(
                f"human cannot play here: use {command_line('arena play --black human --white my_player3.py')}"
            )
        if roster.setdefault(entrant.name, entrant) != entrant:
            raise BadUsage(f"two agents are called {entrant.name!r}: name one with NAME=AGENT")
        with open_contestant(entrant, terms) as contestant:
            identities[entrant.name] = contestant.identity
    return roster, identities


class _SeriesProgress(Progress):
    """The progress display of a series. tables: a function that returns the lines to print after a game."""

    def __init__(self, games: int, plies: int, tables: Callable[[], Sequence[str]]) -> None:
        super().__init__(games, hidden=False, plies=plies)
        self._tables = tables

    def tick(self) -> None:
        """Do nothing, because the remaining time is shown anyway."""

    def game(self, outcome: GameOutcome | None = None) -> None:
        """Show that a game was played, and print the tables that the game completed."""
        super().game()
        if lines := self._tables():
            self.hide()
            click.echo("\n".join(lines))


def play_series(
    fixtures: list[Fixture],
    roster: Roster,
    identities: Mapping[str, str],
    options: SeriesOptions,
    terms: Terms,
    tables: Callable[[Sequence[Record]], Sequence[str]] = lambda records: (),
) -> GameSeries:
    """Play the missing games of a series, and return the series with its stored games and its new games.

    If the series is interrupted, the result contains the games so far. tables: a function that returns the lines to
    print after a game, given the records of the games so far.
    """
    with ExitStack() as stack:
        folder = stack.enter_context(GamesFolder(options.out)) if options.out else None
        if folder and options.again and folder.drop(fixtures, identities):
            # These reviews are about games that were just removed.
            for name in (REVIEW_TEXT, REVIEW_LINES):
                (folder.directory / name).unlink(missing_ok=True)
        series = GameSeries(roster, identities, terms, folder, partial(click.echo, err=True))
        left = series.take_kept(fixtures)
        progress = _SeriesProgress(len(left), terms.game.plies, lambda: tables(series.records))
        stack.enter_context(progress)
        workers = options.workers
        crew = Crew(lambda: LocalPlayers(workers, here=workers == 1), cannot_play)
        stack.enter_context(closing(crew))
        series.play(left, crew, progress)
    return series


def end_series(series: GameSeries, options: SeriesOptions, about: str | None = None) -> None:
    """Review the games if the user gave --review or --html. If games are missing, end the command.

    If games are missing, the exit code is 1, or the code of an interrupted run. about: the only agent on the page; None
    for all agents.
    """
    if options.reviewed or options.html:
        _write_reviews(series.records, options, about)
    if series.interrupted:
        exit_interrupted()
    if missing := _changed_text(series, options) or series.missing():
        raise Finding(missing)


def _changed_text(series: GameSeries, options: SeriesOptions) -> str:
    if not series.changed_agents:
        return ""
    names = ", ".join(map(repr, sorted(set().union(*series.changed_agents))))
    count = len(series.changed_agents)
    return (
        f"{options.out}: {count_text(count, 'game')} {'does' if count == 1 else 'do'} not count, because the files, "
        f"the interpreter or the limits of {names}, or Little-Go, have changed: --again plays them again"
    )


def _write_reviews(records: Sequence[Record], options: SeriesOptions, about: str | None) -> None:
    """Review games, write the page, and write JSON lines, text and SGF into the directory of the games."""
    played = [
        from_record(f"{record['black']} - {record['white']}, game {record['number']}", record) for record in records
    ]
    reviews = list(review_each(played, Evaluator(session_sources(None), REVIEW_NODES)))
    if options.html:
        summaries = summarise(reviews)
        write_page(summaries if about is None else {about: summaries.get(about, AgentSummary())}, options.html)
    if options.reviewed and options.out:
        out = options.out
        with writing():
            write_whole(out / REVIEW_TEXT, "\n".join([*summaries_text(summarise(reviews)), ""]))
            write_whole(out / REVIEW_LINES, "".join(f"{json.dumps(review.record())}\n" for review in reviews))
            for record, each in zip(records, reviews, strict=True):
                _annotate(out / SGF_DIRECTORY / sgf_name(record), each)
        click.echo(f"{out / REVIEW_TEXT}: {count_text(len(reviews), 'game')} reviewed", err=True)


def write_page(summaries: Mapping[str, AgentSummary], path: Path) -> None:
    """Write the page on the reviewed games of agents."""
    with writing(path):
        write_whole(path, report_page(summaries))


def _annotate(path: Path, reviewed: Review) -> None:
    """Replace the SGF of a game by the SGF of its review, which keeps the day of the game."""
    day = None
    with suppress(GamesError):
        (kept,) = read_games([str(path)])
        day = kept.day
    write_whole(path, annotated_sgf(replace(reviewed, game=reviewed.game._replace(day=day))))


def review_each(played: Sequence[GameToReview], evaluator: Evaluator) -> Iterator[Review]:
    """Yield the review of each game when the review is complete, and show the progress on standard error."""
    with Progress(len(played), hidden=False, plies=COURSE.plies) as progress:
        for game in played:
            *_, whole = with_progress(partial_reviews(game, evaluator), progress)
            progress.game()
            progress.hide()
            yield whole


@click.command()
@click.argument(
    "agents",
    nargs=-1,
    required=True,
    metavar="AGENT...",
    help="Two or more agents: any of play --help except human.",
)
@setting("--games", COUNT, 10)
@series_options
@json_option()
@program_options
@game_options
def tournament(
    agents: tuple[str, ...],
    games: int,
    series: SeriesOptions,
    as_json: bool,
    terms: Terms,
    game: Variant,
) -> None:
    """Play a round robin with both colours.

    The command prints each agent's wins, its Elo with a 95 % interval, its CPU time for a move, and its faults. With
    --out the games are kept, and only missing games are played.
    """
    terms = terms._replace(game=game)
    if len(agents) < 2 or len(set(agents)) < len(agents):
        raise BadUsage("give two or more different agents")
    roster, identities = enter_agents(agents, terms)
    fixtures = schedule(list(roster), games, series.seed)
    played = play_series(fixtures, roster, identities, series, terms)
    standings = Standings(list(roster), played.records)
    click.echo(json.dumps(standings.record()) if as_json else "\n".join(standings.text()))
    end_series(played, series)


@click.command()
@click.argument("agent", metavar="AGENT", help="The agent to grade: any of play --help except human.")
@click.option("--stage", type=click.IntRange(1, 2), show_default="all stages of the scheme")
@click.option("--submit", is_flag=True)
@click.option(
    "--games",
    type=COUNT,
    show_default="as in the scheme",
)
@series_options
@json_option()
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
    """Play the games of the course's grading, and count the points.

    If the scheme repeats all games, the best repetition counts. With --out the games are kept, and only missing games
    are played.
    """
    course, terms = given
    scheme, year = course.scheme, course.year
    if stage is not None and stage not in scheme.stages:
        whole = command_line("arena class --help")
        raise BadUsage(f"stage {stage} of {year} was played among the students: see {whole}")
    stages = tuple(scheme.stages) if stage is None else (stage,)
    plan = GradingPlan(parse_entrant(agent).name, scheme, stages, submit, None if games is None else 2 * games)
    terms = terms._replace(game=game)
    fixtures = plan.fixtures(series.seed)
    roster, identities = enter_agents([agent, *plan.opponents], terms)
    printed: list[list[str]] = []

    def new_tables(records: Sequence[Record]) -> list[str]:
        """Return the lines of the complete tables that were not printed yet."""
        tables = [] if as_json else plan.grade(records).complete()[len(printed) :]
        printed.extend(tables)
        return [line for table in tables for line in table]

    played = play_series(fixtures, roster, identities, series, terms, new_tables)
    found = plan.grade(played.records)
    if as_json:
        click.echo(json.dumps({"scheme": year, **found.record()}))
    else:
        click.echo("\n".join([*found.text(len(printed)), *([scheme.note] if scheme.note else [])]))
    end_series(played, series, about=plan.agent)

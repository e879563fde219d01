"""Play a series of games: with progress, kept in a directory, and gone on with after a stop."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import click

from arena.commands.game_options import tell_lacking
from arena.review.annotated import annotated_sgf
from arena.review.page import report_page
from arena.review.reading import Played, from_record, read_games
from arena.review.review import Review, unfolding, watched
from arena.review.summary import AgentSummary, summaries_text, summarise
from arena.review.worth import REVIEW_NODES, Valuer
from arena.standings.entrants import Terms, open_contestant, parse_entrant
from arena.standings.games_progress import Progress
from arena.standings.tally import counted
from arena.standings.tournament import (
    SGF_DIRECTORY,
    Fixture,
    GamesFolder,
    Record,
    Roster,
    TournamentError,
    play_fixtures,
    sgf_name,
)
from book.answers.sources import session_sources
from book.files.games import GamesError
from runtime.errors import BadUsage, exit_interrupted, writing
from runtime.files import write_whole
from runtime.hints import command_line
from runtime.options import DIRECTORY, OUTPUT, gathered, seed_option, workers_option
from solver.family import COURSE

#: What --review writes.
REVIEW_TEXT, REVIEW_LINES = "review.txt", "review.jsonl"


class Series(NamedTuple):
    """The options of a series: processes that play, seed, directory of the games, and whether to review them.

    again: whether games of other agents there are played again. html: the file for a page on them.
    """

    workers: int
    seed: int
    out: Path | None
    again: bool
    reviewed: bool
    html: Path | None


class SeriesPlayed(NamedTuple):
    """The records of a series, and why some are missing: "" where none is."""

    records: list[Record]
    missing: str


#: What is said of games that the clock has ended only because other work took the cores.
STARVED = "to be played again when the machine is free: the clock ended them while the agents waited for a core"

#: Why games are missing after Ctrl-C.
_INTERRUPTED = "interrupted"


def _series(workers: int, seed: int, out: Path | None, again: bool, reviewed: bool, html: Path | None) -> Series:
    for option, given, why in (("--review", reviewed, "writes beside"), ("--again", again, "replaces some of")):
        if given and out is None:
            raise BadUsage(f"{option} {why} the kept games, so it needs --out")
    return Series(workers, seed, out, again, reviewed, html)


#: For commands that review games; the command gets ``html``.
html_option = click.option(
    "--html",
    type=OUTPUT,
    help="Write a page for a browser: where agents go wrong.",
)


#: The options of a series; the command gets ``series``.
series_options = gathered(
    "series",
    _series,
    workers_option("Number of processes.", default=1),
    seed_option("Seed of all games."),
    click.option(
        "--out",
        type=DIRECTORY,
        help="Keep the games here, and play only missing ones.",
    ),
    click.option(
        "--again",
        is_flag=True,
        help="Play games in --out again if an agent has changed.",
    ),
    click.option(
        "--review",
        "reviewed",
        is_flag=True,
        help="Review the games at the end, in --out.",
    ),
    html_option,
)


def enter_agents(agents: Iterable[str], terms: Terms) -> tuple[Roster, dict[str, str]]:
    """Look up the players that a command line names, open each once, and return them with their identities.

    Raises BadUsage for a person and for a name that two of them have, UnknownAgent for what cannot be opened.
    """
    roster: Roster = {}
    identities = {}
    entrants = [parse_entrant(agent) for agent in agents]
    tell_lacking(entrants)
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


def play_series(
    fixtures: list[Fixture],
    roster: Roster,
    identities: Mapping[str, str],
    series: Series,
    terms: Terms,
    tell: Callable[[Sequence[Record]], Sequence[str]] = lambda records: (),
) -> SeriesPlayed:
    """Return the games found in the directory and those played now; when interrupted, those so far.

    Games there that other agents of the same names have played do not count.

    tell: given the games so far, after each, returns what there is to print. Raises TournamentError.
    """
    with ExitStack() as stack:
        folder = stack.enter_context(GamesFolder(series.out)) if series.out else None
        if folder and series.again and folder.drop(fixtures, identities) and series.out:
            # They are about games that are no longer there.
            for name in (REVIEW_TEXT, REVIEW_LINES):
                (series.out / name).unlink(missing_ok=True)
        played, others = folder.played(fixtures, identities, terms.game) if folder else ({}, {})
        left = [fixture for fixture in fixtures if fixture.key not in played.keys() | others.keys()]
        records = list(played.values())
        progress = stack.enter_context(Progress(len(left), hidden=False, plies=terms.game.plies))

        def wait(starved: int) -> None:
            progress.hide()
            click.echo(f"{counted(starved, 'game')} {STARVED}", err=True)

        try:
            for record in play_fixtures(left, roster, terms, series.workers, wait):
                if folder:
                    folder.add(record)
                _check_unchanged(record, identities)
                records.append(record)
                progress.game()
                if lines := tell(records):
                    progress.hide()
                    click.echo("\n".join(lines))
        except KeyboardInterrupt:
            return SeriesPlayed(records, _INTERRUPTED)
    return SeriesPlayed(records, _why_missing(len(fixtures) - len(records), list(others.values()), series))


def _check_unchanged(record: Record, identities: Mapping[str, str]) -> None:
    """Raise TournamentError when an agent was changed while the games were played."""
    for name, identity in zip((record["black"], record["white"]), record["identities"], strict=True):
        if identity != identities[name]:
            raise TournamentError(f"{name!r} has changed since its first game: give the same command again")


def _why_missing(missing: int, others: Sequence[Collection[str]], series: Series) -> str:
    """Return why games are missing from a series that was not interrupted, "" where none is."""
    if others:
        names = ", ".join(map(repr, sorted(set().union(*others))))
        return (
            f"{series.out}: {counted(len(others), 'game')} of another {names} do not count, as its files, its "
            "interpreter, its limits or Little-Go have changed: --again plays them again"
        )
    busy = "the machine stays busy, and the clock would end them: give the same command when it is free"
    return f"{counted(missing, 'game')} not played: {busy}" if missing else ""


def end_series(played: SeriesPlayed, series: Series, about: str | None = None) -> None:
    """Review the games where that is asked for, and exit with 1 or as interrupted runs do where games are missing.

    about: the one agent that the page is about; None for all. Raises BadUsage.
    """
    if series.reviewed or series.html:
        _write_reviews(played.records, series, about)
    if played.missing == _INTERRUPTED:
        exit_interrupted()
    if played.missing:
        raise click.ClickException(played.missing)


def _write_reviews(records: Sequence[Record], series: Series, about: str | None) -> None:
    """Review games; write the page, and beside the games the summary, lines of JSON and annotated SGF; BadUsage."""
    played = [
        from_record(f"{record['black']} - {record['white']}, game {record['number']}", record) for record in records
    ]
    reviews = list(review_each(played, Valuer(session_sources(None), REVIEW_NODES)))
    if series.html:
        summaries = summarise(reviews)
        write_page(summaries if about is None else {about: summaries.get(about, AgentSummary())}, series.html)
    if series.reviewed and series.out:
        out = series.out
        with writing():
            write_whole(out / REVIEW_TEXT, "\n".join([*summaries_text(summarise(reviews)), ""]))
            write_whole(out / REVIEW_LINES, "".join(f"{json.dumps(review.record())}\n" for review in reviews))
            for record, each in zip(records, reviews, strict=True):
                _annotate(out / SGF_DIRECTORY / sgf_name(record), each)
        click.echo(f"{out / REVIEW_TEXT}: {counted(len(reviews), 'game')} reviewed", err=True)


def write_page(summaries: Mapping[str, AgentSummary], path: Path) -> None:
    """Write the page on some agents; raises BadUsage."""
    with writing(path):
        write_whole(path, report_page(summaries))


def _annotate(path: Path, reviewed: Review) -> None:
    """Write a reviewed game in place of the file that has it, with the day from there; raises OSError."""
    day = None
    with suppress(GamesError):
        (kept,) = read_games([str(path)])
        day = kept.day
    write_whole(path, annotated_sgf(replace(reviewed, game=reviewed.game._replace(day=day))))


def review_each(played: Sequence[Played], valuer: Valuer) -> Iterator[Review]:
    """Yield the reviews of games, each as soon as it is whole, with progress on standard error."""
    with Progress(len(played), hidden=False, plies=COURSE.plies) as progress:
        for game in played:
            *_, whole = watched(unfolding(game, valuer), progress)
            progress.game()
            progress.hide()
            yield whole

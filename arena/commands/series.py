"""Play a series of games: with progress, kept in a directory, and gone on with after a stop."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import click

from arena.review.annotated import annotated_sgf
from arena.review.page import report_page
from arena.review.reading import Played, from_record, read_games
from arena.review.review import Review, unfolding, watched
from arena.review.summary import AgentSummary, summaries_text, summarise
from arena.review.worth import Valuer
from arena.standings.entrants import Terms, open_contestant, parse_entrant
from arena.standings.games_progress import Progress
from arena.standings.tally import counted
from arena.standings.tournament import (
    GAMES_FILE,
    SGF_DIRECTORY,
    Fixture,
    GamesFolder,
    Record,
    Roster,
    play_fixtures,
    sgf_name,
)
from book.answers.sources import session_sources
from book.files.games import GamesError
from runtime.errors import INTERRUPTED, BadUsage, writing
from runtime.filesystem import write_whole
from runtime.options import DIRECTORY, gathered, seed_option, workers_option

#: What --review writes.
REVIEW_TEXT, REVIEW_LINES = "review.txt", "review.jsonl"

#: Nodes for the value of a position where there are many games: a tenth of a second.
REVIEW_NODES = 300_000


class Series(NamedTuple):
    """The options of a series: processes that play, seed, directory of the games, and whether to review them.

    html: the file for a page on them.
    """

    workers: int
    seed: int
    out: Path | None
    reviewed: bool
    html: Path | None


def _series(workers: int, seed: int, out: Path | None, reviewed: bool, html: Path | None) -> Series:
    if reviewed and out is None:
        raise BadUsage("--review writes beside the games, so it needs --out")
    return Series(workers, seed, out, reviewed, html)


def _in_a_folder(_context: click.Context, _option: click.Parameter, path: Path | None) -> Path | None:
    """Check at once that a file can be where it is wanted: it is written in the end."""
    if path is not None and not path.parent.is_dir():
        raise BadUsage(f"--html {path}: there is no directory {str(path.parent)!r}")
    return path


#: For commands that review games; the command gets ``html``.
html_option = click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=_in_a_folder,
    help="Review the games, and write a page for a browser: where each agent goes wrong most, by ply and by kind, its "
    "most expensive mistakes on the board, CPU time by ply, and against whom.",
)


#: The options of a series; the command gets ``series``.
series_options = gathered(
    "series",
    _series,
    workers_option("Number of processes that play.", default=1),
    seed_option("Seed of all games."),
    click.option(
        "--out",
        type=DIRECTORY,
        help=f"Keep the games in this directory: a line each in {GAMES_FILE}, and a file each in {SGF_DIRECTORY}/. "
        "Games that it has already are not played again.",
    ),
    click.option(
        "--review",
        "reviewed",
        is_flag=True,
        help=f"Review the games at the end. In --out, {REVIEW_TEXT} and {REVIEW_LINES} show where each agent goes "
        f"wrong most, and {SGF_DIRECTORY}/ gets the value after each move.",
    ),
    html_option,
)


def enter_agents(agents: Iterable[str], terms: Terms) -> Roster:
    """Look up the players that a command line names, and open each once.

    Raises BadUsage for a person and for a name that two of them have, UnknownAgent for what cannot be opened.
    """
    roster: Roster = {}
    for entrant in map(parse_entrant, agents):
        if entrant.agent == "human":
            raise BadUsage("human cannot play here: use python -m arena play")
        if roster.setdefault(entrant.name, entrant) != entrant:
            raise BadUsage(f"two agents are called {entrant.name!r}: name one with NAME=AGENT")
        with open_contestant(entrant, terms):
            pass
    return roster


def play_series(
    fixtures: list[Fixture],
    roster: Roster,
    series: Series,
    terms: Terms,
    tell: Callable[[Sequence[Record]], Sequence[str]] = lambda records: (),
) -> list[Record]:
    """Return the games found in the directory and those played now; when interrupted, those so far.

    tell: given the games so far, after each, returns what there is to print. Raises TournamentError.
    """
    with ExitStack() as stack:
        folder = stack.enter_context(closing(GamesFolder(series.out))) if series.out else None
        played = folder.played(fixtures, terms.strict) if folder else {}
        left = [fixture for fixture in fixtures if fixture.key not in played]
        records = list(played.values())
        with suppress(KeyboardInterrupt):
            if folder:
                stack.enter_context(folder.adding())
            progress = stack.enter_context(Progress(len(left), hidden=False))
            for record in play_fixtures(left, roster, terms, series.workers):
                if folder:
                    folder.add(record)
                records.append(record)
                progress.game()
                if lines := tell(records):
                    progress.hide()
                    click.echo("\n".join(lines))
    return records


def end_series(records: Sequence[Record], series: Series, *, complete: bool, about: str | None = None) -> None:
    """Review the games where that is asked for, and exit as interrupted runs do where games are missing.

    about: the one agent that the page is about; None for all. Raises BadUsage.
    """
    if series.reviewed or series.html:
        _write_reviews(records, series, about)
    if not complete:
        click.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)


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
    with Progress(len(played), hidden=False) as progress:
        for game in played:
            *_, whole = watched(unfolding(game, valuer), progress)
            progress.game()
            progress.hide()
            yield whole

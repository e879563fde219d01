"""The steps from a game's length and komi to its checked player. A stopped step resumes when the chain runs again."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import click

from little_go.book.exchange.compress import chosen_lines
from little_go.book.files.atlas import SEARCH
from little_go.book.files.writer import write_book
from little_go.book.store.facts import Choice, Fact
from little_go.book.store.store import COMPLETE, open_store
from little_go.explorer.build import PageError, build_page
from little_go.generator.questions.closure import Closure, Level
from little_go.generator.questions.shorter_games import ShorterGames
from little_go.generator.questions.traps import Traps
from little_go.generator.report.progress import RunDisplay, level_line, solved_line
from little_go.generator.workers.search_run import SearchRun, Settings, open_run
from little_go.maker.folder import Folder, readme_of
from little_go.player.build import SCRIPT, build_script
from little_go.player.choose import EXACT_SHARE
from little_go.player.clock import DEFAULT_BUDGET
from little_go.proof.check import INTERPRETER, check, chunks_of, fastest_checker, open_state
from little_go.proof.checker.certificate import BadCertificate, Fault, read_certificate
from little_go.proof.fsck import FsckResult, fsck
from little_go.proof.strategist import Claim, FalseClaim, Strategist, name_of, write_certificate
from little_go.proof.verify import Notes, Ply, Script, Walk, WalkFailure, ply_line, summary, walkers
from little_go.runtime.display import Display
from little_go.runtime.files import MIB, read_file, read_text, write_whole, zip_of
from little_go.runtime.release import in_clone
from little_go.solver.bounds import COLOUR_NUMBERS, COLOURS
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.native.twin import SCRIPT_RATE
from little_go.solver.position import GAME_PLIES, START, Position

ROOT = Path(__file__).resolve().parents[1]

STORE, BOOK, ZIP, CERTIFICATE, README = "proof.db", "book.json", "player.zip", "winner.cert.gz", "README.md"
PAGE, CHECKED = "explorer.html", "winner.checked"

#: The node limit of the player's solver for a move, and the minimum number of plies left for which the book gets a
#: move.
SOLVER_NODES, LAST_LEFT = 100_000, 14

#: The number of nodes after which the script, on a slow host, stops the search of a won position.
SLOW_NODES = int(EXACT_SHARE * DEFAULT_BUDGET * SCRIPT_RATE)

#: An intermediate result is stored if it cost at least this number of nodes.
KEEP_NODES = 100_000

#: The number of plies left at the leaves of the certificate, by whether Black is the side that keeps the claim.
LEAVES = {True: 12, False: 13}


class StepError(Exception):
    """Raised if a step finds a fault. The message is one line."""


@dataclass(frozen=True)
class StepContext:
    """The folder of a game, and the resources for its steps."""

    folder: Folder
    workers: int
    table_mib: int


#: A step is a function that returns its figures, or None if a Ctrl-C stopped the step.
Step = Callable[[StepContext], dict[str, Any] | None]


def make_all(folder: Folder, workers: int, table_mib: int) -> bool:
    """Do every step that is not done yet, and return whether all steps are done.

    Raise StepError if a step finds a fault.
    """
    context = StepContext(folder, workers, table_mib)
    click.echo(f"{folder.path}: the game of {folder.game}")
    names = tuple(STEPS)
    for number, (name, (step, files)) in enumerate(STEPS.items()):
        noted = folder.done(name)
        if noted is not None and (name not in INTO_STORE or folder.file(STORE).is_file()):
            click.echo(f"{name}: done before")
            continue
        # If a step must be done again, all later steps must be done again too, because they use its files.
        folder.invalidate(names[number:])
        click.echo(f"{name}: step {number + 1} of {len(names)}")
        resumed = folder.begin(name)
        started = time.monotonic()
        figures = step(context)
        if figures is None:
            return False
        folder.finish(name, time.monotonic() - started, {"resumed": resumed, **figures}, files)
    click.echo(read_text(folder.file(README), MIB).split("\n\n")[1])
    return True


def _solve(context: StepContext) -> dict[str, Any] | None:
    game = context.folder.game
    if game.komi < 0:
        click.echo("Black wins at once: a PASS on the first ply ends the game, and White's komi is below zero")
        return {"winner": COLOURS[1], "value": None, "nodes": 0}

    def solve(search_run: SearchRun, display: RunDisplay) -> None:
        games = ShorterGames(search_run, display.show_question, game)
        games.solve_all(game.plies, True, lambda *part: display.finished(solved_line(game, *part)))

    nodes = _run_search(context, solve, processes=False)
    if nodes is None:
        return None
    with open_store(context.folder.file(STORE), game=game) as store:
        answer = store.answer(game.start)
    winner = None if answer is None else game.winner(answer)
    if answer is None or winner is None:
        raise StepError(f"{context.folder.file(STORE)}: does not prove who wins the game of {game}")
    return {"winner": COLOURS[winner], "value": answer.value, "nodes": nodes}


def _run_search(context: StepContext, work: Callable[[SearchRun, RunDisplay], None], *, processes: bool) -> int | None:
    """Call ``work`` with a run on the game's store. Return the nodes that the run searched, or None after a Ctrl-C."""
    game = context.folder.game
    settings = Settings(
        context.folder.file(STORE), context.workers, None, context.table_mib, None, KEEP_NODES, 0, None, game=game
    )
    with open_run(settings, {"made": str(game)}, processes=processes) as search_run, RunDisplay(None) as display:
        work(search_run, display)
    # If a Ctrl-C arrives after the last job, the step is complete, but the next step must not begin.
    return search_run.crew.nodes if search_run.outcome == COMPLETE and not search_run.signals else None


def _close(colour: str, context: StepContext) -> dict[str, Any] | None:
    game = context.folder.game
    levels: list[Level] = []

    def close(search_run: SearchRun, display: RunDisplay) -> None:
        def finished(level: Level) -> None:
            levels.append(level)
            display.finished(level_line(colour, Level(level.ply - game.first_ply, *_counts(level))))

        traps = Traps(search_run, display.part, game)
        closing = Closure(search_run, traps, SOLVER_NODES, display.part, game)
        closing.close(game.start, COLOUR_NUMBERS[colour], LAST_LEFT, finished)

    nodes = _run_search(context, close, processes=True)
    if nodes is None:
        return None
    return {"positions": sum(level.positions for level in levels), "nodes": nodes}


def _counts(level: Level) -> tuple[int, int, int]:
    return level.positions, level.won, level.alone


def _inspect(context: StepContext) -> dict[str, Any]:
    path, report = context.folder.file(STORE), FsckResult()
    with open_store(path, suspect=True, game=context.folder.game) as store, Display() as display:
        # The rows are counted only after fsck has checked that the rows can be read.
        total = cache(lambda: len(store) + store.count_choices())
        watch = lambda: display.part("positions and choices", report.entries + report.choices, total())  # noqa: E731
        for fault in fsck(store, report, LAST_LEFT, watch):
            raise StepError(f"{path}: {fault}")
    click.echo(f"{path}: {report.entries:,} positions, {report.choices:,} choices of ours: no faults")
    return {"positions": report.entries, "choices": report.choices}


def _compress(context: StepContext) -> dict[str, Any]:
    game, out = context.folder.game, context.folder.file(BOOK)
    with open_store(context.folder.file(STORE), game=game) as store:
        count = write_book(chosen_lines(store.choices(), 0, Counter(), game), out, game)
    click.echo(f"{out}: {count:,} positions")
    return {"positions": count, "bytes": out.stat().st_size}


def _build(context: StepContext) -> dict[str, Any]:
    folder = context.folder
    write_whole(folder.file(SCRIPT), build_script(ROOT, folder.game))
    packed = zip_of({name: read_file(folder.file(name), 256 * MIB) for name in (SCRIPT, BOOK)})
    write_whole(folder.file(ZIP), packed)
    click.echo(f"{folder.file(ZIP)}: {len(packed):,} bytes")
    return {"bytes": len(packed)}


def _walk(colour: str, context: StepContext) -> dict[str, Any]:
    """Play the script through all positions of a colour. If searches take too long, extend the book and repeat."""
    while True:
        plies, slow = _walk_once(colour, context)
        if not slow:
            return {name: figure for name, figure in summary(plies).items() if name != "plies"}
        click.echo(f"the book gets the moves of {len(slow):,} won positions that take the script too long")
        _choose(context, slow)


def _choose(context: StepContext, positions: Sequence[Position]) -> None:
    """Choose a winning move in each of the won positions, and make the book and the player again with these moves."""
    folder, game = context.folder, context.folder.game
    kernel = Kernel(open_table(context.table_mib))
    answers = {position: kernel.decide(position, game.least) for position in positions}
    with open_store(folder.file(STORE), write=True, game=game) as store:
        store.record(Fact(position, *answer, origin=SEARCH) for position, answer in answers.items())
        store.choose(Choice(position, answer.best) for position, answer in answers.items() if answer.best is not None)
    for name in ("book", "player"):
        step, files = STEPS[name]
        started = time.monotonic()
        figures = step(context) or {}
        folder.finish(name, time.monotonic() - started, figures, files)


def _walk_once(colour: str, context: StepContext) -> tuple[list[Ply], list[Position]]:
    """Return the plies of a walk, and the won positions that the script searches for too long."""
    folder, game = context.folder, context.folder.game
    script, book, number = folder.file(SCRIPT), folder.file(BOOK), COLOUR_NUMBERS[colour]
    asked = Script(script, book)
    # A game can be so short that the player needs no book, but the walk still includes the ply after the first. After
    # the last ply of the closures, the book has only single positions, so the walk ends there.
    reach = max(min(asked.last_ply(number), GAME_PLIES - LAST_LEFT), game.first_ply + 1)
    notes = Notes(folder.file(f"walked-{colour}"), asked)
    plies: list[Ply] = []
    crew = walkers(context.workers, script, book)
    with Display() as display:
        show = lambda ply, done, total: display.part(f"ply {ply - game.first_ply}", done, total)  # noqa: E731
        try:
            walk = Walk(crew, number, show, notes, SLOW_NODES, game=game)
            for ply in walk.plies(game.start, reach):
                plies.append(ply)
                ply.ply -= game.first_ply
                click.echo(ply_line(ply))
        except WalkFailure as error:
            raise StepError(f"{colour}: {error}") from None
        finally:
            crew.pool.end()
            notes.close()
            folder.remove(f"walked-{colour}.lock")
    return plies, walk.slow


def _certify(context: StepContext) -> dict[str, Any]:
    folder, game = context.folder, context.folder.game
    if game.komi < 0:
        click.echo("no certificate: the rules alone decide this game")
        return {"claim": None, "lines": 0}
    solved = folder.done("solve") or {}
    black = solved["winner"] == COLOURS[1]
    claim = Claim(black, game.least if black else game.least - 1)
    head = "start empty" if game.start == START else f"position {name_of(game.start)}"
    leaf = min(LEAVES[black], game.plies - (0 if black else 1))
    with Display() as display:
        show = lambda ply, done, total: display.part(f"ply {ply - game.first_ply}", done, total)  # noqa: E731
        try:
            with Strategist(claim, context.workers, show) as strategist:
                strategy = strategist.strategy([game.start], leaf)
                count = write_certificate(claim, [head], strategy, folder.file(CERTIFICATE), leaf)
        except FalseClaim:
            raise StepError(
                f"{folder.file(STORE)}: {solved['winner']} wins, but another search refutes {claim}"
            ) from None
    click.echo(f"{folder.file(CERTIFICATE)}: {claim}, {count:,} lines")
    return {"claim": str(claim), "lines": count}


def _check(context: StepContext) -> dict[str, Any]:
    folder = context.folder
    if not (folder.done("certificate") or {}).get("lines"):
        return {"lines": 0}
    try:
        certificate = read_certificate(str(folder.file(CERTIFICATE)))
    except BadCertificate as error:
        raise _fault_in(folder, error.fault) from None
    compiled, by = fastest_checker(certificate)
    total = sum(len(chunk.indices) for chunk in chunks_of(certificate, compiled=compiled is not None).values())
    notes = open_state(folder.file(CHECKED), certificate, compiled, renew=True)
    with closing(notes) as state, Display() as display:
        outcome = check(
            certificate,
            workers=context.workers,
            compiled=compiled,
            state=state,
            show=lambda tally: display.part("lines checked", tally.lines, total),
        )
    if outcome.fault is not None:
        raise _fault_in(folder, outcome.fault)
    folder.remove(CHECKED, f"{CHECKED}.lock")
    lines, again = outcome.tally.lines, outcome.again.lines
    twice = f", {again:,} lines again {INTERPRETER}" if again else ""
    click.echo(f"{folder.file(CERTIFICATE)}: proved, {lines:,} lines {by}{twice}")
    return {"lines": lines, "again": again}


def _fault_in(folder: Folder, fault: Fault) -> StepError:
    return StepError(f"{folder.file(CERTIFICATE)}: line {fault.number}: {fault.why}")


def _page(context: StepContext) -> dict[str, Any]:
    folder = context.folder
    if not in_clone():
        click.echo("no page, because its sources are only in a clone")
        return {"bytes": 0}
    try:
        page = build_page(ROOT, folder.game, folder.file(BOOK))
    except PageError as error:
        raise StepError(str(error)) from None
    write_whole(folder.file(PAGE), page)
    size = folder.file(PAGE).stat().st_size
    click.echo(f"{folder.file(PAGE)}: {size:,} bytes")
    return {"bytes": size}


def _write_readme(context: StepContext) -> dict[str, Any]:
    folder = context.folder
    noted = {name: folder.done(name) or {} for name in STEPS}
    write_whole(folder.file(README), readme_of(folder.game, noted))
    return {}


#: The steps that write to the store. The store must exist for such a step to count as done, but its hash is not
#: compared, because later steps change the store.
INTO_STORE = frozenset({"solve", "close black", "close white"})

#: The steps by name, in order, each with the files that it makes.
STEPS: dict[str, tuple[Step, tuple[str, ...]]] = {
    "solve": (_solve, ()),
    "close black": (partial(_close, "black"), ()),
    "close white": (partial(_close, "white"), ()),
    "store": (_inspect, ()),
    "book": (_compress, (BOOK,)),
    "player": (_build, (SCRIPT, ZIP)),
    "walk black": (partial(_walk, "black"), ()),
    "walk white": (partial(_walk, "white"), ()),
    "certificate": (_certify, (CERTIFICATE,)),
    "check": (_check, ()),
    "page": (_page, (PAGE,)),
    "readme": (_write_readme, (README,)),
}

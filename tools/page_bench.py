"""Measure the page's speed: ``python -m tools.page_bench``. The command takes a minute on an idle machine.

``python -m tools.page_bench --strong 20 --plies 5-8`` takes four minutes instead. At each of these plies it opens a
position of each of 20 games, and measures the time and the nodes until the values of all moves are exact. ``--served``
measures the page that ``little-go open`` serves, in which all threads share one table.

The measured times are wall-clock times in headless Chromium:

- the time from the opening of the file until the page is ready for use;
- the time from a click on a point until the frame that shows the move;
- the times until the winner and the exact value of a position are known, for the positions of ``python -m lab bench
  --exact`` with 16 plies left. These positions have random stones, and neither the book nor the atlas contains them.
"""

import math
import statistics
import time
from collections.abc import Sequence
from contextlib import nullcontext

import click

from lab.speed.bench import drawn_positions, exact_questions
from little_go.notation.record import to_record
from little_go.solver.family import COURSE
from little_go.solver.position import GAME_PLIES, Position
from tools.browsing import ADDRESS, DESK, Explorer, open_browser, serve

OPENINGS = 10
LEFT = 16

_CLICK = """async name => {
    const start = performance.now();
    document.querySelector(`[data-point="${name}"]`).click();
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - start;
}"""

#: JavaScript that returns the milliseconds from the opening of a position until its winner is known, and until its
#: exact value is known.
_SOLVE = """async position => {
    const { app } = explorer;
    const start = performance.now();
    app.load({ start: position, moves: [] });
    let winner = null;
    for (;;) {
        await new Promise(done => setTimeout(done, 5));
        const { lo, hi } = app.about.fact;
        if (winner === null && (lo > 2 || hi < 3)) winner = performance.now() - start;
        if (lo === hi) return [winner, performance.now() - start];
    }
}"""


#: JavaScript that returns the seconds until the values of all moves are exact, and the number of nodes. If the time
#: limit ends the search, the script returns the seconds and null.
_EVERY_MOVE = """async ([position, patience]) => {
    const { app } = explorer;
    const start = performance.now();
    app.load({ start: position, moves: [] });
    while (app.computing && performance.now() - start < 1000 * patience) await new Promise(done => setTimeout(done, 5));
    return [(performance.now() - start) / 1000, app.computing ? null : app.took?.nodes ?? 0];
}"""


@click.command()
@click.option(
    "--strong", type=int, default=0, metavar="GAMES", help="Measure all moves of positions of this number of games."
)
@click.option("--plies", default=f"0-{GAME_PLIES - 1}", show_default=True, help="The plies of these positions.")
@click.option("--served", is_flag=True, help="Measure the page that `little-go open` serves, not the file.")
@click.option("--patience", default=120, show_default=True, help="The time limit of a position in seconds.")
def main(strong: int, plies: str, served: bool, patience: int) -> None:
    """Measure the figures, and print a line for each."""
    with serve() if served else nullcontext(ADDRESS) as address, open_browser() as browser:
        explorer = Explorer(browser.new_context(viewport=DESK), address=address)
        if strong:
            first, _, last = plies.partition("-")
            _time_every_move(explorer, drawn_positions(strong), range(int(first), int(last or first) + 1), patience)
        else:
            _time_the_page(explorer)


def _time_every_move(explorer: Explorer, drawn: Sequence[Sequence[Position]], plies: range, patience: int) -> None:
    print("ply    p50 s    p95 s  worst s    nodes, p50    nodes, p95  nodes, worst   given up")
    for ply in plies:
        told = [_every_move(explorer, position, patience) for position in drawn[ply]]
        seconds = sorted(each for each, _ in told)
        nodes = sorted(count for _, count in told if count is not None)
        times = "".join(f" {each:8.2f}" for each in _quantiles(seconds))
        counts = "".join(f" {each:13,.0f}" for each in _quantiles(nodes))
        print(f"{ply:3}{times}{counts} {len(told) - len(nodes):10}", flush=True)


def _quantiles(ordered: Sequence[float]) -> list[float]:
    """Return the median, the 95 % quantile and the maximum, or an empty list if there are no numbers."""
    return [ordered[math.ceil(part * len(ordered)) - 1] for part in (0.5, 0.95, 1.0) if ordered]


def _every_move(explorer: Explorer, position: Position, patience: int) -> tuple[float, int | None]:
    explorer.go("")
    explorer.until("explorer.app.engine.lanes.length === explorer.app.engine.wanted")
    seconds, nodes = explorer.do(_EVERY_MOVE, [to_record(position, COURSE), patience])
    return seconds, nodes


def _time_the_page(explorer: Explorer) -> None:
    positions = next(part.positions for part in exact_questions() if part.positions[0].left == LEFT)
    _tell("ready for use", [_opening(explorer) for _ in range(OPENINGS)])
    _tell("a click shown", _clicks(explorer))
    times = [_solve(explorer, position) for position in positions]
    _tell(f"who wins, {LEFT} plies left", [winner for winner, _ in times])
    _tell(f"the exact value, {LEFT} plies left", [value for _, value in times])


def _opening(explorer: Explorer) -> float:
    start = time.perf_counter()
    explorer.go("")
    return 1000 * (time.perf_counter() - start)


def _clicks(explorer: Explorer) -> list[float]:
    moves = ["2,2", "1,1", "2,1", "1,2", "2,3", "1,3", "3,2", "0,0", "2,4", "2,0", "3,0"]
    return [explorer.do(_CLICK, name) for name in moves]


def _solve(explorer: Explorer, position: Position) -> tuple[float, float]:
    winner, value = explorer.do(_SOLVE, to_record(position, COURSE))
    return winner, value


def _tell(what: str, milliseconds: Sequence[float]) -> None:
    median, worst = statistics.median(milliseconds) / 1000, max(milliseconds) / 1000
    print(f"{what:30} {len(milliseconds):3} times, median {median:.2f} s, worst {worst:.2f} s")


if __name__ == "__main__":
    main()

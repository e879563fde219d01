"""How fast the page is: ``python -m tools.page_bench``. It takes a minute; leave the machine alone meanwhile.

Times are of the wall clock, in Chromium without a window:

- from the opening of the file to the page ready for use;
- from a click on a point to the frame that shows it;
- until it is known who wins, and what the exact value is, in the positions of ``python -m solver bench --exact`` with
  16 plies left, random stones that neither book nor atlas knows.
"""

import statistics
import time
from collections.abc import Sequence

from solver.bench import exact_questions
from solver.position import Position
from solver.record import to_record
from tools.browsing import DESK, Explorer, open_browser

OPENINGS = 10
LEFT = 16

_CLICK = """async name => {
    const start = performance.now();
    document.querySelector(`[data-point="${name}"]`).click();
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - start;
}"""

#: Milliseconds until the winner and until the exact value are known, from the moment the position is opened.
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


def main() -> None:
    """Measure, and print a line for each figure."""
    positions = next(part.positions for part in exact_questions() if part.positions[0].left == LEFT)
    with open_browser() as browser:
        explorer = Explorer(browser.new_context(viewport=DESK))
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
    winner, value = explorer.do(_SOLVE, to_record(position))
    return winner, value


def _tell(what: str, milliseconds: Sequence[float]) -> None:
    median, worst = statistics.median(milliseconds) / 1000, max(milliseconds) / 1000
    print(f"{what:30} {len(milliseconds):3} times, median {median:.2f} s, worst {worst:.2f} s")


if __name__ == "__main__":
    main()

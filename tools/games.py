"""Make random games of the family, one after another, with ``little-go make``, and print a table of them.

A seed determines the games. A finished game is not made again, so the same command resumes after an interruption.
"""

import argparse
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

from little_go.maker.folder import JOURNAL
from little_go.runtime.files import MIB, read_text
from little_go.solver.family import Variant

ROOT = Path(__file__).parents[1]

#: The minimum length of the games, because in shorter games no side can change the result.
SHORTEST = 8

#: The possible values of the komi. With a negative komi, Black would win with a PASS on the first ply.
KOMI = tuple(half / 2 for half in range(1, 14, 2))

COLUMNS = (
    *("plies, komi", "winner, value", "time", "nodes", "positions in the book", "walked", "longest search, nodes"),
    "certificate, lines",
)


def drawn(count: int, plies: int, seed: int) -> list[Variant]:
    """Return at most ``count`` different games of at most ``plies`` plies, sorted by length and komi."""
    every = [Variant(length, komi) for length in range(SHORTEST, plies + 1, 2) for komi in KOMI]
    chosen = random.Random(seed).sample(every, min(count, len(every)))
    return sorted(chosen, key=lambda game: (game.plies, game.komi))


def make(game: Variant, out: Path) -> Path:
    """Make a game, or resume it, and return its folder. Raise subprocess.CalledProcessError if the command fails."""
    folder = out / f"{game.plies}-{game.komi:g}"
    options = ["--plies", str(game.plies), "--komi", f"{game.komi:g}", "--out", str(folder)]
    subprocess.run([sys.executable, "-m", "little_go", "make", *options], cwd=ROOT, check=True, stdout=sys.stderr)
    return folder


def steps_of(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the records that the steps of a finished game have written, by the name of the step."""
    lines = read_text(folder / JOURNAL, MIB).splitlines()[1:]
    return {step: noted[0] for kind, step, *noted in map(json.loads, lines) if kind == "done"}


def row(game: Variant, steps: dict[str, dict[str, Any]]) -> str:
    """Return a game's row of the table."""
    solve, walks = steps["solve"], [steps["walk black"], steps["walk white"]]
    nodes = sum(steps[name]["nodes"] for name in ("solve", "close black", "close white"))
    cells = [
        f"{game.plies}, {game.komi:g}",
        f"{solve['winner']}, {solve['value']:+d}",
        f"{sum(step['seconds'] for step in steps.values()):.0f} s",
        f"{nodes:,}",
        f"{steps['book']['positions']:,}",
        f"{sum(walk['positions'] for walk in walks):,}",
        f"{max(walk['most_nodes'] for walk in walks):,}",
        f"{steps['certificate']['lines']:,}",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Make the games and print the table of them."""
    parser = argparse.ArgumentParser(prog="python -m tools.games", description=__doc__)
    parser.add_argument("--games", type=int, default=12, help="the number of games (default: %(default)s)")
    parser.add_argument("--plies", type=int, default=16, help="the length of the longest game (default: %(default)s)")
    parser.add_argument(
        "--seed", type=int, default=62, help="the seed that determines the games (default: %(default)s)"
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "build" / "games", help="the folder for the games (default: %(default)s)"
    )
    asked_for = parser.parse_args()
    rows = [
        row(game, steps_of(make(game, asked_for.out)))
        for game in drawn(asked_for.games, asked_for.plies, asked_for.seed)
    ]
    print(f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|", *rows, sep="\n")


if __name__ == "__main__":
    main()

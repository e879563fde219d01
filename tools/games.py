"""Games of the family, drawn by a seed, made one after another by ``little-go make``, and a table of them.

A game that is made is not made again, so the same command resumes.
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

#: Plies of the shortest games that are drawn: in shorter ones nobody can do anything.
SHORTEST = 8

#: The komi of the games that are drawn: below zero Black's first PASS wins at once.
KOMI = tuple(half / 2 for half in range(1, 14, 2))

COLUMNS = (
    *("plies, komi", "winner, value", "time", "nodes", "positions in the book", "walked", "longest search, nodes"),
    "certificate, lines",
)


def drawn(count: int, plies: int, seed: int) -> list[Variant]:
    """Return different games of at most so many plies, by length and komi; at most all that there are."""
    every = [Variant(length, komi) for length in range(SHORTEST, plies + 1, 2) for komi in KOMI]
    chosen = random.Random(seed).sample(every, min(count, len(every)))
    return sorted(chosen, key=lambda game: (game.plies, game.komi))


def make(game: Variant, out: Path) -> Path:
    """Make a game, as far as it is not made, and return its folder; raises subprocess.CalledProcessError."""
    folder = out / f"{game.plies}-{game.komi:g}"
    options = ["--plies", str(game.plies), "--komi", f"{game.komi:g}", "--out", str(folder)]
    subprocess.run([sys.executable, "-m", "little_go", "make", *options], cwd=ROOT, check=True, stdout=sys.stderr)
    return folder


def steps_of(folder: Path) -> dict[str, dict[str, Any]]:
    """Return what the steps of a made game have noted, by name; raises OSError."""
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
    """Make the games and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tools.games", description=__doc__)
    parser.add_argument("--games", type=int, default=12, help="how many (default: %(default)s)")
    parser.add_argument("--plies", type=int, default=16, help="the length of the longest (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=62, help="draws them (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "games", help="where (default: %(default)s)")
    asked_for = parser.parse_args()
    rows = [
        row(game, steps_of(make(game, asked_for.out)))
        for game in drawn(asked_for.games, asked_for.plies, asked_for.seed)
    ]
    print(f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|", *rows, sep="\n")


if __name__ == "__main__":
    main()

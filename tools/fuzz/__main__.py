"""Run the campaigns: ``python -m tools.fuzz`` takes two minutes, and ``--minutes 60`` takes an hour.

The seed of an attempt depends only on ``--seed``, the campaign and the attempt's number, so a single attempt can be
repeated. The command prints a table of results, and exits with 1 at the first broken promise.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from random import Random

from little_go.runtime.files import remove_all
from tools.fuzz import Attempt, foreign_files, playing, prose, running

CAMPAIGNS: dict[str, Attempt] = {
    "books": foreign_files.books,
    "stores": foreign_files.stores,
    "certificates": foreign_files.certificates,
    "notes": foreign_files.notes,
    "games": foreign_files.games,
    "prose": prose.prose,
    "directories": playing.directories,
    "gtp": playing.gtp,
    "agents": playing.agents,
    "killed": running.killed,
    "interrupted": running.interrupted,
    "disks": running.disks,
    "power": running.power,
    "planted": foreign_files.planted,
    "engines": playing.engines,
    "probes": playing.probes,
    "copies": playing.copies,
    "liars": running.liars,
}


def attempt(name: str, seed: int, number: int) -> str:
    """Make one attempt of a campaign in an empty directory. Raise an exception if a promise is broken."""
    here = os.getcwd()
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    os.chdir(folder)
    try:
        place = folder / "place"
        place.mkdir()
        return CAMPAIGNS[name](Random(f"{seed} {name} {number}"), place)
    finally:
        os.chdir(here)
        remove_all(folder)


def main() -> int:
    """Divide the time among the campaigns. Return 1 if a promise was broken, otherwise 0."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "campaigns", nargs="*", metavar="CAMPAIGN", help=f"the campaigns to run; some of: {', '.join(CAMPAIGNS)}"
    )
    parser.add_argument("--minutes", type=float, default=2.0, help="the duration of all campaigns together (2)")
    parser.add_argument("--attempts", type=int, help="the number of attempts of each campaign, instead of --minutes")
    parser.add_argument("--seed", type=int, default=561)
    parser.add_argument("--only", type=int, metavar="N", help="make only attempt N of each campaign")
    options = parser.parse_args()
    names = options.campaigns or [name for name in CAMPAIGNS if name != "liars"]
    if unknown := set(names) - set(CAMPAIGNS):
        parser.error(f"no campaign {', '.join(sorted(unknown))}")
    # If a shell started this process in the background, SIGINT is ignored, and all child processes would ignore it too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print("| campaign | attempts | results |\n|---|---|---|", flush=True)
    for name in names:
        counts: Counter[str] = Counter()
        end = time.monotonic() + 60 * options.minutes / len(names)
        number = options.only or 0
        while number == (options.only or 0) or (
            number < options.attempts if options.attempts else time.monotonic() < end
        ):
            try:
                counts[attempt(name, options.seed, number)] += 1
            except Exception:
                traceback.print_exc()
                print(f"broken; again: python -m tools.fuzz {name} --seed {options.seed} --only {number}", flush=True)
                return 1
            number += 1
            if options.only is not None:
                break
        came = ", ".join(f"{times:,} {what}" for what, times in counts.most_common())
        print(f"| {name} | {counts.total():,} | {came} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

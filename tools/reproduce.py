"""Make a shipped file again, and compare it with the shipped file: ``make reproduce WHAT=puzzles``.

For each file, data/datapackage.json contains the command that makes it, and the first commit with the same bytes. The
list ``others`` in datapackage.json contains the files outside ``data``. The search of the values of ply 7 takes hours,
so ``make reproduce WHAT=ply7-4 SAMPLE=60`` searches only 60 of these values again, in a minute.
"""

import argparse
import csv
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from little_go.book.files.levels import SUFFIX
from little_go.book.files.values import read_later
from little_go.runtime.display import tracked
from little_go.runtime.files import MIB, open_text, read_file, read_json
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "data" / "datapackage.json"

#: The folder in which files are made again, and the maximum size of a file in bytes.
OUT, _MOST = ROOT / "build" / "reproduced", 64 * MIB

#: The size, in MiB, of the table that is used to search values again.
_TABLE_MIB = 256


class Recipe(NamedTuple):
    """The way in which a shipped file was made.

    path: the file's path, relative to the root of the clone. command: a shell command to run in the root. The command
    contains ``{out}`` in place of the file's path, or ``{folder}`` in place of its directory. commit: the first commit
    with these bytes. varies: the columns that differ between two runs of the command.
    """

    path: str
    command: str
    commit: str
    varies: tuple[str, ...]


def recipes(package: Path = PACKAGE) -> dict[str, Recipe]:
    """Return the recipes by the name of the resource. Raise ValueError if the package has no recipes."""
    return read_json(package, MIB, _recipes, ValueError)


def _recipes(package: Any) -> dict[str, Recipe]:
    paths = {each["name"]: f"data/{each['path']}" for each in package["resources"]}
    paths |= {each["name"]: each["path"] for each in package["others"]}
    made = {each["name"]: each["made"] for each in package["resources"] + package["others"] if "made" in each}
    return {
        name: Recipe(paths[name], each["command"], each["commit"], tuple(each.get("varies", ())))
        for name, each in made.items()
    }


def make_again(recipe: Recipe, out: Path) -> Path:
    """Run a recipe's command, and return the path of the new file. Raise CalledProcessError if the command fails."""
    out.mkdir(parents=True, exist_ok=True)
    made = out.absolute() / Path(recipe.path).name
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    # Remove the file first, because a command that adds files to a folder would keep an old file.
    made.unlink(missing_ok=True)
    command = recipe.command.format(out=made, folder=made.parent)
    subprocess.run(command, shell=True, cwd=ROOT, env={**os.environ, "PATH": path}, check=True)
    return made


def difference(made: Path, shipped: Path, varies: tuple[str, ...] = ()) -> str:
    """Return a description of the difference of two files, or "" if they differ at most in the columns ``varies``."""
    if read_file(made, _MOST) == read_file(shipped, _MOST):
        return ""
    if ".csv" in shipped.suffixes:
        return _difference_of_tables(_rows(made), _rows(shipped), varies)
    if ".gz" not in shipped.suffixes:
        return f"{made.stat().st_size:,} bytes instead of {shipped.stat().st_size:,}, or others"
    here, there = _lines(made), _lines(shipped)
    return f"{len(here):,} lines instead of {len(there):,}, {len({*here} & {*there}):,} of them the same"


def searched_again(part: Path, count: int, seed: int) -> list[str]:
    """Search some positions of a part again with an empty table. Return a line for each value that differs.

    Raise AtlasError if the part is damaged.
    """
    known = list(read_later(part))
    drawn = random.Random(seed).sample(known, min(count, len(known)))
    kernel = Kernel(open_table(_TABLE_MIB))
    found = [
        (position, value, kernel.value(position).value) for position, value in tracked(drawn, "Searching", len(drawn))
    ]
    return [f"{position}: {value:+d}, and again {again:+d}" for position, value, again in found if again != value]


def _difference_of_tables(made: list[dict[str, str]], shipped: list[dict[str, str]], varies: tuple[str, ...]) -> str:
    if len(made) != len(shipped):
        return f"{len(made):,} rows instead of {len(shipped):,}"
    names = dict.fromkeys(name for row in (*made[:1], *shipped[:1]) for name in row)
    counts = {
        name: sum(here.get(name) != there.get(name) for here, there in zip(made, shipped, strict=True))
        for name in names
        if name not in varies
    }
    return ", ".join(f"{count:,} rows with another {name}" for name, count in counts.items() if count)


def _rows(path: Path) -> list[dict[str, str]]:
    with open_text(path, _MOST) as text:
        return list(csv.DictReader(text))


def _lines(path: Path) -> list[str]:
    with open_text(path, _MOST) as text:
        return text.read().splitlines()


def main() -> None:
    """Make one file again, and exit with 1 if it differs from the shipped file."""
    parser = argparse.ArgumentParser(prog="python -m tools.reproduce", description=__doc__)
    known = recipes()
    parser.add_argument("what", choices=sorted(known), help="the file, by its name in data/datapackage.json")
    parser.add_argument("--out", type=Path, default=OUT, help="the directory for the new file (default: %(default)s)")
    parser.add_argument("--sample", type=int, help="search only this number of the positions of a part again")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the sample (default: %(default)s)")
    asked_for = parser.parse_args()
    recipe = known[asked_for.what]
    if asked_for.sample is not None:
        if not recipe.path.endswith(SUFFIX):
            parser.error(f"--sample goes with a part, such as ply7-1, not with {asked_for.what}")
        wrong = searched_again(ROOT / recipe.path, asked_for.sample, asked_for.seed)
        print("\n".join([*wrong, f"{recipe.path}: {asked_for.sample} values searched again, {len(wrong)} differ"]))
        raise SystemExit(bool(wrong))
    print(f"{recipe.path}: first in commit {recipe.commit}; {recipe.command}", flush=True)
    made = make_again(recipe, asked_for.out)
    if differs := difference(made, ROOT / recipe.path, recipe.varies):
        print(f"{made}: {differs}")
        raise SystemExit(1)
    but = f" but for {', '.join(recipe.varies)}" if recipe.varies else ""
    print(f"{made}: as the shipped file{but}")


if __name__ == "__main__":
    main()

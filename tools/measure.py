"""Measure the figures of ``report/measured.toml`` that have a ``run``, and store them: ``make measure``.

On a busy machine the node counts are right, but the times are too long. The command also writes the figures into the
documents (``report/figures.py``), and ``tests/test_figures.py`` compares the documents with the file. ``RUNS=solve``
measures one section. ``python -m tools.measure --store ci minutes "14 min"`` stores a figure that another program has
measured at this commit. ``--fill`` only writes the stored figures into the documents.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from little_go.book.store.store import open_store
from little_go.runtime.files import write_whole
from little_go.solver.family import COURSE
from report.figures import PAGE, STORED, all_figures, documents, fill, page, read_figures

ROOT = Path(__file__).parents[1]


def asked(*arguments: str) -> Any:
    """Run a command of the project that prints a JSON object, and return this object."""
    run = subprocess.run([sys.executable, "-m", *arguments, "--json"], cwd=ROOT, capture_output=True, check=True)
    return json.loads(run.stdout)


def solve() -> dict[str, str]:
    """Solve the game in a new store, and return the figures of the search."""
    with tempfile.TemporaryDirectory(prefix="measure-") as folder:
        store = Path(folder) / "new.db"
        started = time.monotonic()
        command = ["-m", "little_go.generator", "solve", "--db", str(store), "--workers", "2", "--table", "2GiB"]
        subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, check=True)
        seconds = time.monotonic() - started
        with open_store(store, game=COURSE) as opened:
            run = opened.runs()[-1]
        return {
            "nodes": f"{run['nodes'] / 1e6:.0f} M",
            "clock": f"{seconds:.0f} s",
            "memory": f"{run['peak_mib']:,} MiB",
        }


def exact() -> dict[str, str]:
    """Search exact values, and return the mean nodes and seconds of a position, by the number of plies left."""
    parts = {int(part["name"].split(", ")[1].split()[0]): part for part in asked("lab", "bench", "--exact")["parts"]}
    counts = {left: int(part["name"].split()[0]) for left, part in parts.items()}
    nodes = [f"{parts[left]['nodes'] / counts[left] / 1e6:.1f} M" for left in (16, 17, 18, 19)]
    seconds = [f"{parts[left]['seconds'] / counts[left]:.1f} s" for left in (16, 17, 18, 19)]
    return {"nodes": ", ".join(nodes), "seconds": ", ".join(seconds)}


def bench() -> dict[str, str]:
    """Search the positions of the bench, and return the figures of the search."""
    answer = asked("lab", "bench")
    games = [part["nodes"] for part in answer["parts"] if part["name"].endswith("plies, +3?")]
    return {
        "nodes": f"{games[-1] / 1e6:.2f} M",
        "before": f"{sum(games[:-1]) / 1e6:.2f} M",
        "speed": f"{answer['nodes_per_second'] / 1e6:.1f} M",
    }


def store() -> dict[str, str]:
    """Build the database from the shipped files, and return the time and the size."""
    with tempfile.TemporaryDirectory(prefix="measure-") as folder:
        path = Path(folder) / "book.db"
        started = time.monotonic()
        command = [sys.executable, "-m", "little_go.book", "import", "--db", str(path)]
        subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
        return {"clock": duration(time.monotonic() - started), "size": f"{path.stat().st_size / 1e6:.0f} MB"}


def targets() -> dict[str, str]:
    """Run the targets of make one after another in a new clone of the last commit, and return the times."""
    with tempfile.TemporaryDirectory(prefix="measure-") as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        times = {target: duration(_timed(clone, target)) for target in TARGETS}
        return {**times, "disk": f"{_bytes_in(clone) / 1e8:.0f}00 MB"}


def _bytes_in(folder: Path) -> int:
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*") if not path.is_dir())


def _timed(clone: Path, target: str) -> float:
    began = time.monotonic()
    subprocess.run(["make", target], cwd=clone, capture_output=True, check=True)
    return time.monotonic() - began


def duration(seconds: float) -> str:
    """Return a duration as text, in seconds if it is less than a minute, otherwise in minutes."""
    return f"{seconds:.0f} s" if seconds < 59.5 else f"{seconds / 60:.0f} min"


#: The measured targets, in order: as for a user, each target uses the files that the earlier targets have built.
TARGETS = ("setup", "demo", "lint", "test", "docs")

RUNS = {"solve": solve, "exact": exact, "bench": bench, "store": store, "targets": targets}


def with_values(text: str, section: str, values: dict[str, str]) -> str:
    """Return the text of measured.toml with new values in a section."""
    before, head, rest = text.partition(f"[{section}]\n")
    body, mark, after = rest.partition("\n[")
    for key, value in values.items():
        body = re.sub(rf'^{key} = ".*"$', f'{key} = "{value}"', body, flags=re.MULTILINE)
    return before + head + body + mark + after


def fill_documents(root: Path) -> None:
    """Write the stored figures into the documents, and write the page that lists all figures."""
    figures = all_figures(root)
    for path in documents(root):
        before = path.read_text("utf-8")
        if (after := fill(before, figures)) != before:
            write_whole(path, after)
    write_whole(root / PAGE, page(root, read_figures(root)))


def main() -> None:
    """Measure the figures, store and print them, and write them into the documents."""
    parser = argparse.ArgumentParser(prog="python -m tools.measure", description=main.__doc__)
    parser.add_argument("--store", nargs=3, metavar=("SECTION", "KEY", "VALUE"), help="only store this figure")
    parser.add_argument("--fill", action="store_true", help="only write the stored figures into the documents")
    parser.add_argument("runs", nargs="*", metavar="RUN", help=f"what to measure; {', '.join(RUNS)}; all by default")
    asked_for = parser.parse_args()
    text = (ROOT / STORED).read_text("utf-8")
    if asked_for.store:
        section, key, value = asked_for.store
        if not re.search(rf"^\[{section}\]\n(?:.+\n)*{key} = ", text, re.MULTILINE):
            parser.error(f"measured.toml has no {key} in [{section}]")
        write_whole(ROOT / STORED, with_values(text, section, {key: value, "commit": commit()}))
    elif not asked_for.fill:
        write_whole(ROOT / STORED, measure_all(text, asked_for.runs or list(RUNS)))
    fill_documents(ROOT)
    print(f"{STORED}: the documents have its figures")


def commit() -> str:
    """Return the short hash of the current commit."""
    return subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True).strip()


def measure_all(text: str, runs: list[str]) -> str:
    """Return the text of measured.toml with new figures and their commit.

    After a whole run, also store the machine's name.
    """
    for section, run in re.findall(r"^\[(\w+)\]\n(?:\w+ = .*\n)*?run = \"(\w+)\"$", text, re.MULTILINE):
        if run in runs:
            values = RUNS[run]()
            text = with_values(text, section, {**values, "commit": commit()})
            print(section, values, flush=True)
    if set(runs) < set(RUNS):
        return text
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    return with_values(text, "machine", {"name": machine})


if __name__ == "__main__":
    main()

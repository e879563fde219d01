"""Measure the figures of ``report/measured.toml`` that have a ``run``, and store them: ``make measure``.

It takes some minutes on an idle machine; on a busy one the node counts hold and the times do not. The file lists the
documents that state a figure: change their sentences to what is stored; ``tests/test_report.py`` compares them.
"""

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

from book.store.store import open_store
from runtime.filesystem import write_whole

ROOT = Path(__file__).parents[1]
STORED = ROOT / "report" / "measured.toml"


def asked(*arguments: str) -> Any:
    """Run a command of the project that answers with one JSON object, and return that."""
    run = subprocess.run([sys.executable, "-m", *arguments, "--json"], cwd=ROOT, capture_output=True, check=True)
    return json.loads(run.stdout)


def solve() -> dict[str, str]:
    """Solve the game in a fresh store."""
    with tempfile.TemporaryDirectory(prefix="measure-") as folder:
        store = Path(folder) / "new.db"
        started = time.monotonic()
        command = ["-m", "generator", "solve", "--db", str(store), "--workers", "2", "--table", "2GiB"]
        subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, check=True)
        seconds = time.monotonic() - started
        with open_store(store) as opened:
            run = opened.runs()[-1]
        return {
            "nodes": f"{run['nodes'] / 1e6:.0f} M",
            "clock": f"{seconds:.0f} s",
            "memory": f"{run['peak_mib']:,} MiB",
        }


def exact() -> dict[str, str]:
    """Search exact values, by plies left, and return the means for one position."""
    parts = {int(part["name"].split(", ")[1].split()[0]): part for part in asked("lab", "bench", "--exact")["parts"]}
    counts = {left: int(part["name"].split()[0]) for left, part in parts.items()}
    nodes = [f"{parts[left]['nodes'] / counts[left] / 1e6:.1f} M" for left in (16, 17, 18, 19)]
    seconds = [f"{parts[left]['seconds'] / counts[left]:.1f} s" for left in (16, 17, 18, 19)]
    return {"nodes": ", ".join(nodes), "seconds": ", ".join(seconds)}


def bench() -> dict[str, str]:
    """Search the fixed workload."""
    answer = asked("lab", "bench")
    games = [part["nodes"] for part in answer["parts"] if part["name"].endswith("plies, +3?")]
    return {
        "nodes": f"{games[-1] / 1e6:.2f} M",
        "before": f"{sum(games[:-1]) / 1e6:.2f} M",
        "speed": f"{answer['nodes_per_second'] / 1e6:.1f} M",
    }


RUNS = {"solve": solve, "exact": exact, "bench": bench}


def with_values(text: str, section: str, values: dict[str, str]) -> str:
    """Return the file's text with other values in a section."""
    before, head, rest = text.partition(f"[{section}]\n")
    body, mark, after = rest.partition("\n[")
    for key, value in values.items():
        body = re.sub(rf'^{key} = ".*"$', f'{key} = "{value}"', body, flags=re.MULTILINE)
    return before + head + body + mark + after


def main() -> None:
    """Measure, store, and print what has changed."""
    text = STORED.read_text("utf-8")
    sections = re.findall(r"^\[(\w+)\]\n(?:\w+ = .*\n)*?run = \"(\w+)\"$", text, re.MULTILINE)
    for section, run in sections:
        values = RUNS[run]()
        text = with_values(text, section, values)
        print(section, values, flush=True)
    commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    text = with_values(text, "machine", {"name": machine, "commit": commit.strip()})
    write_whole(STORED, text)
    print(f"{STORED.relative_to(ROOT)}: stored; tests/test_report.py compares the documents")


if __name__ == "__main__":
    main()

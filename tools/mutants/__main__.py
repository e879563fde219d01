"""Plant small faults, and list the faults that no test of their room detects: ``make mutants SEED=561 COUNT=100``.

Each fault, which is called a mutant, changes one place of one file in a copy of the project. The fast tests of the
mutant's room run in this copy, in a box, until a test fails. A failing test kills the mutant. The results are stored in
build/mutants/, and another run with the same seed resumes. A mutant that survived is tried again if the tests of its
room have changed. The exit code is 1 if fewer than 97 % of the mutants are killed or listed in
tools/mutants/equivalent.txt.
"""

import argparse
import hashlib
import json
import queue
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tools.mutants.box import NoBox
from tools.mutants.edits import EQUIVALENT, Mutant, read_equivalent
from tools.mutants.rooms import ROOMS, Room, mutants_of, room_of, sample
from tools.mutants.trial import KILLED, SURVIVED, TIMEOUT, Baseline, Copy, take_snapshot

ROOT = Path(__file__).parents[2]

#: The share of the mutants that must be killed or equivalent.
WANTED = 0.97

Planted = tuple[Room, Mutant]
Result = dict[str, Any]


class Campaign:
    """The mutants of a run, the workers that try them, and the file of results.

    planted: the mutants. results: the results of the mutants, by key.
    """

    def __init__(self, snapshot: Path, folder: Path, store: Path, planted: list[Planted]) -> None:
        self._root, self._folder, self._store, self.planted = snapshot, folder, store, planted
        self._equivalent = read_equivalent(snapshot)
        self._output_lock = threading.Lock()
        # If a worker measures a room, the other workers can measure only other rooms.
        self._room_locks = {room.name: threading.Lock() for room, _ in planted}
        self._todo: queue.SimpleQueue[Planted] = queue.SimpleQueue()
        self._copies: list[Copy] = []
        self._errors: list[BaseException] = []
        self._started, self._new = time.monotonic(), 0
        self.results: dict[str, Result] = {}

    def run(self, workers: int) -> None:
        """Try all mutants without a stored result. Raise the exception of a worker that fails."""
        self._store.parent.mkdir(parents=True, exist_ok=True)
        self._take_what_is_known()
        for room, mutant in self.planted:
            if mutant.key not in self.results:
                self._todo.put((room, mutant))
        threads = [
            threading.Thread(target=self._work, args=(number,), daemon=True)
            for number in range(min(workers, self._todo.qsize()))
        ]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                thread.join()
        except BaseException as error:
            self._errors.append(error)
            while any(thread.is_alive() for thread in threads):
                for copy in list(self._copies):
                    copy.stop()
                time.sleep(0.1)
        if self._errors:
            raise self._errors[0]

    def _take_what_is_known(self) -> None:
        stored = _read_lines(self._store)
        for room, mutant in self.planted:
            result = stored.get(mutant.key)
            if reason := self._equivalent.get(mutant.key):
                self.results[mutant.key] = {"status": EQUIVALENT, "by": reason}
            elif result and result["seen"] == _digest(self._root, _evidence(self._root, room, mutant, result)):
                self.results[mutant.key] = result

    def _work(self, number: int) -> None:
        try:
            copy: Copy | None = None
            while not self._errors:
                room, mutant = self._todo.get_nowait()
                folder = self._folder / str(number)
                if copy is None:
                    folder.mkdir()
                    copy = Copy(self._root, folder)
                    self._copies.append(copy)
                self._note(room, mutant, copy)
        except queue.Empty:
            pass
        except BaseException as error:
            self._errors.append(error)

    def _note(self, room: Room, mutant: Mutant, copy: Copy) -> None:
        with self._room_locks[room.name]:
            baseline = self._baseline(room, copy)
        outcome = copy.try_out(mutant, room, baseline)
        if self._errors:  # The tests of this mutant were stopped.
            return
        result = {"key": mutant.key, **outcome._asdict()}
        result["seen"] = _digest(self._root, _evidence(self._root, room, mutant, result))
        with self._output_lock, self._store.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")
            self.results[mutant.key] = result
            self._new += 1
            left = len(self.planted) - len(self.results)
            estimate = left * (time.monotonic() - self._started) / self._new / 60
            print(
                f"{len(self.results):4} of {len(self.planted)}, {estimate:3.0f} min left  {outcome.status:8}"
                f" {outcome.seconds:5.0f} s  {mutant}" + (f"  [{outcome.by}]" if outcome.by else ""),
                flush=True,
            )

    def _baseline(self, room: Room, copy: Copy) -> Baseline:
        """Return the times of a room's tests, which are measured once for each state of the room and its tests."""
        file = self._store.with_name("baselines.jsonl")
        key = f"{' '.join(room.tests)} {_digest(self._root, [*room.files(self._root), *_tests(self._root, room)])}"
        with self._output_lock:
            known = _read_lines(file).get(key)
        if known is None:
            print(f"{room.name}: its tests without a mutant", flush=True)
            baseline = copy.baseline(room)
            for name in baseline.failing:
                print(f"{room.name}: fails without a mutant, and is omitted: {name}", flush=True)
            known = {"key": key, "baseline": baseline}
            with self._output_lock, file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(known) + "\n")
        start, files, longest, failing = known["baseline"]
        return Baseline(start, files, longest, tuple(failing))


def _read_lines(file: Path) -> dict[str, Result]:
    """Return the lines of a file by key. If several lines have the same key, return the last one."""
    if not file.exists():
        return {}
    return {row["key"]: row for row in map(json.loads, file.read_text("utf-8").splitlines())}


def _tests(root: Path, room: Room) -> list[Path]:
    places = [root / name for name in room.tests if name.startswith("tests")]
    found = {file for place in places for file in (place.rglob("*") if place.is_dir() else [place])}
    return sorted(file for file in found if file.is_file() and "__pycache__" not in file.parts)


def _evidence(root: Path, room: Room, mutant: Mutant, result: Result) -> list[Path]:
    """Return the files on which a result depends: the mutant's file, and the failed test or all tests of the room."""
    by = root / result["by"].partition("::")[0] if result["by"] else root
    tests = [by] if result["status"] == KILLED and by.is_file() else _tests(root, room)
    return [root / mutant.path, *tests]


def _digest(root: Path, files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def _at(place: str, root: Path) -> list[Planted]:
    """Return all mutants of a line, given as FILE:LINE. Raise LookupError if the line has none."""
    path, _, line = place.rpartition(":")
    room = room_of(path, root)
    found = [(room, mutant) for mutant in mutants_of(root / path, root) if str(mutant.line) == line]
    if not found:
        raise LookupError(f"{place}: no mutant changes this line")
    return found


def _chosen(options: argparse.Namespace, root: Path) -> list[Planted]:
    if options.at:
        return [planted for place in options.at for planted in _at(place, root)]
    rooms = [ROOMS[name] for name in options.rooms.split(",")] if options.rooms else list(ROOMS.values())
    if shutil.which("node") is None:
        print("no Node.js here: the page's mutants are omitted")
        rooms = [room for room in rooms if room.name != "page"]
    return sample(root, rooms, options.seed, options.count)


def summary(planted: list[Planted], results: dict[str, Result]) -> int:
    """Print the table of results and the surviving mutants, and return the exit code."""
    kinds = (KILLED, TIMEOUT, EQUIVALENT, SURVIVED)
    counts = Counter((room.name, results[mutant.key]["status"]) for room, mutant in planted)
    print("\n| room | " + " | ".join(kinds) + " |\n|---|" + "--:|" * len(kinds))
    for name in dict.fromkeys(room.name for room, _ in planted):
        print(f"| {name} | " + " | ".join(str(counts[name, kind]) for kind in kinds) + " |")
    survivors = [mutant for _, mutant in planted if results[mutant.key]["status"] == SURVIVED]
    good = len(planted) - len(survivors)
    print(f"\n{good} of {len(planted)} are killed or equivalent; wanted: {WANTED:.0%}")
    for mutant in survivors:
        print(f"survived: {mutant}")
    return int(good < WANTED * len(planted))


def _end(number: int, frame: object) -> None:
    sys.exit(128 + number)


def main() -> int:
    """Try the mutants, and print a line for each. Return 1 if too many survive, 2 if none can be tried, otherwise 0."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=561)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--rooms", metavar="ROOM,...", help=f"the rooms; some of: {', '.join(ROOMS)}")
    parser.add_argument(
        "--at", action="append", metavar="FILE:LINE", help="try all mutants of this line instead of a sample"
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="only print the mutants")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, _end)
    if unknown := set(filter(None, (options.rooms or "").split(","))) - set(ROOMS):
        parser.error(f"no room {', '.join(sorted(unknown))}")
    store = ROOT / "build" / "mutants" / ("lines.jsonl" if options.at else f"{options.seed}.jsonl")
    with tempfile.TemporaryDirectory(prefix="mutants-", ignore_cleanup_errors=True) as name:
        folder, snapshot = Path(name), Path(name, "snapshot")
        folder.chmod(0o711)  # Another user must be able to enter the folder.
        take_snapshot(ROOT, snapshot)
        try:
            planted = _chosen(options, snapshot)
        except LookupError as error:
            parser.error(str(error))
        if options.list:
            print(*(mutant for _, mutant in planted), sep="\n")
            return 0
        campaign = Campaign(snapshot, folder, store, planted)
        try:
            campaign.run(options.workers)
        except NoBox as error:
            print(error, file=sys.stderr)
            return 2
    return summary(planted, campaign.results)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)

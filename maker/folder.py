"""The directory in which a game is made: its files, its README, and a journal of the finished steps."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from little_go.runtime.files import MIB, read_json, remove_all, sha256_of
from little_go.runtime.journal import Journal, JournalBusy, JournalError
from little_go.solver.answer import Bounds
from little_go.solver.bounds import bounds_text
from little_go.solver.family import Variant

#: The journal of the finished steps, and the lock of the process that does the steps.
JOURNAL, LOCK = "made.jsonl", "made.lock"

#: The file in which an older version recorded the steps, as one JSON object. This file is converted to a journal.
OLD_JOURNAL = "made.json"

_FORMAT = 2

#: The kinds of the journal's lines: a step begins, a step is done (with its figures and files), or a step must be done
#: again.
_BEGIN, _DONE, _AGAIN = "begin", "done", "again"

#: The figures that the README and later steps use, by step, each with its types. If the journal lacks one, make_all()
#: repeats the step.
_FIGURES: dict[str, dict[str, tuple[type, ...]]] = {
    "solve": {"winner": (str,), "value": (int, type(None))},
    "book": {"positions": (int,)},
    "walk black": {"positions": (int,), "most_nodes": (int,), "most_seconds": (int, float)},
    "walk white": {"positions": (int,), "most_nodes": (int,), "most_seconds": (int, float)},
    "certificate": {"lines": (int,)},
    "check": {"lines": (int,)},
    "page": {"bytes": (int,)},
}

#: The advice in messages about a directory that cannot be used.
_REMEDY = "remove the directory, or give another --out"


class FolderError(Exception):
    """Raised if a game cannot be made in a directory. The message is one line."""


class Folder:
    """A game's directory, which is locked against other processes. open_folder() yields and closes such objects."""

    def __init__(self, path: Path, game: Variant) -> None:
        """Lock the directory and read its journal.

        Raise FolderError if the directory is locked or the journal is damaged.
        """
        self.path = path
        self.game = game
        self._steps: dict[str, dict[str, Any]] = {}
        self._begun: str | None = None
        head = {"format": _FORMAT, "plies": game.plies, "komi": game.komi}
        try:
            self._journal: Journal[None] = Journal(path / JOURNAL, self._apply, _REMEDY, head=head, lock=path / LOCK)
        except JournalBusy:
            raise FolderError(f"{path}: another process is making a game there") from None
        except JournalError as error:
            raise FolderError(str(error)) from None

    def close(self) -> None:
        """Release the lock, so that another process can use the directory."""
        self._journal.close()

    def file(self, name: str) -> Path:
        """Return the path of a file in the directory."""
        return self.path / name

    def done(self, step: str) -> dict[str, Any] | None:
        """Return the figures and files of a step.

        Return None if the step is not done, one of its files has changed, or the journal lacks one of its figures.
        """
        recorded = self._steps.get(step)
        if recorded is None or not _has_figures(step, recorded):
            return None
        if any(_hash(self.file(name)) != sha for name, sha in recorded["files"].items()):
            return None
        return recorded

    def begin(self, step: str) -> bool:
        """Record that a step begins, and return whether the step resumes after a stop."""
        resumes = self._begun == step
        self._record([_BEGIN, step])
        return resumes

    def finish(self, step: str, seconds: float, figures: Mapping[str, Any], files: tuple[str, ...]) -> None:
        """Record that a step is done."""
        hashes = {name: _hash(self.file(name)) for name in files}
        self._record([_DONE, step, {"seconds": round(seconds, 1), **figures, "files": hashes}])

    def invalidate(self, steps: tuple[str, ...]) -> None:
        """Record that steps must be done again."""
        self._record(*([_AGAIN, step] for step in steps if step in self._steps))

    def remove(self, *names: str) -> None:
        """Remove files that only a running step needs.

        The files can include lock files, because the directory's own lock keeps other processes away.
        """
        for name in names:
            remove_all(self.file(name))

    def import_old_note(self, old: Path) -> None:
        """Record the steps from the file of an older version, and remove the file.

        Raise FolderError if the file is damaged or of another game.
        """
        there, steps, begun = read_json(old, MIB, _old_note, FolderError)
        if there != self.game:
            raise FolderError(f"{old}: of the game of {there}, not of {self.game}: {_REMEDY}")
        self._record(
            *([_DONE, step, recorded] for step, recorded in steps.items()), *([[_BEGIN, begun]] if begun else [])
        )
        remove_all(old)

    def _record(self, *events: list[Any]) -> None:
        for event in events:
            self._apply(event)
        self._journal.add(*((None, event) for event in events))

    def _apply(self, event: Any) -> None:
        """Apply a line of the journal. Raise ValueError or TypeError if the line is invalid."""
        kind, step, *recorded = event
        if kind == _DONE and isinstance(recorded[0]["files"], dict):
            self._steps[step] = recorded[0]
            self._begun = None if self._begun == step else self._begun
        elif kind == _BEGIN and not recorded:
            self._begun = step
        elif kind == _AGAIN and not recorded:
            self._steps.pop(step, None)
        else:
            raise ValueError("not a step of a game")


def _has_figures(step: str, recorded: Mapping[str, Any]) -> bool:
    wanted = {"seconds": (int, float), **_FIGURES.get(step, {})}
    return all(isinstance(recorded.get(name, ...), types) for name, types in wanted.items())


def _hash(path: Path) -> str | None:
    try:
        return sha256_of(path, 1024 * MIB)
    except FileNotFoundError:
        return None


@contextmanager
def open_folder(path: Path, game: Variant) -> Iterator[Folder]:
    """Yield a game's directory, which is created if it does not exist.

    Raise FolderError if the directory cannot be used.
    """
    path.mkdir(parents=True, exist_ok=True)
    old, is_new = path / OLD_JOURNAL, not os.path.lexists(path / JOURNAL)
    if is_new and not os.path.lexists(old) and any(each.name != LOCK for each in path.iterdir()):
        raise FolderError(
            f"{path}: contains other files: give --out a new or empty directory, or one of an earlier run"
        )
    folder = Folder(path, game)
    try:
        if os.path.lexists(old):
            folder.import_old_note(old)
        yield folder
    finally:
        folder.close()


def _old_note(content: Any) -> tuple[Variant, dict[str, dict[str, Any]], str | None]:
    """Return the game, the finished steps and the begun step from the content of an older version's file."""
    try:
        if content["format"] != 1 or not all(isinstance(step["files"], dict) for step in content["steps"].values()):
            raise ValueError
        game = Variant(content["plies"], content["komi"])
        game.check()
        return game, content["steps"], content.get("begun")
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FolderError(f"damaged: {_REMEDY}") from None


_FILES = """| file | what it is |
|---|---|
| `my_player3.py`, `book.json` | the player: one file of Python 3.7, and its book; `player.zip` has both |
| `proof.db`, `proof.log` | what was proved on the way, in SQLite, and the workers' log |
| `walked-black`, `walked-white` | the script's move in every position that it can be led into, with what it searched |
| `made.jsonl` | the finished steps, with their times |
| `made.lock`, `proof.db-writer` | locks: one process at a time makes the game, or writes to the store |
"""

_CERTIFICATE_ROW = "| `winner.cert.gz` | the winner's whole strategy, for `little-go check winner.cert.gz` |"
_PAGE_ROW = "| `explorer.html` | the page that shows what any position of this game is worth: open it in a browser |"


def _rows(recorded: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the table rows of the files that only some games have."""
    if recorded["check"]["lines"]:
        yield _CERTIFICATE_ROW
    if recorded["page"].get("bytes"):
        yield _PAGE_ROW


def _times(recorded: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for name, step in recorded.items():
        if "seconds" in step:
            yield f"| {name} | {step['seconds']:,}{' since it resumed' if step.get('resumed') else ''} |"


def readme_of(game: Variant, recorded: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the text of the README. recorded: the figures and seconds of each step, by step."""
    solved, book = recorded["solve"], recorded["book"]
    verdict = f"{solved['winner']} wins."
    if game.komi < 0:
        verdict = "Black wins at once: his PASS on the first ply ends the game, and White's komi is below zero."
    elif solved["value"] is not None:
        margin = bounds_text(Bounds(solved["value"], solved["value"]))
        verdict = f"{solved['winner']} wins: in best play Black - White is {margin}, and the komi is {game.komi:g}."
    walks = [recorded[f"walk {colour}"] for colour in ("black", "white")]
    checked = f"A certificate of {recorded['check']['lines']:,} lines was checked from the rules alone."
    positions = sum(walk["positions"] for walk in walks)
    nodes, cpu = (max(walk[name] for walk in walks) for name in ("most_nodes", "most_seconds"))
    lines = [
        f"# Little-Go, {game}",
        f"{verdict}",
        f"The script was walked through {positions:,} positions, against every reply, as either colour: as far as its "
        f"book of {book['positions']:,} positions reaches, and one move on. It never gives up a won game there; what "
        "follows, it searches to the end itself. "
        f"The longest search of a won position took {nodes:,} nodes and {cpu:.2f} s of CPU. "
        f"{checked if recorded['check']['lines'] else ''}".rstrip(),
        "\n".join([_FILES.rstrip(), *_rows(recorded)]),
        "\n".join(["| step | seconds |\n|---|---|", *_times(recorded)]),
        f"Made by `little-go make --plies {game.plies} --komi {game.komi:g} --out .`, "
        "which does what is missing when you run it again.",
    ]
    return "\n\n".join(lines) + "\n"

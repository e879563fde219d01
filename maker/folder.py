"""The directory in which a game is made: its files, its README, and a journal of which steps are done."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from runtime.files import MIB, read_json, remove_all, sha256_of
from runtime.journal import Journal, JournalBusy, JournalError
from solver.answer import Bounds
from solver.bounds import bounds_text
from solver.family import Variant

#: The journal of what is done, and the lock of who does it.
NOTE, LOCK = "made.jsonl", "made.lock"

#: The note of an older version, one object, which becomes a journal.
OLD_NOTE = "made.json"

_FORMAT = 2

#: What a line tells of a step: that it begins, is done (with its figures and files), or is to be done again.
_BEGIN, _DONE, _AGAIN = "begin", "done", "again"

#: What to do about a directory that is of no use.
_REMEDY = "remove the directory, or give another --out"


class FolderError(Exception):
    """A directory in which a game cannot be made; the message is one line."""


class Folder:
    """A game's directory, which no other process makes anything in; open_folder() makes and closes one."""

    def __init__(self, path: Path, game: Variant) -> None:
        """Read what is done; raises FolderError and OSError."""
        self.path = path
        self.game = game
        self._steps: dict[str, dict[str, Any]] = {}
        self._begun: str | None = None
        head = {"format": _FORMAT, "plies": game.plies, "komi": game.komi}
        try:
            self._journal: Journal[None] = Journal(path / NOTE, self._take, _REMEDY, head=head, lock=path / LOCK)
        except JournalBusy:
            raise FolderError(f"{path}: another process is making a game there") from None
        except JournalError as error:
            raise FolderError(str(error)) from None

    def close(self) -> None:
        """Let another process make games there."""
        self._journal.close()

    def file(self, name: str) -> Path:
        """Return the path of a file in it."""
        return self.path / name

    def done(self, step: str) -> dict[str, Any] | None:
        """Return what a step noted, or None if it is not done, or if one of its files is gone or is another by now."""
        noted = self._steps.get(step)
        if noted is None or any(_hash(self.file(name)) != sha for name, sha in noted["files"].items()):
            return None
        return noted

    def begin(self, step: str) -> bool:
        """Note that a step begins, and return whether it resumes, because it was stopped before; raises OSError."""
        resumes = self._begun == step
        self._note([_BEGIN, step])
        return resumes

    def note(self, step: str, seconds: float, figures: Mapping[str, Any], files: tuple[str, ...]) -> None:
        """Note that a step is done; raises OSError."""
        hashes = {name: _hash(self.file(name)) for name in files}
        self._note([_DONE, step, {"seconds": round(seconds, 1), **figures, "files": hashes}])

    def forget(self, steps: tuple[str, ...]) -> None:
        """Note that steps are to be done again; raises OSError."""
        self._note(*([_AGAIN, step] for step in steps if step in self._steps))

    def remove(self, *names: str) -> None:
        """Remove files that only a step under way needs; raises OSError.

        Locks too: no other process makes anything here, so none waits for them.
        """
        for name in names:
            remove_all(self.file(name))

    def take_over(self, old: Path) -> None:
        """Note what an older version's note has, and remove that; raises FolderError and OSError."""
        there, steps, begun = read_json(old, MIB, _old_note, FolderError)
        if there != self.game:
            raise FolderError(f"{old} is about the game of {there} instead of {self.game}: {_REMEDY}")
        self._note(*([_DONE, step, noted] for step, noted in steps.items()), *([[_BEGIN, begun]] if begun else []))
        remove_all(old)

    def _note(self, *events: list[Any]) -> None:
        for event in events:
            self._take(event)
        self._journal.add(*((None, event) for event in events))

    def _take(self, event: Any) -> None:
        """Take an event into account; raises ValueError and TypeError for what is none."""
        kind, step, *noted = event
        if kind == _DONE and isinstance(noted[0]["files"], dict):
            self._steps[step] = noted[0]
            self._begun = None if self._begun == step else self._begun
        elif kind == _BEGIN and not noted:
            self._begun = step
        elif kind == _AGAIN and not noted:
            self._steps.pop(step, None)
        else:
            raise ValueError("no step of a game")


def _hash(path: Path) -> str | None:
    try:
        return sha256_of(path, 1024 * MIB)
    except FileNotFoundError:
        return None


@contextmanager
def open_folder(path: Path, game: Variant) -> Iterator[Folder]:
    """Give a game's directory, which is made if it is not there; raises FolderError and OSError."""
    path.mkdir(parents=True, exist_ok=True)
    old, is_new = path / OLD_NOTE, not os.path.lexists(path / NOTE)
    if is_new and not os.path.lexists(old) and any(each.name != LOCK for each in path.iterdir()):
        raise FolderError(f"{path} has other files: give --out a directory that is new, empty, or of such a run")
    folder = Folder(path, game)
    try:
        if os.path.lexists(old):
            folder.take_over(old)
        yield folder
    finally:
        folder.close()


def _old_note(content: Any) -> tuple[Variant, dict[str, dict[str, Any]], str | None]:
    """Return an older note's game, the steps that are done, and the one that has begun; raises FolderError."""
    try:
        if content["format"] != 1 or not all(isinstance(step["files"], dict) for step in content["steps"].values()):
            raise ValueError
        return Variant(content["plies"], content["komi"]), content["steps"], content.get("begun")
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FolderError(f"damaged; {_REMEDY}") from None


_FILES = """| file | what it is |
|---|---|
| `my_player3.py`, `book.json` | the player: one file of Python 3.7, and its book; `player.zip` has both |
| `proof.db`, `proof.log` | what was proved on the way, in SQLite, and the workers' log |
| `walked-black`, `walked-white` | the script's move in every position that it can be led into, with what it searched |
| `made.jsonl` | which steps are done, and what each took |
| `made.lock`, `proof.db-writer` | locks: one process at a time makes the game, or writes to the store |
"""

_CERTIFICATE_ROW = "| `winner.cert.gz` | the winner's whole strategy, for `little-go check winner.cert.gz` |"
_PAGE_ROW = "| `explorer.html` | the page that shows what any position of this game is worth: open it in a browser |"


def _rows(noted: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield the rows of the files that not every game has."""
    if noted["check"]["lines"]:
        yield _CERTIFICATE_ROW
    if noted["page"].get("bytes"):
        yield _PAGE_ROW


def _times(noted: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield a row for each step that is done."""
    for name, step in noted.items():
        if "seconds" in step:
            yield f"| {name} | {step['seconds']:,}{' since it resumed' if step.get('resumed') else ''} |"


def readme_of(game: Variant, noted: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the README: a screen of text.

    noted: by step, its figures and seconds.
    """
    solved, book = noted["solve"], noted["book"]
    verdict = f"{solved['winner']} wins."
    if game.komi < 0:
        verdict = "Black wins at once: his PASS on the first ply ends the game, and White's komi is below zero."
    elif solved["value"] is not None:
        margin = bounds_text(Bounds(solved["value"], solved["value"]))
        verdict = f"{solved['winner']} wins: in best play Black - White is {margin}, and the komi is {game.komi:g}."
    walks = [noted[f"walk {colour}"] for colour in ("black", "white")]
    checked = f"A certificate of {noted['check']['lines']:,} lines was checked from the rules alone."
    positions = sum(walk["positions"] for walk in walks)
    nodes, cpu = (max(walk[name] for walk in walks) for name in ("most_nodes", "most_seconds"))
    lines = [
        f"# Little-Go, {game}",
        f"{verdict}",
        f"The script was walked through {positions:,} positions, against every reply, as either colour: as far as its "
        f"book of {book['positions']:,} positions reaches, and one move on. It never gives up a won game there; what "
        "follows, it searches to the end itself. "
        f"The longest search of a won position took {nodes:,} nodes and {cpu:.2f} s of CPU. "
        f"{checked if noted['check']['lines'] else ''}".rstrip(),
        "\n".join([_FILES.rstrip(), *_rows(noted)]),
        "\n".join(["| step | seconds |\n|---|---|", *_times(noted)]),
        f"Made by `little-go make --plies {game.plies} --komi {game.komi:g} --out .`, "
        "which does what is missing when you run it again.",
    ]
    return "\n\n".join(lines) + "\n"

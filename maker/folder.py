"""The directory in which a game is made: its files, and a note of which steps are done."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from runtime.files import MIB, open_to_write, read_json, sha256_of, write_whole
from runtime.locks import try_lock
from solver.family import Variant

#: The note of what is done, and the lock of who does it.
NOTE, LOCK = "made.json", "made.lock"

_FORMAT = 1


class FolderError(Exception):
    """A directory in which a game cannot be made; the message is one line."""


class Folder:
    """A game's directory; make one with open_folder()."""

    def __init__(self, path: Path, game: Variant, steps: dict[str, dict[str, Any]], begun: str | None = None) -> None:
        self.path = path
        self.game = game
        self._steps = steps
        self._begun = begun

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
        self._begun = step
        self._write()
        return resumes

    def note(self, step: str, seconds: float, figures: Mapping[str, Any], files: tuple[str, ...]) -> None:
        """Note that a step is done; raises OSError."""
        hashes = {name: _hash(self.file(name)) for name in files}
        self._steps[step] = {"seconds": round(seconds, 1), **figures, "files": hashes}
        if self._begun == step:
            self._begun = None
        self._write()

    def forget(self, steps: tuple[str, ...]) -> None:
        """Note that steps are to be done again; raises OSError."""
        kept = {step: noted for step, noted in self._steps.items() if step not in steps}
        if kept != self._steps:
            self._steps = kept
            self._write()

    def _write(self) -> None:
        content = {
            "format": _FORMAT,
            "plies": self.game.plies,
            "komi": self.game.komi,
            "begun": self._begun,
            "steps": self._steps,
        }
        write_whole(self.file(NOTE), json.dumps(content, indent=1) + "\n")


def _hash(path: Path) -> str | None:
    try:
        return sha256_of(path, 1024 * MIB)
    except FileNotFoundError:
        return None


@contextmanager
def open_folder(path: Path, game: Variant) -> Iterator[Folder]:
    """Give a game's directory, which is made if it is not there; raises FolderError and OSError.

    Nobody else makes anything there meanwhile.
    """
    path.mkdir(parents=True, exist_ok=True)
    if not (path / NOTE).exists() and any(each.name != LOCK for each in path.iterdir()):
        raise FolderError(f"{path} has other files: give --out a directory that is new, empty, or of such a run")
    with open_to_write(path / LOCK, add=True) as lock:
        if not try_lock(lock):
            raise FolderError(f"{path}: another process is making a game there")
        folder = _read(path, game)
        yield folder


def _read(path: Path, game: Variant) -> Folder:
    if not os.path.lexists(path / NOTE):
        folder = Folder(path, game, {})
        folder.note("begin", 0.0, {}, ())
        return folder
    there, steps, begun = read_json(path / NOTE, MIB, _noted, FolderError)
    if there != game:
        raise FolderError(f"{path} has the game of {there}, and this one is of {game}: give another --out")
    return Folder(path, game, steps, begun)


def _noted(content: Any) -> tuple[Variant, dict[str, dict[str, Any]], str | None]:
    """Return a note's game, the steps that are done, and the one that has begun; raises FolderError."""
    try:
        if content["format"] != _FORMAT or not all(
            isinstance(step["files"], dict) for step in content["steps"].values()
        ):
            raise ValueError
        return Variant(content["plies"], content["komi"]), content["steps"], content.get("begun")
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FolderError("damaged; remove the directory, or give another --out") from None

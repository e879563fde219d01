"""A process of Node.js with the page's modules, which computes the results of all vectors."""

import json
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from little_go.explorer.build import GAME, game_module
from little_go.solver.family import Variant

SCRIPT = Path(__file__).with_name("page_modules.mjs")
ROOT = SCRIPT.parents[2]


class NoNode(RuntimeError):
    """Raised if Node.js is not installed. The message is one line."""


class PageModules:
    """A process that runs ``page_modules.mjs``, and answers vectors."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, kind: str, vectors: Iterable[Any]) -> list[Any]:
        """Return the outcome of each vector of a kind. If the modules report an error, the test fails."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps({"kind": kind, "vectors": [*vectors]}), file=self._process.stdin, flush=True)
        answer = json.loads(self._process.stdout.readline() or '{"error": "Node.js has ended"}')
        assert "error" not in answer, answer["error"]
        found: list[Any] = answer["outcomes"]
        return found

    def differences(self, kind: str, vectors: Sequence[dict[str, Any]]) -> list[tuple[dict[str, Any], Any]]:
        """Return the vectors whose outcome differs from the one under ``is``, each with the outcome."""
        found = self.ask(kind, vectors)
        return [pair for pair in zip(vectors, found, strict=True) if pair[0]["is"] != pair[1]]


def modules_of(game: Variant, folder: Path) -> Path:
    """Copy the modules of a game's page into a folder, and return the script that imports them."""
    shutil.copytree(ROOT / "explorer" / "page", folder / "explorer" / "page")
    (folder / "explorer" / "page" / GAME).write_text(game_module(game))
    for path in (Path("explorer/kernel.wasm"), Path("generator/opponents/models.json")):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).symlink_to(ROOT / path)
    script = folder / SCRIPT.relative_to(ROOT)
    script.parent.mkdir(parents=True)
    shutil.copy(SCRIPT, script)
    return script


@contextmanager
def open_modules(script: Path = SCRIPT) -> Iterator[PageModules]:
    """Yield the modules that a script next to them imports. Raise NoNode if Node.js is not installed."""
    node = shutil.which("node")
    if node is None:
        raise NoNode("no Node.js here: the page's modules run in it")
    with subprocess.Popen([node, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        # At the end of the block the input of the process is closed, which ends the process.
        yield PageModules(process)

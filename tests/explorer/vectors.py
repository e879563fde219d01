"""The page's modules in one process of Node.js, which answers the vectors of all tests."""

import json
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("page_modules.mjs")


class NoNode(RuntimeError):
    """There is no Node.js here; the message is one line."""


class PageModules:
    """The modules, ready to answer; ``process`` runs ``page_modules.mjs``."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, kind: str, vectors: Iterable[Any]) -> list[Any]:
        """Return the outcome of each vector of a kind; an error of the modules fails the test."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps({"kind": kind, "vectors": [*vectors]}), file=self._process.stdin, flush=True)
        answer = json.loads(self._process.stdout.readline() or '{"error": "Node.js has ended"}')
        assert "error" not in answer, answer["error"]
        found: list[Any] = answer["outcomes"]
        return found

    def differences(self, kind: str, vectors: Sequence[dict[str, Any]]) -> list[tuple[dict[str, Any], Any]]:
        """Return the vectors that have another outcome than the one under ``is``, with that outcome."""
        found = self.ask(kind, vectors)
        return [pair for pair in zip(vectors, found, strict=True) if pair[0]["is"] != pair[1]]


@contextmanager
def open_modules() -> Iterator[PageModules]:
    """Yield the modules. Raises NoNode."""
    node = shutil.which("node")
    if node is None:
        raise NoNode("no node here: the page's modules run in it")
    with subprocess.Popen([node, SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        # Leaving the block closes its input, at which it ends.
        yield PageModules(process)

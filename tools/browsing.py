"""The page in a real browser: headless Chromium, driven by Playwright.

Playwright may not be installed, so its objects have no type here.
"""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from explorer.__main__ import PAGE
from notation.record import to_record
from solver.family import COURSE
from solver.position import KOMI, Position

ROOT = Path(__file__).parents[1]

#: Debian's programs, the first one installed: the shell draws no window, and a test costs a third of the CPU.
BROWSERS = ("chromium-headless-shell", "chromium")

ADDRESS = (ROOT / PAGE).as_uri()

#: Limit in seconds for any action, on a machine under load.
PATIENCE = 120.0

#: The sizes of the narrowest phone, and of a desk.
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 860}


class NoBrowser(SystemExit):
    """No browser is installed; the message names the remedy. It ends a tool, and skips a test."""


@contextmanager
def open_browser() -> Iterator[Any]:
    """Yield a browser; raises NoBrowser."""
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        api = import_module("playwright.sync_api")
    except ModuleNotFoundError:
        raise NoBrowser("no Playwright here: `make browser` installs it, 165 MB") from None
    if chromium is None:
        raise NoBrowser(f"no chromium here: Debian's package {BROWSERS[0]} has it")
    with api.sync_playwright() as playwright:
        # Tests run as root in containers, where Chromium's own sandbox cannot start.
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"], timeout=PATIENCE * 1000
        )
        yield browser
        browser.close()


@contextmanager
def serve() -> Iterator[str]:
    """Serve the page as ``little-go open`` does, with isolation, and yield its address."""
    command = [sys.executable, "-u", "-m", "explorer", "open", "--no-browser"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            yield server.stdout.readline().split()[0]
        finally:
            server.terminate()


class Explorer:
    """The open page, its requests and complaints.

    Public attributes: ``page``; ``address``; ``requests``, the addresses requested; ``complaints``, errors and
    exceptions.
    """

    def __init__(self, context: Any, fragment: str = "", address: str = ADDRESS) -> None:
        self.address = address
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.go(fragment)

    def go(self, fragment: str) -> None:
        """Open the page again, at a position."""
        self.page.goto("about:blank")
        self.requests.clear()
        self.page.goto(self.address + fragment)
        self.page.wait_for_selector("html[data-ready]")
        self._wait_for_a_frame()

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def do(self, script: str, argument: Any = None) -> Any:
        """Run a script in the page and return its value."""
        return self.page.evaluate(script, argument)

    def until(self, condition: str) -> None:
        """Wait until a JavaScript expression is true, and for the frame that draws the change."""
        # The page's policy forbids to evaluate strings in it, and so Playwright's own way to wait.
        end = time.monotonic() + PATIENCE
        while not self.do(condition):
            assert time.monotonic() < end, condition
            self.page.wait_for_timeout(20)
        self._wait_for_a_frame()

    def _wait_for_a_frame(self) -> None:
        self.do("() => new Promise(requestAnimationFrame)")

    def settle(self) -> None:
        """Wait until all is known about the position, and shown: no job that is not stopped has a sign.

        A line and a reason come after the values.
        """
        self.until(
            "!explorer.app.computing && !explorer.app.scheduled && [...document.querySelectorAll('[data-job]')]"
            ".every((job) => job.parentElement.hidden || explorer.app.isStopped(job.dataset.job))"
        )

    def play(self, moves: str) -> None:
        """Click on the points of moves, or on PASS."""
        for name in moves.split():
            self.page.click("#pass" if name == "PASS" else f'[data-point="{name}"]')

    def exact(self) -> int:
        """Wait for the position's exact value, and return it."""
        self.page.wait_for_selector("#verdict")
        self.until("document.querySelector('#verdict').dataset.lo === document.querySelector('#verdict').dataset.hi")
        value = int(self.page.get_attribute("#verdict", "data-lo") or "")
        assert value_of(self.page.inner_text("#verdict-value")) == value
        return value

    def moves(self) -> dict[str, tuple[int, int]]:
        """Return the shown bounds by move, after the change is drawn."""
        self.until("!explorer.app.scheduled")
        rows = self.do("[...document.querySelectorAll('.moves li')].map(({dataset: d}) => [d.moves, +d.lo, +d.hi])")
        return {name: (lo, hi) for names, lo, hi in rows for name in names.split()}

    def text(self, selector: str) -> str:
        """Return the visible text of an element, after the change is drawn."""
        self.until("!explorer.app.scheduled")
        return " ".join(self.page.inner_text(selector).split())

    def position(self) -> dict[str, Any]:
        """Return the shown position, as JSON keys."""
        position: dict[str, Any] = self.do("({...explorer.app.position})")
        return position

    def answer(self, position: Position) -> dict[str, Any]:
        """Compute a position's exact value in the page."""
        answer: dict[str, Any] = self.do("position => explorer.answer(position)", to_record(position, COURSE))
        return answer

    def check(self) -> None:
        """Check that the page has requested nothing and complained of nothing."""
        foreign = [url for url in self.requests if not url.startswith((self.address, "blob:", "data:", "about:"))]
        assert foreign == []
        assert self.complaints == []


def value_of(result: str) -> int:
    """Return the value, stones Black - White, of a result such as B+0.5: 3."""
    margin = float(result[2:])
    return int(KOMI + margin if result[0] == "B" else KOMI - margin)

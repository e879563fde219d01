"""The page in a real browser: headless Chromium, driven by Playwright, and Debian's Firefox, by WebDriver BiDi.

Playwright may not be installed, so its objects have no type here. It does not drive Debian's Firefox: BiDi is JSON over
a WebSocket, and Firefox's pages have the methods of Playwright that ``Explorer`` calls.
"""

import asyncio
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from base64 import b64decode
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from little_go.explorer.__main__ import PAGE
from little_go.notation.record import to_record
from little_go.solver.family import COURSE
from little_go.solver.position import KOMI, Position

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
    command = [sys.executable, "-u", "-m", "little_go.explorer", "open", "--no-browser"]
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
        """Wait until everything about the position is known and shown: only stopped jobs have a progress sign.

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

    def meet(self, opponent: str) -> None:
        """Choose the opponent of the games to come."""
        change = "opponent => { const { app } = explorer; const play = { ...app.state.play, opponent };"
        self.do(f"{change} app.dispatch({{ type: 'set', changes: {{ play }} }}); }}", opponent)

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

    def is_enabled(self, selector: str) -> bool:
        """Return whether a control is enabled, after the change is drawn."""
        self.until("!explorer.app.scheduled")
        return bool(self.page.is_enabled(selector))

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


PROGRAM = "firefox-esr"

#: The settings of a session; the colour scheme is 0 for dark and 1 for light, as no command of the protocol sets it.
_SETTINGS = {"remote.active-protocols": 1, "browser.shell.checkDefaultBrowser": "false"}
_SCHEME = "layout.css.prefers-color-scheme.content-override"
_SCHEMES = {"dark": 0, "light": 1}

_ADDRESS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")

#: A script's value as JSON; a function is called first.
_CALL = """async () => {{
    const it = ({script});
    return JSON.stringify((await (typeof it === "function" ? it({argument}) : it)) ?? null);
}}"""

_FILL = """([selector, text]) => {
    const element = document.querySelector(selector);
    element.value = text;
    for (const name of ["input", "change"]) element.dispatchEvent(new Event(name, { bubbles: true }));
}"""


class FirefoxError(Exception):
    """A failed command; the message is the browser's."""


@contextmanager
def open_firefox(scheme: str) -> Iterator["Firefox"]:
    """Yield a Firefox in a colour scheme, ``light`` or ``dark``; raises NoBrowser."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise NoBrowser(f"no firefox here: Debian's package {PROGRAM} has it")
    with tempfile.TemporaryDirectory() as profile:
        settings = {**_SETTINGS, _SCHEME: _SCHEMES[scheme]}
        lines = [f'user_pref("{name}", {value});' for name, value in settings.items()]
        (Path(profile) / "user.js").write_text("\n".join(lines))
        command = [program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
            try:
                assert process.stderr
                found = next(filter(None, map(_ADDRESS.search, process.stderr)))
                with _running_loop() as loop, closing(Firefox(loop, f"{found[1]}/session")) as firefox:
                    yield firefox
            finally:
                process.terminate()


@contextmanager
def _running_loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Yield a loop in a thread of its own: Playwright's may run in this one."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


class Firefox:
    """A session. Public attributes: ``size``, the width and height of a new page in CSS pixels."""

    def __init__(self, loop: asyncio.AbstractEventLoop, address: str) -> None:
        self.size = DESK
        self._loop = loop
        self._connection = self._wait_for(_connect(address))
        self._asked = 0
        self._pages: dict[str, FirefoxPage] = {}
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its result; raises FirefoxError."""
        answer: dict[str, Any] = self._wait_for(self._answer(method, params))
        return answer

    def close(self) -> None:
        """End the session."""
        self.send("browser.close")
        self._wait_for(self._hang_up())

    async def _hang_up(self) -> None:
        self._connection.close()
        while await self._connection.read_message() is not None:
            pass

    def _wait_for(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    async def _answer(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._asked += 1
        await self._connection.write_message(json.dumps({"id": self._asked, "method": method, "params": params}))
        while True:
            message = json.loads(await self._connection.read_message())
            if message.get("type") == "event":
                self._note(message["params"])
            elif message.get("id") == self._asked:
                if "result" not in message:
                    raise FirefoxError(f"{method}: {message['message']}")
                result: dict[str, Any] = message["result"]
                return result

    def _note(self, entry: dict[str, Any]) -> None:
        page = self._pages.get(entry["source"].get("context"))
        if page is not None and entry["level"] in ("error", "warn"):
            page.complain(entry["text"])

    def new_page(self) -> "FirefoxPage":
        """Return a page of the session's size."""
        context = self.send("browsingContext.create", type="tab")["context"]
        self.send("browsingContext.setViewport", context=context, viewport=self.size)
        self._pages[context] = FirefoxPage(self, context)
        return self._pages[context]


async def _connect(address: str) -> Any:
    # Imported here, as only users of Firefox need it: it comes with dask.distributed.
    from tornado.websocket import websocket_connect

    return await websocket_connect(address, max_message_size=1 << 28)


class FirefoxPage:
    """A page: some of Playwright's methods, by the same names."""

    def __init__(self, firefox: Firefox, context: str) -> None:
        self._firefox = firefox
        self._context = context
        self._listeners: dict[str, Callable[[str], None]] = {}

    def set_default_timeout(self, milliseconds: float) -> None:
        """Do nothing: the timeout stays as it is."""

    def on(self, event: str, listener: Callable[[Any], None]) -> None:
        """Report errors and warnings of the page's log as ``pageerror``, the only event."""
        self._listeners[event] = listener

    def complain(self, text: str) -> None:
        """Report an error to the listener."""
        if "pageerror" in self._listeners:
            self._listeners["pageerror"](text)

    def goto(self, address: str) -> None:
        """Open an address, and wait until it is loaded."""
        self._firefox.send("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, script: str, argument: Any = None) -> Any:
        """Evaluate an expression, or a function called with an argument; raises FirefoxError."""
        answer = self._firefox.send(
            "script.callFunction",
            functionDeclaration=_CALL.format(script=script, argument=json.dumps(argument)),
            awaitPromise=True,
            target={"context": self._context},
        )
        if answer["type"] == "exception":
            raise FirefoxError(f"{script}: {answer['exceptionDetails']['text']}")
        return json.loads(answer["result"]["value"])

    def click(self, selector: str) -> None:
        """Click on a visible element."""
        self.wait_for_selector(selector)
        self.evaluate("selector => document.querySelector(selector).click()", selector)

    def fill(self, selector: str, text: str) -> None:
        """Put a text into a field."""
        self.evaluate(_FILL, [selector, text])

    def is_visible(self, selector: str) -> bool:
        """Whether such an element is visible."""
        return bool(self.evaluate("selector => document.querySelector(selector)?.checkVisibility() ?? false", selector))

    def inner_text(self, selector: str) -> str:
        """Return the visible text."""
        return str(self.evaluate("selector => document.querySelector(selector).innerText", selector))

    def wait_for_selector(self, selector: str) -> None:
        """Wait until such an element is visible."""
        for _ in range(int(PATIENCE * 20)):
            if self.is_visible(selector):
                return
            self.wait_for_timeout(50)
        raise FirefoxError(f"{selector} is not to be seen")

    def wait_for_timeout(self, milliseconds: float) -> None:
        """Wait."""
        self.evaluate("wait => new Promise((resolve) => setTimeout(resolve, wait))", milliseconds)

    def screenshot(self, path: str) -> None:
        """Write a picture of the whole page."""
        shot = self._firefox.send("browsingContext.captureScreenshot", context=self._context, origin="document")
        Path(path).write_bytes(b64decode(shot["data"]))

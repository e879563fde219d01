"""Control of the page in a browser: headless Chromium through Playwright, and Debian's Firefox through WebDriver BiDi.

Playwright may not be installed, so its objects have the type Any here. Playwright cannot control Debian's Firefox. So
the class ``Firefox`` sends the commands of BiDi, which are JSON, over a WebSocket, and FirefoxPage has the methods of
Playwright that ``Explorer`` calls.
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

#: The names of Chromium's programs in Debian. The first installed program is used. With the headless shell, which draws
#: no window, a test needs a third of the CPU.
BROWSERS = ("chromium-headless-shell", "chromium")

ADDRESS = (ROOT / PAGE).as_uri()

#: The time limit of any action, in seconds, on a machine under load.
PATIENCE = 120.0

#: The sizes of the narrowest phone and of a desktop window, in CSS pixels.
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 860}


class NoBrowser(SystemExit):
    """Raised if no browser is installed.

    The message contains the remedy. This exception ends a tool and skips a test.
    """


@contextmanager
def open_browser() -> Iterator[Any]:
    """Yield a headless Chromium. Raise NoBrowser if Chromium or Playwright is not installed."""
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        api = import_module("playwright.sync_api")
    except ModuleNotFoundError:
        raise NoBrowser("no Playwright here: `make browser` installs it, 165 MB") from None
    if chromium is None:
        raise NoBrowser(f"no chromium here: Debian's package {BROWSERS[0]} has it")
    with api.sync_playwright() as playwright:
        # Tests can run as root in a container, where Chromium cannot start its sandbox.
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-dev-shm-usage"], timeout=PATIENCE * 1000
        )
        yield browser
        browser.close()


@contextmanager
def serve() -> Iterator[str]:
    """Serve the page with ``little-go open``, and yield the address of the page.

    The page is cross-origin isolated, so its workers can share memory.
    """
    command = [sys.executable, "-u", "-m", "little_go.explorer", "open", "--no-browser"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            yield server.stdout.readline().split()[0]
        finally:
            server.terminate()


class Explorer:
    """An open page, with records of its requests and errors.

    The public attributes are ``page``, ``address``, ``requests`` (the requested addresses) and ``complaints`` (the
    texts of errors and exceptions).
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
        """Open the page again at a position, which the fragment describes."""
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
        """Wait until a JavaScript expression is true, and then for the next animation frame, which draws the change."""
        # Playwright's wait_for_function() cannot be used, because the page's policy forbids evaluating strings.
        end = time.monotonic() + PATIENCE
        while not self.do(condition):
            assert time.monotonic() < end, condition
            self.page.wait_for_timeout(20)
        self._wait_for_a_frame()

    def _wait_for_a_frame(self) -> None:
        self.do("() => new Promise(requestAnimationFrame)")

    def settle(self) -> None:
        """Wait until everything about the position is known and shown, except the results of stopped jobs.

        The page shows the line and the reason later than the values.
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
        """Choose the opponent for the next games."""
        change = "opponent => { const { app } = explorer; const play = { ...app.state.play, opponent };"
        self.do(f"{change} app.dispatch({{ type: 'set', changes: {{ play }} }}); }}", opponent)

    def exact(self) -> int:
        """Wait until the page shows the position's exact value, and return it."""
        self.page.wait_for_selector("#verdict")
        self.until("document.querySelector('#verdict').dataset.lo === document.querySelector('#verdict').dataset.hi")
        value = int(self.page.get_attribute("#verdict", "data-lo") or "")
        assert value_of(self.page.inner_text("#verdict-value")) == value
        return value

    def moves(self) -> dict[str, tuple[int, int]]:
        """Return the shown bounds of each move, after the last change is drawn."""
        self.until("!explorer.app.scheduled")
        rows = self.do("[...document.querySelectorAll('.moves li')].map(({dataset: d}) => [d.moves, +d.lo, +d.hi])")
        return {name: (lo, hi) for names, lo, hi in rows for name in names.split()}

    def text(self, selector: str) -> str:
        """Return the visible text of an element, after the last change is drawn."""
        self.until("!explorer.app.scheduled")
        return " ".join(self.page.inner_text(selector).split())

    def is_enabled(self, selector: str) -> bool:
        """Return whether a control is enabled, after the last change is drawn."""
        self.until("!explorer.app.scheduled")
        return bool(self.page.is_enabled(selector))

    def is_visible(self, selector: str) -> bool:
        """Return whether an element is visible, after the last change is drawn."""
        self.until("!explorer.app.scheduled")
        return bool(self.page.is_visible(selector))

    def position(self) -> dict[str, Any]:
        """Return the shown position, with the same keys as in JSON output."""
        position: dict[str, Any] = self.do("({...explorer.app.position})")
        return position

    def answer(self, position: Position) -> dict[str, Any]:
        """Return a position's exact value, which the page computes."""
        answer: dict[str, Any] = self.do("position => explorer.answer(position)", to_record(position, COURSE))
        return answer

    def check(self) -> None:
        """Assert that the page has requested no foreign address and reported no error."""
        foreign = [url for url in self.requests if not url.startswith((self.address, "blob:", "data:", "about:"))]
        assert foreign == []
        assert self.complaints == []


def value_of(result: str) -> int:
    """Return the value of a result, such as 3 for B+0.5."""
    margin = float(result[2:])
    return int(KOMI + margin if result[0] == "B" else KOMI - margin)


PROGRAM = "firefox-esr"

#: The preferences of a session. The colour scheme is a preference too, because the protocol has no command for it: 0 is
#: dark and 1 is light.
_SETTINGS = {"remote.active-protocols": 1, "browser.shell.checkDefaultBrowser": "false"}
_SCHEME = "layout.css.prefers-color-scheme.content-override"
_SCHEMES = {"dark": 0, "light": 1}

_ADDRESS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")

#: JavaScript that returns the value of a script as JSON. If the value is a function, the function's result is returned.
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
    """Raised if a command of Firefox fails. The message is the browser's message."""


@contextmanager
def open_firefox(scheme: str) -> Iterator["Firefox"]:
    """Yield Firefox with a colour scheme, ``light`` or ``dark``. Raise NoBrowser if Firefox is not installed."""
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
    """Yield an event loop that runs in a separate thread, because this thread can be running Playwright's loop."""
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
    """A session of Firefox. The public attribute ``size`` is the width and height of a new page in CSS pixels."""

    def __init__(self, loop: asyncio.AbstractEventLoop, address: str) -> None:
        self.size = DESK
        self._loop = loop
        self._connection = self._wait_for(_connect(address))
        self._asked = 0
        self._pages: dict[str, FirefoxPage] = {}
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded"])

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and return its result. Raise FirefoxError if the command fails."""
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
        """Open a page that has the size of the session."""
        context = self.send("browsingContext.create", type="tab")["context"]
        self.send("browsingContext.setViewport", context=context, viewport=self.size)
        self._pages[context] = FirefoxPage(self, context)
        return self._pages[context]


async def _connect(address: str) -> Any:
    # Import tornado here, because it is installed only with dask.distributed and only Firefox needs it.
    from tornado.websocket import websocket_connect

    return await websocket_connect(address, max_message_size=1 << 28)


class FirefoxPage:
    """A page of Firefox with some of the methods of Playwright's pages."""

    def __init__(self, firefox: Firefox, context: str) -> None:
        self._firefox = firefox
        self._context = context
        self._listeners: dict[str, Callable[[str], None]] = {}

    def set_default_timeout(self, milliseconds: float) -> None:
        """Do nothing, because every command has the same timeout."""

    def on(self, event: str, listener: Callable[[Any], None]) -> None:
        """Call ``listener`` with errors and warnings of the page's log. The only supported event is ``pageerror``."""
        self._listeners[event] = listener

    def complain(self, text: str) -> None:
        """Pass an error to the listener."""
        if "pageerror" in self._listeners:
            self._listeners["pageerror"](text)

    def goto(self, address: str) -> None:
        """Open an address, and wait until it is loaded."""
        self._firefox.send("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, script: str, argument: Any = None) -> Any:
        """Return the value of an expression, or the result of a function that is called with an argument."""
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
        """Return whether an element is visible."""
        return bool(self.evaluate("selector => document.querySelector(selector)?.checkVisibility() ?? false", selector))

    def inner_text(self, selector: str) -> str:
        """Return the visible text of an element."""
        return str(self.evaluate("selector => document.querySelector(selector).innerText", selector))

    def wait_for_selector(self, selector: str) -> None:
        """Wait until an element is visible."""
        for _ in range(int(PATIENCE * 20)):
            if self.is_visible(selector):
                return
            self.wait_for_timeout(50)
        raise FirefoxError(f"{selector} is not to be seen")

    def wait_for_timeout(self, milliseconds: float) -> None:
        """Wait for a number of milliseconds."""
        self.evaluate("wait => new Promise((resolve) => setTimeout(resolve, wait))", milliseconds)

    def screenshot(self, path: str) -> None:
        """Write a picture of the whole page."""
        shot = self._firefox.send("browsingContext.captureScreenshot", context=self._context, origin="document")
        Path(path).write_bytes(b64decode(shot["data"]))

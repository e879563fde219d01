"""The page in Debian's Firefox, which Playwright does not drive: by WebDriver BiDi, JSON over a WebSocket.

Its pages have the methods of Playwright that ``tools.browsing.Explorer`` calls.
"""

import asyncio
import json
import re
import shutil
import subprocess
import tempfile
import threading
from base64 import b64decode
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tools.browsing import DESK, PATIENCE, NoBrowser

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
        """Keep the patience as it is."""

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

"""The explorer's command: ``little-go explorer``."""

import re
import sys
import webbrowser
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import click

from little_go.book.files.levels import LevelError
from little_go.explorer.packs import pack_level
from little_go.runtime.errors import FOUND, BadUsage, Finding, OneLineErrors
from little_go.runtime.files import MIB, read_text, write_whole
from little_go.runtime.hints import command_line
from little_go.runtime.options import FILE
from little_go.runtime.release import in_clone, shipped
from little_go.solver.family import COURSE
from little_go.solver.native import NoKernel, kernel_needed

ROOT = Path(__file__).resolve().parents[1]
PAGE = "explorer.html"

#: The text in a page after which the values of ply 7 are inserted, and the folder with the parts of these values.
LAST_PLY, SEVENTH = 'id="ply7">', shipped("data/ply7")

#: The text with which the values of ply 6 begin. Only pages of games of 24 plies contain this text.
HAS_SIXTH = 'id="ply6">e'


@click.group(cls=OneLineErrors, room="explorer", expected=(NoKernel, LevelError), invoke_without_command=True)
@click.pass_context
def main(context: click.Context) -> None:
    """Open the page that analyses any position, in the browser. If no command is given, `open` runs."""
    if context.invoked_subcommand is None:
        context.invoke(open_page)


@main.command("open")
@click.option("--page", type=FILE, default=shipped(PAGE), show_default=PAGE)
@click.option("--port", type=click.IntRange(0, 65535), default=0, show_default="any free one")
@click.option("--browser/--no-browser", default=True)
def open_page(page: Path, port: int, browser: bool) -> None:
    """Open the page in the browser; Ctrl-C ends it.

    Only this machine can reach the page's server. The page also works without a server: open the file itself.
    """
    if not page.is_file():
        out = () if page == shipped(PAGE) else ("--out", page)
        made = f": make it with {command_line('explorer build', *out)}" if in_clone() else ""
        raise BadUsage(f"{page} does not exist{made}")
    handler = partial(PageHandler, name=page.name, content=with_last_ply(_read_page(page)).encode())
    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise BadUsage(f"port {port}: {error.strerror}") from None
    address = f"http://127.0.0.1:{server.server_port}/{page.name}"
    click.echo(f"{address} (Ctrl-C ends it)")
    if browser:
        webbrowser.open(address)
    with server:
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("")


@main.command()
@click.option("--check", is_flag=True)
@click.option("--out", type=FILE, default=shipped(PAGE), show_default=PAGE)
@click.option(
    "--kernel",
    "modules",
    nargs=2,
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
)
def build(check: bool, out: Path, modules: tuple[Path, Path] | None) -> None:
    """Build the page, explorer.html.

    The page contains its sources, the compiled kernel, the book and the atlas. The build needs a clone, but no
    compiler.
    """
    if not in_clone():
        raise BadUsage(
            "building needs a clone, which has the page's sources; open the installed page with "
            + command_line("explorer open")
        )
    with kernel_needed():
        # Import the build here, because it needs the kernel and the other commands do not.
        from little_go.explorer import build as tools
    try:
        if check:
            tools.check_module(ROOT)
            if not out.is_file() or built_from(_read_page(out)) != tools.fingerprint(ROOT):
                click.echo(f"{out.name} is out of date: run {command_line('explorer build')}", err=True)
                sys.exit(FOUND)
            return
        if modules:
            tools.take_modules(ROOT, *modules)
        page = tools.build_page(ROOT, COURSE)
        write_whole(out, page)
    except tools.PageError as error:
        raise (Finding if check else BadUsage)(str(error)) from None
    click.echo(f"{out.name}: {len(page.encode()) / 1000:.0f} kB")


def built_from(page: str) -> str | None:
    """Return the fingerprint of the sources that is stored in a page, or None."""
    match = re.search(r'<meta name="sources" content="([0-9a-f]{64})">', page)
    return match[1] if match else None


def _read_page(path: Path) -> str:
    """Return the text of a page that `build` wrote. Raise BadUsage if the file is not such a page."""
    with suppress(UnicodeDecodeError):
        page = read_text(path, 64 * MIB)
        if built_from(page):
            return page
    raise BadUsage(f"{path}: not a page of the explorer: give one that {command_line('explorer build')} wrote")


def with_last_ply(page: str) -> str:
    """Return a page with the shipped values of ply 7, if its game has 24 plies; otherwise return it unchanged.

    The file explorer.html does not contain these values, because they would double its size.
    """
    before, place, after = page.partition(LAST_PLY)
    return f"{before}{LAST_PLY}{pack_level(SEVENTH)}{after}" if place and HAS_SIXTH in before else page


class PageHandler(SimpleHTTPRequestHandler):
    """A handler that serves the page and nothing else."""

    def __init__(self, *args: Any, name: str, content: bytes, **kwargs: Any) -> None:
        self._name, self._content = name, content
        super().__init__(*args, **kwargs)

    def send_head(self) -> BytesIO | None:
        """Send the page's headers and return its content. If the address is neither the page nor /, send error 404."""
        if self.path.partition("?")[0] not in ("/", f"/{self._name}"):
            self.send_error(HTTPStatus.NOT_FOUND)
            return None
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(self._content)))
        self.end_headers()
        return BytesIO(self._content)

    def end_headers(self) -> None:
        """Send the headers that isolate the page from other sites, so that its workers can share memory."""
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing about a request."""


if __name__ == "__main__":
    main(prog_name=f"python -m {__package__}")
